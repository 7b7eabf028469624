import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { readGuides } from "./guides.ts";

async function guidesOf(text: string) {
  await using directory = await createTestDirectory();
  const config = {
    colors: { primary: "#123456" },
    favicon: "/icon.svg",
    navigation: {
      groups: [
        { group: "Start", pages: ["start", "quickstart"] },
        { group: "Sites", pages: ["sites/pages"] },
        { group: "HTTP API", pages: ["http/keys", "http/errors", "http/missing"] },
      ],
    },
  };
  for (const folder of ["http", "sites"]) await mkdir(path.join(directory.path, folder));
  const files = {
    "docs.json": JSON.stringify(config),
    "icon.svg": "<svg/>",
    "start.md": "# Start\n",
    "quickstart.md": "# Quickstart\n",
    "sites/pages.md": "# Pages\n",
    "http/keys.md": text,
    "http/errors.mdx": "# Errors\n",
  };
  for (const [file, content] of Object.entries(files)) await writeFile(path.join(directory.path, file), content);
  return await readGuides(directory.path);
}

it("are whole groups and single pages of the documentation, in its order and with its look", async () => {
  const { files, groups, look } = await guidesOf("# Keys\n");
  expect([...files.keys()]).toEqual(["icon.svg", "quickstart.md", "http/keys.md", "http/errors.mdx"]);
  expect(groups).toEqual([
    { group: "Start", pages: ["quickstart"] },
    { group: "HTTP API", pages: ["http/keys", "http/errors"] },
  ]);
  expect(look).toEqual({ colors: { primary: "#123456" }, favicon: "/icon.svg" });
});

it.each([
  ["a link to another guide stays", "See [errors](/http/errors#codes).", "See [errors](/http/errors#codes)."],
  [
    "a link to a page that is elsewhere is taken off its words",
    "See [how `it` starts](/start#now).",
    "See how `it` starts.",
  ],
  [
    "a link to an operation leads to it here",
    "[Create](/api/jobs/create), [all](/api)",
    "[Create](/jobs/create), [all](/)",
  ],
  ["a link to the web stays", "[npm](https://www.npmjs.com/)", "[npm](https://www.npmjs.com/)"],
  [
    "code stays",
    "`[a](/start)` and\n```md\n[a](/start)\n```\n[a](/start)",
    "`[a](/start)` and\n```md\n[a](/start)\n```\na",
  ],
])("%s", async (_, written, shown) => {
  expect((await guidesOf(written)).files.get("http/keys.md")).toBe(shown);
});
