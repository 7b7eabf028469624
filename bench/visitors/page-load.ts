import { randomBytes } from "node:crypto";
import { userAgents } from "#testing/views.ts";
import { type Connection, openConnection, pageRequest } from "./keep-alive.ts";
import { timing } from "./measure.ts";

// A process that sends what `page-serving.ts` tells it to, so that what sending costs is no part of the server's time.
// It sends pages and views alike: to wake a second process that slept would cost the server's thread as much as the
// request, which no reader elsewhere costs it.

export interface LoadTask {
  /** `pages`: as many as are answered. `views`: so many a second. `requests`: the same requests, but none is a view. */
  kind: "pages" | "views" | "requests";
  port: number;
  host: string;
  paths: string[];
  seconds: number;
  connections: number;
  perSecond: number;
}

export interface LoadResult {
  /** Answered as was expected: 200 for pages, 204 for confirmations. */
  answered: number;
  /** Answered in another way. */
  refused: number;
  seconds: number;
  medianMs: number;
  p99Ms: number;
}

/** Share of AI readers among the views: their views are the deliveries of Markdown, people's the script's messages. */
const AI_SHARE = 0.2;
const TICK_MS = 4;
const ADDRESSES = 200_000;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

/** A view by somebody among 200,000: the address stands where a proxy writes it. */
function viewRequest({ host, paths, kind }: LoadTask): { bytes: Buffer; isHead: boolean; expected: number } {
  const address = 0x0a000000 + Math.floor(Math.random() * ADDRESSES);
  const from = `X-Forwarded-For: ${[24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join(".")}\r\n`;
  const path = pick(paths);
  const isCounted = kind === "views";
  if (Math.random() < AI_SHARE) {
    const method = isCounted ? "GET" : "HEAD"; // only a GET is a view
    const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Claude-User/1.0\r\nAccept: text/markdown\r\n`;
    return { bytes: Buffer.from(`${head}${from}\r\n`), isHead: !isCounted, expected: 200 };
  }
  const message = JSON.stringify({ path, referrer: "", id: randomBytes(16).toString("hex"), storage: true });
  const body = isCounted ? message : `${message.slice(0, -1)} `; // without its end it is no message
  const head =
    `POST /_docent/view HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${userAgents.chrome}\r\nSec-Fetch-Site: same-origin\r\n` +
    `Content-Type: text/plain;charset=UTF-8\r\nContent-Length: ${body.length}\r\n`;
  return { bytes: Buffer.from(`${head}${from}\r\n${body}`), isHead: false, expected: isCounted ? 204 : 400 };
}

async function loadPages(task: LoadTask, connections: Connection[], times: number[]) {
  const requests = task.paths.map((path) => pageRequest(task.host, path));
  const until = performance.now() + task.seconds * 1_000;
  let refused = 0;
  const load = async (connection: Connection) => {
    while (performance.now() < until) {
      const started = performance.now();
      if ((await connection.send(pick(requests))) !== 200) refused++;
      times.push(performance.now() - started);
    }
  };
  await Promise.all(connections.map(load));
  return refused;
}

async function sendViews(task: LoadTask, connections: Connection[], times: number[]) {
  const idle = [...connections];
  const running = new Set<Promise<void>>();
  const started = performance.now();
  let refused = 0;
  let sent = 0;
  const send = async (connection: Connection) => {
    const { bytes, isHead, expected } = viewRequest(task);
    const begun = performance.now();
    if ((await connection.send(bytes, isHead)) !== expected) refused++;
    times.push(performance.now() - begun);
    idle.push(connection);
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const seconds = Math.min((performance.now() - started) / 1_000, task.seconds);
      // What finds no connection waits for the next turn: the rate that is reported tells when that is too many.
      for (let due = Math.floor(seconds * task.perSecond) - sent; due > 0 && idle.length > 0; due--, sent++) {
        const one = send(idle.pop()!).finally(() => running.delete(one));
        running.add(one);
      }
      if (seconds < task.seconds) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  await Promise.all(running);
  return refused;
}

async function carryOut(task: LoadTask): Promise<LoadResult> {
  const connections = await Promise.all(Array.from({ length: task.connections }, () => openConnection(task.port)));
  const times: number[] = [];
  const started = performance.now();
  const refused = await (task.kind === "pages" ? loadPages : sendViews)(task, connections, times);
  const seconds = (performance.now() - started) / 1_000;
  for (const connection of connections) connection[Symbol.dispose]();
  const { medianMs } = timing(times);
  const p99Ms = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return { answered: times.length - refused, refused, seconds, medianMs, p99Ms };
}

process.on("message", (tasks: LoadTask[]) => {
  let isSending = true;
  const stayAwake = () => void (isSending && setImmediate(stayAwake));
  stayAwake();
  void Promise.all(tasks.map(carryOut)).then((results) => {
    isSending = false;
    process.send?.(results);
  });
});
