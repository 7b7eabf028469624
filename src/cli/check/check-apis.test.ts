import { beforeAll, expect, it } from "vitest";
import { createCommandIo } from "#testing/command-io.ts";
import { createTestRepository } from "#testing/repositories.ts";
import { check } from "./check.ts";

/** One site with a section for each description: the findings are told apart by their file. */
const files = {
  "broken-channels/main.yaml": `asyncapi: 3.0.0
info: { title: "astray, silent and lost", version: "1" }
channels:
  room:
    messages:
      said: { payload: { $ref: "#/components/schemas/Gone" } }
      lost: { $ref: "#/components/messages/Lost" }
      text: [1]
      far: { $ref: "./parts.json#/Said" }
  number: 7
  round: { $ref: "#/channels/round" }
operations:
  silent:
    channel: { $ref: "#/channels/room" }
  astray:
    action: send
    channel: { $ref: "#/channels/nowhere" }
  strange: text
  passwd:
    action: send
    channel: { $ref: "#/channels/room" }
    messages: [{ $ref: "file:///etc/passwd" }, { $ref: "file:///etc/passwd" }]
    traits:
      - $ref: "file:///etc/passwd"
`,
  "broken-channels/parts.json": `{\n  "Said": {\n    "payload": { "$ref": "#/Nothing" },\n    "examples": [{ "payload": { "$ref": "#/data" } }]\n  }\n}`,
  "no-channels/main.yaml": 'asyncapi: 2.6.0\ninfo: { title: "No channels", version: "1" }\nchannels: [room]\n',
  "boats/main.yaml": `swagger: "2.0"
info: { title: Boats, version: "1" }
paths:
  /boats:
    get:
      responses:
        200: { description: All, schema: { $ref: "#/definitions/Boat" } }
        404: { description: None, schema: { $ref: "#/definitions/Gone" } }
    post:
      responses:
        404: { description: None, schema: { $ref: "#/definitions/Gone" } }
definitions:
  Boat: { type: object, example: { $ref: "#/definitions/NoneOfOurs" } }
`,
  "valid/main.yaml": `asyncapi: 3.0.0
info: { title: Live, version: "1" }
channels:
  room: { messages: { said: { payload: { $ref: "#/components/schemas/Line" } } } }
operations:
  hear: { action: send, channel: { $ref: "#/channels/room" }, messages: [{ $ref: "#/channels/room/messages/said" }] }
components: { schemas: { Line: { type: object, properties: { again: { $ref: "#/components/schemas/Line" } } } } }
`,
};
/** An operation with schemas in schemas, and with long examples. */
const deep = (levels: number, characters: number) => {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { inner: schema } };
  const examples = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`n${index}`, { value: "x".repeat(characters / 10) }] as const),
  );
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Deep", version: "1" },
    paths: { "/a": { post: { requestBody: { content: { "text/plain": { schema, examples } } } } } },
  });
};
Object.assign(files, { "deep/main.json": deep(13, 500_010), "shallow/main.json": deep(12, 499_000) });
const kinds = {
  "broken-channels": "asyncapi",
  "no-channels": "asyncapi",
  boats: "openapi",
  deep: "openapi",
  shallow: "openapi",
  valid: "asyncapi",
};
let found: string[];

beforeAll(async () => {
  const groups = Object.entries(kinds).map(([name, kind]) => ({ group: name, [kind]: `${name}/main` }));
  const docs = { "docs.json": JSON.stringify({ navigation: { groups } }), "index.md": "# A\n" };
  await using repository = await createTestRepository({ ...docs, ...files });
  const { io, said } = createCommandIo();
  await check.run([repository.path, "--json"], io);
  process.exitCode = undefined;
  const { problems } = JSON.parse(said.stdout) as {
    problems: { code: string; path: string; line: number | null; message: string }[];
  };
  found = problems
    .filter(({ code }) => code === "api_description")
    .map(({ path, line, message }) => `${path}:${line} ${message}`)
    .toSorted();
});

/** The findings in a description, as `file:line text` with the file below its folder. */
const findings = (name: keyof typeof kinds): string[] =>
  found.filter((line) => line.startsWith(`${name}/`)).map((line) => line.slice(name.length + 1));

it("reports problems of an AsyncAPI document at their line", () => {
  const passwd = "$ref file:///etc/passwd is not followed: only files of the site are read.";
  expect(findings("broken-channels")).toEqual([
    'main.yaml:10 The channel "number" is not an object, or its $ref points to nothing.',
    'main.yaml:11 The channel "round" is not an object, or its $ref points to nothing.',
    'main.yaml:13 The operation "silent" needs "action: send" or "action: receive"; it is left out.',
    'main.yaml:17 The channel of the operation "astray" does not exist; the operation is left out.',
    'main.yaml:18 The operation "strange" is not an object, or its $ref points to nothing.',
    `main.yaml:22 ${passwd}`,
    `main.yaml:24 ${passwd}`,
    "main.yaml:6 $ref #/components/schemas/Gone points to nothing.",
    'main.yaml:7 The message "lost" of the channel "room" is not an object, or its $ref points to nothing.',
    'main.yaml:8 The message "text" of the channel "room" is not an object, or its $ref points to nothing.',
    "parts.json:3 $ref #/Nothing points to nothing.",
  ]);
});

it("reports a document without a map of channels", () => {
  expect(findings("no-channels")).toEqual(['main.yaml:3 The document has no map of "channels".']);
});

it("reports each broken reference of an OpenAPI document once", () => {
  expect(findings("boats")).toEqual(["main.yaml:8 $ref #/definitions/Gone points to nothing."]);
});

it("reports that a page shows neither all levels of schemas nor all examples", () => {
  expect(findings("deep").map((line) => line.replace(/^\S+ /, ""))).toEqual([
    "The page shows 12 levels of the operation's schemas; the others are in the description alone.",
    "The page shows 500,000 characters of the operation's examples; the others are in the description alone.",
  ]);
});

it.each(["valid", "shallow"] as const)("reports nothing for a %s document", (name) => {
  expect(findings(name)).toEqual([]);
});
