import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

it("a caller that waits too long for its turn gets an error, and its task never starts", async () => {
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
  // The running task itself may take longer than the limit.
  expect(await first).toBe("done");
  expect(await turns.run("acme", work("third"))).toBe("third");
  expect(begun).toEqual(["first", "another project's", "third"]);
});
