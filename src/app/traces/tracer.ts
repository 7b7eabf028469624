import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import {
  type Attributes,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Tracer as SdkTracer,
} from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  type IdGenerator,
  ParentBasedSampler,
  SamplingDecision,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TraceSettings } from "#app/instance/trace-settings.ts";
import type { Activity } from "#lib/activity.ts";
import { AppError } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";
import { createSpanSender } from "./span-sender.ts";
import { createSpanQueue } from "./span-queue.ts";

type Values = Record<string, string | number | boolean | readonly string[] | null | undefined>;

interface Beginning {
  name: string;
  kind?: SpanKind;
  values?: Values;
  /** Where it belongs if there is no current span. Its flags decide nothing. */
  parent?: SpanContext | undefined;
  /** A trace of its own, with a link to the current span. */
  isRoot?: boolean;
  /** Recorded only in a span of such a kind; `any`: only with a current span. */
  onlyIn?: SpanKind | "any";
}

interface Ending {
  name?: string;
  values?: Values;
  /** The code of an error that was not thrown. Never a message, which can quote contents. */
  errorType?: string | null | undefined;
}

/** Records spans of activities. */
export interface Tracer extends AsyncDisposable {
  /** `begin` may look at the span, and returns what is known at the beginning. */
  follow<Fact extends object>(
    activity: Activity<Fact>,
    describe: { begin(fact: Fact): Beginning; started?(fact: Fact, traceId: string): void; end(fact: Fact): Ending },
  ): Disposable;
  /** Records a span that begins and ends now, with given ids and a link from and to the current span. */
  mark(ids: { traceId: string; spanId: string }, beginning: Pick<Beginning, "name" | "kind" | "values">): void;
}

/** The span that what runs now belongs to. */
interface Current {
  span: Span;
  kind: SpanKind;
  /** Whether the activity that began it recorded it. */
  isOwn: boolean;
}

/** Sends spans to an OpenTelemetry collector. Nothing of it is global: two servers in a process have one each. */
export function createTracer(
  { logger, version }: { logger: Logger; version: string },
  settings: TraceSettings,
): Tracer {
  const current = new AsyncLocalStorage<Current | undefined>();
  const ids = createIds();
  // By ratio, all nodes decide alike on a trace of ours. A caller decides neither by its flag nor by its id: readers and
  // bots are callers, too.
  const root = new TraceIdRatioBasedSampler(settings.ratio);
  const sampler = new ParentBasedSampler({ root });
  const isSampled = ({ traceId }: SpanContext, kind: SpanKind) =>
    kind === SpanKind.SERVER
      ? Math.random() < settings.ratio
      : root.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  const provider = new TracerProvider({
    sampler,
    idGenerator: ids,
    resource: resourceFromAttributes({
      "service.version": version,
      "service.instance.id": randomUUID(),
      ...settings.resource,
    }),
    spanProcessors: [createSpanQueue({ collector: createSpanSender(settings), logger }, settings)],
  });
  const tracer: SdkTracer = provider.getTracer("docent", version);

  return {
    follow(activity, describe) {
      return activity.follow(current, {
        begin(fact) {
          const beginning = describe.begin(fact);
          const { name, kind = SpanKind.INTERNAL, values = {}, parent, isRoot, onlyIn } = beginning;
          const around = current.getStore();
          if (onlyIn !== undefined && !(around && [around.kind, "any"].includes(onlyIn))) {
            return around && { ...around, isOwn: false };
          }
          const links = isRoot ? linksTo(around?.span) : [];
          const span = tracer.startSpan(
            name,
            { kind, attributes: defined(values), links },
            contextOf(
              isRoot ? undefined : around?.span,
              parent && { ...parent, traceFlags: isSampled(parent, kind) ? TraceFlags.SAMPLED : TraceFlags.NONE },
            ),
          );
          if (span.isRecording()) describe.started?.(fact, span.spanContext().traceId);
          return { span, kind, isOwn: true };
        },
        end(mark, fact, error) {
          if (!mark?.isOwn) return;
          const { span } = mark;
          // Also if the span is not recorded: a description may hold what it knows until the end.
          const { name, values = {}, errorType = null } = describe.end(fact);
          if (!span.isRecording()) return;
          if (name !== undefined) span.updateName(name);
          span.setAttributes(defined(values));
          const type = errorType ?? (error === null ? null : typeOf(error));
          if (type !== null) span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      });
    },
    mark(given, { name, kind = SpanKind.INTERNAL, values = {} }) {
      const around = current.getStore()?.span;
      const span = ids.use(given, () =>
        tracer.startSpan(name, { kind, attributes: defined(values), links: linksTo(around) }, ROOT_CONTEXT),
      );
      if (span.isRecording()) around?.addLink({ context: span.spanContext() });
      span.end();
    },
    [Symbol.asyncDispose]: () => provider.shutdown(),
  };
}

const linksTo = (span: Span | undefined): Link[] => (span?.isRecording() ? [{ context: span.spanContext() }] : []);

function contextOf(span: Span | undefined, parent: SpanContext | undefined): Context {
  if (span) return trace.setSpan(ROOT_CONTEXT, span);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

function defined(values: Values): Attributes {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as Attributes;
}

/** What kind of error it is, in words of our code and of Node. */
function typeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^E[A-Z0-9_]{2,40}$/.test(code) ? code : error.constructor.name;
}

/** Random ids, except for spans whose ids are given. */
function createIds(): IdGenerator & { use<T>(ids: { traceId: string; spanId: string }, start: () => T): T } {
  const random = new RandomIdGenerator();
  let given: { traceId: string; spanId: string } | null = null;
  return {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    use(ids, start) {
      given = ids;
      try {
        return start();
      } finally {
        given = null;
      }
    },
  };
}
