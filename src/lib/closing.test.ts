import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, it } from "vitest";
import { createClosing } from "./closing.ts";

const never = { [Symbol.asyncDispose]: () => new Promise<void>(() => undefined) };

function recorded() {
  const lines: { part: string; msg: string }[] = [];
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  );
  return { lines, logger };
}

it("abandons a part that does not close, names it, and closes the parts after it", async () => {
  const { lines, logger } = recorded();
  const closed: string[] = [];
  const close = createClosing({ logger, limitMs: 20, leastMs: 20 });
  await close("worker", never);
  await close("outbox", never);
  await close("journal", {
    async [Symbol.asyncDispose]() {
      await sleep(5);
      closed.push("journal");
    },
  });
  expect(closed).toEqual(["journal"]);
  const msg = "did not close in time and is left behind";
  expect(lines.map(({ part, msg: said }) => [part, said])).toEqual([
    ["worker", msg],
    ["outbox", msg],
  ]);
});

it("shares the time limit between all parts", async () => {
  const { lines, logger } = recorded();
  const close = createClosing({ logger, limitMs: 3_600_000, leastMs: 1 });
  await close("slow", { [Symbol.asyncDispose]: () => sleep(50) });
  await close("slow, too", { [Symbol.asyncDispose]: () => sleep(50) });
  expect(lines).toEqual([]);
});

it("logs a part that fails to close", async () => {
  const { logger } = recorded();
  const close = createClosing({ logger, limitMs: 1_000, leastMs: 1_000 });
  const failing = { [Symbol.asyncDispose]: () => Promise.reject(new Error("broken")) };
  await expect(close("store", failing)).rejects.toThrow("broken");
});
