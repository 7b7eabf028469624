type Written = Record<string, unknown>;

/** The facts that a description states of one operation, read by code independent of the server's. */
export interface DescribedOperation {
  method: string;
  path: string;
  /** Parameters, and fields of bodies and responses. */
  facts: readonly Fact[];
}

export interface Fact {
  /** A text is on the page and in its Markdown; the others are looked for on the page. */
  what: "callback" | "parameter" | "request field" | "response field" | "status" | "media type" | "text";
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
  const said = (...texts: unknown[]) => facts.push(...texts.flatMap(textFacts));
  const examplesOf = (object: Written) => {
    for (const [, written] of entries(object["examples"])) {
      const example = follow(root, written);
      if (example["value"] === undefined && example["externalValue"] === undefined) continue;
      said(example["summary"], example["description"], ...plainValues(example["value"]));
    }
    if (object["examples"] === undefined) said(...plainValues(object["example"]));
  };
  const docsOf = (object: Written) => said(follow(root, object["externalDocs"])["description"]);
  said(operation["description"], item["summary"], item["description"]);
  docsOf(operation);
  saySecurity(root, operation["security"] ?? root["security"], said);
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
    said(parameter["description"]);
    examplesOf(parameter);
  }
  const contents = (written: unknown, what: "request field" | "response field") => {
    for (const [type, media] of entries(written)) {
      facts.push({ what: "media type", name: type, type: null, isRequired: false, values: [] });
      const { schema, encoding } = follow(root, media);
      for (const [, each] of entries(encoding)) said(follow(root, each)["contentType"]);
      examplesOf(follow(root, media));
      const whole = follow(root, schema);
      if (!("allOf" in whole)) {
        said(whole["title"], whole["description"]);
        docsOf(whole);
      }
      fieldsOf(root, schema, { what, facts, depth: 0, above: new Set() });
    }
  };
  contents(follow(root, operation["requestBody"])["content"], "request field");
  for (const [status, response] of entries(operation["responses"])) {
    if (status.startsWith("x-")) continue;
    facts.push({ what: "status", name: status, type: null, isRequired: false, values: [] });
    const { content, headers, links, description } = follow(root, response);
    said((response as Written)["description"] ?? description);
    for (const [, header] of entries(headers)) {
      said(follow(root, header)["description"]);
      examplesOf(follow(root, header));
    }
    for (const [name, link] of entries(links))
      said(name, follow(root, link)["description"], follow(root, link)["operationId"]);
    contents(content, "response field");
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
  const discriminator = follow(root, schema["discriminator"]);
  for (const [value] of entries(discriminator["mapping"])) walk.facts.push(...textFacts(value));
  for (const item of list(schema["prefixItems"])) fieldsOf(root, item, { ...next, depth: walk.depth + 1 });
  for (const list of ["allOf", "oneOf", "anyOf"]) {
    for (const each of (schema[list] as unknown[] | undefined) ?? []) fieldsOf(root, each, next);
  }
  if (schema["items"] !== undefined) fieldsOf(root, schema["items"], next);
  const required = new Set(list(schema["required"]));
  for (const [name, property] of entries(schema["properties"])) {
    const inner = follow(root, property);
    if (inner[walk.what === "request field" ? "readOnly" : "writeOnly"] === true) continue;
    walk.facts.push(factOf(root, { what: walk.what, name, schema: property, isRequired: required.has(name) }));
    // A description beside a reference replaces the one of its target.
    const { description = inner["description"] } = property as Written;
    if (!["allOf", "oneOf", "anyOf"].some((each) => each in inner)) walk.facts.push(...textFacts(description));
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

function saySecurity(root: Written, security: unknown, said: (...texts: unknown[]) => void): void {
  const schemes = follow(root, follow(root, root["components"])["securitySchemes"]);
  for (const [name, scopes] of list(security).flatMap(entries)) {
    const scheme = follow(root, schemes[name]);
    said(scheme["description"], scheme["openIdConnectUrl"], scheme["bearerFormat"]);
    for (const [, flow] of entries(scheme["flows"])) {
      const { tokenUrl, authorizationUrl, refreshUrl, scopes: known } = follow(root, flow);
      said(tokenUrl, authorizationUrl, refreshUrl);
      for (const [scope, description] of entries(known)) if (list(scopes).includes(scope)) said(description);
    }
  }
}

/** The longest run of plain words: Markdown, addresses and line breaks look different on a page. */
function textFacts(written: unknown): Fact[] {
  const runs = text(written)
    .slice(0, 20_000)
    .split(/[^\p{L}\p{N} ,]/u)
    .map((run) => run.trim().replaceAll(/ {1,20}/g, " "));
  const [name = ""] = runs.toSorted((one, other) => other.length - one.length);
  return name.length < 3 ? [] : [{ what: "text", name, type: null, isRequired: false, values: [] }];
}

/** The texts of an example. */
function plainValues(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(plainValues) : [];
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
