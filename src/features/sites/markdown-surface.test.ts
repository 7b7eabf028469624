import { expect, test } from "vitest";
import { COMPONENTS } from "#docs/components/registry.ts";
import { attributeExamples, componentPage } from "#testing/component-examples.ts";
import { problemLines, reportOf } from "#testing/reports.ts";
import { createTestSite } from "#testing/site.ts";
import { withoutHumansOnly } from "#docs/humans-only.ts";

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

test("a snippet's content replaces its tag in the Markdown", async () => {
  await using site = await createTestSite({
    "index.mdx": 'Before\n\n<Snippet file="intro.mdx" />\n\nAfter\n',
    "snippets/intro.mdx": "The snippet's words.",
  });
  const markdown = await (await site.request("/index.md")).text();
  expect(markdown).toContain("Before\n\nThe snippet's words.\n\nAfter");
});

test("an example of a snippet in code stays as it is written, in code within code too", async () => {
  const code =
    '````md\n```mdx\nimport A from "/snippets/a.mdx"\n\n<A />\n```\n````\n\n1. A\n\n    ```mdx\n    <A />\n    ```';
  await using site = await createTestSite({
    "index.mdx": `import A from "/snippets/a.mdx"\n\n${code}\n\n<A />\n`,
    "snippets/a.mdx": "The snippet.",
  });
  expect(await (await site.request("/index.md")).text()).toContain(`${code}\n\nThe snippet.`);
});

test("variables in a snippet have their values, on the page and in its Markdown", async () => {
  await using site = await createTestSite({
    "docs.json": JSON.stringify({ variables: { product: "Pay", part: "b" }, navigation: { pages: ["index", "b"] } }),
    "index.mdx": '<Snippet file="a.mdx" />\n',
    "b.mdx": "# B\n",
    "snippets/a.mdx": "Use {{product}}, see [b](/{{part}}).\n",
  });
  expect(await (await site.request("/")).text()).toContain('Use Pay, see <a href="/b">b</a>.');
  expect(await (await site.request("/index.md")).text()).toContain("Use Pay, see [b](/b).");
});

test("variables add at most 200,000 characters to a page, and the report says where that is not enough", async () => {
  const files = {
    "docs.json": JSON.stringify({
      variables: { a: "x".repeat(1_000), b: "y".repeat(1_001) },
      navigation: { pages: ["index"] },
    }),
    "index.md": `# A\n\n${"{{a}} ".repeat(201)}\n`,
  };
  await using site = await createTestSite(files);
  const markdown = await (await site.request("/index.md")).text();
  expect(markdown.match(/x{1000}/g)).toHaveLength(200);
  expect(markdown).toContain("{{a}}");
  expect(problemLines(await reportOf(files))).toEqual([
    "docs.json:1 error configuration: The variable b is left out: its value has more than 1000 characters.",
    "index.md warning left_out: Some variables are shown as {{name}}, because variables may add at most 200,000 characters to a page.",
  ]);
});

test("human-only content is on the page and in no text for agents", async () => {
  await using site = await createTestSite({
    "docs.json": JSON.stringify({ navigation: { pages: ["index"] } }),
    "index.mdx": [
      "Before",
      '<Visibility for="humans">\n<Note>\nClick **here**.\n\n```mdx\n</Visibility>\n```\n\n<Visibility for="agents">Neither.</Visibility>\n</Note>\n</Visibility>',
      "Between",
      "<Visibility for={'humans'}>Press.</Visibility> and <Visibility for=\"agents\">Call `POST /v1`.</Visibility>",
      '<Snippet file="steps.mdx" />',
      '`<Visibility for="humans">` is code.',
      '````mdx\n<Visibility for="humans">\nAn example.\n</Visibility>\n````',
      "After",
    ].join("\n\n"),
    "snippets/steps.mdx": 'Steps.\n\n<Visibility\n  for="humans"\n>\nTap.\n</Visibility>\n\nEnd of steps.\n',
  });
  const page = await (await site.request("/")).text();
  for (const words of ["<strong>here</strong>", "Press.", "Tap."]) expect(page).toContain(words);
  expect(page).not.toContain("POST /v1");
  const texts = [
    await site.request("/index.md"),
    await site.request("/", { headers: { accept: "text/markdown" } }),
    await site.request("/llms-full.txt"),
  ];
  for (const response of texts) {
    const text = await response.text();
    for (const words of ["**here**", "Press.", "Tap.", "Neither."]) expect(text).not.toContain(words);
    expect(text).toContain(
      'Before\n\nBetween\n\n and <Visibility for="agents">Call `POST /v1`.</Visibility>\n\nSteps.',
    );
    expect(text).toContain('Steps.\n\nEnd of steps.\n\n`<Visibility for="humans">` is code.');
    expect(text).toContain('````mdx\n<Visibility for="humans">\nAn example.\n</Visibility>\n````\n\nAfter');
  }
});

test.each([
  ["a tag that nothing closes", 'a\n\n<Visibility for="humans">\n\nb', 'a\n\n<Visibility for="humans">\n\nb'],
  ["a tag that closes nothing", "a </Visibility> b", "a </Visibility> b"],
  ["an empty tag", 'a <Visibility for="humans" /> b', 'a <Visibility for="humans" /> b'],
  ["a lone mark of code", 'it costs ` <Visibility for="humans">x</Visibility> y', "it costs `  y"],
  [
    "a fence behind a list marker",
    '- ```\n  x\n  ```\n\na <Visibility for="humans">x</Visibility> b',
    "- ```\n  x\n  ```\n\na  b",
  ],
  [
    "a fence that nothing closes",
    '```\n<Visibility for="humans">x</Visibility>',
    '```\n<Visibility for="humans">x</Visibility>',
  ],
])("Markdown for %s", (_, text, expected) => {
  expect(withoutHumansOnly(text)).toBe(expected);
});

test("reads a page of only tags and code marks quickly", () => {
  for (const part of ['<Visibility for="humans">', "`", "` ", "```\n", "</Visibility>", "<Visibility "]) {
    const text = `<Visibility for="humans">${part.repeat(200_000)}`;
    const startedAt = performance.now();
    withoutHumansOnly(text);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  }
});

test("a deprecated page says so to readers and in its Markdown, and a page with a url is a link in the navigation", async () => {
  await using site = await createTestSite({
    "docs.json": JSON.stringify({ navigation: { pages: ["index", "old", "npm"] } }),
    "index.md": "# Start\n",
    "old.md": "---\ntitle: Old\ndeprecated: true\n---\nText.\n",
    "npm.md": "---\ntitle: Package\nurl: https://npm.example/package\n---\n",
  });
  const page = await (await site.request("/old")).text();
  expect(page).toContain('<p class="site-deprecated"><span class="site-tag">deprecated</span></p>');
  expect(page).toContain('href="https://npm.example/package"');
  expect(await (await site.request("/old.md")).text()).toContain("> **Deprecated**");
});
