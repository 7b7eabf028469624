import { AppError } from "#lib/app-error.ts";
import { KEYS, NEW_KEY } from "./answer-shapes.ts";
import type { KeyActions, ShownKey } from "./keys.ts";
import type { InstanceLogin, Login } from "./logins.ts";
import { createServer } from "./server.ts";
import type { Onlooker } from "./onlooker.ts";

/** Keys over the interface of a server: of the login's project, or of the instance. */
export function keysAtServer(login: Login | InstanceLogin, around: Onlooker): KeyActions {
  const { ask } = createServer(login, around);
  const { project, name } = login;
  const path = project === null ? "/v2/instance/keys" : `/v2/project/${encodeURIComponent(project)}/keys`;
  async function list(): Promise<ShownKey[]> {
    const all: ShownKey[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = cursor === undefined ? {} : { cursor };
      const page = await ask<{ keys: ShownKey[]; nextCursor?: string | null }>({ method: "GET", path, query }, KEYS);
      all.push(...page.keys);
      cursor = page.nextCursor ?? null; // a server before this one gives all at once
    }
    return all;
  }
  return {
    project: project === null ? null : { id: project, name: name ?? project },
    create: (asked) => ask({ method: "POST", path, body: asked }, NEW_KEY),
    list,
    async revoke(id) {
      await ask({ method: "DELETE", path: `${path}/${encodeURIComponent(id)}` });
      // Whoever ends the key that they ask with cannot ask how it stands.
      const now = await list().catch((error: unknown) => {
        if (error instanceof AppError && error.code === "unauthorized") return [];
        throw error;
      });
      return now.find((key) => key.id === id) ?? { ...UNKNOWN, id, revokedAt: new Date().toISOString() };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

const UNKNOWN = {
  name: "",
  hint: "",
  scope: "",
  allow: null,
  createdAt: "",
  lastUsedAt: null,
  expiresAt: null,
};
