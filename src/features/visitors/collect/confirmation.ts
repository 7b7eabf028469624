/** The message of the page's script. */
export interface Confirmation {
  /** `location.pathname` of the page. */
  path: string;
  /** `document.referrer`, on the first page only. */
  referrer: string | null;
  /** Made by the script for this view; a repeat of it counts once. Null for one too short to be unique. */
  id: string | null;
  /** Cookies work in this browser. */
  storage: boolean;
  /** A program drives the browser (`navigator.webdriver`); false from scripts that do not say. */
  isAutomated: boolean;
}

const MAX_TEXT_LENGTH = 4_096;
const MIN_ID_LENGTH = 8;
const MAX_ID_LENGTH = 64;

/**
 * Null for anything else. By hand: a schema costs a view a twentieth of its time. The script may be newer or older than
 * the server, so more fields are nothing to refuse.
 */
export function readConfirmation(message: unknown): Confirmation | null {
  if (typeof message !== "object" || message === null) return null;
  const { path, referrer = null, id = null, storage = null, automated } = message as Record<string, unknown>;
  if (typeof path !== "string" || path === "" || path.length > MAX_TEXT_LENGTH) return null;
  if (!isTextOrNull(referrer, MAX_TEXT_LENGTH) || !isTextOrNull(id, MAX_ID_LENGTH)) return null;
  if (storage !== null && typeof storage !== "boolean") return null;
  const usableId = id !== null && id.length >= MIN_ID_LENGTH ? id : null;
  return { path, referrer, id: usableId, storage: storage === true, isAutomated: automated === true };
}

const isTextOrNull = (value: unknown, maxLength: number): value is string | null =>
  value === null || (typeof value === "string" && value.length <= maxLength);
