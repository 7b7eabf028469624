import { expect, it } from "vitest";
import { createRepoStore } from "#git/repo-store.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";
import type { SiteProject } from "./site-project.ts";
import { createSiteVersions } from "./site-versions.ts";

it("keeps apart what two projects, two branches and two folders show under the same names", async () => {
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
  expect(await titles()).toEqual(expected); // from what is kept, too
});
