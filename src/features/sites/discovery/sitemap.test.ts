import { expect, it } from "vitest";
import type { Docs } from "#docs/tree/page-tree.ts";
import { silentLogger } from "#lib/logger.ts";
import { createPageDates } from "#features/sites/page-dates.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { createTestSite } from "#testing/site.ts";
import { sitemapPart, sitemapXml } from "./sitemap.ts";

it("lists the public pages with the date of their last change", async () => {
  await using site = await createTestSite({
    "a.md": "# A\n",
    "b&c.md": "# B\n",
    "other.md": "---\ncanonical: https://docs.example/other\n---\n# O\n",
    "own.md": "---\ncanonical: /own\n---\n# O\n",
    "left-out.md": "---\nnoindex: true\n---\n# N\n",
  });
  const read = async () => (await site.request("/sitemap.xml")).text();
  const changes = async (): Promise<Record<string, string>> =>
    Object.fromEntries<string>(
      Array.from((await read()).matchAll(/4000(\/[^<]*)<\/loc><lastmod>([^<]*)</g), ([, path = "", date = ""]) => [
        path,
        date,
      ]),
    );
  const date = "2026-01-02T03:04:05Z"; // of every commit in tests
  expect(await changes()).toEqual({ "/a": date, "/b&amp;c": date, "/own": date });
});

it("lists no page of a site that opts out of search engines", async () => {
  const seo = { metatags: { robots: "noindex" } };
  await using site = await createTestSite({ "docs.json": JSON.stringify({ name: "Harbor", seo }), "a.md": "# A\n" });
  const sitemap = await site.request("/sitemap.xml");
  expect([sitemap.status, await sitemap.text()]).toEqual([200, expect.not.stringContaining("<loc>")]);
});

it("reads the history once, then only new commits, and ignores changes in the future", async () => {
  const requested: (string | null)[] = [];
  const dates = createPageDates({
    clock: { now: () => new Date(5_000) },
    logger: silentLogger,
    repoStore: {
      contained: (_, __, commits) => Promise.resolve(new Set(commits)),
      lastChanges(_, { since }) {
        requested.push(since);
        return Promise.resolve(new Map<string, number>(since === null ? [["a", 1], ["b", 2]] : [["b", 9]])); // oxfmt-ignore
      },
    },
  });
  const project = { id: "p", branch: "main" } as unknown as SiteProject;
  const read = async (commit: string) => {
    const pages = new Map(["a", "b"].map((path) => [path, { path }]));
    const version = { commit, docs: { pages } } as unknown as SiteVersion;
    const found = await dates.of(project, version, 60_000);
    return Object.fromEntries(Array.from(found, ([path, date]) => [path, date.getTime()]));
  };
  expect(await read("one")).toEqual({ a: 1_000, b: 2_000 });
  expect(await read("one")).toEqual({ a: 1_000, b: 2_000 });
  expect(await read("two")).toEqual({ a: 1_000, b: 5_000 });
  expect(requested).toEqual([null, "one"]);
});

it("splits more pages than one file may hold", () => {
  const pages = Array.from({ length: 5 }, (_, index) => ({ route: `/p${index}`, path: `p${index}.md` }));
  const docs = { config: { seo: {} }, pages: new Map(pages.map((page) => [page.route, page])) } as unknown as Docs;
  const input = { docs, origin: "https://x.example", dates: new Map<string, Date>(), maxEntries: 2 };
  expect(sitemapXml(input).match(/<loc>[^<]*/g)).toEqual(
    [1, 2, 3].map((number) => `<loc>https://x.example/sitemap-${number}.xml`),
  );
  expect(sitemapPart(input, 3)?.match(/<loc>[^<]*/g)).toEqual(["<loc>https://x.example/p4"]);
  expect([sitemapPart(input, 4), sitemapPart({ ...input, maxEntries: 9 }, 1)]).toEqual([null, null]);
});
