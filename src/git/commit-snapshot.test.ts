import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { commitSnapshot } from "./commit-snapshot.ts";
import { createRepoStore } from "./directory-repo-store.ts";

it("reports a file whose object the repository has lost as unavailable, not as missing", async () => {
  await using root = await createTestDirectory();
  await using store = createRepoStore({ root: root.path, logger: silentLogger });
  const project = newProjectId();
  await store.create(project, { branch: "main" });
  const edits = [{ path: "a.md", content: Buffer.from("# A\n") }];
  const tree = await store.snapshot(project, { base: "4b825dc642cb6eb9a060e54bf8d69288fbee4904", edits });
  const files = commitSnapshot(store, project, tree);
  const [file] = await files.files();
  const oid = file!.version;
  await rm(path.join(store.directory(project), "objects", oid.slice(0, 2), oid.slice(2)));
  await expect(files.read("a.md")).rejects.toMatchObject({
    code: "unavailable",
    message: "a.md cannot be read: its content is missing from the repository, or damaged.",
  });
  expect(await files.read("b.md")).toBeNull();
});
