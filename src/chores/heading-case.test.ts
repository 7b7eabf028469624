import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();
// The docs write all of these in lower case in running text.
const WORDS =
  "We use volumes, an inactive state, advanced endpoints, a route, option, platform, storage, agent and step.\n";

async function headings(style: "sentence" | "title", page: string, others: Record<string, string> = {}) {
  const bench = createAgentBench(tools, { "p.md": page, "words.md": WORDS, ...others });
  await bench.run("normalise_style", { headingCase: style });
  return (await bench.contents())["p.md"];
}

describe("sentence case", () => {
  it.each([
    ["the first word inside of a link", "## [Volumes](/words) and Storage\n", "## [Volumes](/words) and storage\n"],
    ["the first word inside of emphasis", "## **Advanced** Storage\n", "## **Advanced** storage\n"],
    ["what stands in quotes", '## Status is "Inactive" in “Storage”\n', '## Status is "Inactive" in “Storage”\n'],
    ["a single letter", "## Option A: Advanced Storage\n", "## Option A: Advanced storage\n"],
    ["the first word after a remark", "## (Optional) Advanced Storage\n", "## (Optional) Advanced storage\n"],
    ["a word before its number", "## Connect Route 53 to Storage\n", "## Connect Route 53 to storage\n"],
    [
      "the first word after an icon of HTML",
      '## <i class="x"></i> Advanced Storage\n',
      '## <i class="x"></i> Advanced storage\n',
    ],
    ["the first word after an image", "## ![](/a.png) Advanced Storage\n", "## ![](/a.png) Advanced storage\n"],
    ["the first word after an emoji", "## 🚀 Advanced Storage\n", "## 🚀 Advanced storage\n"],
    ["the first word after a named emoji", "## :volumes: Advanced Storage\n", "## :volumes: Advanced storage\n"],
    ["the first word after a number", "## 2. Advanced Storage\n", "## 2. Advanced storage\n"],
    ["acronyms", "## The API Storage, APIs and CI/CD Storage\n", "## The API storage, APIs and CI/CD storage\n"],
    ["code first, and words after it", "## `x` Advanced Storage\n", "## `x` advanced storage\n"],
  ])("keeps %s", async (_what, page, expected) => {
    expect(await headings("sentence", page)).toBe(expected);
  });

  it.each([
    ["## Set Up A Project For JSON\n", "## Set up a project for JSON\n"],
    ["## Using The API With Harbor Cloud And GitHub\n", "## Using the API with Harbor Cloud and GitHub\n"],
    ["## Option A And Plan B\n", "## Option A and Plan B\n"],
    ["## Use Plan A Today, Or A\n", "## Use Plan A Today, or A\n"],
  ])("writes articles and similar words in lower case, also before and after names: %s", async (page, expected) => {
    const names = "We set up a project. Use Harbor Cloud, the API and GitHub. With Harbor Cloud. Of Plan B.\n";
    expect(await headings("sentence", page, { "names.md": names })).toBe(expected);
  });

  it("keeps the last word of a longer name, unless the docs write the pair in lower case", async () => {
    const names = { "names.md": "On Google Cloud, and the Google Cloud again. With Runpod usage and usage.\n" };
    const page = "## The Google Cloud Platform Storage\n\n## The Runpod Usage\n";
    expect(await headings("sentence", page, names)).toBe(
      "## The Google Cloud Platform storage\n\n## The Runpod usage\n",
    );
  });

  it("keeps the first word after an icon's component", async () => {
    const bench = createAgentBench(tools, {
      "p.mdx": '## <Icon icon="x" /> Advanced Storage\n\n## <Icon icon="x" /> `x` Advanced\n',
      "words.md": WORDS,
    });
    await bench.run("normalise_style", { headingCase: "sentence" });
    expect((await bench.contents())["p.mdx"]).toBe(
      '## <Icon icon="x" /> Advanced storage\n\n## <Icon icon="x" /> `x` advanced\n',
    );
  });

  it("keeps the names of the product and its parts in docs.json", async () => {
    const config = {
      name: "Volumes Storage Documentation",
      navigation: {
        products: [
          { product: "Agent Platform", pages: ["p"] },
          { product: "Docs", pages: ["words"] },
        ],
      },
    };
    const page = "## Use the Volumes Storage\n\n## On Storage and the Agent Platform\n\n## The Agent Storage\n";
    expect(await headings("sentence", page, { "docs.json": JSON.stringify(config) })).toBe(
      "## Use the Volumes Storage\n\n## On storage and the Agent Platform\n\n## The agent storage\n",
    );
  });

  it("keeps names that other headings, in sentence case, write as names", async () => {
    const others = { "other.md": "## Set the limits of the Storage Agent\n\n## The Route Option\n" };
    const page = "## Open the Storage Agent\n\n## Open the Route Option\n";
    expect(await headings("sentence", page, others)).toBe("## Open the Storage Agent\n\n## Open the route option\n");
  });

  it("uses the words of each language", async () => {
    const page = "## Mejoras del Agent\n";
    const languages = { "es/p.md": page, "es/words.md": "Las mejoras del sitio. El Agent de la página, un Agent.\n" };
    const bench = createAgentBench(tools, { "p.md": "## The Agent\n", "words.md": WORDS, ...languages });
    await bench.run("normalise_style", { headingCase: "sentence" });
    expect(await bench.contents()).toMatchObject({ "p.md": "## The agent\n", "es/p.md": page });
  });
});

describe("title case", () => {
  it.each(["## the storage {#the-storage}\n", "## the *storage* {#the-storage}\n\n[x](#the-storage)\n"])(
    "keeps the explicit id of a heading: %s",
    async (page) => {
      expect(await headings("title", page)).toBe(
        page.replace("## the", "## The").replace(/storage(?=\*? \{)/, "Storage"),
      );
    },
  );

  it("keeps words with digits", async () => {
    expect(await headings("title", "## new in v2 and s3\n")).toBe("## New in v2 and s3\n");
  });
});
