import { expect, it } from "vitest";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { commitFiles, createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";
import { readHistory } from "./history.ts";

it("reads commits newest first with their tags, after a tag, a commit or an abbreviated id", async () => {
  await using directory = await createTestDirectory();
  await using store = createRepoStore({ root: `${directory.path}/repositories`, logger: silentLogger });
  await using source = await createTestRepository({ "a.md": "1\n" }, { message: "One" });
  await git(source.path, "tag", "--annotate", "--message=First", "v1");
  const two = await commitFiles(source.path, { "a.md": "2\n" }, "Two");
  await git(source.path, "tag", "light");
  const head = await commitFiles(source.path, { "a.md": "3\n" }, "Three");
  const project = newProjectId();
  await store.import(project, { source: source.path, branch: null });
  const read = async (since: string | null) =>
    (await readHistory(store, project, { head, since, limit: 10 })).map(({ subject, tags }) => [subject, ...tags]);

  expect(await read(null)).toEqual([["Three"], ["Two", "light"], ["One", "v1"]]);
  expect(await read("v1")).toEqual([["Three"], ["Two", "light"]]);
  expect(await read(two)).toEqual([["Three"]]);
  expect(await read(two.slice(0, 7))).toEqual([["Three"]]);
  await expect(read("0000000")).rejects.toMatchObject({ code: "not_found" });
});
