import { SpanKind } from "@opentelemetry/api";
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

it("begins a trace of its own inside another one, with a link to it", async () => {
  await using receiver = await startOtlpReceiver();
  const tracer = createTracer({ logger: silentLogger, version: "0" }, { ...SETTINGS, url: receiver.url, ratio: 1 });
  const outer = createActivity<object>("outer work of a test");
  const inner = createActivity<object>("inner work of a test");
  const parent = { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 0 };
  using _outer = tracer.follow(outer, { begin: () => ({ name: "outer" }), end: () => ({}) });
  using _inner = tracer.follow(inner, { begin: () => ({ name: "inner", isRoot: true, parent }), end: () => ({}) });
  await outer.run({}, () => inner.run({}, () => Promise.resolve()));
  await tracer[Symbol.asyncDispose]();
  const [first, second] = receiver.spans();
  expect([first, second]).toMatchObject([
    { name: "inner", traceId: parent.traceId, parentId: parent.spanId },
    { name: "outer" },
  ]);
  expect(first!.links).toEqual([{ traceId: second!.traceId, spanId: second!.spanId }]);
});

it("samples requests by chance, whatever id the caller gives", async () => {
  await using tracer = createTracer({ logger: silentLogger, version: "0" }, { ...SETTINGS, ratio: 0.5 });
  const requests = createActivity<object>("request of a test");
  // By ratio alone, this id is recorded always.
  const parent = { traceId: "0".repeat(31) + "1", spanId: "2".repeat(16), traceFlags: 1 };
  let recorded = 0;
  using _following = tracer.follow(requests, {
    begin: () => ({ name: "request", kind: SpanKind.SERVER, parent }),
    started: () => void (recorded += 1),
    end: () => ({}),
  });
  for (let count = 0; count < 100; count += 1) await requests.run({}, () => Promise.resolve());
  expect([recorded > 0, recorded < 100]).toEqual([true, true]);
});

it("records a part of work only inside the work", async () => {
  await using receiver = await startOtlpReceiver();
  const tracer = createTracer({ logger: silentLogger, version: "0" }, { ...SETTINGS, url: receiver.url, ratio: 1 });
  const whole = createActivity<object>("whole work of a test");
  const part = createActivity<object>("part of the work of a test");
  using _whole = tracer.follow(whole, { begin: () => ({ name: "whole" }), end: () => ({}) });
  using _part = tracer.follow(part, { begin: () => ({ name: "part", onlyIn: "any" }), end: () => ({}) });
  const work = () => part.run({}, () => Promise.resolve());
  await work();
  await whole.run({}, work);
  await tracer[Symbol.asyncDispose]();
  expect(receiver.spans().map(({ name }) => name)).toEqual(["part", "whole"]);
});
