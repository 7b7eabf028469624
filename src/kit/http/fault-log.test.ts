import { pino } from "pino";
import { expect, it } from "vitest";
import { AppError } from "#lib/app-error.ts";
import { createFaultLog } from "./fault-log.ts";

interface Line {
  msg: string;
  trouble?: string;
  path?: string;
  err?: { stack: string };
}

it("logs a full disk and an unreachable database as one state each, over when the server is ready again; other errors keep their stack", async () => {
  const lines: Line[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Line) });
  const time = { ms: 0 };
  let reasons = ["The disk of the data directory is full."];
  const faults = createFaultLog(logger, { reasonsNotReady: async () => reasons, monotonicMs: () => time.ms });
  const fail = (error: unknown) => faults.failed(error, { logger, message: "request failed", fields: { path: "/a" } });
  const answerLater = async () => {
    time.ms += 10_000;
    faults.answered();
    await new Promise(setImmediate);
  };
  const full = Object.assign(new Error("write"), { code: "ENOSPC" });
  const away = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  for (let calls = 0; calls < 20; calls++) {
    fail(full);
    fail(new AppError("unavailable", "The server could not store this.", { cause: full }));
    fail(away);
    faults.answered();
  }
  for (let calls = 0; calls < 2; calls++) fail(new Error("a mistake of ours"));
  expect(lines.map(({ msg, path, err }) => [msg, path, err !== undefined])).toEqual([
    ["requests fail: the disk is full", undefined, true],
    ["requests fail: the database is out of reach", undefined, true],
    ["request failed", "/a", true],
    ["request failed", "/a", true],
  ]);
  await answerLater();
  expect(lines).toHaveLength(4); // not ready
  reasons = [];
  faults.answered(); // checked a moment ago
  await new Promise(setImmediate);
  expect(lines).toHaveLength(4);
  await answerLater();
  await answerLater();
  expect(lines.slice(4).map(({ msg, trouble }) => [msg, trouble])).toEqual([
    ["trouble is over", "requests fail: the disk is full"],
    ["trouble is over", "requests fail: the database is out of reach"],
  ]);
});
