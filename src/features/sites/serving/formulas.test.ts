import { expect, test } from "vitest";
import { createTestSite } from "#testing/site.ts";

const PAGE = `---
title: Energy
---

Mass is energy: $E = mc^2$. It costs $5, or $10 with $HOME.

$$\\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}$$

$$
\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}
$$

\`\`\`math
\\sum_{i=0}^n i
\`\`\`

<Latex>e^x</Latex> and $$y$$ in a line.
`;

/** The text of a page's article, by its address. */
async function page(files: Record<string, string>, path = "/page"): Promise<string> {
  await using site = await createTestSite(files);
  const html = await (await site.request(path)).text();
  return /<div class="content">([^]*?)<p class="site-page-links">/.exec(html)?.[1] ?? "";
}

test("formulas are MathML, as blocks where they are alone, and prices are text", async () => {
  for (const name of ["page.md", "page.mdx"]) {
    const html = await page({ [name]: PAGE });
    expect(html).toContain('<math alttext="E = mc^2"><mrow><mi>E</mi><mo>=</mo>');
    expect(html).toContain("It costs $5, or $10 with $HOME.");
    expect(html.match(/<div class="formula"[^>]*><math [^>]*display="block"/g)).toHaveLength(3);
    expect(html.match(/<span class="formula-inline">/g)).toHaveLength(3);
    expect(html).toContain("<mtable>");
    expect(html).not.toMatch(/\$\$|\\frac\{[^"]*<\/code>/);
  }
});

test("a snippet may contain formulas", async () => {
  const html = await page({
    "snippets/a.mdx": "Half is $\\frac{1}{2}$.",
    "page.mdx": 'import A from "/snippets/a.mdx"\n\n<A />\n',
  });
  expect(html).toContain("<mfrac><mn>1</mn><mn>2</mn></mfrac>");
});

test("styling.latex decides what single dollars mean", async () => {
  const files = (latex: boolean) => ({
    "docs.json": JSON.stringify({ name: "D", styling: { latex }, navigation: { pages: ["page"] } }),
    "page.md": "Is $some words$ or $x^2$ one?\n",
  });
  expect((await page(files(true))).match(/<math /g)).toHaveLength(2);
  expect(await page(files(false))).toContain("Is $some words$ or $x^2$ one?");
});

test("a formula that cannot be drawn, or would leave its box, is shown as its source", async () => {
  const bombs = [
    "x = {",
    "\\foo",
    "\\href{javascript:alert(1)}{x}",
    "\\ref{a}",
    '\\class{x" onclick="alert(1)}{y}',
    "\\includegraphics{https://elsewhere.example/a.png}",
    "\\def\\a{\\a\\a}\\a",
    "\\sqrt{".repeat(1_500) + "}".repeat(1_500),
    "x+".repeat(6_000),
    "\\hspace{-500em}x",
    "\\color{red;position:fixed}x",
  ];
  const files = bombs.map((tex, index) => [`bomb-${index}.md`, `before\n\n\`\`\`math\n${tex}\n\`\`\`\n\nafter`]);
  await using site = await createTestSite(Object.fromEntries(files) as Record<string, string>);
  for (const index of bombs.keys()) {
    const html = await (await site.request(`/bomb-${index}`)).text();
    expect(html).toMatch(/<pre class="math" tabindex="0"><code>/);
    expect(html).not.toMatch(/<math|<a href="#a"|<img/);
    expect(html).toContain("after");
  }
});

test("a page with a megabyte of formulas is still rendered", async () => {
  const html = await page({ "page.md": `$$x_{1}$$ and $y^2$\n\n`.repeat(40_000) });
  expect(html).toContain("x_{1}");
});

test("markup in a formula is text", async () => {
  const html = await page({ "page.md": "$$\\text{<img src=x onerror=alert(1)>}\"'$$" });
  expect(html).not.toContain("<img");
  expect(html).toContain('alttext="\\text{&lt;img src=x onerror=alert(1)&gt;}&quot;&#39;"');
});
