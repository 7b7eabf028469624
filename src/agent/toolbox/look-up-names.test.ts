import { expect, it } from "vitest";
import { createAgentBench } from "#testing/agent-bench.ts";
import { createAgentTools } from "./tools.ts";

const files = {
  "docs.json": JSON.stringify({
    navigation: {
      tabs: [
        {
          tab: "Docs",
          groups: [
            { group: "Guides", pages: ["a/one", { group: "Advanced", pages: ["b/two"] }] },
            { group: "Guides of others", pages: ["c/three"] },
            { group: "Overview", pages: ["e/f/five"] },
          ],
        },
        { tab: "API", groups: [{ group: "overview", pages: ["d/four"] }] },
      ],
    },
  }),
  "a/one.md": "---\ntitle: Install on Linux\n---\n\n## Requirements ##\n\n# Known issues\n",
  "b/two.md": "---\ntitle: Two\n---\n",
  "c/three.md": "---\ntitle: Three\n---\n",
  "e/f/five.md": "---\ntitle: Five\n---\n",
  "d/four.md": "---\ntitle: Four\n---\n",
};

async function lookUp(text: string) {
  const result = await createAgentBench(createAgentTools(), files).run("look_up_names", { text });
  return result.ok ? result.content : result.message;
}

it("returns only the pages and headings that a text names", async () => {
  expect(await lookUp("Remove the requirements section from the Install on Linux page, please.")).toEqual({
    pages: [{ path: "a/one", title: "Install on Linux", headings: ["Requirements"] }],
    folders: [],
    groups: [],
  });
});

it("returns a page by its file name with blanks between the words", async () => {
  const bench = createAgentBench(createAgentTools(), { "release-notes.md": "---\ntitle: Product updates\n---\n" });
  const result = await bench.run("look_up_names", { text: "Fix broken links on the release notes page." });
  expect(result.ok && result.content).toMatchObject({ pages: [{ path: "release-notes", title: "Product updates" }] });
});

it("returns the folders that a text names, with their whole path", async () => {
  expect(await lookUp("Fix broken links in b.")).toEqual({ pages: [], folders: ["b"], groups: [] });
  expect(await lookUp("Fix broken links in e/f and in e.")).toMatchObject({ folders: ["e", "e/f"] });
});

it("returns a group with all pages below it, but no group with an ambiguous title", async () => {
  expect(await lookUp('everywhere except in the group "Guides"')).toEqual({
    pages: [],
    folders: [],
    groups: [{ title: "Guides", pages: ["a/one", "b/two"] }],
  });
  expect(await lookUp("in the Overview group")).toEqual({ pages: [], folders: [], groups: [] });
});
