import type { RepoStore } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { IMAGE_HEAD_BYTES, imageSize, type ImageSize } from "#features/sites/image-shape.ts";

/** Sizes of images by their version, read once each. */
export interface ImageSizes {
  /** What is known of a version; undefined where nobody has looked. */
  known(version: string): ImageSize | null | undefined;
  /** Looks at those that nobody has looked at, for `patienceMs`; whatever takes longer is known the next time. */
  learn(project: ProjectId, versions: readonly string[], patienceMs: number): Promise<void>;
}

const MAX_KEPT = 100_000;
const READS_AT_ONCE = 8;

/** Without a store, as where a folder is shown, no size is known. */
export function createImageSizes(deps: {
  repoStore: Pick<RepoStore, "readBlobStart"> | null;
  logger: Logger;
}): ImageSizes {
  const sizes = createLruCache<string, { size: ImageSize | null }>({ maxWeight: MAX_KEPT });
  const coming = new Map<string, Promise<void>>();

  const { repoStore } = deps;
  async function look(project: ProjectId, version: string): Promise<void> {
    try {
      const head = repoStore && (await repoStore.readBlobStart(project, version, IMAGE_HEAD_BYTES));
      if (repoStore === null) sizes.set(version, { size: null });
      // A mirror may have left it at its host: it is known once a reader has asked for it.
      if (head !== null) sizes.set(version, { size: imageSize(head) });
    } catch (error) {
      deps.logger.info({ err: error, project }, "size of an image not read");
    }
  }

  return {
    known: (version) => sizes.get(version)?.size,
    async learn(project, versions, patienceMs) {
      const unknown = versions.filter((version) => sizes.get(version) === undefined);
      if (unknown.length === 0) return;
      const all = mapConcurrently(unknown, READS_AT_ONCE, (version) => {
        const key = `${project} ${version}`;
        const already = coming.get(key);
        if (already !== undefined) return already;
        const looking = look(project, version).finally(() => coming.delete(key));
        coming.set(key, looking);
        return looking;
      });
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMs);
      await Promise.race([all, late]);
      clearTimeout(timer);
    },
  };
}
