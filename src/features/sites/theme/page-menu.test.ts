import { expect, test } from "vitest";
import { createTestSite } from "#testing/site.ts";

const linksOf = (html: string) => {
  const menu = /<div class="site-page-menu">[^]*?<\/div>/.exec(html)?.[0] ?? "";
  return [...menu.matchAll(/<a href="([^"]*)"[^>]*>(?:<b>|<svg[^]*?<\/svg><span>)([^<]*)/g)].map((match) =>
    match.slice(1),
  );
};
const docs = (contextual?: object) => JSON.stringify({ name: "Harbor", navigation: { pages: ["guide"] }, contextual });
const files = (contextual?: object) => ({ "docs.json": docs(contextual), "guide.md": "# Guide\n\nText.\n" });

const prompt = encodeURIComponent("Read http://harbor.localhost:4000/guide so that I can ask questions about it.");
const own = (href: unknown) => ({ title: "Ours", description: "<i>Words</i>", href });

test("the menu of a page has the entries of docs.json, in its order, and links that work without script", async () => {
  await using site = await createTestSite(files());
  const shown = async () => linksOf(await (await site.request("/guide")).text());
  const usual = await shown();
  expect(usual.slice(0, 3)).toEqual([
    ["/guide.md", "Copy page"],
    ["/guide.md", "View as Markdown"],
    [`https://chatgpt.com/?hints=search&amp;q=${prompt}`, "Open in ChatGPT"],
  ]);
  const [cursor, code] = usual.slice(-2).map(([href = ""]) => href.replaceAll("&amp;", "&"));
  const config = new URL(cursor ?? "").searchParams.get("config") ?? "";
  expect(JSON.parse(Buffer.from(config, "base64").toString())).toEqual({ url: "http://harbor.localhost:4000/mcp" });
  expect(decodeURIComponent(code ?? "")).toBe(
    'vscode:mcp/install?{"name":"Harbor","type":"http","url":"http://harbor.localhost:4000/mcp"}',
  );

  const cases: [object, string[][]][] = [
    [{ options: [] }, []],
    [
      { options: ["view", "assistant", "mcp"] },
      [
        ["/guide.md", "View as Markdown"],
        ["/mcp", "Copy the address of the MCP server"],
      ],
    ],
    [
      { options: [own({ base: "https://x.example/?a=1", query: [{ key: "t", value: "$path $mcp" }] })] },
      [["https://x.example/?a=1&amp;t=%2Fguide%20http%3A%2F%2Fharbor.localhost%3A4000%2Fmcp", "Ours"]],
    ],
    [{ options: [own("javascript:alert(1)"), own("data:text/html,x"), 7, null] }, []],
  ];
  for (const [contextual, links] of cases) {
    await site.push(files(contextual));
    site.passTime(1_000);
    expect(await shown()).toEqual(links);
  }
});

test("a copy of the page is not a view", async () => {
  await using site = await createTestSite(files());
  await site.request("/guide.md", { headers: { "x-docent-copy": "1" } });
  await site.request("/guide.md");
  expect(site.served).toHaveLength(1);
});
