import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createSqliteSearch } from "#search/sqlite-search.ts";
import type { PageContents } from "#sites/page-content.ts";
import type { SiteProject } from "#sites/site-project.ts";
import type { SiteVersion } from "#sites/site-versions.ts";
import { createSiteIndexer } from "./site-indexer.ts";

const projectOf = (name: string): SiteProject => ({ id: `prj_${name}` as ProjectId, slug: name, name, branch: "main" });

function versionOf(routes: readonly string[]): SiteVersion {
  const pages = new Map(routes.map((route) => [route, { route, title: route, description: null, awaits: null }]));
  const docs = { pages, navigation: [], config: { seo: { indexAll: true } } };
  return { commit: "c".repeat(40), docs, awaited: { paths: [] } } as unknown as SiteVersion;
}

test("a project whose pages take for ever keeps no other one from being indexed", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "docent-indexer-"));
  const index = createSqliteSearch({ directory });
  const slow = Promise.withResolvers<never>();
  const contents = {
    key: (_: ProjectId, __: SiteVersion, { page }: { page: { route: string } }) => Promise.resolve(page.route),
    render: (project: ProjectId) =>
      project === "prj_slow"
        ? slow.promise
        : Promise.resolve({ key: "k", html: "<p>Words</p>", headings: [], includes: [] }),
  } as unknown as PageContents;
  const indexer = createSiteIndexer({ index, contents, logger: silentLogger });
  indexer.follow(projectOf("slow"), versionOf(["/a", "/b"]));
  indexer.follow(projectOf("quick"), versionOf(["/a", "/b", "/c"]));
  await indexer.settled("prj_quick" as ProjectId, 10_000);
  expect([...(await index.pages("prj_quick" as ProjectId)).keys()].toSorted()).toEqual(["/a", "/b", "/c"]);
  expect(indexer.state("prj_slow" as ProjectId).isComplete).toBe(false);
  slow.reject(new Error("killed"));
  await indexer[Symbol.asyncDispose]();
  await index[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});
