import { expect, test } from "vitest";
import type { JsonObject } from "#docs/json-document.ts";
import { codeSamples } from "./code-samples.ts";
import { operationMarkdown } from "./operation-markdown.ts";
import { viewOperation } from "./operation-view.ts";
import { operationsOf } from "./operations.ts";
import { readApiDocument } from "./reading/read-document.ts";
import { sampleRequest } from "./sample-request.ts";
import { parseJsonNumbers } from "./written-number.ts";

/** The first operation of a description as agents read it, after the server stored it as JSON and parsed it again. */
async function markdownOf(description: string, languages: string[] = ["bash"]) {
  const { root, problems } = await readApiDocument("api", () => Promise.resolve(description));
  expect(problems).toEqual([]);
  const kept = parseJsonNumbers(JSON.stringify(root)) as JsonObject;
  const operation = viewOperation(kept, operationsOf(kept)[0]!)!;
  const samples = codeSamples(sampleRequest(operation), languages);
  return operationMarkdown(operation, samples) + samples.map(({ code }) => code).join("\n");
}

const yaml = (parameters: string, body = "") => `openapi: 3.1.0
info: {title: T, version: 1.10}
servers: [{url: "https://api.example.com"}]
paths:
  /a:
    post:
      parameters: [${parameters}]
      ${body === "" ? "" : `requestBody: {content: {application/json: ${body}}}`}
      responses: {200: {description: ok}}
components: {schemas: {Zip: {type: string}, Place: {allOf: [{type: object, properties: {zip: {$ref: "#/components/schemas/Zip"}}}]}}}
`;

test.each([
  [
    "minimum: -9223372036854775808, maximum: 9223372036854775807",
    "minimum `-9223372036854775808`, maximum `9223372036854775807`",
  ],
  ["default: 9007199254740993", "default `9007199254740993`"],
  ["multipleOf: 0.10", "multiple of `0.10`"],
  ["exclusiveMinimum: 18446744073709551615", "greater than `18446744073709551615`"],
  ["minimum: 1.50e3", "minimum `1.50e3`"],
])("a bound is shown as its author wrote it: %s", async (written, shown) => {
  expect(await markdownOf(yaml(`{name: n, in: query, schema: {type: number, ${written}}}`))).toContain(shown);
});

test.each([
  ["enum: [1.0, 1.10, 2.0], default: 1.10", "Allowed: `1.0`, `1.10`, `2.0`. default `1.10`"],
  ["example: 00501", "example `00501`"],
  ["example: +15550100", "example `+15550100`"],
  ["example: 0x1F", "example `0x1F`"],
  ["const: 007", "Allowed: `007`"],
  ["enum: [true, 1e3]", "Allowed: `true`, `1e3`"],
  ["default: 2026-01-05", "default `2026-01-05`"],
])("a string that YAML parses as another type is shown as its author wrote it: %s", async (written, shown) => {
  expect(await markdownOf(yaml(`{name: s, in: query, schema: {type: string, ${written}}}`))).toContain(shown);
});

test("the example of a parameter is sent as its author wrote it", async () => {
  const parameters =
    "{name: zip, in: query, schema: {$ref: '#/components/schemas/Zip'}, example: 00501}, {name: price, in: query, schema: {type: number}, example: 10.00}";
  expect(await markdownOf(yaml(parameters))).toContain("?zip=00501&price=10.00");
});

test("a field of an example is a string where its schema says so, however the schema is composed", async () => {
  const body = "{schema: {$ref: '#/components/schemas/Place'}, examples: {one: {value: {zip: 00501, other: 10.00}}}}";
  expect(await markdownOf(yaml("", body))).toMatch(/"zip": "00501",\s+"other": 10.00/);
});

test("text below a response or a field named like a schema's values is kept", async () => {
  const zip = "{type: string, example: 00501}";
  const schema = `{properties: {default: {properties: {a: ${zip}}}, example: ${zip}, b: ${zip}}}`;
  expect((await markdownOf(yaml("", `{schema: ${schema}}`))).split("`00501`")).toHaveLength(4);
});

test("a name that looks like a number is kept", async () => {
  const body = "{schema: {type: object, properties: {1.10: {type: string}, 007: {type: string}}}}";
  expect(await markdownOf(yaml("", body))).toMatch(/`1\.10`[^]*`007`/);
});

const OPENAPI = (example: string) =>
  `{"openapi":"3.0.3","info":{"title":"T","version":"1"},"servers":[{"url":"https://api.example.com"}],"paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"example":${example}}}},"responses":{}}}}}`;

