import type { DescribedInterface, Operation, Parameter, Schema } from "./described-interface.ts";

/** `valid`: as the document says; `near`: one thing of it is wrong; `hostile`: nothing that a client would send. */
export type Manner = "valid" | "near" | "hostile";

export interface GeneratedRequest {
  operation: Operation;
  manner: Manner;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
  /** Why the document refuses it; null when it takes it. */
  refusal: string | null;
}

/** Names of things that there are, as answers told them: by the kind of their ids. */
export type KnownIds = Map<string, string[]>;

interface Deps {
  random(): number;
  described: DescribedInterface;
  known: KnownIds;
  projectId: string;
  key: string;
  /** What there really is, by the example of the document that stands for it. */
  instead: Record<string, string>;
}

/** What each `{id}` of a path is of, by the part before it. */
const ID_KINDS: Record<string, string> = { job: "job", webhooks: "whk", deliveries: "dlv", automations: "aut", automation: "aut", deployments: "dep", sources: "src", "update-status": "upd", "{projectId}": "aut", search: "site", page: "site" }; // oxfmt-ignore
/** Of any line of text. */
const LINE_PATTERN = "^[^\\r\\n]+$";
const PROMPTS = ['Replace "Welcome" with "Hello" on the start page.', "Fix the broken links.", "Write a poem about ships. 🚢", 'Set the description of the start page to "All there is".', "x"]; // oxfmt-ignore
const TEXTS = [
  "main",
  "a",
  "Harbor docs",
  "äöü 🚢",
  "0 6 * * 1",
  "*/5 * * * *",
  "Europe/Berlin",
  "docs/guide",
  "4f2a9c1",
];
const WRONG_VALUES = [null, 5, -1, 1.5, -1e308, true, {}, [], [null], "", " ", "\0", "\ud800", "x".repeat(40_000), "../../etc", { $ref: "#" }, "1e9"]; // oxfmt-ignore
const HOSTILE_TEXTS = ["%00", "%FF%FE", "..%2f..%2fetc", "x".repeat(5_000), "'%22%3B--", "%F0%9F%9A%A2", "-1", "1e9", "0x10", "9".repeat(400), "", "%E0%A4%A", "[object%20Object]", "\u00ff"]; // oxfmt-ignore
const HOSTILE_HEADERS: Record<string, string>[] = [
  { Accept: "\u00ff, */*;q=nan, text/csv;q=\u00ff" },
  { Accept: "text/csv" },
  { Accept: "application/json" },
  { Accept: "text/plain" },
  { Accept: "image/webp" },
  { "If-None-Match": '"\u00ff", W/, *' },
  { "If-None-Match": "*" },
  { "Last-Event-ID": "1e9" },
  { "Last-Event-ID": "3" },
  { "Idempotency-Key": "\u00ff" },
  { "Idempotency-Key": "again" },
  { "Accept-Encoding": "gzip, br;q=9" },
  { Range: "bytes=9-1" },
  { "Content-Encoding": "gzip" },
  { "X-Forwarded-For": "\u00ff, 999.1.1.1", Forwarded: "for=\u00ff" },
  { "X-Request-Id": "\u00ff".repeat(100) },
  { "X-Request-Id": "mine-2026.11" },
  { Cookie: "docent_session=\u00ff.\u00ff.\u00ff.\u00ff; a=\u00ff" },
  { Origin: "https://evil.example" },
  { "X-Big": "y".repeat(20_000) },
  { "X-HTTP-Method-Override": "DELETE" },
];
const HOSTILE_BODIES: (string | Buffer)[] = [
  "", "null", "[]", "5", '"x"', "{}{}", '{"prompt":', "1e999", "\ufeff{}",
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), Buffer.from('{"prompt":"x"}', "utf16le"),
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`, `{"a":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`,
  `{"prompt":"${"x".repeat(300 * 1024)}"}`, '{"__proto__":{"x":1},"constructor":5,"prompt":"x"}', '{"prompt":"a","prompt":5}',
]; // oxfmt-ignore
const HOSTILE_TYPES = ["", "text/plain", "application/jsonx", "multipart/form-data", "application/json; charset=utf-16", "\u00ff/\u00ff"]; // oxfmt-ignore
const HOSTILE_KEYS = ["", "Bearer", "Basic eDp5", "Bearer docent_x", "Bearer \u00ff", `Bearer ${"x".repeat(9_000)}`];

/** Makes requests to an interface as its document describes them, and as it does not. The same ones for the same seed. */
export function createRequestGenerator({ random, described, known, projectId, key, instead }: Deps) {
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const chance = (share: number) => random() < share;

  function idFor(path: string, name: string): string {
    const before = path.split("/");
    const kind = ID_KINDS[before[before.indexOf(`{${name}}`) - 1] ?? ""] ?? "job";
    const ids = known.get(kind) ?? [];
    if (ids.length > 0 && chance(0.9)) return chance(0.5) ? ids.at(-1)! : pick(ids);
    return `${kind}_${"0123456789abcdefghjkmnpqrs".slice(0, 25)}${pick(["0", "z"])}`;
  }

  function text(schema: Schema): string {
    const most = Math.min(schema.maxLength ?? 100, 300);
    if (schema.enum) return pick(schema.enum as string[]);
    if (schema.format === "date-time") return new Date(Date.now() - below(40) * 86_400_000).toISOString();
    if (schema.format === "date") return new Date(Date.now() - below(40) * 86_400_000).toISOString().slice(0, 10);
    const isPlain = schema.pattern === undefined || schema.pattern === LINE_PATTERN || schema.pattern === "\\S";
    if (typeof schema.example === "string" && (!isPlain || chance(0.8))) {
      return chance(0.8) ? (instead[schema.example] ?? schema.example) : schema.example;
    }
    if (schema.pattern?.startsWith("^(\\d{4})"))
      return pick(["2026-05-10T23:30:00-02:00", "2026-11-20T00:00", "2030-01-01"]);
    if (schema.pattern?.includes("\\d{1,9}")) return String(below(50));
    return (schema.pattern === "\\S" ? pick(PROMPTS) : pick(TEXTS)).slice(0, most);
  }

  /** A value that a schema takes. */
  function sample(given: Schema): unknown {
    const schema = described.resolve(given);
    const choice = schema.oneOf ?? schema.anyOf;
    if (choice) return sample(pick(choice));
    const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type;
    if (type === "null") return null;
    if (type === "boolean") return chance(0.5);
    if (type === "integer" || type === "number") {
      const least = schema.minimum ?? 0;
      const most = Math.min(schema.maximum ?? 1_000, least + 1_000);
      return chance(0.2) ? pick([least, schema.maximum ?? most]) : least + below(most - least + 1);
    }
    if (type === "array")
      return Array.from({ length: Math.min((schema.minItems ?? 0) + below(3), schema.maxItems ?? 2) }, () =>
        sample(schema.items ?? {}),
      );
    if (type === "object") {
      const { prompt, chores } = schema.properties ?? {};
      // One of the two is needed, which the document says in words.
      const required = [...(schema.required ?? []), ...(prompt && chores ? ["prompt"] : [])];
      const used = Object.entries(schema.properties ?? {}).filter(([name]) => required.includes(name) || chance(0.5));
      return Object.fromEntries(used.map(([name, part]) => [name, sample(part)]));
    }
    return text(schema);
  }

  /** `value` with one thing in it that is wrong, or that it did not have. */
  function spoiled(value: unknown): unknown {
    if (Array.isArray(value) && value.length > 0 && chance(0.7)) {
      const at = below(value.length);
      return value.map((item, index) => (index === at ? spoiled(item) : (item as unknown)));
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) return pick(WRONG_VALUES);
    const fields = Object.entries(value);
    if (fields.length === 0 || chance(0.2))
      return { ...value, [pick(["unheardOf", "__proto", "Prompt", ""])]: pick(WRONG_VALUES) };
    const at = below(fields.length);
    if (chance(0.2)) return Object.fromEntries(fields.filter((_field, index) => index !== at));
    return Object.fromEntries(
      fields.map(([name, field], index) => [name, index === at ? spoiled(field) : (field as unknown)]),
    );
  }

  const written = ({ explode = true, name }: Parameter, value: unknown): [string, string][] => {
    if (!Array.isArray(value)) return [[name, String(value)]];
    return explode ? value.map((item) => [name, String(item)]) : [[name, value.join(",")]];
  };

  /** What the document says of a query as it is written. */
  function queryRefusal(parameters: readonly Parameter[], query: readonly [string, string][]): string | null {
    for (const { name, schema, required = false, explode = true } of parameters) {
      const texts = query.filter(([given]) => given === name).map(([, value]) => value);
      if (texts.length === 0 && required) return `${name} is missing`;
      if (texts.length === 0) continue;
      const one = schema.type === "integer" && /^\d{1,16}$/.test(texts[0]!) ? Number(texts[0]) : texts[0];
      const many = explode ? texts : texts[0]!.split(",");
      const isList = schema.type === "array";
      if (!(isList && explode) && texts.length > 1) return `${name} is repeated`;
      const refusal = described.refusal(schema, isList ? many : one);
      if (refusal !== null) return `${name}: ${refusal}`;
    }
    return null;
  }

  let turn = 0;
  function next(): GeneratedRequest {
    // One after another: by chance alone, one of a hundred operations would hardly be reached.
    const operation = described.operations[turn++ % described.operations.length]!;
    const manner: Manner = chance(0.4) ? "valid" : chance(0.67) ? "near" : "hostile";
    const inQuery = operation.parameters.filter((parameter) => parameter.in === "query");
    const sent = inQuery.filter(({ name, required }) => required || chance(name === "cursor" ? 0.1 : 0.5));
    const query = sent.flatMap((parameter) =>
      written(parameter, parameter.name === "cursor" ? cursor() : sample(parameter.schema)),
    );
    const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
    for (const { name } of operation.parameters.filter((parameter) => parameter.in === "header" && chance(0.15)))
      headers[name] = name === "Last-Event-ID" ? String(below(9)) : pick(["again", '"x"', `key ${below(1e9)}`]);
    if (chance(0.1)) headers["Accept"] = pick(["text/csv", "application/json", "text/plain", "*/*"]);
    let value: unknown =
      operation.body && (operation.isBodyRequired || chance(0.7)) ? sample(operation.body) : undefined;
    const deliveries = known.get("deliveries") ?? [];
    const pattern =
      deliveries.length > 0 && chance(0.9)
        ? operation.path.replace("{id}/deliveries/{deliveryId}", () => pick(deliveries))
        : operation.path;
    let path = pattern.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      name === "projectId" ? projectId : idFor(operation.path, name),
    );
    let extra: string | null = null;
    let type = "application/json";
    let raw: string | Buffer | null = null;

    if (manner === "near") {
      const ways = [
        ...(value === undefined ? [] : ["body", "body", "body"]),
        ...(inQuery.length === 0 ? [] : ["query", "query"]),
        "path", "key", "headers",
      ]; // oxfmt-ignore
      const way = pick(ways);
      if (way === "body") value = spoiled(value);
      if (way === "query") {
        const { name } = pick(inQuery);
        query.push([name, pick(["", "0", "-1", "1000000", "x", "1.5", "2026-02-30", "active", "5"])]);
      }
      if (way === "path")
        path = path.replace(/[a-z]{3}_[0-9a-z]{26}/, (id) => (chance(0.5) ? `${id}x` : id.slice(0, -1)));
      if (way === "key")
        headers["Authorization"] = pick([`Bearer ${key}x`, `Bearer ${key.slice(0, -1)}`, "", `bearer  ${key}`]);
      if (way === "headers") Object.assign(headers, { "Idempotency-Key": pick(["again", "", "k".repeat(256)]) });
    }
    if (manner === "hostile") {
      const way = pick(["path", "query", "header", "header", "body", "type", "key", "project"]);
      if (way === "path") path = path.replace(/[a-z]{3}_[0-9a-z]{26}(?!.*_)/, () => pick(HOSTILE_TEXTS));
      if (way === "project") path = operation.path.replaceAll(/\{\w+\}/g, () => pick(HOSTILE_TEXTS));
      if (way === "query")
        extra = `${pick(["limit", "status", "x", "dateFrom", "after", "access_token", "%00", ""])}${pick(["=", "[]=", ""])}${pick(HOSTILE_TEXTS)}`;
      if (way === "header") Object.assign(headers, pick(HOSTILE_HEADERS));
      if (way === "body") raw = pick(HOSTILE_BODIES);
      if (way === "type") type = pick(HOSTILE_TYPES);
      if (way === "key") headers["Authorization"] = pick(HOSTILE_KEYS);
    }
    const body = raw ?? (value === undefined ? null : JSON.stringify(value));
    if (body !== null && type !== "") headers["Content-Type"] = type;
    const search = [new URLSearchParams(query).toString(), extra ?? ""].filter((part) => part !== "").join("&");
    const refusal = queryRefusal(inQuery, query) ?? (value !== undefined && operation.body && raw === null ? described.refusal(operation.body, JSON.parse(JSON.stringify(value))) : null); // oxfmt-ignore
    return {
      operation,
      manner,
      method: operation.method,
      path: search === "" ? path : `${path}?${search}`,
      headers,
      body,
      refusal,
    };
  }

  const cursor = () => pick(known.get("cursor") ?? ["job_00000000000000000000000000"]);

  return { next };
}
