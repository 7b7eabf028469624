import { createApiKey, listApiKeys, revokeApiKey } from "#features/keys/api-keys.ts";
import { isKeyScope, KEY_SCOPES, type KeyScope } from "#kit/http/key-scopes.ts";
import { keyToJson } from "#features/keys/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { requireProject } from "#features/projects/projects.ts";
import { openInstance } from "./open-instance.ts";
import type { KeyActions } from "./places/keys.ts";

/** Keys in the store of a data directory, of a project or, with null, of the instance. */
export async function keysInDirectory(
  options: { data?: string | undefined },
  named: string | null,
): Promise<KeyActions> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await openInstance(options));
  const project = named === null ? null : await requireProject(instance, named);
  const projectId = project?.id ?? null;
  const owned = stack.move();
  return {
    project,
    async create({ scope, ...asked }) {
      const deps = { ...instance, keysPerHour: instance.config.limits.keysPerHour };
      const made = await createApiKey(deps, { ...asked, projectId, scope: scopeOf(scope) });
      return { ...keyToJson(made), key: made.key };
    },
    list: async () => (await listApiKeys(instance, projectId)).map(keyToJson),
    // Whosever it is: who has the data directory has all of them.
    revoke: async (id) => keyToJson(await revokeApiKey(instance, id)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function scopeOf(text: string): KeyScope {
  if (isKeyScope(text)) return text;
  throw new AppError("invalid", `--scope takes ${KEY_SCOPES.join(", ")}, not "${text}".`);
}
