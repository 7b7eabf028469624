import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import type { SourceReader } from "#tools/source-reader.ts";
import { createVirtualTree } from "#tools/virtual-tree.ts";
import { createAgentBench } from "#testing/agent-bench.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";

const openapi = (summary: string) =>
  `openapi: 3.0.0\ninfo: { title: Api, version: "1" }\npaths:\n  /ports:\n    get:\n      tags: [Ports]\n      summary: ${summary}\n      responses: { "200": { description: Fine } }\n`;

function open(files: Record<string, string>) {
  const contents = { ...files };
  const source: Pick<SourceReader, "name" | "resolve" | "files" | "history"> = {
    name: "api",
    resolve: async () => "c",
    files: () => createVirtualTree(createTestSnapshot({ ...contents })),
    history: async ({ since }) => [
      { commit: "b", subject: `feat: listen on 5000 since ${since}`, authoredAt: new Date("2026-01-02"), tags: [] },
      { commit: "a", subject: "feat: begin", authoredAt: new Date("2026-01-01"), tags: ["v1.2"] },
    ],
  };
  const docs = {
    "docs.json": JSON.stringify({
      name: "A",
      navigation: { groups: [{ group: "Start", pages: ["index", "changelog"] }] },
    }),
    "index.md": "# A\n",
    "changelog.md": "# Changelog\n",
  };
  const bench = createAgentBench(createAgentTools(), docs, { sources: [source as SourceReader] });
  return { bench, contents };
}

it("a changelog entry is generated from the commits of a source", async () => {
  const { bench } = open({});
  expect(await bench.run("changelog_from_history", { source: "api", since: "v1.2", version: "1.3" })).toMatchObject({
    ok: true,
  });
  expect((await bench.contents())["changelog.md"]).toContain("- Listen on 5000 since v1.2");
});

it("API pages are generated from the current file of a source, and refused for an unknown source", async () => {
  const { bench, contents } = open({ "spec/openapi.yaml": openapi("List ports"), ".env": "A=1" });
  const input = { source: "api", file: "spec/openapi.yaml" };
  expect(await bench.run("openapi_pages", input)).toMatchObject({ ok: true });
  const page = async () => (await bench.contents())["api-reference/ports.mdx"];
  expect(await page()).toContain("## List ports");
  contents["spec/openapi.yaml"] = openapi("List all ports");
  expect(await bench.run("openapi_pages", input)).toMatchObject({ ok: true });
  expect(await page()).toContain("## List all ports");
  for (const [wrong, words] of [
    [{ ...input, source: "web" }, /no source "web"/],
    [{ ...input, file: "other.yaml" }, /no file/],
    [{ ...input, file: ".env" }, /holds credentials/],
  ] as const) {
    expect(await bench.run("openapi_pages", wrong)).toMatchObject({
      ok: false,
      message: expect.stringMatching(words) as string,
    });
  }
});
