import { expect, it } from "vitest";
import { createFairTurns } from "./fair-turns.ts";

it("starts tasks in turn between their owners, and those of one owner in order", async () => {
  const inTurn = createFairTurns();
  const started: string[] = [];
  const all = Promise.withResolvers<void>();
  const add = (owner: string, name: string) =>
    inTurn(owner, () => {
      started.push(name);
      if (name === "b1") add("c", "c1");
      if (started.length === 7) all.resolve();
    });
  for (const name of ["a1", "a2", "a3", "a4"]) add("a", name);
  for (const name of ["b1", "b2"]) add("b", name);
  expect(started).toEqual([]);
  await all.promise;
  expect(started).toEqual(["a1", "b1", "a2", "b2", "c1", "a3", "a4"]);
});

it("lets other events of the process happen between two tasks", async () => {
  const inTurn = createFairTurns();
  const happened: string[] = [];
  const done = Promise.withResolvers<void>();
  inTurn("a", () => {
    happened.push("first");
    setImmediate(() => happened.push("event"));
  });
  inTurn("a", () => {
    happened.push("second");
    setImmediate(done.resolve);
  });
  inTurn("a", () => happened.push("third"));
  await done.promise;
  expect(happened.slice(0, 4)).toEqual(["first", "second", "event", "third"]);
});

it.each([
  ["of one owner beyond 32", 40, () => "a", 8],
  ["of invented owners beyond 1,000", 1_200, String, 200],
])("starts tasks %s as they arrive", (_name, sent, ownerOf, expected) => {
  const inTurn = createFairTurns();
  let started = 0;
  for (let number = 0; number < sent; number += 1) inTurn(ownerOf(number), () => (started += 1));
  expect(started).toBe(expected);
});
