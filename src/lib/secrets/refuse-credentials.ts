import { AppError } from "#lib/app-error.ts";
import { findSecrets } from "./secret-scan.ts";

/**
 * Refuses texts with a credential of well-known shape, for fields that are stored and shown verbatim: a copy of the
 * database would reveal it. Takes the fields of a request by name. `AppError invalid`.
 */
export function refuseCredentials(fields: Record<string, string | undefined>): void {
  for (const [name, text = ""] of Object.entries(fields)) {
    const [found] = findSecrets(text);
    if (found === undefined) continue;
    const problem = `holds a credential (${found.kind}) and is stored and shown as it is: remove the credential`;
    throw new AppError("invalid", `${name} ${problem}.`, { details: [{ path: name, message: problem }] });
  }
}
