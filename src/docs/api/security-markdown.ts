import { codeSpan, plainText } from "./document-text.ts";
import type { SecurityChoice, SecurityScheme } from "./security.ts";

/** The credentials that a caller needs, as lines of a page for agents. */
export function securityLines(security: readonly SecurityChoice[], title = "## Authorization"): string[] {
  if (security.length === 0) return [];
  const said = new Set<string>();
  const lines = security.flatMap((choice) => [`- ${securityText(choice)}`, ...choice.flatMap(newFactsOf)]);
  return [title, "", ...lines, ""];

  // Several choices may contain one scheme: its description is said once.
  function newFactsOf(scheme: SecurityScheme): string[] {
    return factsOf(scheme).filter((line) => !said.has(line) && said.add(line));
  }
}

function securityText(choice: SecurityChoice): string {
  if (choice.length === 0) return "None is needed.";
  return choice
    .map(({ kind, name, carrier, scopes, format }) => {
      const where = carrier === null ? "" : ` in the ${carrier.place} ${codeSpan(carrier.name)}`;
      const rights = scopes.length === 0 ? "" : `, with ${scopes.map((scope) => codeSpan(scope.name)).join(", ")}`;
      const form = format === null ? "" : `, ${plainText(format)}`;
      return `${plainText(kind)} (${codeSpan(name)}${form})${where}${rights}`;
    })
    .join(" and ");
}

function factsOf({ name, description, scopes, addresses }: SecurityScheme): string[] {
  return [
    ...(description === null ? [] : [`  - ${codeSpan(name)}: ${plainText(description)}`]),
    ...addresses.map((address) => `  - ${codeSpan(name)}, ${plainText(address.name)}: ${codeSpan(address.href)}`),
    ...scopes.flatMap((scope) =>
      scope.description === null ? [] : [`  - ${codeSpan(scope.name)}: ${plainText(scope.description)}`],
    ),
  ];
}
