import { AppError } from "#lib/app-error.ts";
import { loginInBrowser } from "./browser-login.ts";
import { type Command, readArguments, UsageError } from "#cli/command/command.ts";
import { type CommandIo, table, writeLine } from "#cli/command/io.ts";
import { type AnyLogin, readLogins, serverAddress, writeLogins } from "#cli/places/logins.ts";
import { readSecret } from "#cli/places/read-secret.ts";
import { operationsAt } from "#cli/places/server.ts";
import { readEnvironment } from "#cli/places/command-environment.ts";
import { listenerOf } from "#cli/command/progress.ts";

const DEFAULT_SERVER = "http://localhost:4000";

export const login: Command = {
  usage: `docent login [--browser] [--project ID] [--server URL] [--name NAME] [--list]

Stores an API key for a server, so that commands work there from any machine. With --project, it is a key of that project; without, an
instance key, which works for all projects. Docent asks for the key or reads it from standard input, tries it, and stores it in
\`logins.json\` in your configuration folder (~/.config/docent), which only you can read.

To create a key, run \`docent keys create PROJECT\` or \`docent keys create --instance\` on the server, or use the project's dashboard.
\`docent help places\` explains where commands run.

Options
  --browser      sign in with your account in a browser on this machine, instead of a key
  --project ID   the project's id, prj_…
  --server URL   address of the server (default: the server of the newest login, otherwise ${DEFAULT_SERVER})
  --name NAME    a name for the project that you can use instead of its id
  --list         list the logins, without their keys
  --json         one JSON object, or array (--list), on standard output

Example
  docent login --server https://docs.example.com --browser
  docent login --server https://docs.example.com --project prj_01jd… --name harbor-docs`,
  async run(args, io) {
    const { values } = readArguments(
      args,
      { name: { type: "string" }, list: { type: "boolean" }, browser: { type: "boolean" } },
      { min: 0, max: 0, names: "" },
    );
    const environment = readEnvironment();
    const logins = readLogins(environment.loginsFile);
    if (values.list) return list(logins, io, values.json ?? false);
    const server = serverAddress(values.server ?? environment.server ?? logins[0]?.server ?? DEFAULT_SERVER);
    const project = values.project ?? environment.project;
    if (project !== null && !/^prj_[0-9a-z]+$/.test(project)) {
      throw new UsageError("--project takes the id of a project, prj_…. `docent projects list` shows it.");
    }
    const key = values.browser
      ? await loginInBrowser(server, io)
      : await readSecret(io, `API key for ${project ?? "all projects"} at ${server}: `);
    if (key === "") throw new AppError("invalid", "No key was given. Type it, or send it on standard input.");
    if (/[^\x21-\x7e]/.test(key))
      throw new AppError("invalid", "That is not an API key: keys begin with docent_ and contain no spaces.");
    const made: AnyLogin = { server, project, name: values.name ?? null, key };
    const { call } = operationsAt(made, listenerOf(io));
    try {
      await call(project === null ? "listProjects" : "listAgentJobs", { query: { limit: 1 } });
    } catch (error) {
      if (!values.browser || project !== null || !(error instanceof AppError) || error.code !== "forbidden")
        throw error;
      throw new AppError("forbidden", `${error.message} Name a project of yours: --project prj_….`, { cause: error });
    }
    const others = logins.filter((one) => one.server !== server || one.project !== project);
    writeLogins(environment.loginsFile, [made, ...others]);
    if (values.json) return writeLine(io.stdout, JSON.stringify(shown(made)));
    writeLine(
      io.stdout,
      `Commands work on ${made.name ?? project ?? "all projects"} at ${server} now. The key is in ${environment.loginsFile}.`,
    );
  },
};

export const logout: Command = {
  usage: `docent logout [--server URL] [--project PROJECT] [--all]

Removes the key of a login from this machine: the newest login, or those that the options name. The key stays valid until it
expires. To end it, run \`docent keys revoke\`.

Options
  --server URL       only logins at this server
  --project PROJECT  id or name of the project
  --all              all matching logins, not only the newest
  --json             the removed logins as a JSON array`,
  async run(args, io) {
    const { values } = readArguments(args, { all: { type: "boolean" } }, { min: 0, max: 0, names: "" });
    const { loginsFile } = readEnvironment();
    const logins = readLogins(loginsFile);
    const server = values.server === undefined ? null : serverAddress(values.server);
    const { project = null } = values;
    const named = logins.filter(
      (one) =>
        (server === null || one.server === server) &&
        (project === null || one.project === project || one.name === project),
    );
    const gone = values.all ? named : named.slice(0, 1);
    if (gone.length === 0) throw new AppError("not_found", "There is no such login.");
    writeLogins(
      loginsFile,
      logins.filter((one) => !gone.includes(one)),
    );
    if (values.json) return writeLine(io.stdout, JSON.stringify(gone.map(shown)));
    for (const one of gone)
      writeLine(io.stdout, `Forgot the key for ${one.name ?? one.project ?? "all projects"} at ${one.server}.`);
  },
};

function list(logins: readonly AnyLogin[], io: CommandIo, asJson: boolean): void {
  if (asJson) return writeLine(io.stdout, JSON.stringify(logins.map(shown)));
  if (logins.length === 0) return writeLine(io.stdout, "No logins yet. `docent login --project ID` makes one.");
  const rows = logins.map((one) => [one.server, one.project ?? "all", one.name ?? "", `…${one.key.slice(-4)}`]);
  writeLine(io.stdout, table(["SERVER", "PROJECT", "NAME", "KEY"], rows));
}

const shown = ({ server, project, name }: AnyLogin) => ({ server, project, name });
