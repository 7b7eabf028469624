import { expect, it } from "vitest";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { testVault as vault } from "#testing/vault.ts";
import { claimMail, mailFailed, removeMail, queueMail } from "./mail-queue.ts";

it.each(ENGINES)("gives each mail to one process, and to another after the lease, on %s", async (engine) => {
  await using opened = await openTestDatabase(engine);
  const { database } = opened;
  let now = Date.UTC(2026, 10, 27);
  const deps = { database, vault, clock: { now: () => new Date(now) } };
  for (const to of ["a@example.com", "b@example.com"]) await queueMail(deps, to, { subject: "S", text: to });
  const claimed = await Promise.all([claimMail(deps), claimMail(deps), claimMail(deps)]);
  expect(new Set(claimed.map((mail) => mail?.to))).toEqual(new Set(["a@example.com", "b@example.com", undefined]));
  const [first, second] = claimed.filter((mail) => mail !== null);
  expect(first).toMatchObject({ content: { subject: "S", text: first!.to }, attempt: 1 });
  await removeMail(database, first!);
  expect(await mailFailed(deps, second!, { isFinal: false })).toBe(true);
  expect(await claimMail(deps)).toBeNull();
  now += 61_000;
  const again = await claimMail(deps);
  expect(again).toMatchObject({ to: second!.to, attempt: 2 });
  // The process died, so the lease expires.
  now += 10 * 60_000 + 1;
  expect(await claimMail(deps)).toMatchObject({ to: second!.to, attempt: 3 });
  expect(await mailFailed(deps, { ...again!, attempt: 7 }, { isFinal: false })).toBe(false);
  expect(await claimMail(deps)).toBeNull();
});
