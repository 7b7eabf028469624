import type { IncomingMessage, ServerResponse } from "node:http";
import { listen } from "#testing/listen.ts";

interface Seen {
  method: string;
  url: string;
  key: string | undefined;
  lastEventId: string | undefined;
}

/** A server over real HTTP that answers as proxies and strangers do, by the id of the job that is asked for. */
export interface OddServer extends AsyncDisposable {
  address: string;
  seen: Seen[];
}

const JOB = { id: "job_1", status: "completed" };
const event = (seq: number, type: string) =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ seq, turn: 1, type, data: {}, createdAt: "" })}\n\n`;

const largeEvent = (seq: number) => {
  const line = `data: "${"x".repeat(1024 * 1024)}",\n`;
  return `event: message\ndata: {"seq":${seq},"type":"message","pad":[\n${line.repeat(8)}data: 0]}\n\n`;
};

/** By job: what each attempt is answered with; the last one for ever. */
const ANSWERS: Record<string, ((response: ServerResponse) => void)[]> = {
  page: [(response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>")],
  "page-502": [(response) => response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>")],
  text: [(response) => response.end("hello")],
  "no-object": [(response) => response.end('"hello"')],
  cut: [(response) => response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy())],
  redirect: [(response) => response.writeHead(302, { location: "http://127.0.0.1:9/" }).end()],
  silent: [() => undefined],
  trickle: [trickle],
  large: [large],
  coded: [(response) => json(response, 404, { error: "No.", code: "not_found", requestId: "req_1" })],
  "other-code": [(response) => json(response, 418, { error: "No.", code: "teapot" }, { "x-request-id": "req_2" })],
  refused: [(response) => json(response, 503, {}, { "retry-after": "0" }), (response) => json(response, 200, JOB)],
  later: [(response) => json(response, 429, { code: "rate_limited", error: "No." }, { "retry-after": "1800" })],
  lost: [(response) => response.destroy(), (response) => json(response, 200, JOB)],
  "lost-always": [(response) => response.destroy()],
  "lost-then-gone": [(response) => response.destroy(), (response) => json(response, 404, { code: "not_found" })],
  // A proxy cuts the stream in the middle of an event, is away, and then everything goes on.
  stream: [
    (response) => stream(response, `retry: 10\n\n${event(1, "job.created")}id: 2\nevent: message\ndata: {"se`),
    (response) => json(response, 200, { ...JOB, status: "active" }),
    (response) => response.destroy(),
    (response) => stream(response, `${event(2, "message")}${event(3, "job.completed")}event: done\ndata: {}\n\n`),
  ],
  // An event without an end in sight, of lines that are each short enough.
  "stream-large": [
    (response) => stream(response, event(1, "job.created") + largeEvent(2)),
    (response) => json(response, 200, { ...JOB, status: "active" }),
    (response) => stream(response, `${event(2, "job.completed")}event: done\ndata: {}\n\n`),
  ],
  // A server that starts again: it is away when the client asks what became of the job.
  "stream-restart": [
    (response) => stream(response, `retry: 10\n\n${event(1, "job.created")}`),
    (response) => response.destroy(),
    (response) => json(response, 503, {}),
    (response) => stream(response, `${event(2, "message")}${event(3, "job.completed")}event: done\ndata: {}\n\n`),
  ],
  "wait-restart": [
    (response) => json(response, 200, { ...JOB, status: "active" }),
    (response) => response.destroy(),
    (response) => json(response, 200, JOB),
  ],
  "page-404": [(response) => response.writeHead(404, { "content-type": "text/html" }).end("<html>Nothing</html>")],
  "stream-page": [(response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>")],
};

export async function startOddServer(): Promise<OddServer> {
  const seen: Seen[] = [];
  const left = new Map(Object.entries(ANSWERS).map(([job, answers]) => [job, [...answers]]));
  const listener = await listen((request, response) => {
    request.resume().on("end", () => answer(request, response));
  });
  function answer({ method = "", url = "", headers }: IncomingMessage, response: ServerResponse): void {
    const key = headers["idempotency-key"]?.toString();
    seen.push({ method, url, key, lastEventId: headers["last-event-id"]?.toString() });
    const job = url.split(/[/?]/).find((part) => left.has(part)) ?? "";
    const answers = left.get(job) ?? [];
    const next = answers.length > 1 ? answers.shift() : answers[0];
    next?.(response);
  }
  return { address: listener.url, seen, [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose]() };
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(text, () => response.destroy());
}

/** A byte now and then, for ever. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(timer));
}

/** 50 MB that begin like JSON. */
function large(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json", "x-request-id": "req_3" }).write('{"a":"');
  const chunk = "a".repeat(1024 * 1024);
  let sent = 0;
  const more = () => {
    while (sent++ < 50) if (!response.write(chunk)) return void response.once("drain", more);
    response.end('"}');
  };
  more();
}
