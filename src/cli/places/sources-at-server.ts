import { AppError } from "#lib/app-error.ts";
import { SOURCE, SOURCES } from "./answer-shapes.ts";
import type { Login } from "./logins.ts";
import { createServer } from "./server.ts";
import { printedSource, type PrintedSource, type SourceActions } from "./sources.ts";
import type { Onlooker } from "./onlooker.ts";

/** A large repository is fetched while the server is asked. */
const FETCH_MS = 40 * 60_000;

type SourceJson = Parameters<typeof printedSource>[0];

/** Sources over the interface of a server. */
export function sourcesAtServer(login: Login, around: Onlooker): SourceActions {
  const { ask } = createServer(login, around, FETCH_MS);
  const path = `/v2/project/${encodeURIComponent(login.project)}/sources`;
  async function list(): Promise<PrintedSource[]> {
    const all: PrintedSource[] = [];
    for (let cursor: string | null = null; ;) {
      const query = cursor === null ? {} : { cursor };
      const page: { sources: SourceJson[]; nextCursor: string | null } = await ask(
        { method: "GET", path, query },
        SOURCES,
      );
      all.push(...page.sources.map(printedSource));
      cursor = page.nextCursor;
      if (cursor === null) return all;
    }
  }
  async function named(name: string): Promise<{ source: PrintedSource; path: string }> {
    const source = (await list()).find((one) => one.name === name);
    if (!source) throw new AppError("not_found", `There is no source ${JSON.stringify(name)}.`);
    return { source, path: `${path}/${encodeURIComponent(source.id)}` };
  }
  return {
    async add({ name, url, ...rest }) {
      const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
      return printedSource(await ask<SourceJson>({ method: "POST", path, body: { name, url, ...said } }, SOURCE));
    },
    list,
    async replaceToken(name, token) {
      const found = await named(name);
      return printedSource(
        await ask<SourceJson>({ method: "POST", path: `${found.path}/token`, body: { token } }, SOURCE),
      );
    },
    async remove(name) {
      const found = await named(name);
      await ask({ method: "DELETE", path: found.path });
      return found.source;
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}
