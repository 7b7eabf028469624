import { API_ADDRESSES, ASKED_ADDRESSES } from "./answer-shapes.ts";
import type { ApiActions, ShownApis } from "./apis.ts";
import type { Login } from "./logins.ts";
import { createServer } from "./server.ts";
import type { Onlooker } from "./onlooker.ts";

/** Descriptions of APIs at addresses over the interface of a server. */
export function apisAtServer(login: Login, around: Onlooker): ApiActions {
  const { ask } = createServer(login, around);
  const path = `/v2/project/${encodeURIComponent(login.project)}/api-addresses`;
  async function read(): Promise<ShownApis> {
    const addresses: ShownApis["addresses"][number][] = [];
    for (let cursor: string | null = null; ;) {
      const query = cursor === null ? {} : { cursor };
      const page: ShownApis & { nextCursor: string | null } = await ask({ method: "GET", path, query }, API_ADDRESSES);
      addresses.push(...page.addresses);
      cursor = page.nextCursor;
      if (cursor === null) return { hosts: page.hosts, proxy: page.proxy, addresses };
    }
  }
  return {
    isServing: true,
    read,
    async change(body) {
      await ask({ method: "PUT", path, body });
      return read();
    },
    askAgain: async () =>
      (await ask<{ addresses: number }>({ method: "POST", path: `${path}/read` }, ASKED_ADDRESSES)).addresses,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
