import { expect, it } from "vitest";
import type { JsonObject } from "#docs/json-document.ts";
import { channelsOf } from "./channels/channel-list.ts";
import { operationsOf } from "./operations.ts";
import { readApiDocument } from "./reading/read-document.ts";
import { follow } from "./references.ts";

const MANY = 6_000;
const mapOf = (make: (index: number) => [string, object]) =>
  Object.fromEntries(Array.from({ length: MANY }, (_, index) => make(index)));
const big = mapOf((index) => [`m${index}`, { payload: { type: "string" } }]);
const components = { x: { big, small: { a: 1, b: 2 } } };

it("fields next to a reference apply, except on a large map that many references would copy", () => {
  const root = { components } as unknown as JsonObject;
  expect(follow(root, { $ref: "#/components/x/small", b: 3 })?.object).toEqual({ a: 1, b: 3 });
  expect(follow(root, { $ref: "#/components/x/big", b: 3 })?.object).toBe(root["components"] && components.x.big);
});

it("a reference finds a name with a slash, and one with a tilde, by its escaped form", () => {
  const root = { schemas: { "a/b": { title: "slash" }, "a~1b": { title: "tilde" } } } as unknown as JsonObject;
  const title = (reference: string) => follow(root, { $ref: reference })?.object["title"];
  expect([title("#/schemas/a~1b"), title("#/schemas/a~01b")]).toEqual(["slash", "tilde"]);
});

it("the files of an API share one size limit", async () => {
  const part = " ".repeat(9_000_000);
  const files: Record<string, string> = {
    "api.json": `{ "openapi": "3.1.0", "paths": { "/x": { "$ref": "more.json" } } }${part}`,
    "more.json": `{ "get": {} }${part}`,
  };
  const { problems } = await readApiDocument("api.json", async (path) => files[path] ?? null);
  expect(problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    expect.stringMatching(/^more\.json: .*larger than 16 MB in all/),
  ]);
});

it("a missing file is named at the reference to it", async () => {
  const text = "openapi: 3.1.0\npaths:\n  /a:\n    $ref: parts/gone.yaml#/a\n  /b:\n    $ref: parts/gone.yaml#/b\n";
  const { problems } = await readApiDocument("specs/api.yaml", async (path) =>
    path === "specs/api.yaml" ? text : null,
  );
  expect(problems.map(({ path, line, message }) => `${path}:${line}: ${message}`)).toEqual([
    "specs/api.yaml:4: There is no file specs/parts/gone.yaml, to which this $ref points, or it is larger than Docent reads.",
  ]);
});

it("broken references beyond the hundredth are counted, those that lead out of the site and those without a target", async () => {
  const paths = Array.from({ length: 150 }, (_, index) => [
    `/p${index}`,
    { $ref: index < 70 ? `../out${index}.json` : `#/components/gone${index}` },
  ]);
  const text = JSON.stringify({ openapi: "3.1.0", paths: Object.fromEntries(paths) as object });
  const { problems } = await readApiDocument("api.json", async () => text);
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toMatchObject({ code: "more", message: "The description has 50 further problems." });
});

// Each of these once took 15 to 50 seconds for half a megabyte and blocked all other sites. The test's timeout is the limit.
const channels = (channel: (index: number) => object) => ({ asyncapi: "3.0.0", components, channels: mapOf((index) => [`c${index}`, channel(index)]) }); // oxfmt-ignore
it.each([
  ["messages", channels((index) => ({ address: "a", messages: { $ref: "#/components/x/big", [`z${index}`]: 1 } }))],
  ["channels", channels(() => ({ $ref: "#/components/x/big", title: "x" }))],
  ["tags", channels(() => ({ address: "a", tags: [{ $ref: "#/components/x/big", name: "x" }] }))],
  ["servers", { ...channels(() => ({ address: "a" })), servers: mapOf((index) => [`s${index}`, { host: "h", protocol: "ws" }]) }],
  ["operations", { asyncapi: "3.0.0", components, channels: { c: {} }, operations: mapOf((index) => [`o${index}`, { $ref: "#/components/x/big", action: "send" }]) }],
  ["paths", { openapi: "3.1.0", components, paths: mapOf((index) => [`/p${index}`, { $ref: "#/components/x/big", title: "x" }]) }],
  ["x-mint", { openapi: "3.1.0", components, paths: mapOf((index) => [`/p${index}`, { get: { "x-mint": { $ref: "#/components/x/big", href: "/x" } } }]) }],
])("many references to one large map are read in time: %s", async (_name, document) => {
  const { root } = await readApiDocument("api.json", async () => JSON.stringify(document));
  const listed = "asyncapi" in document ? channelsOf(root!) : operationsOf(root!);
  expect(listed.length).toBeLessThanOrEqual(MANY);
}, 12_000); // oxfmt-ignore
