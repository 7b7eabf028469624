import { COMMANDS } from "./commands.ts";

/** Texts of `docent help TOPIC`, in addition to the help of commands. */
export const TOPICS: Record<string, { summary: string; text: string }> = {
  places: {
    summary: "Beside a data directory, or at a server",
    text: `A command works in one of two places:

  beside a data directory   needs no key: write access to the directory makes you the owner. All commands work there.
  at a server               over HTTP, from any machine, with a key that \`docent login\` keeps.

The first of these that is so says which:

  1. --data DIR, or --server URL
  2. DOCENT_DATA or DATABASE_URL in the environment: the data directory
  3. DOCENT_SERVER in the environment: the server; with DOCENT_API_KEY, and DOCENT_PROJECT (its id) for a project's key, no login is needed.
     The key goes to that server alone, whatever --server names; without DOCENT_SERVER to the one of --server
  4. ./data is a data directory
  5. there is a login: its server

At a server PROJECT is the id of a project that you have a key for, or the name that you gave at the login. With a key of the
instance (docent login without --project) it is the id or the slug of any project. Where the usage of
a command has PROJECT, it has to be said. Commands without it (docent jobs show JOB) mean the project of the newest login, or of
DOCENT_PROJECT; --project names another. What has no operation at servers yet says so.`,
  },
  output: {
    summary: "What is printed where",
    text: `The result of a command goes to standard output: a table or lines for people, with --json JSON as the API shows it. Notes and
progress go to standard error; --quiet (-q) leaves them out. Errors go to standard error whatever is said.

Characters that would act on a terminal are shown as JSON writes them.`,
  },
  "exit-status": {
    summary: "0, 1, 2 and 130",
    text: `0    done
1    refused or failed; also a job that failed while it was waited for, and errors that \`docent check\` found
2    the command line is wrong: a command, an option or a word
130  ended by Ctrl-C or a signal`,
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

\`docent COMMAND --help\` or \`docent help COMMAND\` says more about each; \`docent --version\` says which this is.

\`docent help TOPIC\`
${list(Object.entries(TOPICS).map(([name, { summary }]) => [name, summary]))}`;
}

/** The help for a command or topic; null if it is unknown. */
export async function helpOn(name: string): Promise<string | null> {
  const entry = COMMANDS.find((command) => command.name === name);
  if (entry) return (await entry.load()).usage;
  return (Object.hasOwn(TOPICS, name) && TOPICS[name]?.text) || null;
}
