import { REMOTE_KINDS } from "#hosts/code-host.ts";
import { addSource, replaceSourceToken } from "#hosts/sources/add-source.ts";
import {
  listSources,
  removeSource,
  requireSource,
  type SourceRepository,
  sourceToJson,
} from "#hosts/sources/sources.ts";
import { cloneProgress } from "#git/transfer/clone-progress.ts";
import { AppError } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { requireProject } from "#features/projects/projects.ts";
import { openInstance } from "./open-instance.ts";
import type { Onlooker } from "./places/onlooker.ts";
import { printedSource, type SourceActions } from "./places/sources.ts";
import { connectDeps } from "./project-connections.ts";

/** Sources of a project in the store of a data directory. */
export async function sourcesInDirectory(
  options: { data?: string | undefined },
  named: string,
  { signal, progress }: Onlooker,
): Promise<SourceActions> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await openInstance(options));
  const { id: projectId } = await requireProject(instance, named);
  const { database } = instance;
  const printed = (source: SourceRepository) => printedSource(sourceToJson(source));
  const onProgress = (line: string) => {
    const words = cloneProgress(line);
    if (words !== null) progress(words);
  };
  const owned = stack.move();
  return {
    async add({ host, token, ...asked }) {
      const kind = REMOTE_KINDS.find((one) => one === host) ?? null;
      if (host !== null && kind === null) throw new AppError("invalid", `--host is one of ${REMOTE_KINDS.join(", ")}.`);
      const wish = { ...asked, projectId, kind, token: token === null ? null : new Secret(token) };
      return printed(await addSource(await connectDeps(instance), { ...wish, signal, onProgress }));
    },
    list: async () => (await listSources(database, projectId)).map(printed),
    async replaceToken(name, token) {
      const source = await requireSource(database, projectId, name);
      await replaceSourceToken(await connectDeps(instance), source, new Secret(token));
      return printed(await requireSource(database, projectId, name));
    },
    async remove(name) {
      const source = await requireSource(database, projectId, name);
      await removeSource(instance, source);
      return printed(source);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
