import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, it } from "vitest";
import { createToldTroubles } from "./told-troubles.ts";

it("logs a failure once per name and reason, with its cause, and its end once", () => {
  const lines: string[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    const { project, reason, msg, err } = JSON.parse(chunk.toString()) as Record<string, never>;
    lines.push([project, reason ?? "", msg, (err as { stack?: string } | undefined)?.stack ?? ""].join("|"));
    done();
  };
  const troubles = createToldTroubles(pino(new Writable({ write })), { label: "project", message: "not followed" });
  const error = new Error("It does not answer.", { cause: new Error("certificate expired") });
  for (let look = 0; look < 3; look++) troubles.failed("one", "away", error);
  troubles.failed("two", "away", error);
  troubles.failed("one", "refused", error);
  for (let look = 0; look < 3; look++) troubles.worked("one");
  expect(lines).toEqual([
    expect.stringMatching(/^one\|away\|not followed\|[^]*caused by: Error: certificate expired/),
    expect.stringMatching(/^two\|away\|not followed\|/),
    expect.stringMatching(/^one\|refused\|not followed\|/),
    "one||trouble is over|",
  ]);
});
