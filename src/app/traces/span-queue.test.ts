import { ExportResultCode } from "@opentelemetry/core";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { droppedSpans } from "./dropped-spans.ts";
import { createSpanQueue } from "./span-queue.ts";

it("drops spans beyond those that may wait, and counts them", async () => {
  const collector = { export: () => undefined, stop: () => undefined, shutdown: () => Promise.resolve() };
  let dropped = 0;
  using _dropped = droppedSpans.subscribe(({ count }) => (dropped += count));
  const queue = createSpanQueue({ collector, logger: silentLogger }, { queueSize: 2, delayMs: 60_000 });
  const tracer = new TracerProvider({ spanProcessors: [queue] }).getTracer("test");
  for (let count = 0; count < 5; count += 1) tracer.startSpan("work").end();
  expect(dropped).toBe(3);
});

it.each([
  ["took", ExportResultCode.SUCCESS, 0],
  ["refused", ExportResultCode.FAILED, 6],
])("spans that the collector %s make room for others", async (_, code, expected) => {
  const sent: string[] = [];
  const collector = {
    export(spans: readonly { name: string }[], done: (result: { code: ExportResultCode }) => void) {
      sent.push(...spans.map(({ name }) => name));
      done({ code });
    },
    stop: () => undefined,
    shutdown: () => Promise.resolve(),
  };
  let dropped = 0;
  using _dropped = droppedSpans.subscribe(({ count }) => (dropped += count));
  const queue = createSpanQueue({ collector, logger: silentLogger }, { queueSize: 2, delayMs: 60_000 });
  const tracer = new TracerProvider({ spanProcessors: [queue] }).getTracer("test");
  const names = ["a", "b", "c", "d", "e", "f"];
  for (const name of names) {
    tracer.startSpan(name).end();
    await queue.forceFlush().catch(() => undefined); // rejects if the collector refuses
  }
  await queue.shutdown();
  expect([sent, dropped]).toEqual([names, expected]);
});
