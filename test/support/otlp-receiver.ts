import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { listen } from "#testing/listen.ts";

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentId: string;
  kind: number;
  values: Record<string, unknown>;
  resource: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  /** 2: error. */
  status: { code: number; message: string };
  events: number;
}

/** A collector: takes OTLP over HTTP as protobuf, from the bytes on the wire. */
export async function startOtlpReceiver(answer: { status?: number; hangs?: boolean } = {}) {
  const requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const listener = await listen((incoming, outgoing) => {
    void buffer(incoming).then((raw) => {
      const body = incoming.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
      requests.push({ path: incoming.url ?? "", headers: incoming.headers, body });
      if (!answer.hangs) outgoing.writeHead(answer.status ?? 200, { "Content-Type": "application/x-protobuf" }).end();
    });
  });
  return { ...listener, requests, spans: () => requests.flatMap(({ body }) => spansIn(body)) };
}

type Field = bigint | Buffer;
type Message = Map<number, Field[]>;

/** The fields of a protobuf message by number (protobuf.dev, Encoding). */
function readMessage(bytes: Buffer): Message {
  const fields: Message = new Map();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const length = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? Number(varint()) : 0;
    const value = wire === 0 ? varint() : bytes.subarray(at, (at += length));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const parts = (message: Message, field: number): Message[] =>
  (message.get(field) ?? []).map((value) => readMessage(value as Buffer));
const text = (message: Message, field: number, encoding: BufferEncoding = "utf8") =>
  ((message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)).toString(encoding);
const number = (message: Message, field: number) => Number(message.get(field)?.[0] ?? 0n);

/** `AnyValue` of OTLP 1.5. */
function valueOf(value: Message): unknown {
  if (value.has(1)) return text(value, 1);
  if (value.has(2)) return number(value, 2) === 1;
  if (value.has(3)) return number(value, 3);
  if (value.has(4)) return (value.get(4)![0] as Buffer).readDoubleLE();
  return parts(value, 5).flatMap((list) => parts(list, 1).map(valueOf));
}

const valuesOf = (message: Message, field: number) =>
  Object.fromEntries(parts(message, field).map((pair) => [text(pair, 1), parts(pair, 2).map(valueOf)[0]] as const));

/** `ExportTraceServiceRequest` of OTLP 1.5. */
function spansIn(body: Buffer): ReceivedSpan[] {
  return parts(readMessage(body), 1).flatMap((ofResource) => {
    const resource = valuesOf(parts(ofResource, 1)[0] ?? new Map<number, Field[]>(), 1);
    return parts(ofResource, 2).flatMap((ofScope) =>
      parts(ofScope, 2).map((span) => ({
        name: text(span, 5),
        traceId: text(span, 1, "hex"),
        spanId: text(span, 2, "hex"),
        parentId: text(span, 4, "hex"),
        kind: number(span, 6),
        values: valuesOf(span, 9),
        resource,
        links: parts(span, 13).map((link) => ({ traceId: text(link, 1, "hex"), spanId: text(link, 2, "hex") })),
        status: {
          code: 0,
          message: "",
          ...parts(span, 15).map((one) => ({ code: number(one, 3), message: text(one, 2) }))[0],
        },
        events: parts(span, 11).length,
      })),
    );
  });
}
