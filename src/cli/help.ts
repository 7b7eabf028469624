import type { Command } from "./command/command.ts";
import { COMMANDS } from "./commands.ts";

/** Texts of `docent help TOPIC`, in addition to the help of commands. */
export const TOPICS: Record<string, { summary: string; text: string }> = {
  places: {
    summary: "Where commands run: on a data directory, or at a server",
    text: `A command runs in one of two places:

  on a data directory   on the server's machine, without a key: write access to the directory makes you the owner. All commands except mcp work.
  at a server           over HTTP from any machine, with the key from \`docent login\`. Commands that do not work there say so.

Docent uses the first of these that applies:

  1. the option --data DIR or --server URL
  2. the environment variable DOCENT_DATA or DATABASE_URL: the data directory
  3. the environment variable DOCENT_SERVER: that server. DOCENT_API_KEY replaces the login; for a project's key, set DOCENT_PROJECT to the
     project's id. The key is sent only to DOCENT_SERVER or, if that is not set, to the server of --server
  4. a data directory in ./data
  5. the server of the newest login

At a server, PROJECT is the id of a project that you have a key for, or its name from \`docent login --name\`. With an instance key, it is
the id or slug of any project. Commands without PROJECT, such as \`docent jobs show JOB\`, use the project of the newest login or of
DOCENT_PROJECT; --project names another.`,
  },
  output: {
    summary: "Standard output, standard error and JSON",
    text: `Results go to standard output, as text or, with --json, as JSON with the fields of the API. Notes and progress go to standard error;
--quiet (-q) turns them off. Errors always go to standard error.

Control characters in results are escaped as in JSON.`,
  },
  "exit-status": {
    summary: "What 0, 1, 2, 3 and 130 mean",
    text: `0    success
1    failure, including a job that failed while the command waited for it, and errors found by \`docent check\`
2    invalid command line
3    \`docent check\` found no errors, but could not check everything in time
130  interrupted by Ctrl-C or a signal`,
  },
};

/** The help of `docent` without a command. */
export function overview(): string {
  const list = (rows: readonly (readonly [string, string])[]) => {
    const width = Math.max(...rows.map(([name]) => name.length));
    return rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`).join("\n");
  };
  return `docent: documentation from a git repository, with agents that open pull requests and exact visitor counts

Usage: docent COMMAND [options]

${list(COMMANDS.map(({ name, summary }) => [name, summary]))}

\`docent COMMAND --help\` shows the actions and options of a command. \`docent --version\` prints the version.

Topics, for \`docent help TOPIC\`
${list(Object.entries(TOPICS).map(([name, { summary }]) => [name, summary]))}`;
}

/** The help for a command, or for one of its actions if that has its own. */
export const helpOf = (command: Command, action = ""): string =>
  command.usageOf?.(action) ?? command.shortUsage ?? command.usage;

/** The help for a command or topic; null if it is unknown. */
export async function helpOn(name: string, action?: string): Promise<string | null> {
  const entry = COMMANDS.find((command) => command.name === name);
  if (entry) return helpOf(await entry.load(), action);
  return (Object.hasOwn(TOPICS, name) && TOPICS[name]?.text) || null;
}
