import { expect, it } from "vitest";
import { createActivity } from "#lib/activity.ts";
import { AppError } from "#lib/app-error.ts";
import { silentLogger } from "#lib/logger.ts";
import { startOtlpReceiver } from "#test/support/otlp-receiver.ts";
import { createTracer } from "./tracer.ts";

const SETTINGS = { url: "http://127.0.0.1:9/", headers: {}, timeoutMs: 100, compression: "none" as const, resource: {}, delayMs: 100, queueSize: 10 }; // oxfmt-ignore

it.each([0, 1])(
  "describes the end of each piece of work at a ratio of %i, so that nothing is kept for it",
  async (ratio) => {
    await using tracer = createTracer({ logger: silentLogger, version: "0" }, { ...SETTINGS, ratio });
    const activity = createActivity<{ name: string }>(`test at ${ratio}`);
    const ended: string[] = [];
    using _following = tracer.follow(activity, {
      begin: ({ name }) => ({ name }),
      end: ({ name }) => (ended.push(name), {}),
    });
    await activity.run({ name: "one" }, () => Promise.resolve());
    expect(ended).toEqual(["one"]);
  },
);

it("says of an error what kind it is, and not what it says", async () => {
  await using receiver = await startOtlpReceiver();
  const tracer = createTracer({ logger: silentLogger, version: "0" }, { ...SETTINGS, url: receiver.url, ratio: 1 });
  const activity = createActivity<{ error: Error }>("failing work of a test");
  using _following = tracer.follow(activity, { begin: () => ({ name: "work" }), end: () => ({}) });
  const errors = [
    new AppError("conflict", "canary"),
    new RangeError("canary"),
    Object.assign(new Error("canary"), { code: "ENOENT" }),
    Object.assign(new Error("canary"), { code: "canary" }),
  ];
  for (const error of errors) await expect(activity.run({ error }, () => Promise.reject(error))).rejects.toBe(error);
  await tracer[Symbol.asyncDispose]();
  expect(receiver.spans().map(({ values, status }) => [values["error.type"], status.code])).toEqual([
    ["conflict", 2],
    ["RangeError", 2],
    ["ENOENT", 2],
    ["Error", 2],
  ]);
  expect(receiver.requests.map(({ body }) => body.toString("latin1")).join("")).not.toContain("canary");
});
