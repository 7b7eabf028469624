import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { anthropic } from "./anthropic.ts";
import {
  type Answer,
  type Conversation,
  type ErrorAnswer,
  type Problem,
  Violation,
  type WireFormat,
} from "./conversation.ts";
import { google } from "./google.ts";
import { type LocalKind, modelList } from "./model-lists.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { type AnyScript, type ChosenTurn, type Fault, Script, chooseTurn, isProblem, toAnswer } from "./script.ts";

export interface ModelServerOptions {
  script: AnyScript;
  /** The only key accepted; `test-key` by default, and any or none where it is a local one. */
  apiKey?: string;
  /** Lists its models as this program for local models does. */
  local?: LocalKind;
  /** The only models there are; all names by default. */
  models?: readonly string[];
}

export interface RecordedRequest {
  format: WireFormat["name"];
  path: string;
  headers: Record<string, string | undefined>;
  body: unknown;
  /** Null when the request broke the rules of its format. */
  conversation: Conversation | null;
  status: number;
  /** Whether the client gave up before the answer was complete. */
  aborted: boolean;
}

export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`. Base URLs: `{url}/v1` for Anthropic and OpenAI, `{url}/v1beta` for Google. */
  url: string;
  /** In order of arrival, the last thousand. */
  requests: RecordedRequest[];
  /** Replaces the script and resets the used faults. */
  setScript(script: AnyScript): void;
  close(): Promise<void>;
}

const formats: readonly WireFormat[] = [anthropic, openaiChat, openaiResponses, google];
const MOST_REQUESTS = 1_000;
const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** A scripted language model over the real wire formats, strict about requests. Loopback only. */
export async function createModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const apiKey = options.apiKey ?? "test-key";
  const requests: RecordedRequest[] = [];
  const usedFaults = new Map<string, number>();
  let script = checked(options.script);

  const server = createServer((request, response) => {
    answerRequest(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end(`model server: ${String(error)}`);
    });
  });

  async function answerRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const list = options.local && request.method === "GET" && modelList(options.local, path, options.models ?? []);
    if (list) return sendJson(response, { status: 200, body: list });
    const format = formats.find((one) => one.route(path) !== null);
    const route = format?.route(path);
    if (!format || !route || request.method !== "POST")
      return sendJson(response, { status: 404, body: { error: { message: `no such path ${path}` } } });
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body = await readJson(request);
    const record: RecordedRequest = {
      format: format.name,
      path,
      headers,
      body,
      conversation: null,
      status: 200,
      aborted: false,
    };
    requests.push(record);
    if (requests.length > MOST_REQUESTS) requests.shift();
    response.on("close", () => (record.aborted = !response.writableFinished));
    const refuse = (problem: Problem) => sendProblem(response, record, format.error(problem));

    const key = format.apiKey(headers);
    if (key !== apiKey && options.local === undefined) return refuse({ kind: "auth", message: "" });
    let chosen: ChosenTurn | null;
    try {
      record.conversation = format.read(body, route);
      if (options.models && !options.models.includes(record.conversation.model))
        return refuse({ kind: "no_model", message: "" });
      chosen = await chooseTurn(script, record.conversation);
      if (!chosen) throw new Violation("model server: the script has no answer for this conversation");
    } catch (error) {
      if (error instanceof Violation) return refuse({ kind: "invalid", message: error.message });
      throw error;
    }
    const fault = nextFault(
      `${format.name} ${record.conversation.model} ${chosen.key}`,
      chosen.turn.faults,
      usedFaults,
    );
    const answer = toAnswer(chosen, record.conversation, key ?? "");
    await delay(chosen.turn.delayMs);
    await send(response, {
      format,
      record,
      answer,
      fault,
      eventDelayMs: chosen.turn.eventDelayMs,
      conversation: record.conversation,
    });
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    setScript(next) {
      script = checked(next);
      usedFaults.clear();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** An invalid script should fail where it is passed, not at the first request. */
function checked(script: AnyScript): AnyScript {
  return typeof script === "function" ? script : Script.parse(script);
}

/** Each model of each format meets each fault separately. */
function nextFault(key: string, faults: readonly Fault[], used: Map<string, number>): Fault | null {
  let position = used.get(key) ?? 0;
  used.set(key, position + 1);
  for (const fault of faults) {
    if (fault.times === "always" || position < fault.times) return fault;
    position -= fault.times;
  }
  return null;
}

interface Sending {
  format: WireFormat;
  record: RecordedRequest;
  answer: Answer;
  fault: Fault | null;
  eventDelayMs: number;
  conversation: Conversation;
}

async function send(
  response: ServerResponse,
  { format, record, answer, fault, eventDelayMs, conversation }: Sending,
): Promise<void> {
  const overload: Problem = { kind: "overloaded", message: "" };
  if (fault?.kind === "hang") return; // until the client gives up or the server closes
  if (fault?.kind === "not_json") {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<html><body>Sign in to the company proxy</body></html>");
    return;
  }
  if (fault && isProblem(fault)) {
    const problem = { kind: fault.kind, message: "scripted", retryAfterSeconds: fault.retryAfterSeconds };
    return sendProblem(response, record, format.error(problem));
  }
  const spoken: Answer =
    fault?.kind === "empty" ? { ...answer, text: "", reasoning: "", calls: [], finish: "stop" } : answer;
  if (!conversation.streamed) {
    if (fault?.kind === "error_in_stream") return sendProblem(response, record, format.error(overload));
    const body = JSON.stringify(format.body(spoken, conversation));
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    if (fault?.kind === "cut" || fault?.kind === "truncated") {
      response.write(body.slice(0, body.length / 2), () => response.destroy());
    } else response.end(body);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const events = format.events(spoken, conversation);
  const stopAt =
    fault && "afterEvents" in fault ? (fault.afterEvents ?? Math.floor(events.length / 2)) : Number.POSITIVE_INFINITY;
  const kept = fault?.kind === "truncated" ? events.slice(0, lastContentEvent(events)) : events.slice(0, stopAt);
  for (const event of kept) {
    if (eventDelayMs > 0) await delay(eventDelayMs);
    if (response.destroyed) return;
    if (!response.write(event)) await Promise.race([onceDrained(response), delay(10_000)]);
  }
  if (fault?.kind === "cut") {
    // Let the written part arrive; destroying the socket at once may discard it.
    await delay(20);
    response.destroy();
    return;
  }
  if (fault?.kind === "error_in_stream") for (const event of format.errorEvents(overload)) response.write(event);
  response.end();
}

/** The index of the event with the stop reason. */
function lastContentEvent(events: string[]): number {
  const stop = events.findIndex((event) =>
    /"stop_reason":"|"finish_reason":"|"finishReason":"|response\.(?:completed|incomplete)"/.test(event),
  );
  return stop === -1 ? events.length - 1 : stop;
}

function onceDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}

function sendProblem(response: ServerResponse, record: RecordedRequest, error: ErrorAnswer): void {
  record.status = error.status;
  sendJson(response, error);
}

function sendJson(response: ServerResponse, { status, body, headers }: ErrorAnswer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BODY_BYTES) throw new Error("body too large");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}
