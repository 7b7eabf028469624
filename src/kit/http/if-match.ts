import { AppError } from "#lib/app-error.ts";
import type { HttpContext } from "./context.ts";
import { etagOf, matchesEtag } from "./etag.ts";

/**
 * What a change asks of a thing before it is made, inside the transaction that makes it, with the thing's row locked: that
 * it is still what `If-Match` names. `show` is the body of its GET, whose ETag the caller has. Without the header, nothing
 * is asked. A body with a version of its own may be named by that, in quotation marks. `AppError precondition_failed`.
 */
export function ifMatch<Thing>(
  c: HttpContext,
  show: (thing: Thing) => unknown,
  versionOf?: (thing: Thing) => string,
): (current: Thing) => void {
  const header = c.req.header("if-match");
  return (current) => {
    if (header === undefined || matchesEtag(header, etagOf(JSON.stringify(show(current))))) return;
    if (versionOf && matchesEtag(header, `"${versionOf(current)}"`)) return;
    throw new AppError(
      "precondition_failed",
      "Somebody has changed this since you read it. Read it again, and send your change with its new ETag.",
      { details: [{ path: "If-Match", message: "names another version" }] },
    );
  };
}
