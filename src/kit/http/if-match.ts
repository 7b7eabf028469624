import { AppError } from "#lib/app-error.ts";
import type { HttpContext } from "./context.ts";
import { etagOf, matchesEtag } from "./etag.ts";

/**
 * Checks the precondition of a change inside its transaction, with the row locked: that `If-Match` names the current
 * state. `show` returns the body of the thing's GET, whose ETag the caller has. Without the header, nothing is checked.
 * A body with a version of its own may be named by that version in quotation marks. `AppError precondition_failed`.
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
      "This was changed since you read it. Read it again, and send your change with its new ETag.",
      { details: [{ path: "If-Match", message: "names another version" }] },
    );
  };
}
