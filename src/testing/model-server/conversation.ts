/** A request to a model, independent of the wire format. */
export interface Conversation {
  model: string;
  streamed: boolean;
  system: string;
  messages: Message[];
  tools: OfferedTool[];
  maxOutputTokens: number | null;
  /** OpenAI Chat: the client did not ask a stream for its token usage. */
  hidesUsage?: boolean;
}

export type Message =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; calls: Call[] }
  | { role: "results"; results: Result[] };

export interface Call {
  id: string;
  name: string;
  input: unknown;
}

export interface Result {
  id: string;
  text: string;
  isError: boolean;
}

export interface OfferedTool {
  name: string;
  description: string;
  schema: unknown;
}

/** One response of the model, with everything decided that a script left open. Ids depend on the conversation alone. */
export interface Answer {
  id: string;
  text: string;
  reasoning: string;
  /** `json` is sent verbatim, also when it is invalid. */
  calls: { id: string; name: string; json: string }[];
  finish: "stop" | "calls" | "length" | "filtered";
  usage: { inputTokens: number; cachedTokens: number; outputTokens: number };
}

export type ProblemKind =
  | "invalid"
  | "auth"
  | "no_model"
  | "rate_limited"
  | "no_credit"
  | "overflow"
  | "server_error"
  | "overloaded";

/** An error of the provider; each wire format gives it its own message and status. */
export interface Problem {
  kind: ProblemKind;
  /** For `invalid`: what is wrong with the request. */
  message: string;
  retryAfterSeconds?: number | undefined;
}

/** Thrown when a request breaks the rules of its wire format. */
export class Violation extends Error {}

export interface ErrorAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** One provider's wire format. */
export interface WireFormat {
  name: "anthropic" | "openai-chat" | "openai-responses" | "google";
  /** Null when the path does not belong to this format. Google has the model and streaming in the path. */
  route(path: string): { model: string | null; streamed: boolean | null } | null;
  apiKey(headers: Record<string, string | undefined>): string | null;
  /** Throws `Violation`. */
  read(body: unknown, route: { model: string | null; streamed: boolean | null }): Conversation;
  body(answer: Answer, conversation: Conversation): unknown;
  /** Server-sent events, each with its blank line, in the order in which the provider sends them. */
  events(answer: Answer, conversation: Conversation): string[];
  error(problem: Problem): ErrorAnswer;
  /** What the provider sends when an error occurs in the middle of a stream. */
  errorEvents(problem: Problem): string[];
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The rules that all providers share, although each has its own error messages. */
export function checkConversation(conversation: Conversation, words: { missing(ids: string[]): string }): void {
  const { messages, tools } = conversation;
  if (conversation.model === "") throw new Violation("you must provide a model parameter");
  if (messages[0]?.role !== "user") throw new Violation("the first message must be from the user");
  messages.forEach((message, index) => {
    if (message.role === "assistant") checkCalls(message.calls, messages[index + 1], words);
    if (message.role === "results") checkResults(message.results, messages[index - 1]);
    if (message.role === "user" && message.text.trim() === "")
      throw new Violation("text must contain non-whitespace text");
  });
  if (messages.at(-1)?.role === "assistant") throw new Violation("the conversation must end with a user message");
  const names = new Set<string>();
  for (const tool of tools) {
    if (!NAME.test(tool.name)) throw new Violation(`tools: name "${tool.name}" does not match ${NAME}`);
    if (names.has(tool.name)) throw new Violation(`tools: Tool names must be unique: ${tool.name}`);
    if (tool.description.trim() === "") throw new Violation(`tools: ${tool.name} has no description`);
    checkSchema(tool);
    names.add(tool.name);
  }
}

function checkCalls(calls: Call[], next: Message | undefined, words: { missing(ids: string[]): string }): void {
  for (const call of calls) {
    if (!NAME.test(call.id)) throw new Violation(`tool call id "${call.id}" does not match ${NAME}`);
    if (!NAME.test(call.name)) throw new Violation(`tool call name "${call.name}" does not match ${NAME}`);
    if (typeof call.input !== "object" || call.input === null || Array.isArray(call.input)) {
      throw new Violation(`input of ${call.id}: Input should be a valid dictionary`);
    }
  }
  if (new Set(calls.map((call) => call.id)).size < calls.length) throw new Violation("tool call ids must be unique");
  const answered = new Set(next?.role === "results" ? next.results.map((result) => result.id) : []);
  const missing = calls.map((call) => call.id).filter((id) => !answered.has(id));
  if (missing.length > 0) throw new Violation(words.missing(missing));
}

function checkResults(results: Result[], previous: Message | undefined): void {
  const openCalls = new Set(previous?.role === "assistant" ? previous.calls.map((call) => call.id) : []);
  const stray = results.find((result) => !openCalls.has(result.id));
  if (stray) throw new Violation(`unexpected tool result for "${stray.id}": no such call in the previous message`);
}

function checkSchema(tool: OfferedTool): void {
  const schema = tool.schema;
  if (typeof schema !== "object" || schema === null || !("type" in schema) || schema.type !== "object") {
    throw new Violation(`Invalid schema for function '${tool.name}': schema must be of type "object"`);
  }
}

/** Joins consecutive entries of one role into one message, as providers do. */
export function joinMessages(entries: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if (entry.role === "user" && last?.role === "user") last.text += `\n${entry.text}`;
    else if (entry.role === "results" && last?.role === "results") last.results.push(...entry.results);
    else if (entry.role === "assistant" && last?.role === "assistant") {
      last.text += entry.text;
      last.calls.push(...entry.calls);
    } else joined.push(structuredClone(entry));
  }
  return joined;
}

/** An image as a conversation has it here: `[image/png, 68 bytes]`. */
export function imageText(mediaType: string, base64: string): string {
  if (!/^image\/(?:png|jpeg|gif|webp)$/.test(mediaType)) throw new Violation(`Unsupported image type ${mediaType}`);
  return `[${mediaType}, ${Buffer.from(base64, "base64").length} bytes]`;
}

/** The same of a `data:` address. */
export function imageAtText(address: string): string {
  const [, mediaType, base64] = /^data:([^;,]+);base64,(.+)$/.exec(address) ?? [];
  if (mediaType === undefined || base64 === undefined) throw new Violation("Failed to download the image");
  return imageText(mediaType, base64);
}

/** Text in the pieces in which a stream brings it: at most 200 of them. */
export function pieces(text: string): string[] {
  const size = Math.max(24, Math.ceil(text.length / 200));
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += size) parts.push(text.slice(at, at + size));
  return parts;
}

export function parseOr<T>(json: string, otherwise: T): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return otherwise;
  }
}
