import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { newProjectId } from "#lib/ids.ts";
import { commitFiles, createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";

it("reports when each file last changed on the branch, from the start or since a commit", async () => {
  await using root = await createTestDirectory();
  await using work = await createTestRepository({ "a.md": "1", "odd\nname.md": "1", "gone.md": "1" });
  const at = async (seconds: number, files: Record<string, string | null>) => {
    await commitFiles(work.path, files, "Change");
    const env = { ...process.env, GIT_COMMITTER_DATE: `@${seconds} +0000`, GIT_CONFIG_GLOBAL: "/dev/null" };
    const name = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
    execFileSync("git", [...name, "commit", "--quiet", "--amend", "--no-edit"], { cwd: work.path, env });
    return (await git(work.path, "rev-parse", "HEAD")).trim();
  };
  await at(1_000, { "a.md": "2", "odd\nname.md": "2" });
  const base = await at(2_000, { "a.md": "3", "gone.md": null });
  await git(work.path, "checkout", "--quiet", "-b", "side");
  await at(3_000, { "b.md": "1" });
  await git(work.path, "checkout", "--quiet", "main");
  await at(4_000, { "c.md": "1" });
  await git(work.path, "merge", "--quiet", "--no-ff", "--no-edit", "side");
  const merged = Number(await git(work.path, "log", "-1", "--format=%ct"));

  await using store = createRepoStore({ root: root.path, logger: silentLogger });
  const project = newProjectId();
  await store.import(project, { source: work.path, branch: "main" });
  const head = (await store.resolve(project, "refs/heads/main")) ?? "";
  const since = await store.lastChanges(project, { head, since: base });
  expect(Object.fromEntries(since)).toEqual({ "b.md": merged, "c.md": 4_000 });
  const all = await store.lastChanges(project, { head, since: null });
  expect(Object.fromEntries(all)).toEqual({
    "a.md": 2_000,
    "odd\nname.md": 1_000,
    "gone.md": 2_000,
    "b.md": merged,
    "c.md": 4_000,
  });
});
