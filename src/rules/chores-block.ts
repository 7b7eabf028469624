import { parseDocument } from "yaml";
import type { ChoreCall } from "./chores/chore-form.ts";

const MAX_BLOCK_CHARACTERS = 200_000;
const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/;
const AS_CODE = /^(?: {4}| {0,3}\t)/;
/** A trial takes one step per chore, and finding contradictions takes time with the square of their number. */
const MAX_CHORES = 400;
const MAX_DEPTH = 200;

/** The blocks of chores in a prompt, and the prompt without them. */
export interface ChoreBlocks {
  calls: ChoreCall[];
  /** Problems of a block, for its author. */
  problems: string[];
  rest: string;
}

/**
 * Reads fenced `chores` blocks: a YAML list whose entries are a tool's name, or a tool's name with its input
 * (`- replace_term: { from: A, to: B }`). This exact form is for scripts and schedules.
 */
export function readChoreBlocks(prompt: string, toolNames: readonly string[]): ChoreBlocks {
  const calls: ChoreCall[] = [];
  const problems: string[] = [];
  const rest: string[] = [];
  let open: { fence: string; lines: string[] | null } | null = null;
  for (const line of prompt.split("\n")) {
    const [, fence = "", info = ""] = FENCE.exec(line.replace(/\r$/, "")) ?? [];
    if (open === null && fence !== "") {
      // A block inside another fence is quoted text, and so is one that is indented like code.
      const isOurs = fence.startsWith("`") && info.trim() === "chores" && !AS_CODE.test(line);
      open = { fence, lines: isOurs ? [] : null };
      if (open.lines === null) rest.push(line);
    } else if (open !== null && fence.startsWith(open.fence) && info.trim() === "") {
      if (open.lines === null) rest.push(line);
      else {
        const outcome = readBlock(open.lines.join("\n"), toolNames);
        if (typeof outcome === "string") problems.push(outcome);
        else calls.push(...outcome);
        rest.push("");
      }
      open = null;
    } else if (open?.lines) open.lines.push(line);
    else rest.push(line);
  }
  if (open?.lines) problems.push("The chores block has no end.");
  return { calls, problems, rest: rest.join("\n") };
}

function readBlock(yaml: string, toolNames: readonly string[]): ChoreCall[] | string {
  if (yaml.length > MAX_BLOCK_CHARACTERS) return "The chores block is too large.";
  if (isDeep(yaml)) return `The chores block opens more than ${MAX_DEPTH} brackets that it does not close.`;
  let value: unknown;
  try {
    const document = parseDocument(yaml, { logLevel: "silent", prettyErrors: false });
    const error = document.errors[0];
    if (error) return `The chores block is not valid YAML: ${error.message.slice(0, 200)}`;
    value = document.toJS({ maxAliasCount: 20 });
  } catch {
    return "The chores block is not valid YAML.";
  }
  if (!Array.isArray(value) || value.length === 0)
    return "The chores block must be a YAML list, such as “- fix_links”.";
  if (value.length > MAX_CHORES)
    return `The chores block has ${value.length} chores; send at most ${MAX_CHORES} at once.`;
  const calls: ChoreCall[] = [];
  for (const entry of value as unknown[]) {
    const call = readEntry(entry);
    if (call === null) return "Each entry of the chores block is the name of a chore, or a name with its input.";
    if (!toolNames.includes(call.tool)) {
      return `There is no chore “${call.tool.slice(0, 60)}”. There are: ${toolNames.join(", ")}.`;
    }
    calls.push(call);
  }
  return calls;
}

/** Whether brackets nest deeper than in any valid input: parsing takes time with the square of the depth. */
function isDeep(yaml: string): boolean {
  let depth = 0;
  for (const sign of yaml.match(/[[\]{}]/g) ?? []) {
    depth = Math.max(0, depth + (sign === "[" || sign === "{" ? 1 : -1));
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function readEntry(entry: unknown): ChoreCall | null {
  if (typeof entry === "string") return { tool: entry, input: {} };
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return null;
  const [pair, second] = Object.entries(entry);
  if (!pair || second) return null;
  const [tool, input] = pair as [string, unknown];
  if (input === null) return { tool, input: {} };
  return typeof input === "object" && !Array.isArray(input) ? { tool, input: input as Record<string, unknown> } : null;
}
