import type { DescribedOperation, HostDescription, Schema } from "#testing/hosts/host-description.ts";
import { isWide } from "./description.ts";

/**
 * The operations of a client that swagger-typescript-api 13 generated, whose path `isWanted`: its declarations are the
 * host's Swagger document in TypeScript, with method and path in comments. Closed as in `from-openapi.ts`.
 */
export function sliceTypes(
  declarations: string,
  isWanted: (path: string) => boolean,
): Pick<HostDescription, "operations" | "schemas"> {
  const sources = namedTypes(declarations);
  const schemas: Record<string, Schema> = {};
  const nameSchema = (name: string): Schema => {
    const source = sources.get(name);
    if (source === undefined) throw new Error(`There is no type ${name}.`);
    if (!schemas[name]) {
      schemas[name] = {};
      schemas[name] = parseType(source, nameSchema);
    }
    return { $ref: `#/schemas/${name}` };
  };
  const METHOD =
    /@request ([A-Z]+):(\S+)[\s\S]*?\*\/\s*\w+: \(([\s\S]*?)params\?: RequestParams\) => Promise<HttpResponse<([\s\S]*?), [^,]*?>>;/g;
  const operations: DescribedOperation[] = [];
  for (const [, method, path, parameters, answer] of declarations.matchAll(METHOD)) {
    if (!isWanted(path!)) continue;
    const asked = parseType(`{ ${parameters!.replaceAll(/,\s*$/g, "").replaceAll(TOP_COMMA, ";")} }`, nameSchema);
    const given = asked["properties"] as Record<string, Schema>;
    const query = given["query"] ?? {};
    operations.push({
      method: method!,
      path: path!,
      wide: [...path!.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter(isWide),
      query: (query["properties"] ?? {}) as Record<string, Schema>,
      requiredQuery: (query["required"] ?? []) as string[],
      body: given["body"] ?? given["data"] ?? null,
      isBodyRequired: ((asked["required"] ?? []) as string[]).some((name) => name === "body" || name === "data"),
      answers: { "2XX": answer === "void" ? null : withoutRequired(parseType(answer!, nameSchema)) },
    });
  }
  return { operations, schemas };
}

/** Commas between parameters, and none inside `{}` or `<>`. */
const TOP_COMMA = /,(?![^{]*\})(?![^<]*>)/g;

function namedTypes(declarations: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, body] of declarations.matchAll(/^interface (\w+) (\{[\s\S]*?^\})/gm)) found.set(name!, body!);
  for (const [, name, body] of declarations.matchAll(/^type (\w+) = ([^;]+);/gm)) found.set(name!, body!);
  for (const [, name, body] of declarations.matchAll(/^declare enum (\w+) \{([\s\S]*?)^\}/gm)) {
    found.set(name!, [...body!.matchAll(/= ("[^"]*"|\d+)/g)].map(([, value]) => value).join(" | "));
  }
  return found;
}

const TOKEN = /\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"|'[^'\\]*'|-?\d+|[\w$]+|[{}()[\]<>|?:;,&]/g;
const PLAIN: Record<string, Schema> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  null: { type: "null" },
  true: { const: true },
  false: { const: false },
  File: { type: "string" },
  any: {},
  object: {},
  unknown: {},
  void: {},
};

/** A type in the few forms that the generator writes. */
function parseType(source: string, nameSchema: (name: string) => Schema): Schema {
  const tokens = (source.match(TOKEN) ?? [])
    .filter((token) => !token.startsWith("/*"))
    .map((token) => (token.startsWith("'") ? `"${token.slice(1, -1)}"` : token));
  let at = 0;
  const take = (expected?: string): string => {
    const token = tokens[at++];
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw new Error(`${expected ?? "Something"} is missing before ${tokens.slice(at - 1, at + 5).join(" ")}`);
    }
    return token;
  };
  const isNext = (token: string) => tokens[at] === token;

  function union(): Schema {
    if (isNext("|")) take();
    const options = [postfix()];
    while (isNext("|")) {
      take();
      options.push(postfix());
    }
    if (options.length === 1) return options[0]!;
    return options.every((one) => "const" in one) ? { enum: options.map((one) => one["const"]) } : { anyOf: options };
  }
  function postfix(): Schema {
    let schema = primary();
    while (isNext("[")) {
      take("[");
      take("]");
      schema = { type: "array", items: schema };
    }
    return schema;
  }
  function primary(): Schema {
    const token = take();
    if (token === "{") return members();
    if (token === "(") {
      const inner = union();
      take(")");
      return inner;
    }
    if (token.startsWith('"')) return { const: JSON.parse(token) as string };
    if (/^-?\d+$/.test(token)) return { const: Number(token) };
    if (token === "Record") {
      take("<");
      union();
      take(",");
      const value = union();
      take(">");
      return { type: "object", additionalProperties: value };
    }
    return PLAIN[token] ?? nameSchema(token);
  }
  function members(): Schema {
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    while (!isNext("}")) {
      const token = take();
      const name = token.startsWith('"') ? (JSON.parse(token) as string) : token;
      if (isNext("?")) take();
      else required.push(name);
      take(":");
      properties[name] = union();
      if (isNext(";")) take();
    }
    take("}");
    return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
  }
  return union();
}

function withoutRequired({ required: _, ...schema }: Schema): Schema {
  return schema;
}
