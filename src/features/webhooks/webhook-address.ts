import { AppError } from "#lib/app-error.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";

export const addressPurpose = (webhookId: string) => `webhook address ${webhookId}`;

/** The address of an endpoint. Addresses may contain tokens, so they are encrypted; those of earlier versions are not. */
export function webhookUrl(vault: KeyVault, { id, url }: { id: string; url: string }): string {
  return url.startsWith("http") ? url : vault.open(url, addressPurpose(id)).reveal();
}

export const UNREADABLE_URL = "https://unreadable.invalid/";
export const UNREADABLE =
  "Its address and secret were stored with another key than this server's. Delete it, and add it again.";

/** Null for an address that was encrypted with a lost key: the webhook is still listed and can be deleted. */
export function readableUrl(vault: KeyVault, row: { id: string; url: string }): string | null {
  try {
    return webhookUrl(vault, row);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
