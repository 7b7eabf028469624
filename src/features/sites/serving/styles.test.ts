import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

const CONFIG = JSON.stringify({ name: "Harbor", navigation: { pages: ["index", "plain"] } });

/** The styles in a page's document; its policy must allow exactly their hash. */
async function stylesOf(site: TestSite, path: string): Promise<string> {
  const response = await site.request(path);
  const html = await response.text();
  const css = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? "";
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const hash = createHash("sha256").update(css).digest("base64");
  expect(policy).toContain(css === "" ? "style-src 'self';" : `style-src 'self' 'sha256-${hash}';`);
  expect(html.includes('<div class="content" data-styled>')).toBe(css !== "");
  return css;
}

test("utility classes have styles only on the pages that use them", async () => {
  await using site = await createTestSite({
    "docs.json": CONFIG,
    "index.mdx":
      '<div className="grid md:grid-cols-3 gap-4 rounded-xl"><img className="block dark:hidden" src="/a.png" /></div>\n',
    "plain.md": "# Plain\n\n```js\nlet a;\n```\n",
  });
  const css = await stylesOf(site, "/");
  expect(css).toContain(".content .grid{display:grid}");
  expect(css).toContain(".content .md\\:grid-cols-3{grid-template-columns:repeat(3,minmax(0,1fr))}");
  expect(css).toContain(':root[data-theme="dark"] .content .dark\\:hidden{display:none}');
  expect(css).toContain(
    '@media (prefers-color-scheme:dark){:root:not([data-theme="light"]) .content .dark\\:hidden{display:none}}',
  );
  expect(await stylesOf(site, "/plain")).toBe("");
});

test("style sheets at the root of a site apply to the content of its pages", async () => {
  await using site = await createTestSite({
    "docs.json": CONFIG,
    "style.css":
      ".hero { color: red; background: url(./img/a.png) }\nbody .x { margin: 0 }\nhtml.dark .hero { color: blue }",
    "deep/other.css": ".other { color: green }",
    "index.mdx": "# Home\n",
    "plain.md": "# Plain\n",
  });
  for (const path of ["/", "/plain"]) {
    const css = await stylesOf(site, path);
    expect(css).toContain(".content .hero{color:red;background:url(/img/a.png)}.content .x{margin:0}");
    expect(css).toContain(':root[data-theme="dark"] .content .hero{color:blue}');
    expect(css).not.toContain("other");
  }
});

test("a style sheet loads nothing from elsewhere, and affects nothing outside the content", async () => {
  await using site = await createTestSite({
    "docs.json": CONFIG,
    "style.css": [
      '@import "https://elsewhere.example/a.css";',
      "@font-face { font-family: A; src: url(https://elsewhere.example/a.woff2) }",
      ".a { background: url(https://elsewhere.example/a.png) }",
      '.b { background: image-set("https://elsewhere.example/b.png" 1x) }',
      ".c { background: u\\72l(https://elsewhere.example/c.png) }",
      ".d { --d: url(//elsewhere.example/d.png) }",
      ".e { background: url(../../../etc/passwd) }",
      ".f { background: url(javascript:alert(1)) }",
      "body { display: none }",
      "+ .site-frame { display: none }",
      ".g { & + .site-footer { display: none } body:has(&) { display: none } }",
      ":root { --accent: red }",
      '.h::before { content: "</style><script>alert(1)</script>" }',
      "</style><script>alert(1)</script>",
      ".kept { color: green }",
    ].join("\n"),
    "index.mdx": '<div className="bg-[url(https://elsewhere.example/x.png)] fixed [@import_x]:hidden">x</div>\n',
    "plain.md": "# Plain\n",
  });
  const css = await stylesOf(site, "/");
  expect(css).not.toMatch(/elsewhere|passwd|javascript|<|@import|@font-face|site-frame|site-footer|body|--accent/);
  for (const rule of css.matchAll(/(?:^|[}{])([^{}@]+)\{/g))
    for (const selector of (rule[1] ?? "").split(","))
      expect(selector).toMatch(/^(?::root\[data-theme="dark"\] |:root:not\(\[data-theme="light"\]\) )?\.content /);
});

test("a page with maliciously large styles is still rendered", async () => {
  const bombs = [
    "{".repeat(50_000),
    "a,".repeat(49_000) + "b{c:d}",
    "a{b:c}".repeat(16_000),
    ":is(".repeat(50) + "a{b:c}",
    "/*".repeat(40_000),
  ];
  const classes = Array.from({ length: 3_000 }, (_, index) => `w-[${index}px]`).join(" ");
  for (const bomb of bombs) {
    await using site = await createTestSite({
      "docs.json": CONFIG,
      "style.css": bomb,
      "index.mdx": `Here is the page.\n\n<div className="${classes}">x</div>\n`,
      "plain.md": "# Plain\n",
    });
    const response = await site.request("/");
    expect(await response.text()).toContain("<p>Here is the page.</p>");
  }
});
