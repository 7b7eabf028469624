import { expect, it } from "vitest";
import { createPageHeads } from "#docs/tree/page-tree.ts";
import { loadSiteVersion } from "#features/sites/site-version.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { createDraftProblems } from "./draft-problems.ts";

const content = sharedContent().inBackground;

/** The problems of the first file. */
async function problemsOf(
  files: Record<string, string>,
  given: { before?: string; isStuck?: boolean; fault?: Error } = {},
) {
  const [path = "", text = ""] = Object.entries(files)[0] ?? [];
  const id = newProjectId();
  const site = { commit: null, snapshot: createTestSnapshot(files), project: { id, contentRoot: null } };
  const { apiDocuments } = content;
  const version = await loadSiteVersion({ apiDocuments, heads: createPageHeads() }, site);
  const stuck = () => new Promise<never>(() => undefined);
  const failing = () => ({ parse: () => Promise.reject(given.fault!) });
  const find = createDraftProblems({
    contentProcess: given.isStuck
      ? { apiDocuments, render: stuck, parserFor: () => ({ parse: stuck }) }
      : { apiDocuments, render: content.render, parserFor: given.fault ? failing : content.parserFor },
    logger: silentLogger,
    ...(given.isStuck && { patienceMs: 1 }),
  });
  const page = version.docs.pagesByPath.get(path) ?? null;
  const before = given.before === undefined ? null : Buffer.from(given.before);
  const { signal } = new AbortController();
  return find(id, { version, page, path, content: Buffer.from(text), before, signal });
}

it("names what could not be checked in time", async () => {
  expect(await problemsOf({ "index.md": "# Hi\n" }, { isStuck: true })).toMatchObject([
    { code: "not_checked", message: "The page could not be checked in time." },
    { code: "not_checked", message: "The links of the page could not be checked in time." },
  ]);
});

it("does not take a fault for a lack of time", async () => {
  const fault = new Error("broken");
  await expect(problemsOf({ "index.md": "# Hi\n" }, { fault })).rejects.toBe(fault);
});

it("finds a syntax error of a snippet, which is no page", async () => {
  const files = { "snippets/note.mdx": "Fine.\n\n<Note>Open\n", "docs.json": "{}", "index.md": "# Hi\n" };
  expect(await problemsOf(files)).toMatchObject([{ severity: "warning", code: "syntax", path: "snippets/note.mdx" }]);
});

it("finds front matter that is not read any more", async () => {
  const before = "---\ntitle: Start\n---\n\nText.\n";
  expect(await problemsOf({ "index.md": before }, { before })).toEqual([]);
  expect(await problemsOf({ "index.md": `x${before}` }, { before })).toMatchObject([
    { severity: "warning", code: "front_matter", line: 1 },
  ]);
});

it("puts a configuration that cannot be read first", async () => {
  const files = { "docs.json": '{\n  "name": "Docs"\n  "navigation": []\n}\n', "index.md": "# Hi\n" };
  expect((await problemsOf(files))[0]).toMatchObject({ severity: "error", code: "configuration", line: 3 });
});
