import { AppError } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";

/** A token of a code host as people paste it into a form. `AppError invalid`. */
export function tokenIn(text: string): Secret {
  const token = text.trim();
  if (token === "" || /\s/.test(token)) throw new AppError("invalid", "A token is one word. Paste it into its field.");
  return new Secret(token);
}
