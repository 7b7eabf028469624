import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

it("who waits too long for a turn is told, and what they wanted is not begun later", async () => {
  const turns = createTurns({ patienceMs: 20 });
  const { promise: hangs, resolve: answer } = Promise.withResolvers<string>();
  const begun: string[] = [];
  const first = turns.run("acme", () => {
    begun.push("first");
    return hangs;
  });
  const work = (name: string) => async () => {
    begun.push(name);
    return name;
  };
  await expect(turns.run("acme", work("second"))).rejects.toMatchObject({ code: "unavailable" });
  expect(await turns.run("other", work("another project's"))).toBe("another project's");
  answer("done");
  // Its own work may take longer than anybody waits for a turn.
  expect(await first).toBe("done");
  expect(await turns.run("acme", work("third"))).toBe("third");
  expect(begun).toEqual(["first", "another project's", "third"]);
});
