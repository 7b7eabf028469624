import { expect, it } from "vitest";
import { systemClock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { recordPosted, takePost } from "./posts.ts";

it("a post of one project stays recorded when another project posts at a pull request of the same number", async () => {
  await using store = await openTestDatabase("sqlite");
  const { database } = store;
  const deps = { database, clock: systemClock };
  const post = async (projectId: ProjectId, target: string) => {
    const one = { projectId, number: 1, target };
    const isTaken = await takePost(deps, one);
    if (isTaken) await recordPosted(deps, one);
    return isTaken;
  };
  const acme = await insertTestProject(database, "acme");
  const other = await insertTestProject(database, "other");
  expect(await post(acme, "a".repeat(40))).toBe(true);
  expect(await post(other, "b".repeat(40))).toBe(true);
  expect(await post(acme, "a".repeat(40))).toBe(false);
});
