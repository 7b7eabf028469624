import type { MailSettings } from "#features/mail/mail-worker.ts";
import { AppError } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";

/** The mail server; null: none is configured. `AppError invalid` without an address that mail comes from. */
export function readMailSettings(url: string | undefined, from: string | undefined): MailSettings | null {
  if (url === undefined) return null;
  if (from !== undefined) return { url: new Secret(url), from };
  throw new AppError("invalid", "The configuration is not valid. DOCENT_MAIL_FROM: DOCENT_SMTP needs it");
}
