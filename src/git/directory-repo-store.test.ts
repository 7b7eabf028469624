import { expect, it } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";
import { createRepoStore } from "./directory-repo-store.ts";
import { describeRepoStore } from "./repo-store.contract.ts";

describeRepoStore((root) => Promise.resolve(createRepoStore({ root, logger: silentLogger })));

it("sees a branch that another process moved", async () => {
  await using root = await createTestDirectory();
  await using store = createRepoStore({ root: root.path, logger: silentLogger });
  await using source = await createTestRepository({ "index.md": "x" });
  const project = newProjectId();
  await store.import(project, { source: source.path, branch: null });
  const main = (await store.resolve(project, "refs/heads/main"))!;
  expect(await store.resolve(project, "refs/heads/other")).toBeNull();
  await git(store.directory(project), "update-ref", "refs/heads/other", main);
  await git(store.directory(project), "pack-refs", "--all");
  expect(await store.resolve(project, "refs/heads/other")).toBe(main);
});
