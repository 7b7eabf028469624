import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();
const FILES = {
  "docs.json": '{"navigation": {"pages": ["index", "UPPER", "Guides/Use", "guide-API"]}}\n',
  "index.md": "# Start\n\n[A](/UPPER) [B](/Guides/Use) [C](/guide-API)\n",
  "UPPER.md": "# Upper\n",
  "Guides/Use.md": "# Use\n\n[A](/UPPER)\n",
  "guide-API.mdx": "# API guide\n",
};

it.each([
  ["UPPER", "upper", "upper.md"],
  ["Guides/Use", "Guides/use", "Guides/use.md"],
  ["guide-API", "guide-api", "guide-api.mdx"],
])("renames %s to %s, with its links and its entry", async (page, to, path) => {
  const bench = createAgentBench(tools, FILES);
  const result = await bench.run("move_page", { page, to });
  expect(result).toMatchObject({ ok: true });
  const contents = await bench.contents();
  expect(Object.keys(contents)).toContain(path);
  expect(Object.keys(contents)).toHaveLength(Object.keys(FILES).length);
  expect(contents["index.md"]).toContain(`](/${to})`);
  expect(contents["docs.json"]).toContain(`"${to}"`);
  expect(await bench.brokenLinks()).toEqual([]);
});

it("refuses to rename a folder so, because its other files would stay in one that some machines take for the same", async () => {
  const bench = createAgentBench(tools, FILES);
  const result = await bench.run("move_page", { page: "Guides/Use", to: "guides/Use" });
  expect(result).toMatchObject({ ok: false, message: expect.stringContaining("differs only in case") as string });
});
