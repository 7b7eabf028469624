import { type IdentityProviderSettings, ProviderText } from "#features/accounts/identity-provider.ts";
import { AppError } from "#lib/app-error.ts";
import { schemaProblems } from "#lib/schema-words.ts";
import { Secret } from "#lib/secrets/secret.ts";

/** Parses `DOCENT_OIDC`, a JSON object. `AppError invalid`. */
export function readProviderSettings(text: string): IdentityProviderSettings {
  const refuse = (message: string) =>
    new AppError("invalid", `The configuration is not valid. DOCENT_OIDC: ${message}`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new AppError("invalid", refuse("must be a JSON object").message, { cause: error });
  }
  const parsed = ProviderText.safeParse(json);
  if (!parsed.success) {
    throw refuse(
      schemaProblems(parsed.error.issues)
        .map(({ path: at, message }) => `${at}: ${message}`)
        .join("; "),
    );
  }
  const { issuer, clientSecret } = parsed.data;
  const { protocol, hostname } = new URL(issuer);
  if (protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname)) {
    throw refuse("issuer: must be an https address");
  }
  return { ...parsed.data, clientSecret: new Secret(clientSecret) };
}
