import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { schemaProblems } from "#lib/schema-words.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { trimEndOf } from "#lib/trim.ts";

/** Where traces go and which are sent. */
export interface TraceSettings {
  /** Receives OTLP over HTTP. */
  url: string;
  headers: Record<string, Secret>;
  timeoutMs: number;
  compression: "none" | "gzip";
  /** The part of all traces that is sent, from 0 to 1. */
  ratio: number;
  /** Describes this process in each trace. */
  resource: Record<string, string>;
  /** Maximum time that an ended span waits for others before it is sent. */
  delayMs: number;
  /** Spans that wait in memory, those on their way included. More are dropped. */
  queueSize: number;
}

const SAMPLERS = ["always_on", "always_off", "traceidratio"].flatMap((name) => [name, `parentbased_${name}`]);

const protocol = () =>
  z.literal("http/protobuf", "must be http/protobuf, which collectors accept on port 4318").optional();
const url = () =>
  z.url({ protocol: /^https?$/ }).refine((text) => !/^\w+:\/\/[^/]*@/.test(text), "must not contain a user name or a password; set OTEL_EXPORTER_OTLP_HEADERS").optional(); // oxfmt-ignore
const wholeNumber = () => z.coerce.number().int().min(1).optional();
/** `key=value,other=value`, values with percent-encoding. */
const pairs = () =>
  z.string().optional().transform((text, problems): Record<string, string> => {
    const read: Record<string, string> = {};
    for (const pair of (text ?? "").split(",").map((one) => one.trim()).filter(Boolean)) {
      const [key = "", ...rest] = pair.split("=");
      if (!/^\S+$/.test(key.trim()) || rest.length === 0) problems.addIssue("must be a list such as key=value,other=value");
      else read[key.trim()] = decoded(rest.join("=").trim());
    }
    return read;
  }); // oxfmt-ignore

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

// As the specification of OpenTelemetry (1.50) describes them. `_TRACES_` variables take precedence.
const TraceVariables = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: url(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs(),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs(),
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber(),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: wholeNumber(),
  OTEL_EXPORTER_OTLP_COMPRESSION: z.enum(["none", "gzip"]).optional(),
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: z.enum(["none", "gzip"]).optional(),
  OTEL_TRACES_EXPORTER: z.enum(["otlp"], "must be otlp, or none to send no traces").optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs(),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumber(),
});

/**
 * Reads OpenTelemetry's standard variables; null: no traces. An error is returned, not thrown, and concerns servers
 * only: the variables may be in a shell for other programs, and commands send no traces.
 */
export function readTraceSettings(environment: NodeJS.ProcessEnv): TraceSettings | AppError | null {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const isOff = given["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || given["OTEL_TRACES_EXPORTER"] === "none";
  const hasEndpoint = "OTEL_EXPORTER_OTLP_ENDPOINT" in given || "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" in given;
  if (isOff || !hasEndpoint) return null;
  const { data: values, error } = TraceVariables.safeParse(given);
  if (error) {
    const details = schemaProblems(error.issues);
    const list = details.map(({ path, message }) => `${path}: ${message}`).join("; ");
    return new AppError("invalid", `The configuration of traces is not valid. ${list}`, { details });
  }
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base = "", OTEL_RESOURCE_ATTRIBUTES: resource } = values;
  const headers = { ...values.OTEL_EXPORTER_OTLP_HEADERS, ...values.OTEL_EXPORTER_OTLP_TRACES_HEADERS };
  if (!areHeaders(headers)) {
    return new AppError("invalid", "OTEL_EXPORTER_OTLP_HEADERS: a name or value cannot be sent as a header.");
  }
  const sampler = values.OTEL_TRACES_SAMPLER.replace("parentbased_", "");
  return {
    url: values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? `${trimEndOf(base, "/")}/v1/traces`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, new Secret(value)])),
    timeoutMs: values.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? values.OTEL_EXPORTER_OTLP_TIMEOUT ?? 10_000,
    compression: values.OTEL_EXPORTER_OTLP_TRACES_COMPRESSION ?? values.OTEL_EXPORTER_OTLP_COMPRESSION ?? "none",
    ratio: sampler === "always_on" ? 1 : sampler === "always_off" ? 0 : values.OTEL_TRACES_SAMPLER_ARG,
    resource: { "service.name": "docent", ...resource, ...nameOf(values.OTEL_SERVICE_NAME) },
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY ?? 5_000,
    queueSize: values.OTEL_BSP_MAX_QUEUE_SIZE ?? 2_048,
  };
}

function areHeaders(headers: Record<string, string>): boolean {
  try {
    void new Headers(headers);
    return true;
  } catch {
    return false; // its message has the value
  }
}

const nameOf = (name: string | undefined) => (name === undefined ? {} : { "service.name": name });
