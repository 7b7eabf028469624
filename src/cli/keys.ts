import { AppError } from "#lib/app-error.ts";
import { type Command, readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { openKeys } from "./open-places.ts";
import { choosePlace, type PlaceOptions } from "./places/place.ts";
import { around } from "./progress.ts";

export const keys: Command = {
  usage: `docent keys create PROJECT|--instance [--name N] [--expires 7d|30d|60d|90d|never] [--scope read|agent|admin] [--allow RANGE]...
docent keys list PROJECT|--instance
docent keys revoke [PROJECT|--instance] KEY_ID

A key is a secret for servers, shown once when it is made. PROJECT is an id or a slug. A key of the instance may do on every
project what its scope allows, and with the scope admin make and delete projects. At a server (docent help places) an admin
key of the project makes, lists and revokes its keys, and one of the instance those of all.

Options
  --instance       keys of the instance, which belong to no project
  --name N         what the key is for (default "default")
  --expires D      lifetime (default 90d)
  --scope S        read: read jobs, counts and the site; agent: and create jobs, send messages and views; admin: and all
                   else, as merging, pushing, keys and the dashboard (default admin)
  --allow RANGE    an address or range that it works from, as 10.0.0.0/8; may be repeated (default: from everywhere)
  --data DIR       data directory (default ./data, or DOCENT_DATA)
  --json           one JSON object (create, revoke) or array (list) on standard output`,
  async run(args, io) {
    const [action, ...rest] = args;
    if (action === "create") return create(rest, io);
    if (action === "list") return list(rest, io);
    if (action === "revoke") return revoke(rest, io);
    throw new UsageError("keys takes `create`, `list` or `revoke`.");
  },
};

const INSTANCE = { instance: { type: "boolean" } } as const;

async function create(args: readonly string[], io: CommandIo): Promise<void> {
  const text = { type: "string" } as const;
  const options = { ...INSTANCE, name: text, expires: text, scope: text, allow: { ...text, multiple: true } } as const;
  const { values, positionals } = readArguments(args, options, { min: 0, max: 1, names: "one PROJECT" });
  await using place = await openKeys(values, ownerOf(values, positionals), around(io));
  const made = await place.create({
    name: values.name ?? "default",
    expiresInDays: daysOf(values.expires ?? "90d"),
    scope: values.scope ?? "admin",
    allow: values.allow ?? null,
  });
  const { project } = place;
  if (values.json) return writeLine(io.stdout, JSON.stringify({ ...made, projectId: project?.id ?? null }));
  writeLine(io.stdout, made.key);
  const until = made.expiresAt ? `until ${made.expiresAt.slice(0, 10)}` : "until it is revoked";
  const whose = project ? `${project.id} (${project.name})` : "every project of the instance";
  writeLine(io.stderr, `Key ${made.id} for ${whose}, good ${until}. It is not shown again.`);
}

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, INSTANCE, { min: 0, max: 1, names: "one PROJECT" });
  await using place = await openKeys(values, ownerOf(values, positionals), around(io));
  const all = await place.list();
  if (values.json) return writeLine(io.stdout, JSON.stringify(all));
  const rows = all.map((key) => [
    key.id,
    key.name,
    `…${key.hint}`,
    key.scope,
    key.allow?.join(" ") ?? "everywhere",
    key.lastUsedAt ?? "never",
    key.revokedAt ? "revoked" : (key.expiresAt ?? "never"),
  ]);
  writeLine(io.stdout, table(["ID", "NAME", "KEY", "SCOPE", "FROM", "LAST USED", "EXPIRES"], rows));
}

async function revoke(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, INSTANCE, { min: 1, max: 2, names: "one KEY_ID" });
  const id = positionals.at(-1)!;
  const owner = ownerOfRevoked(values, positionals.slice(0, -1));
  await using place = await openKeys(values, owner, around(io));
  const key = await place.revoke(id);
  const name = key.name === "" ? "" : ` (${key.name})`;
  writeLine(io.stdout, values.json ? JSON.stringify(key) : `Revoked ${key.id}${name}.`);
}

/** Beside a data directory the key's id says enough; a server is asked for the key among those of somebody. */
function ownerOfRevoked(
  values: PlaceOptions & { instance?: boolean | undefined },
  positionals: readonly string[],
): string | null {
  if (choosePlace(values).kind === "directory" && positionals.length === 0) return null;
  return ownerOf(values, positionals);
}

/** The project that the person names; null: the instance. */
function ownerOf(
  { instance, project }: { instance?: boolean | undefined; project?: string | undefined },
  [named]: readonly string[],
): string | null {
  const given = named ?? project;
  if (instance === true && given !== undefined) throw new UsageError("Say a PROJECT or --instance, not both.");
  if (instance !== true && given === undefined) throw new UsageError("Say a PROJECT, or --instance for all of them.");
  return given ?? null;
}

function daysOf(text: string): number | null {
  if (text === "never") return null;
  const days = /^(\d+)d?$/.exec(text)?.[1];
  if (days === undefined) throw new AppError("invalid", `--expires takes 7d, 30d, 60d, 90d or never, not "${text}".`);
  return Number(days);
}
