import fc from "fast-check";
import type { Link, Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { expect, it } from "vitest";
import { nodesOf } from "#docs/nodes.ts";
import { createTestSite } from "#testing/site.ts";

// Lists for agents are Markdown: a parser reads the titles and descriptions in them as their authors wrote them.

const SPECIAL = [
  "A<Id>", "[x](y)", "![i](j)", "*a* **b**", "_a_ __init__", "snake_case", "C:\\new \\* \\", "C #", "# a", "`code`", "``", "~~a~~",
  "&amp; &copy; & b", "<https://a.example>", "https://a.example/x_y", "a | b", "- a", "1. a", "1) a", "> a", "=== ---", "[^1]", "{b}", "$a$",
  "<!-- a -->", "a  b", "***", "]", "[", "(", "\\[", "<", "a_b_", "__", "www.a.example", "<b>c</b>", ":::note", "A&lt;B",
]; // oxfmt-ignore
const characters = fc.constantFrom(...Array.from("ab1_ *[]()<>\\`~&;#!|-+.:=\"'{}$^é"));
const titles = fc.array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: characters, maxLength: 12 })), {
  minLength: 1,
  maxLength: 3,
});
const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

const read = (text: string): Root => fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
function wordsOf(node: Nodes): string {
  if ("value" in node) return node.value;
  return "children" in node ? (node.children as Nodes[]).map(wordsOf).join("") : "";
}
/** The first link of each item of a list, and the text after it. */
function listed(text: string): [title: string, address: string, description: string][] {
  return [...nodesOf(read(text))]
    .filter((node): node is Extract<Nodes, { type: "listItem" }> => node.type === "listItem")
    .flatMap((item) => {
      const paragraph = item.children[0];
      const link = paragraph?.type === "paragraph" ? paragraph.children[0] : undefined;
      if (paragraph?.type !== "paragraph" || link?.type !== "link") return [];
      const rest = paragraph.children
        .slice(1)
        .map((node) => wordsOf(node))
        .join("");
      return [
        [
          wordsOf(link satisfies Link),
          decodeURIComponent(new URL(link.url, "https://site.example").pathname),
          rest.replace(/^: /, ""),
        ],
      ];
    });
}

it(
  "titles, descriptions and addresses in llms.txt and llms-full.txt are those of the pages",
  { timeout: 120_000 },
  async () => {
    const random = fc.sample(titles, { numRuns: 60, seed: 7 }).map((parts) => inOneLine(parts.join(" ")));
    const written = [...SPECIAL.map(inOneLine), ...random].filter((title) => title !== "");
    const pages = written.map((title, index) => ({
      name: ["p", "p(a", "p(b)", "p&copy;c", "p_d_"][index % 5] + String(index),
      title,
      description: written[(index + 1) % written.length] as string,
    }));
    const front = (title: string, description: string) =>
      `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\n---\nBody.\n`;
    await using site = await createTestSite({
      "docs.json": JSON.stringify({
        name: "A<Id> _b_",
        description: "# not a heading",
        navigation: { groups: [{ group: "*Guides* [a]", pages: pages.map(({ name }) => name) }] },
      }),
      ...Object.fromEntries(pages.map(({ name, title, description }) => [`${name}.md`, front(title, description)])),
    });
    const text = async (path: string) => (await site.request(path)).text();
    const list = await text("/llms.txt");
    expect(listed(list)).toEqual(pages.map(({ name, title, description }) => [title, `/${name}.md`, description]));
    const around = read(list).children.filter(({ type }) => type !== "list");
    expect(around.map((node) => [node.type, wordsOf(node)])).toEqual([
      ["heading", "A<Id> _b_"],
      ["blockquote", "# not a heading"],
      ["heading", "*Guides* [a]"],
    ]);

    const full = read(await text("/llms-full.txt")).children;
    const headings = full.flatMap((node, index) => {
      const next = full[index + 1];
      return node.type === "heading" && next?.type === "blockquote" ? [[wordsOf(node), wordsOf(next)]] : [];
    });
    expect(headings).toEqual(pages.map(({ title, description }) => [title, description]));
  },
);
