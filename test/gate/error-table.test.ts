import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import {
  type DescribedInterface,
  type InterfaceDocument,
  type Operation,
  readInterface,
  type Schema,
} from "#test/support/contract/described-interface.ts";

/** Those in the shapes of others, whose newer clients may send fields that we do not know. */
const TOLERANT = new Set(["createAgentJob", "sendAgentMessage", "searchPages", "readPage"]);
const JSON_TYPE = { "Content-Type": "application/json" };
/** How the library of our schemas says things: none of it may reach a caller. */
const LIBRARY_WORDS =
  /invalid (?:input|option|string|type|value)|unrecognized|expected |received|too (?:small|big)|undefined|\bNaN\b|zod/i;

/** The error table over every operation of the document, whatever operations it comes to have. */
describe("every operation", () => {
  let app: TestApp;
  let operations: Operation[];
  let resolve: DescribedInterface["resolve"];
  let foreign: string;
  beforeAll(async () => {
    app = await createTestApp("sqlite", { agentCallsPerHour: 1_000_000 });
    const document = (await (await app.openPath("/openapi.json")).json()) as InterfaceDocument;
    ({ operations, resolve } = readInterface(document));
    foreign = (await app.makeProject("Other docs")).id;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  async function send(
    operation: Operation,
    given: {
      project?: string;
      key?: string | null;
      headers?: Record<string, string>;
      body?: string;
      query?: string;
      method?: string;
    } = {},
  ) {
    const { project = app.project.id, headers, body, query = "", method = operation.method } = given;
    const key = given.key === undefined ? (operation.isOfInstance ? await app.instanceKey() : app.key) : given.key;
    const at = operation.path
      .replace("{projectId}", project)
      .replace("{domain}", project === foreign ? "other-docs" : "harbor-docs")
      .replaceAll(/\{\w+\}/g, "x");
    const request = new Request(`http://localhost:4000${at}${query}`, {
      method,
      headers: { ...(key !== null && { Authorization: `Bearer ${key}` }), ...headers },
      ...(body !== undefined && { body }),
    });
    const response = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
    const text = await response.text();
    const json = (text.startsWith("{") ? JSON.parse(text) : {}) as {
      error?: string;
      code?: string;
      details?: { path: string; message: string }[];
    };
    return { ...json, status: response.status, headers: response.headers };
  }
  const withBody = () => operations.filter(({ body }) => body !== null);
  /** What all answers have in common, told as a list by operation: one look shows all that are different. */
  async function expectOfAll(
    among: readonly Operation[],
    ask: (operation: Operation) => Promise<unknown>,
    same: unknown,
  ) {
    const answers: Record<string, unknown> = {};
    for (const operation of among) answers[operation.id] = await ask(operation);
    expect(answers).toEqual(Object.fromEntries(among.map(({ id }) => [id, same])));
  }

  it("is in this table", () => {
    expect(operations.length).toBeGreaterThan(60);
    expect(withBody().length).toBeGreaterThan(15);
  });

  it("returns 401 without a key, and says how to send one", () =>
    expectOfAll(
      operations,
      async (operation) => {
        const { status, code, headers } = await send(operation, { key: null });
        return [status, code, headers.get("www-authenticate")];
      },
      [401, "unauthorized", 'Bearer realm="docent"'],
    ));

  it("returns 404 for another project, and 403 if it belongs to no project", async () => {
    const valid = (operation: Operation) => (operation.body ? { headers: JSON_TYPE, body: "{}" } : {});
    const named = operations.filter(({ path }) => /\{(?:projectId|domain)\}/.test(path));
    const ask = async (operation: Operation) => {
      const { status, code } = await send(operation, { project: foreign, key: app.key, ...valid(operation) });
      return [status, code];
    };
    await expectOfAll(named, ask, [404, "not_found"]);
    await expectOfAll(
      operations.filter(({ isOfInstance }) => isOfInstance),
      ask,
      [403, "forbidden"],
    );
  });

  it("returns 405 for an unsupported method, with the supported ones", async () => {
    for (const operation of operations) {
      const taken = new Set(operations.filter(({ path }) => path === operation.path).map(({ method }) => method));
      if (taken.has("GET")) taken.add("HEAD");
      const method = ["PUT", "PATCH", "DELETE", "POST"].find((one) => !taken.has(one))!;
      const { status, code, headers } = await send(operation, { method });
      const allow = headers.get("allow")?.split(", ").sort();
      expect([operation.id, status, code, allow]).toEqual([operation.id, 405, "method_not_allowed", [...taken].sort()]);
    }
  });

  it.each<[string, Record<string, string>]>([
    ["another type", { "Content-Type": "text/plain" }],
    ["no type", {}],
    ["another character set", { "Content-Type": "application/json; charset=iso-8859-1" }],
    ["a compressed body", { ...JSON_TYPE, "Content-Encoding": "gzip" }],
  ])("is 415 for %s", (_what, headers) =>
    expectOfAll(
      withBody(),
      async (operation) => {
        const bytes = new TextEncoder().encode('{"prompt":"x"}'); // bytes name no type of their own
        const { status, code } = await send(operation, { headers, body: bytes as unknown as string });
        return [status, code];
      },
      [415, "unsupported_media_type"],
    ),
  );

  it("returns 413 for a body over 256 KiB", () =>
    expectOfAll(
      withBody(),
      async (operation) => {
        const body = JSON.stringify({ prompt: "x".repeat(300_000) });
        const { status, code } = await send(operation, { headers: JSON_TYPE, body });
        return [status, code];
      },
      [413, "too_large"],
    ));

  it.each([
    ["no JSON", "{"],
    ["nothing", ""],
  ])("is 400 for a body that is %s", (_what, body) =>
    expectOfAll(
      withBody().filter(({ isBodyRequired }) => body !== "" || isBodyRequired),
      async (operation) => {
        const { status, code, error } = await send(operation, { headers: JSON_TYPE, body });
        return [status, code, /JSON/.test(error ?? "")];
      },
      [400, "invalid", true],
    ),
  );

  it.each(["5", "null", "[]", '"x"'])("is 400 for the body %s, which is not an object", (body) =>
    expectOfAll(
      withBody(),
      async (operation) => {
        const { status, code, error, details } = await send(operation, { headers: JSON_TYPE, body });
        return [status, code, error, details];
      },
      [400, "invalid", "The body must be a JSON object.", [{ path: "", message: "must be a JSON object" }]],
    ),
  );

  it.each(["unheardOf", "__proto__", "constructor"])("returns 400 for the unknown field %s, with its name", (name) =>
    expectOfAll(
      withBody().filter(({ id }) => !TOLERANT.has(id)),
      async (operation) => {
        const { status, error, details = [] } = await send(operation, { headers: JSON_TYPE, body: `{"${name}":1}` });
        const message = details.find(({ path }) => path === "")?.message;
        return [status, message, LIBRARY_WORDS.test(error ?? "")];
      },
      [400, `has a field that is not known: "${name}"`, false],
    ),
  );

  it("causes no 5xx for such a field where a newer client may send it", () =>
    expectOfAll(
      operations.filter(({ id }) => TOLERANT.has(id)),
      async (operation) => {
        const body = '{"prompt":"x","unheardOf":1,"__proto__":{"x":1},"constructor":5}';
        return (await send(operation, { headers: JSON_TYPE, body })).status >= 500;
      },
      false,
    ));

  it("returns 400 for a field of a wrong type, with its name and the valid type", async () => {
    let fields = 0;
    for (const operation of withBody()) {
      for (const [name, schema] of Object.entries(resolve(operation.body!).properties ?? {})) {
        const types = typesOf(schema);
        const wrong = [5, true, "\0", [0], { "\0": 0 }].find((value) => !types.has(typeOf(value)));
        if (wrong === undefined) continue; // it takes whatever JSON there is
        fields += 1;
        const body = JSON.stringify({ [name]: wrong });
        const { status, error = "", details = [] } = await send(operation, { headers: JSON_TYPE, body });
        const at = `${operation.id} ${name}`;
        const own = details.filter(({ path }) => path === name);
        expect([at, status, own.length]).toEqual([at, 400, 1]);
        for (const sentence of [error, ...details.map(({ message }) => message)]) {
          expect([at, sentence, LIBRARY_WORDS.test(sentence)]).toEqual([at, sentence, false]);
        }
        expect([at, own[0]!.message]).toEqual([at, expect.stringMatching(/^(?:must |has none of the forms)/)]);
      }
    }
    expect(fields).toBeGreaterThan(40);
  });

  it("accepts no key in the URL, even with a valid header", () =>
    expectOfAll(
      operations,
      async (operation) => {
        const { status, code, details } = await send(operation, { query: "?access_token=x" });
        return [status, code, details?.[0]?.path];
      },
      [400, "invalid", "access_token"],
    ));

  /** The JSON types that a schema takes; of all kinds where it names none. */
  function typesOf(given: Schema): Set<string> {
    const schema = resolve(given);
    const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (parts) return new Set(parts.flatMap((part) => [...typesOf(part)]));
    if (schema.type !== undefined)
      return new Set([schema.type].flat().map((type) => (type === "integer" ? "number" : type)));
    const values = schema.enum ?? ("const" in schema ? [schema.const] : null);
    return new Set(values?.map(typeOf) ?? ["number", "boolean", "string", "array", "object"]);
  }
});

const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
