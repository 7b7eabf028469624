import { createHash } from "node:crypto";
import { z } from "zod";
import type { Answer, Conversation } from "./conversation.ts";

const times = z.union([z.int().min(1), z.literal("always")]).default(1);

const ProblemName = z.enum([
  "rate_limited",
  "no_credit",
  "overflow",
  "server_error",
  "overloaded",
  "auth",
  "no_model",
  "invalid",
]);

/** Faults before a turn is answered; each occurs `times` times, in the order of the list. */
export const Fault = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: ProblemName,
    retryAfterSeconds: z.number().optional(),
    times,
  }),
  /** The connection breaks after this many events, or in the middle of a body that is not streamed. */
  z.strictObject({ kind: z.literal("cut"), afterEvents: z.int().optional(), times }),
  /** The stream ends cleanly, but before the event with the stop reason. */
  z.strictObject({ kind: z.literal("truncated"), times }),
  /** The provider reports an overload in the middle of a stream (as a status when not streamed). */
  z.strictObject({ kind: z.literal("error_in_stream"), afterEvents: z.int().optional(), times }),
  z.strictObject({ kind: z.literal("hang"), times }),
  /** An HTML page with status 200, as a proxy would send it. */
  z.strictObject({ kind: z.literal("not_json"), times }),
  z.strictObject({ kind: z.literal("empty"), times }),
]);

/**
 * One answer of the model. In `text` and in the strings of `input` these are replaced: `{{apiKey}}` (the key the
 * request came with), `{{lastUser}}`, `{{lastResult}}`, `{{system}}`.
 */
export const Turn = z.strictObject({
  text: z.string().default(""),
  /** Repeats the text, for huge outputs. */
  repeatText: z.int().min(1).default(1),
  reasoning: z.string().default(""),
  calls: z
    .array(
      z.union([
        z.strictObject({ name: z.string(), input: z.record(z.string(), z.unknown()) }),
        z.strictObject({ name: z.string(), rawInput: z.string() }),
      ]),
    )
    .default([]),
  finish: z.enum(["stop", "calls", "length", "filtered"]).optional(),
  usage: z.strictObject({ inputTokens: z.int(), cachedTokens: z.int().default(0), outputTokens: z.int() }).optional(),
  /** Delay before the first byte. */
  delayMs: z.number().default(0),
  /** Delay before each event of a stream. */
  eventDelayMs: z.number().default(0),
  faults: z.array(Fault).default([]),
});

/**
 * The model's answers, per conversation. The last user message that contains a `marker` selects the conversation; the
 * number of assistant messages after it selects the turn. So the answer depends on the messages alone, and a client
 * that was killed and resumed meets the same model. The marker `*` matches every other conversation.
 */
export const Script = z.strictObject({
  conversations: z.array(
    z.strictObject({
      marker: z.string().min(1),
      turns: z.array(Turn).min(1),
      /** After the last turn: repeat it forever, or refuse. */
      afterwards: z.enum(["repeat", "refuse"]).default("refuse"),
    }),
  ),
});

export type Fault = z.output<typeof Fault>;

/** Whether the fault is a response with an error status. */
export function isProblem(fault: Fault): fault is Extract<Fault, { kind: z.output<typeof ProblemName> }> {
  return ProblemName.safeParse(fault.kind).success;
}

export type Turn = z.output<typeof Turn>;
export type TurnInput = z.input<typeof Turn>;
export type ScriptInput = z.input<typeof Script>;
/** A script, or a function of the conversation for what a script cannot express, such as answers that wait for another request. Null refuses. */
export type AnyScript = ScriptInput | ((conversation: Conversation) => TurnInput | null | Promise<TurnInput | null>);

/** The turn that a conversation has reached; `key` identifies it, for counting its faults. */
export interface ChosenTurn {
  key: string;
  turn: Turn;
}

export async function chooseTurn(script: AnyScript, conversation: Conversation): Promise<ChosenTurn | null> {
  if (typeof script === "function") {
    const turn = await script(conversation);
    const key = createHash("sha256").update(JSON.stringify(conversation.messages)).digest("hex");
    return turn && { key, turn: Turn.parse(turn) };
  }
  const { conversations } = Script.parse(script);
  const { messages } = conversation;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message?.role !== "user") continue;
    const found =
      conversations.find(({ marker }) => message.text.includes(marker)) ??
      (at === 0 ? conversations.find(({ marker }) => marker === "*") : undefined);
    if (!found) continue;
    const index = messages.slice(at).filter(({ role }) => role === "assistant").length;
    const last = found.turns.at(-1)!;
    const repeats = found.afterwards === "repeat" || (index === found.turns.length && finishes(last));
    const turn = found.turns[index] ?? (repeats ? last : undefined);
    return turn ? { key: `${found.marker}#${index}`, turn } : null;
  }
  return null;
}

/** A model that is asked again after it has finished, as when it changed nothing, gives the same answer again. */
const finishes = ({ calls }: Turn): boolean => calls.some(({ name }) => name === "finish");

/** Fills in what the turn leaves open. */
export function toAnswer({ key, turn }: ChosenTurn, conversation: Conversation, apiKey: string): Answer {
  const fill = filler(conversation, apiKey);
  const text = fill(turn.text).repeat(turn.repeatText);
  const id = createHash("sha256").update(key).update(String(conversation.messages.length)).digest("hex").slice(0, 24);
  const calls = turn.calls.map((call, index) => ({
    id: `${id.slice(0, 16)}${index}`,
    name: call.name,
    json: "rawInput" in call ? call.rawInput : JSON.stringify(fillIn(call.input, fill)),
  }));
  const size = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);
  return {
    id,
    text,
    reasoning: turn.reasoning,
    calls,
    finish: turn.finish ?? (calls.length > 0 ? "calls" : "stop"),
    usage: turn.usage ?? {
      inputTokens: size([conversation.system, conversation.messages, conversation.tools]),
      cachedTokens: 0,
      outputTokens: size([text, calls]),
    },
  };
}

function filler(conversation: Conversation, apiKey: string): (text: string) => string {
  const last = (role: "user" | "results") => {
    const message = conversation.messages.findLast((one) => one.role === role);
    return message?.role === "user"
      ? message.text
      : message?.role === "results"
        ? (message.results.at(-1)?.text ?? "")
        : "";
  };
  const values: Record<string, () => string> = {
    apiKey: () => apiKey,
    lastUser: () => last("user"),
    lastResult: () => last("results"),
    system: () => conversation.system,
  };
  return (text) => text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name]?.() ?? whole);
}

function fillIn(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((item: unknown) => fillIn(item, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, fill)]));
}
