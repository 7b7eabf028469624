import { z } from "zod";
import { parseMeasured } from "#lib/json-measure.ts";
import type { PlainRequest } from "#lib/network/plain-http.ts";
import type { McpResources, McpServer, TellProgress } from "./mcp-server.ts";
import { toolDefinition, toolOutcome } from "./tool-answers.ts";

/** The id and progress token of a call that asks for progress notifications; null for any other message. */
export function progressCall(body: unknown): { id: string | number; token: string | number } | null {
  const { data } = Message.safeParse(body);
  const token = Id.safeParse(data?.params?._meta?.["progressToken"]);
  return data?.method === "tools/call" && data.id !== undefined && token.success
    ? { id: data.id, token: token.data }
    : null;
}

export const progressMessage = (progressToken: string | number, news: Parameters<TellProgress>[0]): object => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken, ...news },
});

/** An HTTP status, and the JSON-RPC message or messages; null when the messages need no response. */
export interface McpReply {
  status: number;
  body: object | null;
}

const MODERN = ["2026-07-28"] as const;
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const SUPPORTED: readonly string[] = [...MODERN, ...LEGACY];
/** The only revision with batches, and the default for a request that names no revision. */
const BATCHES = "2025-03-26";
const MAX_BATCH = 10;
/** How long a client may cache the list of tools: it changes only with a new release of Docent. */
const LIST_TTL_MS = 3_600_000;

const META = "io.modelcontextprotocol/";
const CODES = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  headers: -32_020,
  version: -32_022,
} as const;

const Id = z.union([z.string().max(500), z.int()]);
const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: Id.optional(),
  method: z.string().max(200),
  params: z.looseObject({ _meta: z.looseObject({}).optional() }).optional(),
});
type Message = z.infer<typeof Message>;
const Call = z.looseObject({ name: z.string().max(200), arguments: z.looseObject({}).optional() });

/** A refusal as a JSON-RPC error; without `id` when the message could not be read. */
export function refusal(
  status: number,
  message: string,
  { code = CODES.request, id, data }: { code?: number; id?: string | number | undefined; data?: object } = {},
): McpReply {
  return {
    status,
    body: { jsonrpc: "2.0", ...(id !== undefined && { id }), error: { code, message, ...(data && { data }) } },
  };
}

/** The message or messages of a body; undefined when it is not JSON, or exceeds the limits of a message. */
export function readBody(bytes: Uint8Array): unknown {
  try {
    return parseMeasured(bytes);
  } catch {
    return undefined;
  }
}

export const unreadable = (): McpReply =>
  refusal(400, "The body is not JSON, or deeper or longer than a message needs.", { code: CODES.parse });
export const failed = (status: number, message: string, id?: string | number): McpReply =>
  refusal(status, message, { code: CODES.internal, id });

/**
 * Answers the message of a body, or a batch of up to ten where the revision has batches. `admits` is called for each
 * message. Errors that are not the client's mistake are thrown.
 */
export async function answerMessages(server: McpServer, given: Given): Promise<McpReply> {
  const { body, headers } = given;
  if (!Array.isArray(body)) return await answerMessage(server, given);
  const revision = headers.get("mcp-protocol-version") ?? BATCHES;
  if (revision !== BATCHES) return refusal(400, `A body holds one message in revision ${revision.slice(0, 40)}.`);
  if (body.length === 0 || body.length > MAX_BATCH) return refusal(400, `A list holds 1 to ${MAX_BATCH} messages.`);
  const replies: object[] = [];
  for (const each of body as unknown[]) {
    const reply = await answerMessage(server, { ...given, body: each });
    if (reply.status === 429) return reply;
    if (reply.body !== null) replies.push(reply.body);
  }
  return replies.length === 0 ? { status: 202, body: null } : { status: 200, body: replies };
}

interface Given {
  body: unknown;
  headers: PlainRequest["headers"];
  admits(): boolean;
  /** Absent when the client did not ask for progress. */
  tell?: TellProgress;
}

async function answerMessage(server: McpServer, { body, headers, admits, tell }: Given): Promise<McpReply> {
  const parsed = Message.safeParse(body);
  if (!parsed.success) {
    const given = Id.safeParse((body as { id?: unknown } | null)?.id);
    return refusal(400, "The body is not a JSON-RPC request or notification.", { id: given.data });
  }
  const message = parsed.data;
  const era = eraOf(message, headers);
  if ("refused" in era) return era.refused;
  if (message.id === undefined) return { status: 202, body: null };
  if (!admits()) return refusal(429, "Too many calls. Try again in a minute.", { id: message.id });
  const reply = await result(server, message, { ...era, tell: tell ?? (() => undefined) });
  if ("refused" in reply) return reply.refused;
  const { id } = message;
  if (!era.isModern) return { status: 200, body: { jsonrpc: "2.0", id, result: reply.result } };
  const { name, title, version } = server.info;
  const meta = { [`${META}serverInfo`]: { name, title, version } };
  return {
    status: 200,
    body: { jsonrpc: "2.0", id, result: { resultType: "complete", ...reply.result, _meta: meta } },
  };
}

type Era = { isModern: boolean };
type Outcome = { result: object } | { refused: McpReply };

