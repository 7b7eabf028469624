import { createInterface } from "node:readline";
import { type Command, readArguments } from "#cli/command/command.ts";
import type { CommandIo } from "#cli/command/io.ts";
import { choosePlace, findLogin } from "#cli/places/place.ts";
import type { Login } from "#cli/places/logins.ts";
import { readEvents } from "#client/server-sent-events.ts";
import { readText } from "#client/transport.ts";
import { AppError } from "#lib/app-error.ts";
import { listenerOf } from "#cli/command/progress.ts";

/** The server responds when a call is done: a wait for a job takes 50 seconds at most. */
const TIMEOUT_MS = 120_000;
const AT_ONCE = 16;
/** Tool results are limited to about 60,000 characters. */
const LARGEST_ANSWER = 4 * 1024 * 1024;

export const mcp: Command = {
  usage: `docent mcp [PROJECT]

Runs an MCP server on standard input and output, for an agent in an editor. The agent can create and follow jobs, read and merge
their changes, count visitors and search the docs. The command forwards messages to a server (\`docent help places\`), with the key from
\`docent login\` or DOCENT_API_KEY. Clients that support MCP over HTTP do not need it: connect them to SERVER/mcp, with the key in the
Authorization header.

Options
  --server URL     which server to use, if you have several logins
  --project P      which project to use, if you have several logins

Example, in the settings of an editor
  {"mcpServers": {"docent": {"command": "docent", "args": ["mcp", "harbor-docs"]}}}`,
  async run(args, io) {
    const { values, positionals } = readArguments(args, {}, { min: 0, max: 1, names: "at most one PROJECT" });
    const place = choosePlace(values);
    if (place.kind === "directory") {
      throw new AppError("invalid", "mcp needs a server. Run `docent login --server URL` first.");
    }
    await relay(await findLogin(place, positionals[0] ?? null, listenerOf(io)), io);
  },
};

/** One message per line in both directions, as in the stdio transport of MCP. */
async function relay(login: Login, io: CommandIo): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === "") continue;
    const write = (text: string) => io.stdout(`${text}\n`);
    const one = answer(login, line, { signal: io.signal, tell: write }).then((text) => {
      if (text !== null) write(text);
    });
    running.add(one);
    void one.finally(() => running.delete(one));
    if (running.size >= AT_ONCE) await Promise.race(running);
    if (io.signal.aborted) break;
  }
  await Promise.all(running);
}

/** `tell` receives the progress notifications that precede the result. */
async function answer(
  login: Login,
  line: string,
  { signal, tell }: { signal: AbortSignal; tell(message: string): void },
): Promise<string | null> {
  const message = parsed(line);
  const id = message?.["id"];
  try {
    const response = await fetch(`${login.server}/mcp?project=${encodeURIComponent(login.project)}`, {
      method: "POST",
      redirect: "manual", // the key and the message must not reach another server
      headers: {
        Authorization: `Bearer ${login.key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...headersOf(message),
      },
      body: line,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (response.body && response.headers.get("content-type")?.startsWith("text/event-stream"))
      return (await lastMessage(response.body, tell)) ?? failure(id, `${login.server}: its answer broke off`);
    const text = await readText(response, LARGEST_ANSWER);
    if (text === null) return failure(id, `${login.server}: its answer is too large`);
    if (response.status === 202) return null;
    if (response.status >= 300 && response.status < 400) return failure(id, `${login.server}: ${sentOn(response)}`);
    const reply = parsed(text);
    if (reply?.["jsonrpc"] === "2.0") return JSON.stringify(reply);
    const said = typeof reply?.["error"] === "string" ? reply["error"] : `it answered with ${response.status}`;
    return failure(id, `${login.server}: ${said}`);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return failure(id, `${login.server} could not be asked: ${cause}`);
  }
}

/** The result at the end of a stream; null if the stream ends without one. */
async function lastMessage(body: ReadableStream<Uint8Array>, tell: (message: string) => void): Promise<string | null> {
  for await (const { data } of readEvents(body, () => undefined)) {
    const message = parsed(data);
    if (message?.["jsonrpc"] !== "2.0") continue;
    // One line per message, even if the server inserted line breaks.
    if (message["id"] !== undefined) return JSON.stringify(message);
    tell(JSON.stringify(message));
  }
  return null;
}

function sentOn({ headers }: Response): string {
  const to = headers.get("location")?.slice(0, 200) ?? "elsewhere";
  return `it sends on to ${to}. Log in with the address as the server itself has it, often with https://`;
}

/** A notification gets no response, not even an error. */
function failure(id: unknown, message: string): string | null {
  if (id === undefined) return null;
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_603, message } });
}

const META = "io.modelcontextprotocol/protocolVersion";

/** Repeats parts of a message of revision 2026-07-28 in the HTTP headers. */
function headersOf(message: Record<string, unknown> | null): Record<string, string> {
  const params = objectOf(message?.["params"]);
  const version = objectOf(params?.["_meta"])?.[META];
  if (typeof version !== "string" || !/^[\w.-]{1,40}$/.test(version)) return {};
  const headers: Record<string, string> = { "MCP-Protocol-Version": version };
  const { method } = message ?? {};
  if (typeof method === "string") headers["Mcp-Method"] = encoded(method);
  const name = params?.["name"];
  if (method === "tools/call" && typeof name === "string") headers["Mcp-Name"] = encoded(name);
  return headers;
}

const encoded = (text: string): string =>
  /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;

const objectOf = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;

function parsed(text: string): Record<string, unknown> | null {
  try {
    return objectOf(JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}
