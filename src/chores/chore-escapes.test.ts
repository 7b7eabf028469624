import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();

async function run(files: Record<string, string>, chore: string, input: Record<string, unknown>) {
  const bench = createAgentBench(tools, files);
  const result = await bench.run(chore, input);
  return { result, after: await bench.contents(), broken: await bench.brokenLinks() };
}

const replace = (text: string, to: string, path = "a.md") =>
  run({ [path]: text }, "replace_term", { from: "Harbor", to }).then(({ after }) => after[path]);

it("escapes a replacement for its place", async () => {
  expect(await replace('<p title="x">Harbor</p>\n', "a<b")).toBe('<p title="x">a&lt;b</p>\n');
  expect(await replace("![Harbor](x.png)\n", "a]b[c")).toBe("![a\\]b\\[c](x.png)\n");
  expect(await replace("[x](a.md 'Harbor')\n", "it's")).toBe("[x](a.md 'it\\'s')\n");
  expect(await replace('[x](a.md "Harbor")\n', "C:\\")).toBe('[x](a.md "C:\\\\")\n');
  expect(await replace('[c] x\n\n[c]: a.md "the Harbor"\n', "path\\")).toBe('[c] x\n\n[c]: a.md "the path\\\\"\n');
  expect(await replace("![Harbor](x.png)\n", "C:\\")).toBe("![C:\\\\](x.png)\n");
  expect(await replace("Harbor\n", "{a}<b>", "a.mdx")).toBe("\\{a\\}\\<b>\n".replace("\\}", "\\}"));
  expect(await replace("---\ntitle: Harbor\n---\n", "a #b")).toBe('---\ntitle: "a #b"\n---\n');
  expect(await replace("---\ntitle: Harbor\n---\n", "a: b")).toBe('---\ntitle: "a: b"\n---\n');
});

it("leaves labels of the configuration that are addresses", async () => {
  const json = (label: string) => `{"navbar": {"links": [{"label": "Harbor", "text": "${label}"}]}}\n`;
  for (const address of ["https://Harbor/x", "http://Harbor", "/Harbor"]) {
    const { after } = await run({ "docs.json": json(address), "a.md": "x\n" }, "replace_term", {
      from: "Harbor",
      to: "Port",
    });
    expect(after["docs.json"]).toBe(json(address).replace('"label": "Harbor"', '"label": "Port"'));
  }
});

it("follows a renamed heading on a page whose address is not ASCII", async () => {
  const files = { "führer/größe.md": "# Größe\n\n## Harbor size\n", "a.md": "[x](/führer/größe#harbor-size)\n" };
  const { after, broken } = await run(files, "replace_term", { from: "Harbor", to: "Port" });
  expect(after["a.md"]).toBe("[x](/führer/größe#port-size)\n");
  expect(broken).toEqual([]);
});

it("adds a redirect unless it is turned off", async () => {
  const files = { "docs.json": "{}\n", "a.md": "# A\n" };
  const moved = (redirect?: boolean) =>
    run(files, "move_page", { page: "a", to: "b", ...(redirect === undefined ? {} : { redirect }) });
  expect((await moved(false)).after["docs.json"]).toBe("{}\n");
  expect((await moved()).after["docs.json"]).toContain('"source": "/a"');
});

it("does not take the address of another page, whatever its extension", async () => {
  const files = { "a.md": "# A\n", "b.mdx": "# B\n" };
  const moved = await run(files, "move_page", { page: "a", to: "b.md" });
  expect(moved.result.ok).toBe(false);
  expect(moved.after).toEqual(files);
  const added = await run(files, "add_page", { title: "B again", path: "b.md", text: "x" });
  expect(added.result).toMatchObject({
    ok: false,
    message: expect.stringContaining("There is a page with this address already") as string,
  });
  expect(added.after).toEqual(files);
});

it.each([
  ["the Harbor here\n", "__init__", "the \\_\\_init\\_\\_ here\n"],
  ["Harbor here\n", "# b", "\\# b here\n"],
  ["Harbor here\n", "- b", "\\- b here\n"],
  ["Harbor here\n", "1. b", "1\\. b here\n"],
  ["So Harbor here\n", "- b", "So - b here\n"],
  ["> Harbor here\n", "a*b*", "> a\\*b\\* here\n"],
  ["**Harbor** ![Harbor](/i.png)\n", "a `x", "**a \\`x** ![a \\`x](/i.png)\n"],
  ["the Harbor here\n", "`HARBOR_URL`", "the `HARBOR_URL` here\n"],
  ["the Harbor here\n", "**Harbor 2**", "the **Harbor 2** here\n"],
  ["the Harbor here\n", "[Harbor 2](/v2)", "the [Harbor 2](/v2) here\n"],
  ["the Harbor here\n", "snake_case_name (R&D) https://a.b/c", "the snake_case_name (R&D) https://a.b/c here\n"],
])("reads new words literally: %j with %j", async (before, to, after) => {
  expect(await replace(before, to)).toBe(after);
});

it("leaves a term if the new words would become a link", async () => {
  const page = "See [Harbor].\n\n[event]: /a\n";
  expect(await replace(page, "event")).toBe(page);
  expect(await replace(`Harbor.\n\n${page}`, "event")).toBe(`Event.\n\n${page}`);
  const { result } = await run({ "a.md": page }, "replace_term", { from: "Harbor", to: "event" });
  expect(result.ok && result.content).toMatchObject({ left: { "where the new words cannot stand": 1 } });
  expect(await replace("See [Harbor].\n\n[other]: /a\n", "event")).toBe("See [event].\n\n[other]: /a\n");
});
