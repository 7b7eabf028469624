import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createSearch } from "#search/search.ts";
import { createSqliteSearch } from "#search/sqlite-search.ts";
import type { PageContent, PageContents } from "#features/sites/page-content.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { createSiteIndexer } from "./site-indexer.ts";

const projectOf = (name: string): SiteProject => ({ id: `prj_${name}` as ProjectId, slug: name, name, branch: "main" });

function versionOf(routes: readonly string[]): SiteVersion {
  const page = { description: null, operation: null, awaits: null };
  const pages = new Map(routes.map((route) => [route, { ...page, route, title: route }]));
  const docs = { pages, navigation: [], config: { seo: { indexAll: true } } };
  return { commit: "c".repeat(40), docs, awaited: { paths: [] } } as unknown as SiteVersion;
}

/** The indexed part of a rendered page. */
const CONTENT: PageContent = {
  key: "k",
  html: "<p>Words</p>",
  css: "",
  headings: [],
  operation: null,
  description: null,
  degraded: "none",
  warnings: [],
  includes: [],
  frontMatter: {},
  written: null,
};

async function indexerOf(contents: Pick<PageContents, "render">) {
  const directory = await createTestDirectory();
  const index = createSqliteSearch({ directory: directory.path });
  const key: PageContents["key"] = (_, __, { page }) => Promise.resolve(page.route);
  const all = { key, operationMarkdown: () => Promise.resolve(null), ...contents };
  const indexer = createSiteIndexer({ index, contents: all, logger: silentLogger });
  return {
    index,
    indexer,
    async [Symbol.asyncDispose]() {
      await indexer[Symbol.asyncDispose]();
      await index[Symbol.asyncDispose]();
      await directory.dispose();
    },
  };
}

test("finds all pages by their titles while their texts are still being rendered", async () => {
  const reading = Promise.withResolvers<never>();
  await using opened = await indexerOf({ render: () => reading.promise });
  opened.indexer.follow(projectOf("large"), versionOf(["/guide", "/安装指南", "/설치"]));
  const find = createSearch({ index: opened.index });
  const scope = { language: null, version: null };
  for (const query of ["guide", "安装", "설치"]) {
    const found = () => find("prj_large" as ProjectId, { query, scope, limit: 5, edition: "1" });
    await expect.poll(async () => (await found()).results).toHaveLength(1);
  }
  expect(opened.indexer.state("prj_large" as ProjectId).isComplete).toBe(false);
  reading.reject(new Error("killed"));
});

test("indexes the languages of a site in turn, and the default version before others", async () => {
  const rendered: string[] = [];
  await using opened = await indexerOf({
    render(_project, _version, { route }) {
      rendered.push(route);
      return Promise.resolve(CONTENT);
    },
  });
  const part = (kind: string, title: string, routes: string[]) => {
    const children = routes.map((route) => ({ kind: "page", route, title: route }));
    return {
      kind,
      title,
      language: kind === "language" ? title : null,
      isDefault: title === "v2",
      route: null,
      children,
    };
  };
  const english = part("language", "en", []);
  const children = [part("version", "v1", ["/en/v1"]), part("version", "v2", ["/en/a", "/en/b", "/en/c"])];
  const navigation = [
    { ...english, children },
    part("language", "zh", ["/zh/a", "/zh/b"]),
    part("language", "ko", ["/ko/a"]),
  ];
  const version = versionOf(["/en/v1", "/en/a", "/en/b", "/en/c", "/zh/a", "/zh/b", "/ko/a"]);
  opened.indexer.follow(projectOf("all"), { ...version, docs: { ...version.docs, navigation: navigation as never } });
  await opened.indexer.settled("prj_all" as ProjectId, 10_000);
  expect(rendered).toEqual(["/en/a", "/zh/a", "/ko/a", "/en/b", "/zh/b", "/en/c", "/en/v1"]);
});

test("a project with extremely slow pages does not keep others from being indexed", async () => {
  const slow = Promise.withResolvers<never>();
  await using opened = await indexerOf({
    render: (project: ProjectId) => (project === "prj_slow" ? slow.promise : Promise.resolve(CONTENT)),
  });
  const { index, indexer } = opened;
  indexer.follow(projectOf("slow"), versionOf(["/a", "/b"]));
  indexer.follow(projectOf("quick"), versionOf(["/a", "/b", "/c"]));
  await indexer.settled("prj_quick" as ProjectId, 10_000);
  expect([...(await index.pages("prj_quick" as ProjectId)).keys()].toSorted()).toEqual(["/a", "/b", "/c"]);
  expect(indexer.state("prj_slow" as ProjectId).isComplete).toBe(false);
  slow.reject(new Error("killed"));
});

test("an indexed version is released", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await using opened = await indexerOf({ render: () => Promise.resolve(CONTENT) });
  const follow = () => {
    const version = versionOf(["/a", "/b"]);
    opened.indexer.follow(projectOf("one"), version);
    return new WeakRef(version);
  };
  const followed = follow();
  await opened.indexer.settled("prj_one" as ProjectId, 10_000);
  expect(opened.indexer.state("prj_one" as ProjectId).isComplete).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();
  expect(followed.deref()).toBeUndefined();
});
