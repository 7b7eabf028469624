import type { ModelMessage } from "#models/message.ts";

// A stub is resent with every request, so replacing a shorter text does not pay off.
const MIN_STUBBED_LENGTH = 400;
const MAX_STUB_TEXT = 2_000;
const MAX_FOLDED_PROMPT = 12_000;
const MAX_FOLDED_LINE = 300;
/** Key of the tool's one-line summary in a result; no provider reads it. */
const SUMMARY_KEY = "docent";

type Parts<Role extends ModelMessage["role"]> = Exclude<Extract<ModelMessage, { role: Role }>["content"], string>;
type ResultPart = Extract<Parts<"tool">[number], { type: "tool-result" }>;

/** Attaches a summary to a result, which can later replace it. */
export const withSummary = (summary: string) => ({ providerOptions: { [SUMMARY_KEY]: { summary } } });

function summaryOf(part: ResultPart): string {
  const summary = part.providerOptions?.[SUMMARY_KEY]?.["summary"];
  if (typeof summary === "string") return summary;
  return `${part.toolName}: ${textOf(part).slice(0, 120).toWellFormed()}`;
}

const textOf = ({ output }: ResultPart): string =>
  output.type === "text" || output.type === "error-text" ? output.value : JSON.stringify(output);

const stubs = new WeakMap<ModelMessage, ModelMessage>();

/** A message with each long part replaced by one line. */
export function stubbed(message: ModelMessage): ModelMessage {
  const stub = stubs.get(message) ?? makeStub(message);
  stubs.set(message, stub);
  return stub;
}

function makeStub(message: ModelMessage): ModelMessage {
  if (message.role === "tool") {
    return {
      ...message,
      content: message.content.map((part) => {
        if (part.type !== "tool-result") return part;
        const { length } = textOf(part);
        if (length < MIN_STUBBED_LENGTH) return part;
        const value = `[${summaryOf(part)}. ${length} characters left out to save room; call the tool again if you need them]`;
        return { ...part, output: { type: "text", value } };
      }),
    };
  }
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  // Providers need a model's reasoning only for its next answer.
  const spoken = message.content.filter((part) => part.type !== "reasoning");
  return {
    ...message,
    content: (spoken.length > 0 ? spoken : message.content).map((part) => {
      if (part.type === "text") return { ...part, text: cutMiddle(part.text, MAX_STUB_TEXT) };
      if (part.type !== "tool-call" || JSON.stringify(part.input).length < MIN_STUBBED_LENGTH) return part;
      return { ...part, input: { ...namesIn(part.input), leftOut: "the rest of the input, to save room" } };
    }),
  };
}

/** The short strings of an input, such as the file's path. */
function namesIn(input: unknown): Record<string, string> {
  const entries = Object.entries(input as Record<string, unknown>).slice(0, 10);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1].length <= 200),
  );
}

/** Old steps as one text of at most `maxCharacters`: requests and actions. Drops the oldest lines first. */
export function folded(messages: readonly ModelMessage[], maxCharacters: number): ModelMessage[] {
  if (messages.length === 0) return [];
  const lines = messages.flatMap(linesOf);
  let length = 0;
  let from = lines.length;
  while (from > 0 && length + lines[from - 1]!.length + 1 <= maxCharacters) length += lines[--from]!.length + 1;
  const left = from > 0 ? [`(${from} earlier lines left out)`] : [];
  const content = ["What happened so far, in short:", ...left, ...lines.slice(from)].join("\n");
  return [{ role: "user", content }];
}

function linesOf(message: ModelMessage): string[] {
  if (message.role === "user") {
    const { content } = message;
    const text =
      typeof content === "string"
        ? content
        : content.map((part) => (part.type === "text" ? part.text : "(an image came with it)")).join("\n");
    return [`- You were told: ${cutMiddle(text, MAX_FOLDED_PROMPT)}`];
  }
  if (message.role === "tool") {
    return message.content.flatMap((part) =>
      part.type === "tool-result" ? [`- ${cutMiddle(oneLine(summaryOf(part)), MAX_FOLDED_LINE)}`] : [],
    );
  }
  if (message.role !== "assistant") return [];
  const parts =
    typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  return parts.flatMap((part) =>
    part.type === "text" ? [`- You said: ${cutMiddle(oneLine(part.text), MAX_FOLDED_LINE)}`] : [],
  );
}

/** Messages with their texts cut to at most `maxCharacters` in total, the longest ones first. */
export function shortened(messages: readonly ModelMessage[], maxCharacters: number): ModelMessage[] {
  const lengths = messages.map((message) => JSON.stringify(message.content).length);
  let each = maxCharacters;
  // Halves the limit per text until all fit; keeps at least 200 characters of each text.
  while (each > 200 && lengths.reduce((sum, length) => sum + Math.min(length, each), 0) > maxCharacters) each /= 2;
  return messages.map((message) => shortenedTo(message, Math.floor(each)));
}

function shortenedTo(message: ModelMessage, length: number): ModelMessage {
  if (typeof message.content === "string") {
    const content = cutMiddle(message.content, length);
    if (message.role === "user") return { ...message, content };
    return message.role === "assistant" ? { ...message, content } : message;
  }
  const each = Math.max(200, Math.floor(length / message.content.length));
  if (message.role === "tool") {
    const content = message.content.map((part) => {
      if (part.type !== "tool-result") return part;
      const text = textOf(part);
      return text.length <= each ? part : { ...part, output: { type: "text" as const, value: cutMiddle(text, each) } };
    });
    return { ...message, content };
  }
  if (message.role === "user") {
    const content = message.content.map((part) =>
      part.type === "text" ? { ...part, text: cutMiddle(part.text, each) } : part,
    );
    return { ...message, content };
  }
  if (message.role !== "assistant") return message;
  const content = message.content.map((part) => {
    if (part.type === "text") return { ...part, text: cutMiddle(part.text, each) };
    if (part.type !== "tool-call" || JSON.stringify(part.input).length <= each) return part;
    return { ...part, input: { ...namesIn(part.input), leftOut: "the rest of the input, to save room" } };
  });
  return { ...message, content };
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.ceil((length * 2) / 3);
  const tail = length - head;
  const left = text.length - length;
  return `${text.slice(0, head).toWellFormed()}\n… (${left} characters left out to save room) …\n${text.slice(text.length - tail).toWellFormed()}`;
}
