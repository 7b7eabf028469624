import { ExportResultCode } from "@opentelemetry/core";
import { BatchSpanProcessor, type SpanProcessor } from "@opentelemetry/sdk-trace";
import { errorText } from "#lib/app-error.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import type { SpanSender } from "./span-sender.ts";
import { droppedSpans } from "./dropped-spans.ts";

/**
 * Sends ended spans in batches, in the background. At most `queueSize` spans wait, those on their way included. More are
 * dropped, as are those of a batch that the collector did not take: both are counted and logged.
 */
export function createSpanQueue(
  { collector, logger }: { collector: SpanSender; logger: Logger },
  { queueSize, delayMs }: { queueSize: number; delayMs: number },
): SpanProcessor {
  const trouble = createLastingTrouble(logger, "traces do not reach the collector, and spans are dropped");
  let waiting = 0;
  const drop = (count: number, reason: string) => {
    droppedSpans.publish({ count });
    trouble.failed(new Error(reason));
  };
  const batches = new BatchSpanProcessor({
    maxQueueSize: queueSize,
    maxExportBatchSize: Math.min(512, queueSize),
    scheduledDelayMillis: delayMs,
    exporter: {
      export(spans, done) {
        collector.export(spans, (result) => {
          waiting -= spans.length;
          if (result.code === ExportResultCode.SUCCESS) trouble.worked();
          else drop(spans.length, errorText(result.error));
          done(result);
        });
      },
      shutdown: () => collector.shutdown(),
    },
  });
  return {
    onStart: () => undefined,
    onEnd(span) {
      if (waiting >= queueSize) return drop(1, `${queueSize} spans are waiting already`);
      waiting++;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    async shutdown() {
      collector.stop();
      await batches.shutdown().catch(() => undefined); // batches that failed are counted
    },
  };
}
