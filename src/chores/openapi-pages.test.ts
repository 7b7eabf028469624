import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();
const INDEX = { "index.mdx": "x\n", "guides/a.mdx": "# A\n" };

async function pagesOf(description: unknown, more: Record<string, string> = {}) {
  const bench = createAgentBench(tools, { ...INDEX, ...more, "api.json": JSON.stringify(description) });
  const result = await bench.run("openapi_pages", { file: "api.json" });
  return { bench, result, contents: await bench.contents() };
}

const operations = (paths: Record<string, unknown>, rest: object = {}) => ({ openapi: "3.1.0", paths, ...rest });

it("a page of an operation has its responses, defaults, allowed values and examples", async () => {
  const { contents, result } = await pagesOf(
    operations(
      {
        "/ports": {
          get: {
            tags: ["Ports"],
            summary: "List ports",
            parameters: [{ name: "limit", in: "query", schema: { type: "integer", default: 20, maximum: 100 } }],
            responses: {
              "200": {
                description: "All ports.",
                content: { "application/json": { schema: { $ref: "#/components/schemas/Port" } } },
              },
            },
          },
        },
      },
      {
        components: {
          schemas: { Port: { type: "object", properties: { state: { enum: ["open", "shut"], example: "open" } } } },
        },
      },
    ),
  );
  expect(result).toMatchObject({ ok: true });
  expect(contents["api-reference/ports.mdx"]).toBe(
    "---\ntitle: Ports\ngeneratedFrom: api.json\n---\n\n## List ports\n\n### `GET /ports`\n\n#### Query parameters\n\n" +
      "- `limit` (`integer`): default `20`, maximum `100`.\n\n#### Responses\n\n##### 200\n\nAll ports.\n\n" +
      "Content type `application/json`:\n\n`object` (Port)\n\n- `state` (`enum<string>`): Allowed: `open`, `shut`. example `open`.\n\n" +
      '```json\n{\n  "state": "open"\n}\n```\n',
  );
});

it("pages are generated from files that refer to each other, and from Swagger 2", async () => {
  const { contents } = await pagesOf(
    { swagger: "2.0", paths: { "/a": { get: { parameters: [{ $ref: "parts.yaml#/limit" }], responses: {} } } } },
    { "parts.yaml": "limit: { name: limit, in: query, type: integer, description: How many. }\n" },
  );
  expect(contents["api-reference/operations.mdx"]).toContain("`limit`");
  expect(contents["api-reference/operations.mdx"]).toContain("How many.");
});

it("broken links of a description become plain text, and the others stay", async () => {
  const description =
    "See [the guide](/guides/a), [gone](/gone), [there](#there), [up](../../../x), [run](javascript:alert(1)), " +
    "[site](https://example.com), ![a plan](plan.png) and [ref].\n\n[ref]: ./ref.md";
  const { bench, contents } = await pagesOf(operations({ "/a": { get: { description, responses: {} } } }));
  expect(contents["api-reference/operations.mdx"]).toContain(
    "See [the guide](/guides/a), gone, there, up, run, [site](https://example.com), a plan and ref.",
  );
  expect(await bench.brokenLinks()).toEqual([]);
});

it("links in the descriptions of parameters, bodies, fields and responses cannot fail the job either", async () => {
  const description = "See [gone](/gone), [up](../../x) and [the guide](/guides/a).";
  const schema = { type: "object", properties: { state: { description, enum: ["on", "off"], default: "on" } } };
  const { bench, contents, result } = await pagesOf(
    operations({
      "/a": {
        post: {
          tags: [{ name: "odd" }, "[Tag](/gone)"],
          parameters: [{ name: "limit", in: "query", description, schema: { type: "integer", example: 7 } }],
          requestBody: { description, content: { "application/json": { schema } } },
          responses: { "200": { description, content: { "application/json": { schema } } } },
        },
      },
    }),
  );
  expect(result).toMatchObject({ ok: true });
  const page = Object.entries(contents).find(([path]) => path.startsWith("api-reference/"))?.[1] ?? "";
  for (const part of [
    "## `POST /a`",
    "`limit`",
    "example `7`",
    "Allowed: `on`, `off`",
    "default `on`",
    "[the guide](/guides/a)",
  ])
    expect(page).toContain(part);
  expect(await bench.brokenLinks()).toEqual([]);
});