test("a description in JSON keeps its numbers in every language", async () => {
  const languages = ["bash", "python", "go", "php", "ruby", "java", "csharp", "rust", "kotlin", "swift", "powershell"];
  const shown = await markdownOf(
    OPENAPI('{"id":60503861139345408,"list":[1050201062612639744],"price":10.00}'),
    languages,
  );
  expect(shown).not.toMatch(/docent-number|60503861139345410|["']10\.00["']/);
  for (const number of ["60503861139345408", "1050201062612639744", "10.00"])
    expect(shown.split(number).length - 1).toBeGreaterThanOrEqual(languages.length + 1);
});

test("a script sends a number that it cannot hold as text", async () => {
  const shown = await markdownOf(OPENAPI('{"id":60503861139345408}'), ["javascript"]);
  expect(shown).toContain(`body: '{"id":60503861139345408}'`);
});

test("a Swagger document keeps its numbers", async () => {
  const swagger = `swagger: "2.0"
info: {title: T, version: 2.0}
host: api.example.com
paths:
  /a:
    get:
      parameters: [{name: n, in: query, type: integer, minimum: 9007199254740993}, {name: v, in: query, type: string, enum: [1.0, 1.10]}]
      responses: {200: {description: ok, examples: {application/json: {id: 1234567890123456789}}}}
`;
  const shown = await markdownOf(swagger);
  expect(shown).toContain("minimum `9007199254740993`");
  expect(shown).toContain("Allowed: `1.0`, `1.10`");
  expect(shown).toContain('"id": 1234567890123456789');
});

const asyncApi = (channel: string) => `asyncapi: 3.0.0
info: {title: T, version: 1.10}
channels: {c: {${channel}}}
`;
const openApi = (servers: string) => `openapi: 3.1.0
info: {title: T, version: 1.10}
servers: [${servers}]
paths: {}
`;
const SCHEMAS = "{type: object, properties: {v: {type: string}, n: {type: number}}}";

test.each([
  ["a parameter of a channel", asyncApi("address: '/{p}', parameters: {p: {default: 007, enum: [007, 1.10], examples: [0x1F]}}"), ['"default":"007"', '"enum":["007","1.10"]', '"examples":["0x1F"]']],
  ["a variable of a server", openApi('{url: "https://example.com/{v}", variables: {v: {default: 010, enum: [010, 1.0]}}}'), ['"default":"010"', '"enum":["010","1.0"]']],
  ["the example of a message", asyncApi(`messages: {m: {payload: ${SCHEMAS}, examples: [{payload: {v: 1.10, n: 2.50}}]}}`), ['"v":"1.10"']],
  ["the headers of a message's example", asyncApi(`messages: {m: {headers: ${SCHEMAS}, examples: [{headers: {v: 007}}]}}`), ['"v":"007"']],
  ["the example of a message with a format", asyncApi(`messages: {m: {payload: {schemaFormat: x, schema: ${SCHEMAS}}, examples: [{payload: {v: 0x1F}}]}}`), ['"v":"0x1F"']],
])("%s is a string, as the specification or its schema says", async (_, description, texts) => {
  const { root } = await readApiDocument("api", () => Promise.resolve(description));
  const kept = JSON.stringify(root);
  for (const each of texts) expect(kept).toContain(each);
  expect(kept).not.toContain('"n":"2.50"');
}); // oxfmt-ignore

test("a parameter of Swagger that other operations share, in another file, keeps its type", async () => {
  const swagger = `swagger: "2.0"
info: {title: T, version: "1"}
paths: {/a: {get: {parameters: [{$ref: "shared.yaml#/parameters/size"}], responses: {}}}}
`;
  const shared = "parameters: {size: {name: size, in: query, type: number, default: 1.50, enum: [1.50, 2.50]}}\n";
  const { root } = await readApiDocument("api", (path) => Promise.resolve(path === "api" ? swagger : shared));
  expect(JSON.stringify(root)).toContain('"default":1.50,"enum":[1.50,2.50]');
});

test("a file that only the lenient reader understands keeps its numbers", async () => {
  const twice = yaml("{name: n, in: query, schema: {type: integer, maximum: 9223372036854775807}}").replace(
    "info:",
    "info: {title: T}\ninfo:",
  );
  expect(await markdownOf(twice)).toContain("maximum `9223372036854775807`");
});
