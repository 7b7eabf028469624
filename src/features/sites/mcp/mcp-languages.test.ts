import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

let contentProcess: ContentProcess;

beforeAll(() => {
  contentProcess = sharedContent();
});
afterAll(() => contentProcess[Symbol.asyncDispose]());

/** The result that an agent gets for a search. */
async function searched(site: TestSite, input: object): Promise<string> {
  const response = await site.request("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search_docs", arguments: input },
    }),
  });
  const text = await response.text();
  const { result } = JSON.parse(text.replace(/^[^{]*/, "")) as { result: { content: { text: string }[] } };
  return result.content.map((each) => each.text).join("\n");
}

async function siteOf(languages: object[]) {
  const site = await createTestSite(
    {
      "docs.json": JSON.stringify({ name: "Harbor", navigation: { languages } }),
      "en/boats.md": "# Boats\n\nHarbor words.\n",
      "de/boote.md": "# Boote\n\nHarbor words.\n",
      "fr/bateaux.md": "# Bateaux\n\nHarbor words.\n",
      "loose.md": "# Loose\n\nHarbor words.\n",
    },
    { contentProcess, search: { admits: () => true } },
  );
  await vi.waitUntil(async () => !(await searched(site, { query: "harbor" })).includes("being brought up"), 60_000);
  return site;
}

const part = (language: string, page: string, more: object = {}) => ({
  language,
  ...more,
  groups: [{ group: "A", pages: [page, "loose"] }],
});
const pathsIn = (text: string) =>
  Array.from(text.matchAll(/: (\/\S+)\n/g), ([, path = ""]) => path).toSorted((a, b) => a.localeCompare(b));

describe("a search of an agent that names no language", () => {
  it("searches the first language, and pages of all", async () => {
    await using site = await siteOf([part("en", "en/boats"), part("de", "de/boote"), part("fr", "fr/bateaux")]);
    expect(pathsIn(await searched(site, { query: "harbor" }))).toEqual(["/en/boats", "/loose"]);
    expect(pathsIn(await searched(site, { query: "harbor", language: "de" }))).toEqual(["/de/boote", "/loose"]);
  });

  it("searches the language that the site marks as its default", async () => {
    await using site = await siteOf([part("en", "en/boats"), part("de", "de/boote", { default: true })]);
    expect(pathsIn(await searched(site, { query: "harbor" }))).toContain("/de/boote");
    expect(await searched(site, { query: "xyzzy" })).toContain(
      'Nothing was found for "xyzzy" in de. The other languages are en.',
    );
  });
});
