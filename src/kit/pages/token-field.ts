import { AppError } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";

/** A code host's token as pasted into a form. `AppError invalid`. */
export function tokenIn(text: string): Secret {
  const token = text.trim();
  if (token === "" || /\s/.test(token)) throw new AppError("invalid", "A token is one word. Paste it into its field.");
  return new Secret(token);
}
