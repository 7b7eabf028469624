import { randomBytes } from "node:crypto";
import { userAgents } from "#testing/views.ts";
import { type Connection, openConnection, pageRequest } from "./keep-alive.ts";
import { timing } from "./measure.ts";

// A process that sends what `page-serving.ts` tells it to, so that what sending costs is no part of the server's time.
// One process sends pages and views alike and never sleeps: to wake one would cost the server's thread as much as the
// request did, which readers on other machines do not cost it.

export interface LoadTask {
  /** Beside as many pages as are answered: nothing, views, or the same requests of which none is a view. */
  kind: "pages" | "views" | "requests";
  port: number;
  host: string;
  paths: string[];
  seconds: number;
  connections: number;
  /** Views or requests, by all connections. */
  perSecond: number;
}

export interface LoadResult {
  pages: Answers;
  beside: Answers;
  seconds: number;
}

export interface Answers {
  /** Answered as was expected: 200 for pages, 204 for confirmations. */
  expected: number;
  /** Answered in another way. */
  others: number;
  medianMs: number;
  p99Ms: number;
}

/** Share of AI readers among the views: their views are the deliveries of Markdown, people's the script's messages. */
const AI_SHARE = 0.2;
const ADDRESSES = 200_000;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

/** A view by somebody among 200,000: the address stands where a proxy writes it. */
function viewRequest({ host, paths, kind }: LoadTask): Sent {
  const address = 0x0a000000 + Math.floor(Math.random() * ADDRESSES);
  const from = `X-Forwarded-For: ${[24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join(".")}\r\n`;
  const path = pick(paths);
  const isCounted = kind === "views";
  if (Math.random() < AI_SHARE) {
    const method = isCounted ? "GET" : "HEAD"; // only a GET is a view
    const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Claude-User/1.0\r\nAccept: text/markdown\r\n`;
    return { bytes: Buffer.from(`${head}${from}\r\n`), isHead: !isCounted, expected: 200 };
  }
  const id = randomBytes(16).toString("base64");
  const field = isCounted ? "path" : "page"; // without a path it is no message
  const message = String(new URLSearchParams({ [field]: path, referrer: "", id, storage: "true" }));
  const head =
    `POST /_docent/view?${message} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${userAgents.chrome}\r\n` +
    "Sec-Fetch-Site: same-origin\r\nContent-Length: 0\r\n";
  return { bytes: Buffer.from(`${head}${from}\r\n`), isHead: false, expected: isCounted ? 204 : 400 };
}

interface Sent {
  bytes: Buffer;
  isHead: boolean;
  /** The status that it should be answered with. */
  expected: number;
}

interface Tally {
  times: number[];
  others: number;
}

async function carryOut(task: LoadTask): Promise<LoadResult> {
  const connections = await Promise.all(Array.from({ length: task.connections }, () => openConnection(task.port)));
  const requests = task.paths.map((path): Sent => {
    return { bytes: pageRequest(task.host, path), isHead: false, expected: 200 };
  });
  // Made before: a sender that is busy making them sends fewer pages, and the server would seem to have lost those.
  const besides = Array.from({ length: task.kind === "pages" ? 0 : task.perSecond * task.seconds }, () =>
    viewRequest(task),
  );
  const pages: Tally = { times: [], others: 0 };
  const beside: Tally = { times: [], others: 0 };
  const started = performance.now();
  const until = started + task.seconds * 1_000;
  const perMs = task.perSecond / 1_000;
  let sent = 0;
  // As a browser does: what is sent beside goes over a connection that pages came over.
  const load = async (connection: Connection) => {
    for (let now = started; now < until; now = performance.now()) {
      const isDue = sent < (now - started) * perMs;
      const next = isDue ? besides[sent] : undefined;
      if (next !== undefined) sent++;
      const { bytes, isHead, expected } = next ?? pick(requests);
      const status = await connection.send(bytes, isHead);
      const tally = next === undefined ? pages : beside;
      if (status !== expected) tally.others++;
      tally.times.push(performance.now() - now);
    }
  };
  await Promise.all(connections.map(load));
  const seconds = (performance.now() - started) / 1_000;
  for (const connection of connections) connection[Symbol.dispose]();
  return { pages: answersOf(pages), beside: answersOf(beside), seconds };
}

function answersOf({ times, others }: Tally): Answers {
  const p99Ms = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return { expected: times.length - others, others, medianMs: timing(times).medianMs, p99Ms };
}

process.on("message", (task: LoadTask) => {
  let isSending = true;
  const stayAwake = () => void (isSending && setImmediate(stayAwake));
  stayAwake();
  void carryOut(task).then((result) => {
    isSending = false;
    process.send?.(result);
  });
});
