import { AppError, errorText } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";
import { DOCUMENT_FILE } from "#docs/render/operation/operation-part.ts";
import type { RenderInput } from "#docs/render/page.ts";

const MAX_INCLUDE_CHARACTERS = 2_000_000;
/** Each of a page's hundred includes may have several possible paths. */
const MAX_REQUESTS = 1_000;

/**
 * Wraps the caller's reader with a check of our own, because requests of the render process are not trusted. Calls
 * `unavailable` for a snippet that exists but cannot be read at the moment.
 */
export function includeReader(
  { readInclude, readDocument }: RenderInput,
  logger: Logger,
  unavailable: (error: AppError) => void,
): (path: string) => Promise<string | null> {
  let requests = 0;
  return async (path) => {
    if (path === DOCUMENT_FILE) return readDocument === undefined ? null : readDocument();
    requests += 1;
    if (requests > MAX_REQUESTS || !isPlainPath(typeof path === "string" ? path.replace(/^\//, "") : path)) return null;
    try {
      const content = await readInclude(path);
      return content !== null && content.length <= MAX_INCLUDE_CHARACTERS ? content : null;
    } catch (error) {
      if (error instanceof AppError && error.code === "unavailable") unavailable(error);
      else logger.error({ path, error: errorText(error) }, "snippet could not be read");
      return null;
    }
  };
}

export function isPlainPath(path: unknown): path is string {
  return (
    typeof path === "string" &&
    path.length <= 1_000 &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\0"))
  );
}
