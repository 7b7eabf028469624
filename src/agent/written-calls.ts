import type { RequestedCall } from "#models/reply.ts";

/** What chat templates put around calls; only the first of them may stand within a line. */
const FORMS = [
  { open: "<tool_call>", close: "</tool_call>" },
  { open: "[TOOL_CALLS]", close: "</s>" },
  { open: "<|python_tag|>", close: "<|eom_id|>" },
  { open: "<function=", close: "</function>" },
  { open: "<function_calls>", close: "</function_calls>" },
  { open: "<|channel|>commentary to=functions.", close: "<|call|>" },
];
const MAX_WRITTEN = 32;

/**
 * The tool calls that a model wrote into its text, as local models with an unsuitable chat template do: in blocks such as
 * `<tool_call>`, or a text that is nothing but JSON, fenced or not, naming one of the tools. Empty for any other
 * text. An unreadable block is an invalid call, so that the model gets an error.
 */
export function writtenCalls(text: string, toolNames: readonly string[]): RequestedCall[] {
  const blocks = callBlocks(text);
  const alone = unfenced(text).trim();
  const calls =
    blocks.length > 0
      ? blocks.flatMap((block) => readBlock(block, toolNames) ?? [null])
      : (readCalls(alone, toolNames) ?? (isPythonCall(alone, toolNames) ? [null] : []));
  return calls.slice(0, MAX_WRITTEN).map((call, index): RequestedCall => {
    const id = `written_${index + 1}`;
    if (call !== null) return { id, ...call, invalid: null };
    const invalid =
      "A tool call was written as text and cannot be read. Call the tool by the interface for tool calls.";
    return { id, name: "unreadable_call", input: null, invalid };
  });
}

function callBlocks(text: string): string[] {
  const blocks: string[] = [];
  const form = FORMS.find(({ open }, index) => (index === 0 ? text : firstOfLines(text, open)).includes(open));
  if (form === undefined) return [];
  const { open, close: end } = form;
  for (let at = text.indexOf(open); at !== -1;) {
    const start = at + open.length;
    const close = text.indexOf(end, start);
    const next = text.indexOf(open, start);
    const ends = [close, next].filter((end) => end !== -1);
    blocks.push(text.slice(start, ends.length === 0 ? undefined : Math.min(...ends)));
    at = next;
  }
  return blocks;
}

const firstOfLines = (text: string, open: string): string =>
  text
    .split("\n")
    .map((line) => line.trimStart().slice(0, open.length))
    .join("\n");

/** The calls of a block, which may have the tool's name before the JSON of the arguments. */
function readBlock(block: string, toolNames: readonly string[]) {
  const [before = "", name] =
    /^\s*([\w.-]{1,64})(?:>|\[ARGS\]|[^{<\n]{0,60}(?:<\|constrain\|>json)?<\|message\|>)/.exec(block) ?? [];
  if (name === undefined) return readCalls(block, toolNames);
  const call = readCall({ name, arguments: block.slice(before.length) }, toolNames);
  return call && [call];
}

const isPythonCall = (text: string, toolNames: readonly string[]): boolean =>
  /\)\]?$/.test(text) && toolNames.includes(/^\[?(\w{1,64})\(/.exec(text)?.[1] ?? "");

/** The content of a text that is a single fenced block; else the text. */
function unfenced(text: string): string {
  const lines = text.trim().split("\n");
  const isFenced = lines.length > 2 && /^`{3}\w{0,20}$/.test(lines[0]!.trim()) && lines.at(-1)!.trim() === "```";
  return isFenced ? lines.slice(1, -1).join("\n") : text;
}

/** Null if the text is not JSON that names known tools. */
function readCalls(
  text: string,
  toolNames: readonly string[],
): { name: string; input: Record<string, unknown> }[] | null {
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
