import { expect, test } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { createDeliveries } from "./deliveries.ts";

test("deliveries add up by project, UTC day and kind, and are handed over once", () => {
  const deliveries = createDeliveries();
  const [project, other] = [newProjectId(), newProjectId()];
  const midnight = Date.UTC(2026, 10, 22);
  const plain = { isPrivate: false, isPrefetch: false };
  deliveries.add({ project, time: midnight - 2, ...plain });
  deliveries.add({ project, time: midnight - 1, ...plain });
  deliveries.add({ project, time: midnight, ...plain });
  deliveries.add({ project, time: midnight, ...plain, isPrivate: true });
  deliveries.add({ project, time: midnight, ...plain, isPrefetch: true }, 5);
  deliveries.add({ project: other, time: midnight, ...plain });
  expect(deliveries.isEmpty()).toBe(false);
  expect(deliveries.take()).toEqual([
    { project, time: midnight - 2, delivered: 2, ...plain },
    { project, time: midnight, delivered: 1, ...plain },
    { project, time: midnight, delivered: 1, ...plain, isPrivate: true },
    { project, time: midnight, delivered: 5, ...plain, isPrefetch: true },
    { project: other, time: midnight, delivered: 1, ...plain },
  ]);
  expect([deliveries.isEmpty(), deliveries.take()]).toEqual([true, []]);
});
