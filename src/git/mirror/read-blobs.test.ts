import path from "node:path";
import { expect, it } from "vitest";
import { createObjectReader } from "#git/objects/object-reader.ts";
import { DEFAULT_GIT_ENVIRONMENT } from "#git/process/runner.ts";
import { createTestRepository, git } from "#testing/repositories.ts";
import { readBlobs } from "./read-blobs.ts";

it("reads files up to a size, each and together", async () => {
  await using work = await createTestRepository({ "a.txt": "12345", "b.txt": "67890" });
  const directory = path.join(work.path, ".git");
  const reader = createObjectReader({ directory, environment: DEFAULT_GIT_ENVIRONMENT });
  const oids = (await git(work.path, "rev-parse", "HEAD:a.txt", "HEAD:b.txt")).trim().split("\n");
  const fetchMissing = () => Promise.resolve(false);
  const read = (maxBytes: number, maxTotalBytes: number) =>
    readBlobs(reader, oids, { maxBytes, maxTotalBytes, fetchMissing });
  expect((await read(5, 10)).map(String)).toEqual(["12345", "67890"]);
  await expect(read(4, 10)).rejects.toMatchObject({ code: "too_large" });
  await expect(read(5, 9)).rejects.toMatchObject({ code: "too_large" });
  await reader.close();
});
