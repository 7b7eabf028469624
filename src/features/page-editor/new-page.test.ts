import { expect, it } from "vitest";
import { createPageHeads } from "#docs/tree/page-tree.ts";
import { loadSiteVersion } from "#features/sites/site-version.ts";
import { newProjectId } from "#lib/ids.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { readNewPath } from "./new-page.ts";

const MKDOCS = { "mkdocs.yml": "site_name: Docs\n", "docs/index.md": "# Home\n", "docs/guide/a.md": "# A\n" };

it.each([
  ["tutorial/first.md", "docs/tutorial/first.md"],
  ["docs/guide/first.md", "docs/guide/first.md"],
  ["docs/", "docs/set-sail.md"],
  ["guide/v2.6", "docs/guide/v2.6.md"],
])("puts a new page of MkDocs into its folder of pages: %s", async (path, expected) => {
  const parts = { apiDocuments: sharedContent().apiDocuments, heads: createPageHeads() };
  const project = { id: newProjectId(), contentRoot: null };
  const version = await loadSiteVersion(parts, { commit: null, snapshot: createTestSnapshot(MKDOCS), project });
  expect(await readNewPath(version, { path, title: "Set sail" })).toBe(expected);
});