const HOSTILE = [
  "\\{process.exit()} and {1 + 1}",
  "` {process.exit()} ``",
  "<a title='`'> `{process.exit()}`",
  "<script>alert(1)</script> <Card href='/gone'>x</Card>",
  "import fs from 'fs'\n\nexport const a = 1",
  "```\nnever closed {a}",
  "<!-- never closed {a}",
  "    code {a} <b>\n\n> quote {a}\n\n| a {b} | <c> |\n| - | - |\n| `{x}` | {y} |",
  "---\ntitle: other\n---\n\n# One\n\nTwo\n===",
  "a\u2028{b}\u0000<c\u200b\u202e{d}",
  "[x]: /y {z}\n\n[^1]: note {a}",
  "<details><summary>More {a}</summary>\n\ntext <br/> text\n\n</details>",
];

it.each(HOSTILE)("a description cannot run code or break the page: %j", async (words) => {
  const paths = {
    "/a`{x}<b>": {
      get: {
        tags: [words],
        summary: words,
        description: words,
        parameters: [{ name: words, in: "query", description: words, schema: { type: "string", default: words } }],
        requestBody: { description: words, content: { [words]: { schema: { enum: [words] }, example: words } } },
        responses: { [words]: { description: words }, "200": { description: "Fine after it." } },
      },
    },
  };
  const { bench, result, contents } = await pagesOf(operations(paths));
  if (!result.ok) throw new Error(result.message.slice(0, 600));
  expect(result).toMatchObject({ ok: true });
  const [page, ...others] = Object.entries(contents).filter(([path]) => path.startsWith("api-reference/"));
  expect(others).toEqual([]);
  const parsed = await createInProcessParser().parse(page?.[1] ?? "", "mdx");
  expect(parsed.ok).toBe(true);
  expect(JSON.stringify(parsed)).not.toContain('"type":"mdx');
  expect(page?.[1]).toContain("Fine after it.");
  expect(page?.[1]).not.toContain("cannot be shown");
  expect(await bench.run("openapi_pages", { file: "api.json" })).toMatchObject({
    summary: expect.stringContaining("up to date") as string,
  });
});

it("a description that no parser can read is left out alone", async () => {
  const paths = { "/a": { get: { description: "[".repeat(600) } }, "/b": { get: { description: "Fine." } } };
  const page = (await pagesOf(operations(paths))).contents["api-reference/operations.mdx"];
  expect(page).toContain("## `GET /a`\n\nIts description cannot be shown here.\n\n## `GET /b`\n\nFine.");
});

it("many operations without a tag become pages of a hundred each, and more than 5,000 are refused", async () => {
  const many = (length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [`/p${index}`, { get: { summary: `P ${index}`, responses: {} } }]),
    );
  const { contents, result } = await pagesOf(operations(many(201)));
  expect(result).toMatchObject({ ok: true });
  const pages = Object.keys(contents).filter((path) => path.startsWith("api-reference/"));
  expect(pages).toHaveLength(3);
  expect(contents["api-reference/operations-3.mdx"]).toContain("title: Operations 3");
  const tooMany = await pagesOf(operations(many(5_001)));
  expect(tooMany.result).toMatchObject({ ok: false, message: expect.stringContaining("5001") as string });
});

it("a page whose tag was removed is left and reported", async () => {
  const of = (tag: string) => JSON.stringify(operations({ "/a": { get: { tags: [tag], responses: {} } } }));
  const bench = createAgentBench(tools, { ...INDEX, "api.json": of("Old") });
  await bench.run("openapi_pages", { file: "api.json" });
  bench.tree.write("api.json", of("New"));
  const { content } = (await bench.run("openapi_pages", { file: "api.json" })) as { content: { notes: string[] } };
  expect(content.notes.join("\n")).toContain("`api-reference/old.mdx` was generated from this file before");
  expect(Object.keys(await bench.contents())).toContain("api-reference/old.mdx");
});