/** Which form a message has; a refusal for one whose headers and body disagree (2026-07-28, "Server validation"). */
function eraOf({ id, method, params }: Message, headers: PlainRequest["headers"]): Era | { refused: McpReply } {
  const meta = params?._meta ?? {};
  const inBody = meta[`${META}protocolVersion`];
  const inHeader = headers.get("mcp-protocol-version");
  const isModern = inBody !== undefined || (MODERN as readonly (string | null)[]).includes(inHeader);
  const unsupported = (requested: string) => ({
    refused: refusal(400, "Unsupported protocol version", {
      code: CODES.version,
      id,
      data: { supported: SUPPORTED, requested: requested.slice(0, 100) },
    }),
  });
  if (!isModern) return inHeader === null || SUPPORTED.includes(inHeader) ? { isModern } : unsupported(inHeader);
  // The metadata of a notification is not specified, and no notification has an effect here.
  if (id === undefined) return { isModern };
  const missing = ["protocolVersion", "clientCapabilities"].find((key) => meta[META + key] === undefined);
  if (missing !== undefined || typeof inBody !== "string") {
    const message = `\`params._meta\` needs \`${META}${missing ?? "protocolVersion"}\`.`;
    return { refused: refusal(400, message, { code: CODES.params, id }) };
  }
  if (inBody === inHeader && !(MODERN as readonly string[]).includes(inBody)) return unsupported(inBody);
  const wrong = mismatch([
    ["MCP-Protocol-Version", inHeader, inBody],
    ["Mcp-Method", headers.get("mcp-method"), method],
    ...(method === "tools/call" ? [["Mcp-Name", decoded(headers.get("mcp-name")), params?.["name"]] as const] : []),
  ]);
  return wrong === null ? { isModern } : { refused: refusal(400, wrong, { code: CODES.headers, id }) };
}

function mismatch(pairs: readonly (readonly [name: string, header: string | null, body: unknown])[]): string | null {
  const wrong = pairs.find(([, header, body]) => header !== body);
  return wrong === undefined ? null : `Header mismatch: ${wrong[0]} does not say what the body says.`;
}

/** A header's value that is not plain ASCII comes as `=?base64?…?=`. */
function decoded(value: string | null): string | null {
  const encoded = value === null ? null : /^=\?base64\?([\w+/=]*)\?=$/.exec(value);
  return encoded ? Buffer.from(encoded[1] ?? "", "base64").toString("utf8") : value;
}

async function result(
  server: McpServer,
  { id, method, params }: Message,
  era: Era & { tell: TellProgress },
): Promise<Outcome> {
  const { info, instructions, tools, resources } = server;
  const capabilities = { tools: {}, ...(resources && { resources: {} }) };
  const unknown = (message: string): Outcome => ({
    refused: refusal(era.isModern ? 400 : 200, message, { code: CODES.params, id }),
  });
  const fresh = era.isModern ? { ttlMs: 0, cacheScope: "private" } : {};
  const cached = era.isModern ? { ttlMs: LIST_TTL_MS, cacheScope: "public" } : {};
  switch (era.isModern && (method === "initialize" || method === "ping") ? "" : method) {
    case "initialize": {
      const requestedVersion = params?.["protocolVersion"];
      const protocolVersion = LEGACY.find((each) => each === requestedVersion) ?? LEGACY[0];
      return { result: { protocolVersion, capabilities, serverInfo: info, instructions } };
    }
    case "ping":
      return { result: {} };
    case "server/discover":
      return { result: { supportedVersions: SUPPORTED, capabilities, serverInfo: info, instructions, ...cached } };
    case "tools/list":
      return { result: { tools: tools.map(toolDefinition), ...cached } };
    case "tools/call": {
      const call = Call.safeParse(params);
      const tool = call.success ? tools.find(({ name }) => name === call.data.name) : undefined;
      if (call.success && tool) return { result: await toolOutcome(tool, call.data.arguments ?? {}, era.tell) };
      return unknown(call.success ? `Unknown tool: ${call.data.name}` : "`params` names no tool.");
    }
    default:
      return (
        (resources && (await resourceResult(resources, { method, params, unknown, fresh }))) ?? {
          refused: refusal(era.isModern ? 404 : 200, "Method not found", { code: CODES.method, id }),
        }
      );
  }
}

/** Null for a method that does not concern resources. */
async function resourceResult(
  resources: McpResources,
  {
    method,
    params,
    unknown,
    fresh,
  }: Pick<Message, "method" | "params"> & { unknown(message: string): Outcome; fresh: object },
): Promise<Outcome | null> {
  switch (method) {
    case "resources/list":
      return { result: { resources: await resources.list(), ...fresh } };
    case "resources/templates/list":
      return { result: { resourceTemplates: resources.templates, ...fresh } };
    case "resources/read": {
      const uri = z.string().max(2_000).safeParse(params?.["uri"]);
      const found = uri.success ? await resources.read(uri.data) : null;
      return found
        ? { result: { contents: [{ uri: uri.data, ...found }], ...fresh } }
        : unknown(`There is no resource ${uri.data ?? "without a `uri`"}.`);
    }
    default:
      return null;
  }
}
