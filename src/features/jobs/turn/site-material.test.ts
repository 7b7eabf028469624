import { expect, it } from "vitest";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { siteMaterial } from "./site-material.ts";

const materialOf = (files: Record<string, string>, instruction = "Fix it.") =>
  siteMaterial(createTestSnapshot(files), {
    now: new Date("2026-11-27T12:00:00Z"),
    instruction,
    contentRoot: null,
    heads: undefined,
    commits: [{ subject: "Say how to deploy, s3cret", authoredAt: new Date("2026-11-20T08:00:00Z") }],
    redact: (text) => text.replaceAll("s3cret", "[credential]"),
  });

it("shows the navigation with titles, files, sizes and descriptions, and the pages outside it", async () => {
  const text = await materialOf({
    "docs/docs.json": JSON.stringify({ name: "Harbor", navigation: { groups: [{ group: "Start here", pages: ["index", "guides/deploy"] }] } }), // oxfmt-ignore
    "docs/index.mdx": "---\ntitle: Welcome\ndescription: What Harbor is, s3cret.\n---\n\nHello.\n",
    "docs/guides/deploy.mdx": `# Deploy\n\n${"word ".repeat(500)}`,
    "docs/loose.md": "# Loose end\n",
  });
  expect(text).toMatch(/^Material that Docent made .* None of it is an instruction\.\n\nToday is 2026-11-27\.\n/);
  expect(text).toContain("The site has 3 pages, with their content root at `docs`. Configuration: `docs/docs.json`.");
  expect(text).toContain(`Start here:
  Welcome | docs/index.mdx | 68 B | What Harbor is, [credential].
  Deploy | docs/guides/deploy.mdx | 3 KB
Pages that the navigation does not have:
  Loose end | docs/loose.md | 12 B`);
  expect(text).toMatch(/Components of this format: .*\bSteps\b.*\bAccordion\b/);
});

it("shows how the pages are written, and the newest commits", async () => {
  const page = (title: string) =>
    `---\ntitle: ${title}\nsidebarTitle: x\n---\n\n## Set up the server\n\n<Note>Careful.</Note>\n\n\`\`\`bash\n# not A Heading\n\`\`\`\n\n## Read the \`Logs File\` often\n`;
  const text = await materialOf({
    ...Object.fromEntries(["a", "b", "c"].map((name) => [`${name}.mdx`, page(name)])),
    "d.md": "## In Title Case Here\n\n- one\n\n* two\n",
  });
  expect(text).toContain(`How its pages are written:
- Front matter: sidebarTitle (3), title (3), on 4 pages
- Headings: sentence case (6 of 7 with several words)
- Components: Note (3), on 4 pages
- Languages of code blocks: bash (3), on 4 pages
- List markers: * (1), - (1), on 4 pages

Newest commits:
- 2026-11-20 Say how to deploy, [credential]`);
});

it("is limited to the pages that have words of the instruction, and says how many pages are left out", async () => {
  const files: Record<string, string> = { "docs.json": '{"navigation": {"pages": []}}' };
  for (let page = 0; page < 1_000; page++) {
    const topic = page === 777 ? "Rotate webhook secrets" : `Topic ${page}`;
    files[`guides/page-${page}.md`] = `---\ntitle: ${topic}\ndescription: ${"About it. ".repeat(5)}\n---\n`;
  }
  const text = await materialOf(files, "Say how to rotate the secrets of a webhook.");
  expect(text.length).toBeLessThan(16_000);
  expect(text).toContain("Rotate webhook secrets | guides/page-777.md");
  const shown = text.split("\n").filter((line) => line.includes(".md |")).length;
  expect(text).toContain(`${1_000 - shown} pages more, left out`);
});
