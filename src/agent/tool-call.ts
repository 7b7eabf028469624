import { z } from "zod";
import { untilAborted } from "#lib/waiting/until-aborted.ts";
import { AppError } from "#lib/app-error.ts";
import { MachineBusy } from "#lib/waiting/machine-busy.ts";
import type { JSONSchema7 } from "#models/message.ts";
import type { RequestedCall } from "#models/reply.ts";
import type { Tool, ToolEnvironment, ToolResult } from "#tools/tool.ts";
import { readLeniently } from "./lenient-input.ts";
import { meteredEnvironment, WORK_LIMITS, type WorkLimits } from "./work-meter.ts";

const MAX_NOTES = 5;

const schemas = new WeakMap<Tool, JSONSchema7>();

/** The tool's input as JSON Schema, for the provider. */
export function jsonSchemaOf(tool: Tool): JSONSchema7 {
  let schema = schemas.get(tool);
  if (!schema) {
    schema = z.toJSONSchema(tool.input, { target: "draft-7", io: "input" }) as JSONSchema7;
    schemas.set(tool, schema);
  }
  return schema;
}

/** An unexpected error of a tool: a bug of ours, for the log. */
export interface ToolFault {
  tool: string;
  error: unknown;
}

export interface ToolDeps {
  tools: readonly Tool[];
  environment: ToolEnvironment;
  reportFault(fault: ToolFault): void;
  /** Limits of one call; `WORK_LIMITS` by default. */
  limits?: WorkLimits;
}

/**
 * Runs one tool call on a fork of the tree, which is adopted only if the tool succeeds: a failed call changes nothing.
 * The returned `input` is what the tool received after a lenient reading. Failures of a call are answers for the model.
 * Two errors are thrown: `AppError unavailable` if something that the call needs is unavailable, and `MachineBusy` if
 * the call read and parsed nothing for `patienceMs`. There is no other time limit, because a busy machine is slow; the
 * work of a call is counted instead.
 */
export async function runTool(
  { tools, environment, reportFault, limits = WORK_LIMITS }: ToolDeps,
  call: RequestedCall,
  patienceMs: number,
): Promise<{ tool: Tool | null; result: ToolResult; input?: unknown }> {
  const tool = tools.find((candidate) => candidate.name === call.name) ?? null;
  if (!tool) {
    const names = tools.map((candidate) => candidate.name).join(", ");
    return { tool, result: refusal(`There is no tool "${call.name}".`, `The tools are: ${names}.`) };
  }
  if (call.invalid !== null) return { tool, result: refusal("The tool's input was not valid.", call.invalid) };
  const strict = tool.input.safeParse(call.input);
  const lenient = strict.success
    ? null
    : readLeniently(call.input, jsonSchemaOf(tool), { ignoresUnknown: !tool.mutates });
  const parsed = lenient === null ? strict : tool.input.safeParse(lenient.input);
  if (!parsed.success) {
    return { tool, result: refusal("The tool's input was not valid.", z.prettifyError(parsed.error)) };
  }
  using idle = createIdleTimeout(patienceMs);
  const signal = AbortSignal.any([environment.signal, idle.signal]);
  const fork = environment.tree.fork();
  try {
    const metered = meteredEnvironment({ ...environment, tree: fork, signal }, limits, idle.renew);
    const result = await untilAborted(tool.run(parsed.data, metered), signal);
    if (result.ok && tool.mutates) environment.tree.adopt(fork);
    return { tool, result: withNotes(result, lenient?.notes ?? []), input: parsed.data };
  } catch (error) {
    environment.signal.throwIfAborted();
    if (signal.aborted) throw new MachineBusy(`The tool ${tool.name} did not come to its end in time.`);
    if (error instanceof AppError && error.code === "unavailable") throw error;
    if (error instanceof AppError && error.code !== "internal") {
      return { tool, result: refusal(`The tool failed: ${error.message}`, "It changed nothing.") };
    }
    reportFault({ tool: tool.name, error });
    return {
      tool,
      result: refusal("The tool failed by a fault of the server; it changed nothing.", "Try another way."),
    };
  }
}

/** Adds notes on the corrected input to the answer. */
function withNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  if (notes.length === 0) return result;
  const said = notes.slice(0, MAX_NOTES).join(" ");
  if (!result.ok) return { ...result, message: `${result.message} ${said}` };
  const { content } = result;
  if (typeof content === "string") return { ...result, content: `${said}\n${content}` };
  return { ...result, content: typeof content === "object" && content !== null ? { ...content, note: said } : content };
}

const refusal = (summary: string, message: string): ToolResult => ({
  ok: false,
  summary,
  message: `${summary} ${message}`,
});

/** A signal that fires when it has not been renewed for `ms`. */
function createIdleTimeout(ms: number): Disposable & { signal: AbortSignal; renew(): void } {
  const over = new AbortController();
  let isDone = false; // work of an ended call may still be running
  const timer = setTimeout(() => over.abort(new Error("out of patience")), ms).unref();
  return {
    signal: over.signal,
    renew() {
      if (!isDone && !over.signal.aborted) timer.refresh();
    },
    [Symbol.dispose]() {
      isDone = true;
      clearTimeout(timer);
    },
  };
}
