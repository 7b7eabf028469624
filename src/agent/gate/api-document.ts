// What the standards have at the top: a file with anything else may be meant for another program as well.
const KEYS =
  /^(?:openapi|swagger|asyncapi|info|servers|paths|components|tags|security|externalDocs|webhooks|jsonSchemaDialect|\$self|host|basePath|schemes|consumes|produces|definitions|parameters|responses|securityDefinitions|id|defaultContentType|channels|operations|x-[\w-]+)$/;
const VERSION = /^(?:openapi|swagger|asyncapi)$/;
const NUMBER = /^["']?[1-9]\.\d{1,2}(?:\.\d{1,2})?["']?$/;

/** Whether a data file says by its content that it describes an interface, as OpenAPI, Swagger or AsyncAPI have it. */
export function isApiDocument(text: string): boolean {
  const keys = text.trimStart().startsWith("{") ? jsonKeys(text) : yamlKeys(text);
  return (
    keys !== null &&
    keys.every(([name]) => KEYS.test(name)) &&
    keys.some(([name, value]) => VERSION.test(name) && NUMBER.test(value))
  );
}

type Key = readonly [name: string, value: string];

function jsonKeys(text: string): Key[] | null {
  try {
    const value = JSON.parse(text) as object;
    return Object.entries(value).map(([name, part]) => [name, typeof part === "string" ? part : ""]);
  } catch {
    return null;
  }
}

/** Only what every parser reads alike: one document whose keys begin their lines. */
function yamlKeys(text: string): Key[] | null {
  if (/[\u0085\u2028\u2029]/.test(text)) return null; // ends of lines to some
  const keys: Key[] = [];
  for (const line of text.replace(/^---[ \t]*\r?\n/, "").split(/\r\n|\r|\n/)) {
    if (line === "" || /^[ \t#-]/.test(line)) {
      if (line.startsWith("---")) return null;
      continue;
    }
    const [, name = "", value = ""] = /^["']?([\w$-]+)["']?:(?:[ \t](.*))?$/.exec(line) ?? [];
    keys.push([name, (value.split("#", 1)[0] ?? "").trim()]);
  }
  return keys;
}
