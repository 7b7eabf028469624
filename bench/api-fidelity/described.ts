type Written = Record<string, unknown>;

/** The facts that a description states of one operation, read by code independent of the server's. */
export interface DescribedOperation {
  method: string;
  path: string;
  /** Parameters, and fields of bodies and responses. */
  facts: readonly Fact[];
}

export interface Fact {
  what: "callback" | "parameter" | "request field" | "response field" | "status" | "media type";
  name: string;
  /** `string`, `integer` …; null if the description has no type, or several. */
  type: string | null;
  isRequired: boolean;
  /** Allowed values and the default, as the page shows them. */
  values: readonly string[];
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const MAX_DEPTH = 3;

/** Every operation of an OpenAPI 3 document that should have a page, with its facts; `$ref`s inside the document are followed. */
export function describedOperations(root: Written): DescribedOperation[] {
  const found: DescribedOperation[] = [];
  const add = (path: string, item: Written, isWebhook: boolean) => {
    for (const method of METHODS) {
      const operation = item[method] as Written | undefined;
      if (operation === undefined || operation["x-excluded"] === true || operation["x-internal"] === true) continue;
      found.push({ method: isWebhook ? "WEBHOOK" : method.toUpperCase(), path, facts: factsOf(root, item, operation) });
      if (isWebhook) return;
    }
  };
  for (const [path, item] of entries(root["paths"])) if (!path.startsWith("x-")) add(path, follow(root, item), false);
  for (const [name, item] of entries(root["webhooks"])) add(name, follow(root, item), true);
  return found;
}

function factsOf(root: Written, item: Written, operation: Written): Fact[] {
  const facts: Fact[] = [];
  const parameters = new Map<string, Written>();
  for (const each of [...list(item["parameters"]), ...list(operation["parameters"])]) {
    const parameter = follow(root, each);
    parameters.set(`${text(parameter["in"])} ${text(parameter["name"])}`, parameter);
  }
  for (const parameter of parameters.values()) {
    if (!["path", "query", "header", "cookie"].includes(text(parameter["in"])) || parameter["x-hidden"] === true)
      continue;
    const [content] = entries(parameter["content"]);
    const schema = parameter["schema"] ?? (content === undefined ? {} : follow(root, content[1])["schema"]);
    const isRequired = parameter["required"] === true || parameter["in"] === "path";
    facts.push(factOf(root, { what: "parameter", name: text(parameter["name"]), schema, isRequired }));
  }
  const contents = (written: unknown, what: "request field" | "response field") => {
    for (const [type, media] of entries(written)) {
      facts.push({ what: "media type", name: type, type: null, isRequired: false, values: [] });
      fieldsOf(root, follow(root, media)["schema"], { what, facts, depth: 0, above: new Set() });
    }
  };
  contents(follow(root, operation["requestBody"])["content"], "request field");
  for (const [status, response] of entries(operation["responses"])) {
    if (status.startsWith("x-")) continue;
    facts.push({ what: "status", name: status, type: null, isRequired: false, values: [] });
    contents(follow(root, response)["content"], "response field");
  }
  for (const [name, callback] of entries(follow(root, operation["callbacks"]))) {
    if (name.startsWith("x-")) continue;
    for (const [expression, inner] of entries(follow(root, callback))) {
      const item = follow(root, inner);
      for (const method of METHODS.filter((each) => each in item)) {
        for (const said of [name, expression, method.toUpperCase()]) {
          facts.push({ what: "callback", name: said, type: null, isRequired: false, values: [] });
        }
        facts.push(...factsOf(root, item, { ...follow(root, item[method]), callbacks: undefined }));
      }
    }
  }
  return facts;
}

interface Walk {
  what: "request field" | "response field";
  facts: Fact[];
  depth: number;
  above: ReadonlySet<unknown>;
}

function fieldsOf(root: Written, written: unknown, walk: Walk): void {
  const schema = follow(root, written);
  if (walk.depth > MAX_DEPTH || walk.above.has(schema)) return;
  const next = { ...walk, above: new Set([...walk.above, schema]) };
  for (const list of ["allOf", "oneOf", "anyOf"]) {
    for (const each of (schema[list] as unknown[] | undefined) ?? []) fieldsOf(root, each, next);
  }
  if (schema["items"] !== undefined) fieldsOf(root, schema["items"], next);
  const required = new Set(list(schema["required"]));
  for (const [name, property] of entries(schema["properties"])) {
    const inner = follow(root, property);
    if (inner[walk.what === "request field" ? "readOnly" : "writeOnly"] === true) continue;
    walk.facts.push(factOf(root, { what: walk.what, name, schema: property, isRequired: required.has(name) }));
    fieldsOf(root, property, { ...next, depth: walk.depth + 1 });
  }
}

function factOf(root: Written, from: { what: Fact["what"]; name: string; schema: unknown; isRequired: boolean }): Fact {
  const { what, name, isRequired } = from;
  const schema = follow(root, from.schema);
  const type =
    typeof schema["type"] === "string" && !["array", "object"].includes(schema["type"]) ? schema["type"] : null;
  const isPlain = !("oneOf" in schema || "anyOf" in schema || "allOf" in schema);
  const values = isPlain
    ? [...list(schema["enum"]), schema["default"]].filter((value) => isShown(value)).map(String)
    : [];
  return { what, name, type: isPlain ? type : null, isRequired, values };
}

function isShown(value: unknown): boolean {
  return (
    (typeof value === "string" && value !== "" && value.length < 80) ||
    typeof value === "number" ||
    typeof value === "boolean"
  );
}

function follow(root: Written, written: unknown): Written {
  let value = written;
  for (let hops = 0; hops < 20; hops += 1) {
    const reference = (value as Written | undefined)?.["$ref"];
    if (typeof reference !== "string") break;
    const tokens = reference
      .replace(/^#\//, "")
      .split("/")
      .map((token) => decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~"));
    value = tokens.reduce<unknown>((at, token) => (at as Written | undefined)?.[token], root);
  }
  return typeof value === "object" && value !== null ? (value as Written) : {};
}

function entries(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
