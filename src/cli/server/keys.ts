import { AppError } from "#lib/app-error.ts";
import type { Input } from "#client/client.ts";
import { actionOn, runAction } from "#cli/command/action.ts";
import { type Command, UsageError } from "#cli/command/command.ts";
import type { Docent, Whose } from "#cli/command/docent.ts";
import { table } from "#cli/command/io.ts";
import { choosePlace, type PlaceOptions } from "#cli/places/place.ts";

export const keys: Command = {
  usage: `docent keys create PROJECT|--instance [--name N] [--expires 7d|30d|60d|90d|never] [--scope read|agent|write|admin] [--allow RANGE]...
docent keys list PROJECT|--instance
docent keys revoke [PROJECT|--instance] KEY_ID

A key is shown once, when you create it. PROJECT is an id or a slug. An instance key has its scope in every project; with the scope
admin, it can also create and delete projects. At a server (docent help places), you need a key with the scope admin: of the project for
its keys, or of the instance for all keys.

Options
  --instance       instance keys, which work for all projects
  --name N         what the key is for (default "default")
  --expires D      when the key expires (default 90d)
  --scope S        read: read jobs, counts and the site. agent: also create jobs, send messages and views. write: also push,
                   merge and pin the site. admin: everything, including keys and the dashboard (default admin)
  --allow RANGE    address or range from which the key works, such as 10.0.0.0/8; can be repeated (default: anywhere)
  --data DIR       data directory (default ./data, or DOCENT_DATA)
  --json           one JSON object (create, revoke) or array (list) on standard output`,
  run: (args, io) => runAction("keys", ACTIONS, args, io),
};

const text = { type: "string" } as const;
const INSTANCE = { instance: { type: "boolean" } } as const;
const OF_SOMEBODY = { min: 0, max: 1, names: "one PROJECT" };

const ACTIONS = {
  create: actionOn(
    (given) => ownerOf(given.values, given.words[0]),
    OF_SOMEBODY,
    { ...INSTANCE, name: text, expires: text, scope: text, allow: { ...text, multiple: true } } as const,
    ({ values }) => {
      const body = {
        name: values.name ?? "default",
        expiresInDays: daysOf(values.expires ?? "90d"),
        scope: values.scope ?? "admin",
        allow: values.allow ?? null,
      };
      return async ({ call, projectId, name }) => {
        const asked = body as Input<"createApiKey">["body"]; // the API validates scope and lifetime
        const made = await call(projectId === null ? "createInstanceKey" : "createApiKey", { body: asked });
        const until = made.expiresAt ? `until ${made.expiresAt.slice(0, 10)}` : "until it is revoked";
        const whose = projectId === null ? "every project of the instance" : `${projectId} (${name})`;
        const note = `Key ${made.id} for ${whose}, good ${until}. It is not shown again.`;
        return { json: { ...made, projectId }, text: made.key, note };
      };
    },
  ),
  list: actionOn(
    (given) => ownerOf(given.values, given.words[0]),
    OF_SOMEBODY,
    INSTANCE,
    () => async (docent) => {
      const found = await listKeys(docent);
      const rows = found.map((key) => [
        key.id,
        key.name,
        `…${key.hint}`,
        key.scope,
        key.allow?.join(" ") ?? "everywhere",
        key.lastUsedAt ?? "never",
        key.revokedAt ? "revoked" : (key.expiresAt ?? "never"),
      ]);
      return { json: found, text: table(["ID", "NAME", "KEY", "SCOPE", "FROM", "LAST USED", "EXPIRES"], rows) };
    },
  ),
  revoke: actionOn(
    // On a data directory, the ID of the key is enough.
    ({ values, words }) =>
      words.length === 1 && values.instance !== true && choosePlace(values).kind === "directory"
        ? { key: words[0]! }
        : ownerOf(values, words.length > 1 ? words[0] : undefined),
    { min: 1, max: 2, names: "one KEY_ID" },
    INSTANCE,
    ({ words }) =>
      async (docent) => {
        const id = words.at(-1)!;
        await docent.call(docent.projectId === null ? "revokeInstanceKey" : "revokeApiKey", { id });
        // A key that revokes itself can no longer list keys.
        const now = await listKeys(docent).catch((error: unknown) => {
          if (error instanceof AppError && error.code === "unauthorized") return [];
          throw error;
        });
        const key = now.find((one) => one.id === id) ?? { ...UNKNOWN, id, revokedAt: new Date().toISOString() };
        return { json: key, text: `Revoked ${key.id}${key.name === "" ? "" : ` (${key.name})`}.` };
      },
  ),
};

const UNKNOWN = { name: "", hint: "", scope: "", allow: null, createdAt: "", lastUsedAt: null, expiresAt: null };

const listKeys = ({ all, projectId }: Docent) => all(projectId === null ? "listInstanceKeys" : "listApiKeys", {});

/** The named project, or the instance. */
function ownerOf({ instance, project }: PlaceOptions & { instance?: boolean | undefined }, named?: string): Whose {
  const given = named ?? project;
  if (instance === true && given !== undefined) throw new UsageError("Give a PROJECT or --instance, not both.");
  if (instance !== true && given === undefined)
    throw new UsageError("Give a PROJECT, or --instance for keys that work for all projects.");
  return given === undefined ? "instance" : { project: given };
}

function daysOf(text: string): number | null {
  if (text === "never") return null;
  const days = /^(\d+)d?$/.exec(text)?.[1];
  if (days === undefined) throw new AppError("invalid", `--expires takes 7d, 30d, 60d, 90d or never, not "${text}".`);
  return Number(days);
}
