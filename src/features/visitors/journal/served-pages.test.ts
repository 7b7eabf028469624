import { expect, test } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { createServedPages } from "./served-pages.ts";

test("sums served pages by project, UTC day and kind, and hands them over once", () => {
  const servedPages = createServedPages();
  const [project, other] = [newProjectId(), newProjectId()];
  const midnight = Date.UTC(2026, 10, 22);
  const plain = { isPrivate: false, isPrefetch: false };
  servedPages.add({ project, time: midnight - 2, ...plain });
  servedPages.add({ project, time: midnight - 1, ...plain });
  servedPages.add({ project, time: midnight, ...plain });
  servedPages.add({ project, time: midnight, ...plain, isPrivate: true });
  servedPages.add({ project, time: midnight, ...plain, isPrefetch: true }, 5);
  servedPages.add({ project: other, time: midnight, ...plain });
  expect(servedPages.isEmpty()).toBe(false);
  expect(servedPages.take()).toEqual([
    { project, time: midnight - 2, delivered: 2, ...plain },
    { project, time: midnight, delivered: 1, ...plain },
    { project, time: midnight, delivered: 1, ...plain, isPrivate: true },
    { project, time: midnight, delivered: 5, ...plain, isPrefetch: true },
    { project: other, time: midnight, delivered: 1, ...plain },
  ]);
  expect([servedPages.isEmpty(), servedPages.take()]).toEqual([true, []]);
});
