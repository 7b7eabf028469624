import { z } from "zod";
import type { Surface } from "#features/visitors/facts.ts";
import { plainAddress } from "#features/visitors/client-address.ts";
import { acceptPreference, pagePath, referrerHost, type ViewRecord } from "#features/visitors/view-record.ts";
import { createReadStream, type ReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";

/** One request of an access log. */
export interface LoggedRequest {
  time: number;
  address: string;
  method: string;
  target: string;
  status: number;
  userAgent: string;
  referrer: string | null;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
// Common and combined log format; a virtual host may precede the line, more fields may follow.
const COMBINED =
  /^(?:\S+ )?(\S+) \S+ (?:\S+|"[^"]*") \[(\d{2})\/(\w{3})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})\] "([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?" (\d{3}) (?:\d+|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?/;

/** Parses a line of an access log in combined, common or JSON format; null when it is in none of them. */
export function parseLogLine(line: string): LoggedRequest | null {
  const text = line.replace(/^\uFEFF/, ""); // in the file's first line, as editors on Windows write it
  return text.startsWith("{") ? parseJsonLine(text) : parseCombinedLine(text);
}

function parseCombinedLine(line: string): LoggedRequest | null {
  const match = COMBINED.exec(line);
  if (!match) return null;
  const [, host = "", date, month = "", year, hour, minute, second, sign, offsetHours, offsetMinutes] = match;
  const [method = "", target = "", status, referrer = "-", userAgent = "-"] = match.slice(11);
  const address = plainAddress(host);
  const monthIndex = MONTHS.indexOf(month);
  if (address === null || monthIndex < 0) return null;
  const parts = [Number(year), monthIndex, Number(date), Number(hour), Number(minute), Number(second)] as const;
  const local = Date.UTC(...parts);
  if (!isCalendarTime(local, parts) || Number(offsetHours) > 14 || Number(offsetMinutes) > 59) return null;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -60_000 : 60_000);
  const unescaped = (text: string) => (text === "-" ? "" : text.replaceAll(/\\(["\\])/g, "$1"));
  return {
    time: local - offset,
    address,
    method,
    target,
    status: Number(status),
    userAgent: unescaped(userAgent),
    referrer: unescaped(referrer) || null,
  };
}

/** `Date.UTC` turns 31 February into 3 March. A leap second counts as the next second. */
function isCalendarTime(local: number, [year, month, date, hour, minute, second]: CalendarTime): boolean {
  const found = new Date(second === 60 ? local - 1_000 : local);
  const isDay = found.getUTCFullYear() === year && found.getUTCMonth() === month && found.getUTCDate() === date;
  return isDay && hour < 24 && minute < 60 && second <= 60;
}

type CalendarTime = readonly [number, number, number, number, number, number];

// Names for the same field in Caddy, nginx (as commonly configured), Traefik and Cloudflare Logpush.
const FIELDS = {
  address: [
    "request.client_ip",
    "request.remote_ip",
    "request.remote_addr",
    "remote_addr",
    "ClientHost",
    "ClientIP",
    "clientip",
    "ip",
  ],
  method: ["request.method", "request_method", "RequestMethod", "ClientRequestMethod", "method"],
  target: ["request.uri", "request_uri", "RequestPath", "ClientRequestURI", "uri", "url", "path"],
  status: ["status", "DownstreamStatus", "EdgeResponseStatus"],
  userAgent: [
    "request.headers.User-Agent",
    "http_user_agent",
    "request_User-Agent",
    "ClientRequestUserAgent",
    "user_agent",
    "userAgent",
  ],
  referrer: [
    "request.headers.Referer",
    "http_referer",
    "request_Referer",
    "ClientRequestReferer",
    "referer",
    "referrer",
  ],
  time: ["ts", "time_iso8601", "StartUTC", "EdgeStartTimestamp", "time", "timestamp", "msec", "@timestamp"],
} as const;

const JsonLine = z.record(z.string(), z.unknown());

function parseJsonLine(line: string): LoggedRequest | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return null;
  }
  const object = JsonLine.safeParse(parsed).data;
  if (!object) return null;
  const read = (name: keyof typeof FIELDS): string => {
    for (const field of FIELDS[name]) {
      const value = valueAt(object, field);
      if (value !== null) return value;
    }
    return "";
  };
  const address = plainAddress(read("address"));
  const time = parseTime(read("time"));
  const status = Number(read("status"));
  const target = read("target");
  if (address === null || time === null || !Number.isInteger(status) || status < 100 || target === "") return null;
  return {
    time,
    address,
    method: read("method") || "GET",
    target,
    status,
    userAgent: read("userAgent"),
    referrer: read("referrer") || null,
  };
}

function valueAt(object: Record<string, unknown>, field: string): string | null {
  let value: unknown = object[field];
  if (value === undefined && field.includes(".")) {
    value = object;
    for (const part of field.split(".")) {
      value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[part] : undefined;
    }
  }
  if (Array.isArray(value)) value = value[0]; // Caddy: headers are lists
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, or a date-time. */
function parseTime(text: string): number | null {
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    let value = Number(text);
    while (value >= 1e14) value /= 1_000;
    return Math.round(value >= 1e11 ? value : value * 1_000);
  }
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  const day = Date.UTC(Number(year), Number(month) - 1, Number(date));
  if (date !== undefined && new Date(day).getUTCDate() !== Number(date)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

const ASSET = /\.(?!mdx?$|markdown$|html?$|txt$)[a-z0-9]{1,8}$/i;

/**
 * The view for a logged request. Null for other methods, redirects, errors and assets, which are not views. A log
 * cannot confirm a view, so a page that was served to a browser is believed.
 */
export function viewOfRequest(logged: LoggedRequest): Omit<ViewRecord, "project" | "event"> | null {
  const { status, target } = logged;
  if (logged.method !== "GET" || (status !== 200 && status !== 304)) return null;
  const raw = target.startsWith("http") ? (URL.parse(target)?.pathname ?? "") : target.replace(/[?#].*/s, "");
  const path = pagePath(raw);
  if (path === null || ASSET.test(raw)) return null;
  const surface = surfaceOf(raw);
  if (surface === null) return null;
  return {
    time: logged.time,
    source: "reported",
    path: surface === "llms" ? raw : path,
    surface,
    found: true,
    address: logged.address,
    userAgent: logged.userAgent.slice(0, 512),
    preference: acceptPreference(null),
    referrer: referrerHost(logged.referrer),
    isPrivate: false,
    cookie: null,
    signatureAgent: null,
    isPrefetch: false,
  };
}

function surfaceOf(path: string): Surface | null {
  if (/\/(?:llms|llms-full)\.txt$/.test(path)) return "llms";
  if (path.endsWith(".txt")) return null;
  return /\.(?:mdx?|markdown)$/i.test(path) ? "markdown" : "html";
}

const MAX_LINE_BYTES = 64 * 1024;

interface LogLine {
  /** null for a line over 64 KiB. */
  text: string | null;
  /** Offset of the next line, in uncompressed bytes. */
  end: number;
}

/** The lines of a file, gzip or not, from its start. `onBytes` receives how much of the file itself was read so far. */
export async function* readLogLines(file: string, onBytes: (bytes: number) => void): AsyncGenerator<LogLine> {
  const isGzip = await startsWithGzip(file);
  const raw = createReadStream(file);
  try {
    yield* splitLines(isGzip ? unzipped(raw) : raw, () => onBytes(raw.bytesRead));
  } finally {
    raw.destroy();
  }
}

function unzipped(raw: ReadStream): AsyncIterable<Buffer> {
  const gunzip = createGunzip();
  raw.on("error", (error) => gunzip.destroy(error)); // `pipe` does not forward errors
  return raw.pipe(gunzip);
}

async function* splitLines(stream: AsyncIterable<Buffer>, onChunk: () => void): AsyncGenerator<LogLine> {
  let pending: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  let offset = 0;
  for await (const chunk of stream) {
    onChunk();
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const bytes = Buffer.concat([pending, chunk.subarray(from, at)]);
      offset += at - from + 1;
      yield { text: isTooLong || bytes.length > MAX_LINE_BYTES ? null : lineText(bytes), end: offset };
      pending = Buffer.alloc(0);
      isTooLong = false;
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    offset += rest.length;
    if (pending.length + rest.length > MAX_LINE_BYTES) {
      isTooLong = true;
      pending = Buffer.alloc(0);
    } else pending = Buffer.concat([pending, rest]);
  }
  if (pending.length > 0 || isTooLong) yield { text: isTooLong ? null : lineText(pending), end: offset };
}

const lineText = (bytes: Buffer) => bytes.toString("utf8").replace(/\r$/, "");

async function startsWithGzip(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
