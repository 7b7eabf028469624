import type { Json } from "#docs/json-document.ts";
import { codeSpan, plainText } from "./document-text.ts";
import type { ParameterPlace } from "./operation-parts.ts";
import type { SecurityChoice } from "./security.ts";

export const PLACE_TITLES: Record<ParameterPlace, string> = {
  path: "Path parameters",
  query: "Query parameters",
  header: "Headers",
  cookie: "Cookies",
};

const MAX_EXAMPLE_CHARACTERS = 60_000;

/** An example as code. */
export function exampleCode(value: Json): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  return text.length > MAX_EXAMPLE_CHARACTERS ? `${text.slice(0, MAX_EXAMPLE_CHARACTERS)}\n…` : text;
}

/** What a caller needs to prove who it is, in one line of Markdown. */
export function securityText(choice: SecurityChoice): string {
  if (choice.length === 0) return "None is needed.";
  return choice
    .map(({ kind, name, carrier, scopes }) => {
      const where = carrier === null ? "" : ` in the ${carrier.place} ${codeSpan(carrier.name)}`;
      const rights = scopes.length === 0 ? "" : `, with ${scopes.map(codeSpan).join(", ")}`;
      return `${plainText(kind)} (${codeSpan(name)})${where}${rights}`;
    })
    .join(" and ");
}
