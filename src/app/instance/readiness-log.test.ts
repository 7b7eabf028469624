import { pino } from "pino";
import { expect, it } from "vitest";
import { loggingChanges } from "./readiness-log.ts";

it("reasons why the server is not ready are logged once per change, with what to do", async () => {
  const lines: object[] = [];
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line) => void lines.push(JSON.parse(line) as object) },
  );
  const full = "The disk of the data directory is full.";
  const unreachable = "The database is out of reach.";
  const answers = [[], [full], [full], [full, unreachable], [], []];
  const ask = loggingChanges(() => Promise.resolve(answers.shift()!), logger);
  while (answers.length > 0) await ask();
  expect(lines).toMatchObject([
    { level: 50, reasons: [full], advice: [expect.stringContaining("Free at least 32 MB") as unknown] },
    { level: 50, reasons: [full, unreachable], advice: { length: 2 } },
    { level: 30, msg: "the server is ready again" },
  ]);
});
