import { pino } from "pino";
import { expect, it } from "vitest";
import { createLastingTrouble } from "./lasting-trouble.ts";

interface Line {
  msg: string;
  err?: { stack: string };
  reason?: string;
  lastedSeconds?: number;
  failures?: number;
}

it("logs a lasting failure when it begins, once a minute without a stack, and when it is over", () => {
  const lines: Line[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line) as Line) });
  const time = { ms: 0 };
  const trouble = createLastingTrouble(logger, "jobs could not be claimed", { monotonicMs: () => time.ms });
  trouble.worked();
  expect(lines).toEqual([]);
  for (; time.ms < 130_000; time.ms += 1_000) trouble.failed(new Error("connection refused"));
  trouble.worked();
  trouble.worked();
  expect(lines.map(({ msg, lastedSeconds, failures }) => [msg, lastedSeconds, failures])).toEqual([
    ["jobs could not be claimed", undefined, undefined],
    ["trouble lasts", 60, 61],
    ["trouble lasts", 120, 121],
    ["trouble is over", 130, 130],
  ]);
  expect(lines[0]!.err!.stack).toContain("connection refused");
  expect(lines.slice(1, 3).map(({ err, reason }) => [err, reason])).toEqual([
    [undefined, "connection refused"],
    [undefined, "connection refused"],
  ]);
  trouble.failed(new Error("again"));
  expect(lines.at(-1)!.msg).toBe("jobs could not be claimed");
});
