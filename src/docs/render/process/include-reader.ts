import { AppError, errorText } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";
import { DOCUMENT_FILE } from "#docs/render/operation/operation-part.ts";
import type { RenderInput } from "#docs/render/page.ts";

const MAX_INCLUDE_CHARACTERS = 2_000_000;
/** Each of a page's hundred includes may have several possible paths. */
const MAX_REQUESTS = 1_000;

export interface IncludeReader {
  read(path: string): Promise<string | null>;
  /** Every path that was requested, whether or not the file exists. */
  requested: ReadonlySet<string>;
  /** Throws `AppError unavailable` if a snippet exists but could not be read at the moment. */
  refuseIfUnavailable(): void;
}

/** Wraps the caller's reader with a check of our own, because requests of the render process are not trusted. */
export function includeReader({ readInclude, readDocument }: RenderInput, logger: Logger): IncludeReader {
  const requested = new Set<string>();
  let unavailable: AppError | null = null;
  let requests = 0;
  return {
    requested,
    refuseIfUnavailable() {
      if (unavailable !== null) throw unavailable;
    },
    async read(path) {
      if (path === DOCUMENT_FILE) return readDocument === undefined ? null : readDocument();
      requests += 1;
      if (requests > MAX_REQUESTS || !isPlainPath(typeof path === "string" ? path.replace(/^\//, "") : path))
        return null;
      requested.add(path);
      try {
        const content = await readInclude(path);
        return content !== null && content.length <= MAX_INCLUDE_CHARACTERS ? content : null;
      } catch (error) {
        if (error instanceof AppError && error.code === "unavailable") unavailable ??= error;
        else logger.error({ path, error: errorText(error) }, "snippet could not be read");
        return null;
      }
    },
  };
}

export function isPlainPath(path: unknown): path is string {
  return (
    typeof path === "string" &&
    path.length <= 1_000 &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\0"))
  );
}
