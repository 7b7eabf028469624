import { expect, test } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { problemLines, reportOf, versionOf } from "#testing/reports.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { markdownOf } from "./markdown-page.ts";

test("the report gives positions in the page's file, and names an unknown component once", async () => {
  const page = "# A\n\n:::note\nSee [b](./gone.md) and [c](./c.md#d).\n:::\n\n<Own>Text.</Own>\n";
  const files = { "docs.json": "{}", "a.md": page, "b.md": page, "c.md": "# C\n\n## E {#d}\n" };
  expect(problemLines(await reportOf(files, "docusaurus")).filter((line) => !line.includes("docs.json"))).toEqual([
    "a.md:4 error broken_link: ./gone.md leads nowhere: there is no such page.",
    "a.md:7 warning unknown_component: <Own> is not a component of this site; what it contains is shown.",
    "b.md:4 error broken_link: ./gone.md leads nowhere: there is no such page.",
  ]);
});

test("the Markdown of a page contains the files that it includes", async () => {
  const files = { "docs/docs.json": "{}", "docs/a.md": '# A\n\n--8<-- "part.md"\n', "part.md": "Two.\n" };
  const { apiDocuments } = sharedContent();
  const version = await versionOf(files, { apiDocuments, project: newProjectId(), dialect: "mkdocs" });
  const page = version.docs.pages.get("/a");
  expect(page && (await markdownOf(version, page))).toBe("# A\n\nTwo.\n");
});
