import { AppError } from "#lib/app-error.ts";
import { redact } from "#lib/secrets/secret-scan.ts";

/** UTF-16 units, as a browser's `maxlength` counts them. */
export const MAX_COMMENT_CHARACTERS = 1_000;

/**
 * What somebody wrote, as it is stored: without control characters, and with a mask where a password or key stood.
 * Null when nothing is left. Markup stays the text that it is.
 *
 * @throws AppError `invalid` for more than 1,000 characters.
 */
export function keptWords(written: string): string | null {
  const text = written.replaceAll(/\r\n?/g, "\n");
  if (text.length > MAX_COMMENT_CHARACTERS) {
    const message = `has at most ${MAX_COMMENT_CHARACTERS.toLocaleString("en")} characters`;
    throw new AppError("invalid", `The comment ${message}.`, { details: [{ path: "comment", message }] });
  }
  const kept = text
    .toWellFormed()
    .normalize("NFC")
    // oxlint-disable-next-line no-control-regex -- PostgreSQL takes no zero byte, and nobody writes the others
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return kept === "" ? null : redact(kept);
}
