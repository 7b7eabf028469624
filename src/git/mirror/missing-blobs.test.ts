import { expect, it } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { createMissingBlobs } from "./missing-blobs.ts";

const project = newProjectId();
const oid = "1".repeat(40);

it("a caller waits for a host that hangs for a limited time, and the fetch goes on", async () => {
  const host = Promise.withResolvers<void>();
  const missing = createMissingBlobs({ patienceMs: 20, restMs: 0, fetch: (_project, take) => (take(), host.promise) });
  await expect(missing.fetch(project, [oid])).rejects.toMatchObject({ code: "unavailable" });
  host.resolve();
  await missing.fetch(project, [oid]);
});

it("a fetch that failed before it began is tried again", async () => {
  const taken: string[][] = [];
  let isAway = true;
  const missing = createMissingBlobs({
    patienceMs: 60_000,
    restMs: 0,
    async fetch(_project, take) {
      await Promise.resolve(); // its turn
      if (isAway) throw new Error("Another fetch hangs.");
      taken.push(take());
    },
  });
  await expect(missing.fetch(project, [oid])).rejects.toMatchObject({ code: "unavailable" });
  isAway = false;
  await missing.fetch(project, [oid]);
  expect(taken).toEqual([[oid]]);
});
