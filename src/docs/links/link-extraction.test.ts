import { expect, it } from "vitest";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import { extractLinks } from "./link-extraction.ts";
import type { MarkdownFormat } from "#docs/parser.ts";

async function extract(source: string, format: MarkdownFormat = "mdx") {
  const outcome = await createInProcessParser().parse(source, format);
  if (!outcome.ok) throw new Error(outcome.message);
  return extractLinks(source, outcome.root, { path: "guides/page.mdx", dialect: "native" });
}

it.each<[source: string, urls: string[], format?: MarkdownFormat]>([
  ["[a](./b.md)", ["./b.md"]],
  ["[a]( ./b.md 'title (x)' )", ["./b.md"]],
  ['[a](<b c.md> "t")', ["b c.md"]],
  ["[a](b_(c).md)", ["b_(c).md"]],
  ["[a](b\\(c.md)", ["b\\(c.md"]],
  ["[a](x?a=1&amp;b=2#c)", ["x?a=1&amp;b=2#c"]],
  ["[](/empty)", ["/empty"]],
  ["[**bold** `](x)` text](/real)", ["/real"]],
  ["![alt [nested] text](/i.png)", ["/i.png"]],
  ["[![alt](/i.png)](/page)", ["/page", "/i.png"]],
  ["[![alt](/same)](/same)", ["/same", "/same"]],
  ["[text][ref] and [ref]\n\n[ref]: /to 'T'\n[un used]: <../x y>", ["/to", "../x y"]],
  ["> [a](\n> /in-quote)", ["/in-quote"]],
  [
    "- [a](/one)\n  - [b](/two)\n\n| [c](/three) | x |\n| - | - |\n| [d](/four) | y |",
    ["/one", "/two", "/three", "/four"],
  ],
  ["`[a](/code)`\n\n```\n[a](/fence)\n```", []],
  ['<Card title="a > b" href="/card" img="/card.png">[in](/in)</Card>', ["/card", "/card.png", "/in"]],
  ["<Card href={\"/card\"} icon={<Icon src='/x.svg' />} cta={{a: \"}\"}} title='t'>x</Card>", ["/card"]],
  ["<Card\n  title='a'\n  href={`/tick`}\n/>", ["/tick"]],
  ["<Card href={dynamic} />\n\n<a href={`/x/${y}`}>z</a>", []],
  ['text <a href="/inline">x</a> <img src="./i.png" alt="src=/no" /> text', ["/inline", "./i.png"]],
  ['<video poster="/p.jpg"><source src="/v.mp4" /></video>', ["/p.jpg", "/v.mp4"]],
  ["<Frame>\n  ![x](/framed.png)\n</Frame>", ["/framed.png"]],
  ['<div>\n<a href="/raw">x</a> <img src=/bare.png>\n</div>', ["/raw", "/bare.png"], "md"],
  ['text <a class="x" href=\'/raw\'>x</a> and <!-- <a href="/no"> -->', ["/raw"], "md"],
  ["\uFEFF[a](/after-mark)", ["/after-mark"]],
  ['Emoji 👩‍🚀 and [ü](/ü%20x "y")', ["/ü%20x"]],
  ["<https://auto.example> [x](<https://y.example/a b>)", ["https://auto.example", "https://y.example/a b"], "md"],
])("finds the URLs of %j", async (source, urls, format) => {
  const { links } = await extract(source, format);
  expect(links.map((link) => source.slice(link.start, link.end))).toEqual(urls);
});

it("reports the line, the kind and the decoded URL", async () => {
  const source =
    "---\ntitle: x\n---\n\n[a](b&amp;c.md)\r\n![i](i.png)\n\n<Card href='/x&#x2F;y' />\n\n[r]: /img.png\n\n![r]";
  const { links } = await extract(source);
  expect(links.map(({ kind, use, url, line }) => ({ kind, use, url, line }))).toEqual([
    { kind: "link", use: "link", url: "b&c.md", line: 5 },
    { kind: "image", use: "source", url: "i.png", line: 6 },
    { kind: "attribute", use: "link", url: "/x/y", line: 8 },
    { kind: "definition", use: "source", url: "/img.png", line: 10 },
  ]);
});

it("lists the files that a page includes", async () => {
  const { includes } = await extract(
    'import A from "/snippets/a.mdx"\nimport B from "../parts/b.mdx"\nimport C from "react"\n\n<A/>\n\n<Snippet file="c.mdx" />',
  );
  expect(includes).toEqual([["snippets/a.mdx"], ["parts/b.mdx"], ["snippets/c.mdx", "_snippets/c.mdx"]]);
});
