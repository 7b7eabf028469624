import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFairPlaces, type Priority } from "./fair-places.ts";

/** Tasks that end on request, and the order in which they began. */
function createTasks(places: ReturnType<typeof createFairPlaces>) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    ask: (name: string, priority?: Priority) =>
      places.run(
        name[0] ?? "",
        () => {
          begun.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        },
        priority,
      ),
    async end(name: string) {
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("fair places", () => {
  it("keep one place for other owners, however many tasks of one owner wait", async () => {
    const tasks = createTasks(createFairPlaces({ places: 3 }));
    for (const name of ["a1", "a2", "a3", "a4", "b1"]) void tasks.ask(name);
    expect(tasks.begun).toEqual(["a1", "a2", "b1"]);
  });

  it("go to the owner with the fewest places, then to the one that has waited longest", async () => {
    const tasks = createTasks(createFairPlaces({ places: 2, perOwner: 2 }));
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) void tasks.ask(name);
    await tasks.end("a1");
    await tasks.end("a2");
    await tasks.end("b1");
    await tasks.end("c1");
    expect(tasks.begun).toEqual(["a1", "a2", "b1", "a3", "c1", "b2"]);
  });

  it("are free again after a task that fails", async () => {
    const places = createFairPlaces({ places: 1 });
    await expect(places.run("a", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(await places.run("a", () => Promise.resolve("done"))).toBe("done");
  });

  it("limit the waiting tasks of one owner, and others may still wait", async () => {
    const tasks = createTasks(createFairPlaces({ places: 1, maxWaiting: 1 }));
    void tasks.ask("a1");
    void tasks.ask("a2");
    await expect(tasks.ask("a3")).rejects.toMatchObject({ code: "unavailable" });
    void tasks.ask("b1");
    await tasks.end("a1");
    await tasks.end("a2");
    await tasks.end("b1");
    expect(tasks.begun).toEqual(["a1", "a2", "b1"]);
  });

  it("go to urgent work before background work", async () => {
    const tasks = createTasks(createFairPlaces({ places: 1 }));
    void tasks.ask("a1");
    void tasks.ask("a2", "later");
    void tasks.ask("a3", "soon");
    void tasks.ask("b4", "now");
    for (const name of ["a1", "b4", "a3"]) await tasks.end(name);
    expect(tasks.begun).toEqual(["a1", "b4", "a3", "a2"]);
  });

  it("are never all taken by background work, neither overall nor of one owner", async () => {
    const tasks = createTasks(createFairPlaces({ places: 3, perOwner: 2 }));
    for (const name of ["a1", "a2", "b1", "b2", "c1"]) void tasks.ask(name, "later");
    void tasks.ask("a3");
    expect(tasks.begun).toEqual(["a1", "b1", "a3"]);
    await tasks.end("a1");
    await tasks.end("b1");
    expect(tasks.begun).toEqual(["a1", "b1", "a3", "c1", "b2"]);
  });

  it("go to background work after twenty more urgent tasks", async () => {
    const tasks = createTasks(createFairPlaces({ places: 1 }));
    void tasks.ask("a0");
    void tasks.ask("b", "later");
    for (let number = 1; number <= 30; number += 1) void tasks.ask(`a${number}`);
    for (let number = 0; number <= 20; number += 1) await tasks.end(`a${number}`);
    expect(tasks.begun.indexOf("b")).toBe(21);
  });

  it("never exceed their number, and every task runs", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("now", "soon", "later")), { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        async (asked, places) => {
          const fair = createFairPlaces({ places });
          const running = new Map<string, number>();
          let done = 0;
          await Promise.all(
            asked.map(([owner, priority]) =>
              fair.run(
                owner,
                async () => {
                  running.set(owner, (running.get(owner) ?? 0) + 1);
                  const total = [...running.values()].reduce((sum, count) => sum + count, 0);
                  expect(total).toBeLessThanOrEqual(places);
                  expect(running.get(owner)).toBeLessThanOrEqual(Math.max(1, places - 1));
                  await new Promise((resolve) => setImmediate(resolve));
                  running.set(owner, (running.get(owner) ?? 0) - 1);
                  done += 1;
                },
                priority,
              ),
            ),
          );
          expect(done).toBe(asked.length);
        },
      ),
      { numRuns: 40 },
    );
  });
});
