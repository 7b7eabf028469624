import type { RequestedCall } from "#models/reply.ts";

/** What chat templates put around calls. */
const FORMS = [
  { open: "<tool_call>", close: "</tool_call>" },
  { open: "[TOOL_CALLS]", close: "</s>" },
  { open: "<|python_tag|>", close: "<|eom_id|>" },
  { open: "<function=", close: "</function>" },
  { open: "<function_calls>", close: "</function_calls>" },
  { open: '<invoke name="', close: "</invoke>" },
  { open: "<|channel|>commentary to=functions.", close: "<|call|>" },
  { open: "<|start|>assistant to=functions.", close: "<|call|>" },
];
const OPEN = new RegExp(FORMS.map(({ open }) => open.replaceAll(/[[\]|]/g, String.raw`\$&`)).join("|"), "g");
const MAX_WRITTEN = 32;

type WrittenCall = Pick<RequestedCall, "name"> & { input: Record<string, unknown> };

/**
 * The tool calls that a model wrote into its text, as local models with an unsuitable chat template do: in blocks such as
 * `<tool_call>`, or a text that is nothing but JSON, fenced or not, naming one of the tools. Empty for any other
 * text, also for one that quotes a call. An unreadable block is an invalid call, so that the model gets an error.
 */
export function writtenCalls(text: string, toolNames: readonly string[]): RequestedCall[] {
  const alone = unfenced(text).trim();
  const plain = withoutQuotations(alone);
  const inBlocks = callsInBlocks(alone, plain, toolNames);
  const calls =
    inBlocks.length > 0
      ? inBlocks
      : (readCalls(alone, toolNames) ?? (hasPythonCall(alone, plain, toolNames) ? [null] : []));
  return calls.slice(0, MAX_WRITTEN).map((call, index): RequestedCall => {
    const id = `written_${index + 1}`;
    if (call !== null) return { id, ...call, invalid: null };
    const invalid =
      "A tool call was written as text and cannot be read. Call the tool by the interface for tool calls.";
    return { id, name: "unreadable_call", input: null, invalid };
  });
}

/** Null stands for an unreadable block, and ends the list: what looks like a call after it may be an argument. */
function callsInBlocks(text: string, plain: string, toolNames: readonly string[]): (WrittenCall | null)[] {
  const found: (WrittenCall | null)[] = [];
  let end = 0;
  for (const { index, 0: open } of plain.matchAll(OPEN)) {
    if (index < end) continue;
    const start = index + open.length;
    const above = text.slice(Math.max(end, text.lastIndexOf("\n", index) + 1), index);
    const isWithinLine = above.trim() !== "";
    if (isWithinLine && !beginsAsCall(text.slice(start, start + 200))) continue;
    const { close } = FORMS.find((form) => form.open === open)!;
    const block = readBlock(text, { start, close }, toolNames);
    ({ end } = block);
    const below = /^[^\n<[]*/.exec(text.slice(end, end + 200))![0];
    if (isWithinLine && below.trim() !== "") continue;
    found.push(...(block.calls ?? [null]));
    // What is beyond the limit is not run, and looking for the end of each block would take quadratic time.
    if (block.calls === null || found.length >= MAX_WRITTEN) break;
  }
  return found;
}

// The tool's name may stand before the JSON of the arguments.
const NAME = /^\s*([\w.-]{1,64})(?:"?>|\[ARGS\]|[^{<\n]{0,60}(?:<\|[a-z]{1,20}\|>[^{<\n]{0,60}){0,3}<\|message\|>)/;
const beginsAsCall = (block: string): boolean => /^\s*[[{<]/.test(block.replace(NAME, ""));

/** Reads a block up to the next one or to its end; both may also be part of an argument. */
function readBlock(text: string, { start, close }: { start: number; close: string }, toolNames: readonly string[]) {
  const distance = text.slice(start).search(OPEN);
  const next = distance === -1 ? text.length : start + distance;
  const closing = text.indexOf(close, start);
  const last = closing === -1 ? text.length : closing;
  const after = (end: number) => (end === closing ? end + close.length : end);
  for (const end of new Set([Math.min(next, last), last])) {
    const block = text.slice(start, end);
    const [before = "", name] = NAME.exec(block) ?? [];
    const rest = block.slice(before.length);
    const calls =
      name === undefined
        ? readCalls(block, toolNames)
        : readCalls(JSON.stringify({ name, arguments: rest }), toolNames);
    if (calls !== null) return { calls, end: after(end) };
  }
  return { calls: null, end: after(last) };
}

/** A call in the syntax of Python that is all of the text, or its last line. */
function hasPythonCall(text: string, plain: string, toolNames: readonly string[]): boolean {
  const lastLine = plain.slice(plain.lastIndexOf("\n") + 1);
  return [text, lastLine].some((each) => {
    const name = /^\[?(?:print\()?(\w{1,64})\(/.exec(each)?.[1] ?? "";
    return toolNames.includes(name) && /\)\]?$/.test(each);
  });
}

/** The text with each character of a fence, an indented or quoted line and a code span replaced by a backtick. */
function withoutQuotations(text: string): string {
  let fence: string | null = null;
  const lines = text.split("\n").map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isQuoted = fence !== null || mark !== undefined || /^(?: {4}|\t| {0,3}>)/.test(line);
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    return isQuoted ? hidden(line) : line.replaceAll(/(?<!`)(`{1,3})(?!`)[^`]+\1(?!`)/g, hidden);
  });
  return lines.join("\n");
}

const hidden = (text: string): string => "`".repeat(text.length);

/** The content of a text that is a single fenced block; else the text. */
function unfenced(text: string): string {
  const lines = text.trim().split("\n");
  const isFenced = lines.length > 2 && /^`{3}\w{0,20}$/.test(lines[0]!.trim()) && lines.at(-1)!.trim() === "```";
  const content = lines.slice(1, -1);
  return isFenced && !content.some((line) => line.startsWith("```")) ? content.join("\n") : text;
}

/** Null if the text is not JSON that names known tools. */
function readCalls(text: string, toolNames: readonly string[]): WrittenCall[] | null {
  if (!/^\s*[[{]/.test(text)) return null;
  const parsed = parse(text);
  const calls = (Array.isArray(parsed) ? parsed : [parsed]).map((each) => readCall(each, toolNames));
  return calls.every((call) => call !== null) && calls.length > 0 ? calls : null;
}

function readCall(value: unknown, toolNames: readonly string[]) {
  if (!isObject(value)) return null;
  const call = isObject(value["function"]) ? value["function"] : value;
  const name = call["name"] ?? call["tool"];
  const given = call["arguments"] ?? call["parameters"] ?? call["input"];
  const input = typeof given === "string" ? parse(given) : given;
  return typeof name === "string" && toolNames.includes(name) && isObject(input) ? { name, input } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
