import { expect, it } from "vitest";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";
import type { SiteProject } from "./site-project.ts";
import { createSiteVersions } from "./site-versions.ts";

it("separates two projects, two branches and two folders with the same names", async () => {
  await using root = await createTestDirectory();
  await using repoStore = createRepoStore({ root: root.path, logger: silentLogger });
  const versions = createSiteVersions({
    repoStore,
    clock: { now: () => new Date(0) },
    logger: silentLogger,
    apiDocuments: { read: () => Promise.reject(new Error("no API here")) },
  });
  const projects: SiteProject[] = [];
  for (const name of ["harbor", "lighthouse"]) {
    await using source = await createTestRepository({ "index.md": `# ${name}\n`, "docs/index.md": `# ${name} docs\n` });
    await git(source.path, "branch", "draft");
    const id = newProjectId();
    await repoStore.import(id, { source: source.path, branch: null });
    const { branch } = { branch: (await repoStore.branches(id)).find((each) => each.name !== "draft")!.name };
    const project = { id, slug: name, name, branch };
    projects.push(project, { ...project, contentRoot: "docs" });
  }
  const titles = async () => {
    const shown = await Promise.all(projects.map(async (project) => versions.current(project)));
    return shown.map(({ docs }) => docs.pages.get("/" as never)?.title);
  };
  const expected = ["harbor", "harbor docs", "lighthouse", "lighthouse docs"];
  expect(await titles()).toEqual(expected);
  expect(await titles()).toEqual(expected); // from the cache, too
});

it("reports a pinned commit that is gone with what to do, logs it once, and shows the site when it is back", async () => {
  await using root = await createTestDirectory();
  await using repoStore = createRepoStore({ root: root.path, logger: silentLogger });
  await using source = await createTestRepository({ "index.md": "# First\n" });
  const id = newProjectId();
  await repoStore.import(id, { source: source.path, branch: null });
  const branch = (await repoStore.branches(id))[0]!.name;
  await git(source.path, "commit", "--quiet", "--allow-empty", "-m", "Later");
  const pinned = (await git(source.path, "rev-parse", "HEAD")).trim();
  const logged: unknown[] = [];
  const logger = { ...silentLogger, warn: note, error: note } as unknown as typeof silentLogger;
  function note(...line: unknown[]) {
    logged.push(line[1]);
  }
  let nowMs = 0;
  const versions = createSiteVersions({
    repoStore,
    clock: { now: () => new Date((nowMs += 1_000)) },
    logger,
    apiDocuments: { read: () => Promise.reject(new Error("no API here")) },
  });
  const project = { id, slug: "docs", name: "Docs", branch, pinned };
  for (const _ of [1, 2, 3]) {
    await expect(versions.current(project)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("unpin it") as unknown,
    });
  }
  expect(logged).toEqual(["site version refused"]);
  await git(repoStore.directory(id), "fetch", "--quiet", source.path, pinned);
  expect((await versions.current(project)).commit).toBe(pinned);
});

it("caches the versions of sites by weight: many small ones, or a single large one", async () => {
  await using root = await createTestDirectory();
  await using repoStore = createRepoStore({ root: root.path, logger: silentLogger });
  const loaded: string[] = [];
  const logger = { ...silentLogger, info: ({ projectId }: { projectId: string }) => void loaded.push(projectId) };
  const versions = createSiteVersions({
    repoStore,
    clock: { now: () => new Date(0) },
    logger: logger as unknown as typeof silentLogger,
    apiDocuments: { read: () => Promise.reject(new Error("no API here")) },
    maxBytes: 15_000,
  });
  const siteOf = async (pages: number): Promise<SiteProject> => {
    const files = Array.from({ length: pages }, (_, at) => [`page-${at}.md`, `# ${at}\n`]);
    await using source = await createTestRepository(Object.fromEntries(files) as Record<string, string>);
    const id = newProjectId();
    await repoStore.import(id, { source: source.path, branch: null });
    return { id, slug: id, name: id, branch: (await repoStore.branches(id))[0]!.name };
  };
  const small = [await siteOf(1), await siteOf(1), await siteOf(1)];
  const large = await siteOf(30);
  const loads = async (...sites: SiteProject[]) => {
    loaded.length = 0;
    for (const site of sites) await versions.current(site);
    return loaded.map((id) => sites.findIndex((site) => site.id === id));
  };
  expect(await loads(...small, ...small)).toEqual([0, 1, 2]);
  expect(await loads(large, large, ...small)).toEqual([0, 2, 3, 4]);
});
