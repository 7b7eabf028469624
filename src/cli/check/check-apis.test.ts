import { afterEach, expect, it, onTestFinished } from "vitest";
import { createCommandIo } from "#testing/command-io.ts";
import { createTestRepository } from "#testing/repositories.ts";
import { check } from "./check.ts";

afterEach(() => {
  process.exitCode = undefined;
});

/** The findings in a site whose only section is generated from `api/main.yaml`, as `file:line text`. */
async function findings(kind: "openapi" | "asyncapi", files: Record<string, string>): Promise<string[]> {
  const docs = { navigation: { groups: [{ group: "API", [kind]: "api/main.yaml" }] } };
  const repository = await createTestRepository({ "docs.json": JSON.stringify(docs), "index.md": "# A\n", ...files });
  onTestFinished(repository.dispose);
  const { io, said } = createCommandIo();
  await check.run([repository.path, "--json"], io);
  const { problems } = JSON.parse(said.stdout) as {
    problems: { code: string; path: string; line: number | null; message: string }[];
  };
  return problems
    .filter(({ code }) => code === "api_description")
    .map(({ path, line, message }) => `${path}:${line} ${message}`)
    .toSorted();
}

it("reports problems of an AsyncAPI document at their line", async () => {
  const found = await findings("asyncapi", {
    "api/main.yaml": `asyncapi: 3.0.0
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
    "api/parts.json": `{\n  "Said": {\n    "payload": { "$ref": "#/Nothing" },\n    "examples": [{ "payload": { "$ref": "#/data" } }]\n  }\n}`,
  });
  const passwd = "$ref file:///etc/passwd is not followed: only files of the site are read.";
  expect(found).toEqual([
    'api/main.yaml:10 The channel "number" is not an object, or its $ref points to nothing.',
    'api/main.yaml:11 The channel "round" is not an object, or its $ref points to nothing.',
    'api/main.yaml:13 The operation "silent" needs "action: send" or "action: receive"; it is left out.',
    'api/main.yaml:17 The channel of the operation "astray" does not exist; the operation is left out.',
    'api/main.yaml:18 The operation "strange" is not an object, or its $ref points to nothing.',
    `api/main.yaml:22 ${passwd}`,
    `api/main.yaml:24 ${passwd}`,
    "api/main.yaml:6 $ref #/components/schemas/Gone points to nothing.",
    'api/main.yaml:7 The message "lost" of the channel "room" is not an object, or its $ref points to nothing.',
    'api/main.yaml:8 The message "text" of the channel "room" is not an object, or its $ref points to nothing.',
    "api/parts.json:3 $ref #/Nothing points to nothing.",
  ]);
});

it("reports a document without a map of channels", async () => {
  const text = 'asyncapi: 2.6.0\ninfo: { title: "No channels", version: "1" }\nchannels: [room]\n';
  expect(await findings("asyncapi", { "api/main.yaml": text })).toEqual([
    'api/main.yaml:3 The document has no map of "channels".',
  ]);
});

it("reports each broken reference of an OpenAPI document once", async () => {
  const found = await findings("openapi", {
    "api/main.yaml": `swagger: "2.0"
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
  });
  expect(found).toEqual(["api/main.yaml:8 $ref #/definitions/Gone points to nothing."]);
});

it("reports nothing for a valid document", async () => {
  const text = `asyncapi: 3.0.0
info: { title: Live, version: "1" }
channels:
  room: { messages: { said: { payload: { $ref: "#/components/schemas/Line" } } } }
operations:
  hear: { action: send, channel: { $ref: "#/channels/room" }, messages: [{ $ref: "#/channels/room/messages/said" }] }
components: { schemas: { Line: { type: object, properties: { again: { $ref: "#/components/schemas/Line" } } } } }
`;
  expect(await findings("asyncapi", { "api/main.yaml": text })).toEqual([]);
});
