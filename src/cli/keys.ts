import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from "#accounts/api-keys.ts";
import { isKeyScope, KEY_SCOPES, type KeyScope } from "#accounts/key-scopes.ts";
import { AppError } from "#lib/app-error.ts";
import { requireProject } from "#projects/projects.ts";
import { type Command, readArguments, UsageError } from "./command.ts";
import { table, writeLine } from "./io.ts";
import { openInstance } from "./open-instance.ts";

export const keys: Command = {
  usage: `docent keys create PROJECT [--name N] [--expires 7d|30d|60d|90d|never] [--scope read|agent|admin]
docent keys list PROJECT
docent keys revoke KEY_ID

A key is a secret for servers, shown once when it is made. PROJECT is an id or a slug.

Options
  --name N         what the key is for (default "default")
  --expires D      lifetime (default 90d)
  --scope S        read: read jobs, counts and the site; agent: and create jobs, send messages and views; admin: and all
                   else, as merging, pushing, keys and the dashboard (default admin)
  --data DIR       data directory (default ./data, or DOCENT_DATA)
  --json           one JSON object (create, revoke) or array (list) on standard output`,
  async run(args, io) {
    const [action, ...rest] = args;
    if (action === "create") {
      const { values, positionals } = readArguments(
        rest,
        { name: { type: "string" }, expires: { type: "string" }, scope: { type: "string" } },
        { min: 1, max: 1, names: "one PROJECT" },
      );
      await using instance = await openInstance(values);
      const project = await requireProject(instance, positionals[0]!);
      const made = await createApiKey(
        { ...instance, keysPerHour: instance.config.limits.keysPerHour },
        {
          projectId: project.id,
          name: values.name ?? "default",
          expiresInDays: daysOf(values.expires ?? "90d"),
          scope: scopeOf(values.scope ?? "admin"),
        },
      );
      if (values.json) {
        return writeLine(io.stdout, JSON.stringify({ ...keyToJson(made), key: made.key, projectId: project.id }));
      }
      writeLine(io.stdout, made.key);
      const until = made.expiresAt ? `until ${made.expiresAt.toISOString().slice(0, 10)}` : "until it is revoked";
      writeLine(io.stderr, `Key ${made.id} for ${project.id} (${project.name}), good ${until}. It is not shown again.`);
      return;
    }
    if (action === "list") {
      const { values, positionals } = readArguments(rest, {}, { min: 1, max: 1, names: "one PROJECT" });
      await using instance = await openInstance(values);
      const project = await requireProject(instance, positionals[0]!);
      const all = (await listApiKeys(instance, project.id)).map(keyToJson);
      if (values.json) return writeLine(io.stdout, JSON.stringify(all));
      const rows = all.map((key) => [
        key.id,
        key.name,
        `…${key.hint}`,
        key.scope,
        key.lastUsedAt ?? "never",
        key.revokedAt ? "revoked" : (key.expiresAt ?? "never"),
      ]);
      return writeLine(io.stdout, table(["ID", "NAME", "KEY", "SCOPE", "LAST USED", "EXPIRES"], rows));
    }
    if (action === "revoke") {
      const { values, positionals } = readArguments(rest, {}, { min: 1, max: 1, names: "one KEY_ID" });
      await using instance = await openInstance(values);
      const key = await revokeApiKey(instance, positionals[0]!);
      return writeLine(io.stdout, values.json ? JSON.stringify(keyToJson(key)) : `Revoked ${key.id} (${key.name}).`);
    }
    throw new UsageError("keys takes `create`, `list` or `revoke`.");
  },
};

function scopeOf(text: string): KeyScope {
  if (isKeyScope(text)) return text;
  throw new AppError("invalid", `--scope takes ${KEY_SCOPES.join(", ")}, not "${text}".`);
}

function daysOf(text: string): number | null {
  if (text === "never") return null;
  const days = /^(\d+)d?$/.exec(text)?.[1];
  if (days === undefined) throw new AppError("invalid", `--expires takes 7d, 30d, 60d, 90d or never, not "${text}".`);
  return Number(days);
}

function keyToJson(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    scope: key.scope,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}
