import { expect, test } from "vitest";
import { COMPONENTS } from "#content/components/registry.ts";
import { attributeExamples, componentPage } from "#testing/component-examples.ts";
import { createTestSite } from "#testing/site.ts";

test("the Markdown of a page holds every word of every component, with its attributes", async () => {
  const pages = COMPONENTS.filter(({ includes }) => includes === undefined).map((component, index) => {
    const written = attributeExamples(component).map(([, each]) => each);
    const source = componentPage(component.names[0], [...written, `id="id-${index}"`], `Inner words ${index}.`);
    return { path: `/page-${index}.md`, source, written };
  });
  await using site = await createTestSite(
    Object.fromEntries(pages.map(({ path, source }) => [`${path.slice(1)}x`, source])),
  );
  for (const [index, { path, written }] of pages.entries()) {
    const markdown = await (await site.request(path)).text();
    for (const part of [...written, `id="id-${index}"`, `Inner words ${index}.`, "Before", "After"])
      expect(markdown).toContain(part);
  }
});

test("a snippet's content stands in the Markdown in place of its tag", async () => {
  await using site = await createTestSite({
    "index.mdx": 'Before\n\n<Snippet file="intro.mdx" />\n\nAfter\n',
    "snippets/intro.mdx": "The snippet's words.",
  });
  const markdown = await (await site.request("/index.md")).text();
  expect(markdown).toContain("Before\n\nThe snippet's words.\n\nAfter");
});
