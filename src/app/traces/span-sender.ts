import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { TraceSettings } from "#app/instance/trace-settings.ts";
import { errorText } from "#lib/app-error.ts";

const compress = promisify(gzip);
/** Statuses after which a batch is sent again (OTLP 1.5). */
const BRIEF = new Set([429, 502, 503, 504]);
const FIRST_PAUSE_MS = 1_000;
/** The time that stopping may take: the collector may hang, and supervisors wait for the whole server. */
const STOP_MS = 2_000;

/** Why a batch was not taken, without the collector's own words. */
class NotTaken extends Error {
  readonly isBrief: boolean;

  constructor(message: string, isBrief: boolean) {
    super(message);
    this.isBrief = isBrief;
  }
}

export interface SpanSender extends SpanExporter {
  /** Called before the last batches are exported. */
  stop(): void;
}

/**
 * Sends spans to a collector by OTLP over HTTP. The SDK's own exporter keeps the process alive while it repeats a request,
 * for up to its timeout. This one repeats nothing once it stops, and ends a last request after 2 seconds.
 */
export function createSpanSender(settings: TraceSettings): SpanSender {
  const closing = new AbortController();
  const closed = new AbortController();

  async function post(body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<void> {
    const headers = new Headers({ "Content-Type": "application/x-protobuf" });
    for (const [name, value] of Object.entries(settings.headers)) headers.set(name, value.reveal());
    if (settings.compression === "gzip") headers.set("Content-Encoding", "gzip");
    const answer = await fetch(settings.url, { method: "POST", headers, body, signal, redirect: "manual" }).catch(
      (error: unknown) => {
        const { cause = error } = error as { cause?: unknown };
        throw new NotTaken(signal.aborted ? "no answer in time" : errorText(cause), true);
      },
    );
    await answer.body?.cancel();
    if (!answer.ok) throw new NotTaken(`the collector answered ${answer.status}`, BRIEF.has(answer.status));
  }

  async function send(plain: Uint8Array<ArrayBuffer>): Promise<void> {
    const body = settings.compression === "gzip" ? await compress(plain) : plain;
    const deadline = AbortSignal.timeout(settings.timeoutMs);
    const signal = AbortSignal.any([deadline, closed.signal]);
    const waiting = AbortSignal.any([deadline, closing.signal]);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      try {
        return await post(body, signal);
      } catch (error) {
        if (!(error instanceof NotTaken) || !error.isBrief) throw error;
        const isOver = await sleep(pauseMs, false, { signal: waiting, ref: false }).catch(() => true);
        if (isOver) throw error;
      }
    }
  }

  return {
    export(spans, done) {
      const bytes = ProtobufTraceSerializer.serializeRequest(spans);
      const result = async (): Promise<ExportResult> => {
        try {
          await send(new Uint8Array(bytes ?? []));
          return { code: ExportResultCode.SUCCESS };
        } catch (error) {
          return { code: ExportResultCode.FAILED, error: error as Error };
        }
      };
      void (async () => done(await result()))();
    },
    stop() {
      closing.abort();
      setTimeout(() => closed.abort(), STOP_MS).unref();
    },
    async shutdown() {
      closing.abort();
      closed.abort();
    },
  };
}
