import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFairPlaces } from "./fair-places.ts";

/** Tasks that end when they are told to, and the order in which they began. */
function createTasks(places: ReturnType<typeof createFairPlaces>) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    ask: (name: string) =>
      places.run(name[0] ?? "", () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      }),
    async end(name: string) {
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("fair places", () => {
  it("keep one for somebody else, however many tasks of one owner wait", async () => {
    const tasks = createTasks(createFairPlaces({ places: 3 }));
    for (const name of ["a1", "a2", "a3", "a4", "b1"]) void tasks.ask(name);
    expect(tasks.begun).toEqual(["a1", "a2", "b1"]);
  });

  it("go to the owner who holds the fewest, then to who waits the longest", async () => {
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

  it("let no more than so many of one owner wait, and others still", async () => {
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

  it("are never used beyond their number, and every task runs", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        async (owners, places) => {
          const fair = createFairPlaces({ places });
          const running = new Map<string, number>();
          let done = 0;
          await Promise.all(
            owners.map((owner) =>
              fair.run(owner, async () => {
                running.set(owner, (running.get(owner) ?? 0) + 1);
                const total = [...running.values()].reduce((sum, count) => sum + count, 0);
                expect(total).toBeLessThanOrEqual(places);
                expect(running.get(owner)).toBeLessThanOrEqual(Math.max(1, places - 1));
                await new Promise((resolve) => setImmediate(resolve));
                running.set(owner, (running.get(owner) ?? 0) - 1);
                done += 1;
              }),
            ),
          );
          expect(done).toBe(owners.length);
        },
      ),
      { numRuns: 40 },
    );
  });
});
