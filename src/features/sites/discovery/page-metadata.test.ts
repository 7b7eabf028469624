import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

const ORIGIN = "http://harbor.localhost:4000";

const CONFIG = {
  name: "Harbor",
  seo: {
    metatags: {
      "og:image": "/card.png",
      "theme-color": "#fff",
      referrer: "unsafe-url",
      Referrer: "unsafe-url",
      "og:site_name": "Harbor docs",
    },
  },
  navigation: {
    languages: [
      { language: "en", default: true, groups: [{ group: "Guides", pages: ["en/setup", "en/only"] }] },
      { language: "de", groups: [{ group: "Anleitungen", pages: ["de/setup"] }] },
    ],
  },
};

let site: TestSite;

beforeAll(async () => {
  site = await createTestSite({
    "docs.json": JSON.stringify(CONFIG),
    "en/setup.md": '---\ntitle: </script><script>alert(1)</script> & "quotes"\ndescription: How.\n---\n\nText\n',
    "de/setup.md": "---\ntitle: Einrichten\n---\n",
    "en/only.md":
      '---\ntitle: Only\ncanonical: https://docs.example/only\nkeywords: [ships, "a \\"b\\""]\n"og:title": Shared\n"twitter:image": missing.png\n"og:image": https://cdn.example/a.png\n---\n',
    "hidden.md": "# Hidden\n",
    "card.png": new Uint8Array([0x89, 0x50]),
  });
});
afterAll(() => site[Symbol.asyncDispose]());

async function headOf(path: string): Promise<string> {
  const html = await (await site.request(path)).text();
  return html.slice(0, html.indexOf("</head>"));
}

it("tags of a page are served whole, however long and many", async () => {
  const long = "word ".repeat(400).trim();
  const tags = Array.from({ length: 120 }, (_, index) => `article:tag${index}: ${index % 2 === 0 ? index : true}`);
  await using other = await createTestSite({
    "index.md": `---\ntitle: A\nog:title: ${long}\nkeywords: [1, two, 3.5]\n${tags.join("\n")}\n---\nText\n`,
  });
  const html = await (await other.request("/")).text();
  expect(html).toContain(`content="${long}"`);
  expect(html).toContain('name="keywords" content="1, two, 3.5"');
  expect(html).toContain('property="article:tag118" content="118"');
  expect(html).toContain('property="article:tag119" content="true"');
});

it("a page has metadata about its address, its content and its translations", async () => {
  const head = await headOf("/en/setup");
  for (const tag of [
    `<link rel="canonical" href="${ORIGIN}/en/setup" />`,
    `<link rel="alternate" hreflang="en" href="${ORIGIN}/en/setup" />`,
    `<link rel="alternate" hreflang="de" href="${ORIGIN}/de/setup" />`,
    `<link rel="alternate" hreflang="x-default" href="${ORIGIN}/en/setup" />`,
    `<meta property="og:url" content="${ORIGIN}/en/setup" />`,
    `<meta property="og:description" content="How." />`,
    `<meta property="og:site_name" content="Harbor docs" />`,
    `<meta name="twitter:card" content="summary_large_image" />`,
    `<meta name="theme-color" content="#fff" />`,
  ])
    expect(head).toContain(tag);
  expect(head).toMatch(/property="og:image" content="http:\/\/harbor.localhost:4000\/card.png\?v=[0-9a-f]{12}"/);
  expect(head).not.toMatch(/name="referrer"|og:image:width/i);
  expect(await headOf("/en/only")).not.toContain("hreflang");
});

it("a page below a path of another site names its address there", async () => {
  const seo = { metatags: { canonical: "https://www.example.com/docs/" } };
  await using below = await createTestSite({ "docs.json": JSON.stringify({ name: "Harbor", seo }), "a.md": "# A\n" });
  expect(await (await below.request("/a")).text()).toContain(
    '<link rel="canonical" href="https://www.example.com/docs/a" />',
  );
});

it("pages at the root, in versions, and in a language folder with few pages name each other as translations", async () => {
  const languages = [
    {
      language: "en",
      versions: [
        { version: "2", groups: [{ group: "G", pages: ["index", "guides/install"] }] },
        { version: "1", groups: [{ group: "G", pages: ["v1/guides/install"] }] },
      ],
    },
    { language: "de", groups: [{ group: "G", pages: ["de/guides/install"] }] },
  ];
  await using small = await createTestSite({
    "docs.json": JSON.stringify({ name: "Harbor", navigation: { languages } }),
    ...Object.fromEntries(
      ["index", "guides/install", "v1/guides/install", "de/guides/install"].map((path) => [`${path}.md`, "# Page\n"]),
    ),
  });
  const hrefs = async (path: string) => {
    const html = await (await small.request(path)).text();
    return [...html.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g)].map(([, code, href]) => [
      code,
      href,
    ]);
  };
  const expected = [
    ["en", `${ORIGIN}/guides/install`],
    ["de", `${ORIGIN}/de/guides/install`],
    ["x-default", `${ORIGIN}/guides/install`],
  ];
  expect(await hrefs("/guides/install")).toEqual(expected);
  expect(await hrefs("/de/guides/install")).toEqual(expected);
  expect(await hrefs("/")).toEqual([]);
});

it("the author's tags take precedence, and each occurs once", async () => {
  const head = await headOf("/en/only");
  expect(head).toContain('<link rel="canonical" href="https://docs.example/only" />');
  expect(head.match(/og:title[^>]*/g)).toEqual(['og:title" content="Shared" /']);
  expect(head.match(/og:image[^>]*/g)).toEqual(['og:image" content="https://cdn.example/a.png" /']);
  expect(head).toContain('<meta name="keywords" content="ships, a &quot;b&quot;" />');
  expect(head).not.toContain("missing.png");
});

it("structured data contains the breadcrumb, and no title can end its element", async () => {
  const head = await headOf("/en/setup");
  const scripts = [...head.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  expect(scripts).toHaveLength(1);
  const [trail, article] = (JSON.parse(scripts[0]?.[1] ?? "") as { "@graph": Record<string, unknown>[] })["@graph"];
  expect(trail?.["itemListElement"]).toEqual([
    { "@type": "ListItem", position: 1, name: "Guides", item: `${ORIGIN}/en/setup` },
    {
      "@type": "ListItem",
      position: 2,
      name: '</script><script>alert(1)</script> & "quotes"',
      item: `${ORIGIN}/en/setup`,
    },
  ]);
  expect(article).toMatchObject({ "@type": "TechArticle", url: `${ORIGIN}/en/setup`, inLanguage: "en" });
  expect(head).not.toContain("<script>alert");
  const hidden = await headOf("/hidden");
  expect(hidden).toContain('<meta name="robots" content="noindex" />');
  expect(hidden).not.toMatch(/ld\+json|rel="canonical"/);
});
