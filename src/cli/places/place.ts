import { existsSync } from "node:fs";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import { type AnyLogin, type InstanceLogin, type Login, readLogins, serverAddress } from "./logins.ts";
import { operationsAt } from "./server.ts";
import { readEnvironment, type CommandEnvironment } from "./command-environment.ts";
import { UsageError } from "./usage-error.ts";
import type { ProgressListener } from "./progress-listener.ts";

/** Options that select where a command works. */
export interface PlaceOptions {
  data?: string | undefined;
  server?: string | undefined;
  project?: string | undefined;
}

/** A data directory, or a server with the person's logins for it. */
export type WorkPlace =
  | { kind: "directory" }
  | {
      kind: "server";
      server: string | null;
      logins: readonly AnyLogin[];
      project: string | null;
      /** The server that the key in the environment is for, if it is not this one. */
      keyIsFor?: string | null;
    };

/**
 * Selects where a command works: the place in its options, else in the environment, else `./data` if it contains a
 * store, else the server of the newest login. Without any login the error mentions the data directory.
 */
export function choosePlace(options: PlaceOptions, environment: CommandEnvironment = readEnvironment()): WorkPlace {
  if (options.data !== undefined && options.server !== undefined) {
    throw new UsageError("Give --data or --server, not both.");
  }
  if (options.data !== undefined) return { kind: "directory" };
  const project = options.project ?? environment.project;
  if (options.server !== undefined) return atServer(serverAddress(options.server), project, environment);
  if (environment.hasDataDirectory) return { kind: "directory" };
  if (environment.server !== null) return atServer(serverAddress(environment.server), project, environment);
  if (existsSync(path.join(environment.folder, "data", "instance-id"))) return { kind: "directory" };
  return readLogins(environment.loginsFile).length > 0 ? atServer(null, project, environment) : { kind: "directory" };
}

/** `AppError conflict` if the options select a server: the API has no operation for this command. */
export function requireDirectory(options: PlaceOptions): void {
  if (choosePlace(options).kind === "directory") return;
  throw new AppError(
    "conflict",
    "This command works only on the data directory of a server. Run it on that machine, with --data DIR or DOCENT_DATA.",
  );
}

function atServer(server: string | null, project: string | null, environment: CommandEnvironment): WorkPlace {
  const { key } = environment;
  // The key is sent only to the server that the environment names, whatever server is on the command line.
  const keyServer = key === null || environment.server === null ? server : serverAddress(environment.server);
  const isKeyServer = key !== null && server !== null && server === keyServer;
  // A key in the environment is for the project named there or on the command line, else for the whole server.
  const given = isKeyServer ? [{ server, project, name: null, key }] : [];
  const logins = [...given, ...readLogins(environment.loginsFile)];
  return { kind: "server", server, project, logins, keyIsFor: key === null || isKeyServer ? null : keyServer };
}

type ServerPlace = Extract<WorkPlace, { kind: "server" }>;

/**
 * The login for a project by its ID or name, or the newest one if no project is given. An instance key covers every
 * project, also by slug. `AppError unauthorized` says how to get one.
 */
export async function findLogin(place: ServerPlace, named: string | null, listener: ProgressListener): Promise<Login> {
  const project = named ?? place.project;
  const login = loginsHere(place)
    .filter((one) => one.project !== null)
    .find((one) => project === null || one.project === project || one.name === project);
  if (login) return login;
  const wide = findWide(place);
  if (wide && project !== null) return { ...wide, project: await idOf(wide, project, listener), name: null };
  if (wide) {
    throw new AppError("invalid", `The key for ${wide.server} is for all of its projects: name one with --project.`);
  }
  throw new AppError(
    "unauthorized",
    `There is no key for ${project === null ? "any project" : `the project "${project}"`}${whereOf(place)}. Run \`docent login --server URL --project PROJECT_ID\` first.`,
  );
}

/** The login with an instance key. `AppError unauthorized` says how to get one. */
export function findInstanceLogin(place: ServerPlace): InstanceLogin {
  const login = findWide(place);
  if (login) return login;
  throw new AppError(
    "unauthorized",
    `There is no instance key${whereOf(place)}. Create one with \`docent keys create --instance\` on the server's data directory, then run \`docent login --server URL\`.`,
  );
}

const whereOf = ({ server, keyIsFor = null }: ServerPlace): string =>
  (server === null ? "" : ` at ${server}`) +
  (keyIsFor === null ? "" : ` (DOCENT_API_KEY is only sent to DOCENT_SERVER, ${keyIsFor})`);

const loginsHere = ({ logins, server }: ServerPlace) =>
  logins.filter((one) => server === null || one.server === server);

const findWide = (place: ServerPlace): InstanceLogin | undefined =>
  loginsHere(place).find((one) => one.project === null);

/** Looks up the ID of a project by its slug. */
async function idOf(login: InstanceLogin, named: string, listener: ProgressListener): Promise<string> {
  if (named.startsWith("prj_")) return named;
  const found = (await operationsAt(login, listener).all("listProjects", {})).find(({ slug }) => slug === named);
  if (found) return found.id;
  throw new AppError("not_found", `There is no project "${named}" at ${login.server}.`);
}
