import { z } from "zod";
import type { JobEvent } from "#features/jobs/events.ts";
import type { FileReason } from "#tools/tool.ts";

const Finding = z.object({
  check: z.string(),
  path: z.string().nullable(),
  line: z.number().nullable(),
  message: z.string(),
});
export type ShownFinding = z.infer<typeof Finding>;

const Paths = z.array(z.string());
const Totals = z.object({ errors: z.number(), warnings: z.number(), newHosts: z.number() });
const Moves = z.array(z.object({ from: z.string(), to: z.string() }));
const PullRequest = z.object({ number: z.number(), url: z.string() });

// Loose shapes of the displayed fields only, because another version may have written the rows.
const SHAPES = {
  "message.received": z.object({
    seq: z.number(),
    prompt: z.string(),
    by: z.string().optional(),
    attachments: z.array(z.unknown()).default([]),
  }),
  "turn.started": z.object({ baseCommit: z.string(), branch: z.string() }),
  message: z.object({ text: z.string() }),
  "tool.started": z.object({ id: z.string(), tool: z.string(), input: z.unknown() }),
  "tool.finished": z.object({
    id: z.string(),
    ok: z.boolean(),
    summary: z.string(),
    reason: z.string().optional(),
    durationMs: z.number(),
  }),
  "plan.updated": z.object({ steps: z.array(z.object({ text: z.string(), state: z.string() })) }),
  notice: z.object({ code: z.string(), text: z.string() }),
  "subtasks.started": z.object({
    subtasks: z.array(z.object({ subtask: z.number(), title: z.string(), files: Paths })),
  }),
  "subtask.finished": z.object({
    title: z.string(),
    ok: z.boolean(),
    summary: z.string(),
    changed: Paths,
    steps: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    costUsd: z.number(),
  }),
  "files.changed": z.object({ added: Paths, modified: Paths, removed: Paths, moved: Moves.default([]) }),
  validation: z
    .object({ errors: z.array(Finding), warnings: z.array(Finding), newHosts: Paths, totals: Totals.optional() })
    // Rows of earlier versions hold no totals.
    .transform(({ totals, ...lists }) => ({
      ...lists,
      totals: totals ?? {
        errors: lists.errors.length,
        warnings: lists.warnings.length,
        newHosts: lists.newHosts.length,
      },
    })),
  "commit.pushed": z.object({ commit: z.string(), branch: z.string() }),
  "pull_request.opened": PullRequest,
  "pull_request.updated": PullRequest,
  "pull_request.merged": PullRequest,
  "pull_request.closed": PullRequest,
  "pull_request.reopened": PullRequest,
  "turn.finished": z.object({
    ok: z.boolean(),
    summary: z.string(),
    files: z.array(z.object({ path: z.string(), why: z.string() })).default([]),
    forLaterJobs: z.array(z.string()).default([]),
  }),
  "message.refused": z.object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string() }) }),
  "job.failed": z.object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string() }) }),
  "job.archived": z.object({}),
  "job.unarchived": z.object({}),
};
type Shapes = { [Type in keyof typeof SHAPES]: z.infer<(typeof SHAPES)[Type]> };
type Read = { [Type in keyof Shapes]: { type: Type; data: Shapes[Type] } }[keyof Shapes];

/** Events that the page shows elsewhere, or that mean nothing to people. */
const HIDDEN_EVENTS = new Set(["job.created", "job.phase", "job.completed", "usage"]);

const HIDDEN_TOOLS = new Set(["finish", "update_plan", "run_subtasks"]);

const NEWS = {
  "pull_request.opened": "Opened",
  "pull_request.updated": "Updated",
  "pull_request.merged": "Merged",
  "pull_request.closed": "Closed",
  "pull_request.reopened": "Reopened",
} as const;
type PullRequestNews = (typeof NEWS)[keyof typeof NEWS];

/** How a call ended; `reason` is why it failed. */
type Finished = { ok: boolean; summary: string; reason?: string | undefined; durationMs: number };

/**
 * One thing that happened in a job, as the page shows it. `seq` is the number of its first event, `subtask` that of the
 * sub-task that it belongs to.
 */
export type Entry = { seq: number; at: Date; subtask?: number } & (
  | { kind: "prompt"; message: number; text: string; by: string | null; images: number }
  | { kind: "said"; text: string }
  | { kind: "summary"; text: string; files: FileReason[]; forLaterJobs: string[] }
  | { kind: "tool"; tool: string; input: unknown; result: Finished | null }
  | { kind: "started"; commit: string; branch: string }
  | { kind: "files"; added: string[]; modified: string[]; removed: string[]; moved: z.infer<typeof Moves> }
  | {
      kind: "checked";
      errors: ShownFinding[];
      warnings: ShownFinding[];
      newHosts: string[];
      totals: z.infer<typeof Totals>;
    }
  | { kind: "plan"; steps: { text: string; state: string }[] }
  | { kind: "notice"; code: string; text: string }
  | ({ kind: "subtasks" } & Shapes["subtasks.started"])
  | ({ kind: "subtaskEnd" } & Shapes["subtask.finished"])
  | { kind: "commit"; commit: string }
  | { kind: "pullRequest"; news: PullRequestNews; number: number; url: string }
  | { kind: "failure" | "refusal"; code: string; message: string; hint: string }
  | { kind: "archived"; isBack: boolean }
  | { kind: "other"; type: string }
);

/** Converts a transcript to entries. A tool call and its end are one entry; repeated events and usage are left out. */
export function transcriptEntries(events: readonly JobEvent[]): Entry[] {
  const entries: Entry[] = [];
  const running = new Map<string, Extract<Entry, { kind: "tool" }>>();
  let files = "";
  for (const event of events) {
    if (HIDDEN_EVENTS.has(event.type)) continue;
    const { subtask } = event.data;
    const place = { seq: event.seq, at: event.createdAt, ...(typeof subtask === "number" && { subtask }) };
    const read = readEvent(event);
    if (read?.type === "tool.started") {
      const { id, tool, input } = read.data;
      const entry = { ...place, kind: "tool" as const, tool, input, result: null };
      running.set(`${event.turn} ${place.subtask ?? 0} ${id}`, entry);
      entries.push(entry);
    } else if (read?.type === "tool.finished") {
      const entry = running.get(`${event.turn} ${place.subtask ?? 0} ${read.data.id}`);
      if (entry) entry.result = read.data;
    } else if (read?.type === "files.changed") {
      // Each event lists all changes of the turn so far.
      const text = JSON.stringify(read.data);
      if (text !== files) entries.push({ ...place, kind: "files", ...read.data });
      files = text;
    } else {
      const entry = read ? entryOf(read) : { kind: "other" as const, type: event.type };
      if (entry) entries.push({ ...place, ...entry });
    }
  }
  // The summary, the plan or the sub-tasks, which follow, have the content of these calls.
  const isHidden = (entry: Entry) =>
    entry.kind === "tool" && HIDDEN_TOOLS.has(entry.tool) && entry.result?.ok !== false;
  return entries.filter((entry) => !isHidden(entry));
}

type Content<E> = E extends unknown ? Omit<E, "seq" | "at" | "subtask"> : never;

function entryOf(
  read: Exclude<Read, { type: "tool.started" | "tool.finished" | "files.changed" }>,
): Content<Entry> | null {
  switch (read.type) {
    case "message.received":
      return {
        kind: "prompt",
        message: read.data.seq,
        text: read.data.prompt,
        by: read.data.by ?? null,
        images: read.data.attachments.length,
      };
    case "turn.started":
      return { kind: "started", commit: read.data.baseCommit, branch: read.data.branch };
    case "message":
      return read.data.text.trim() === "" ? null : { kind: "said", text: read.data.text };
    case "plan.updated":
      return { kind: "plan", steps: read.data.steps };
    case "notice":
      return { kind: "notice", ...read.data };
    case "subtasks.started":
      return { kind: "subtasks", ...read.data };
    case "subtask.finished":
      return { kind: "subtaskEnd", ...read.data };
    case "validation":
      return { kind: "checked", ...read.data };
    case "commit.pushed":
      return { kind: "commit", commit: read.data.commit };
    case "pull_request.opened":
    case "pull_request.updated":
    case "pull_request.merged":
    case "pull_request.closed":
    case "pull_request.reopened":
      return { kind: "pullRequest", news: NEWS[read.type], ...read.data };
    case "turn.finished":
      return read.data.ok && read.data.summary !== ""
        ? { kind: "summary", text: read.data.summary, files: read.data.files, forLaterJobs: read.data.forLaterJobs }
        : null;
    case "job.failed":
      return { kind: "failure", ...read.data.error };
    case "message.refused":
      return { kind: "refusal", ...read.data.error };
    case "job.archived":
    case "job.unarchived":
      return { kind: "archived", isBack: read.type === "job.unarchived" };
  }
}

function readEvent(event: JobEvent): Read | null {
  if (!Object.hasOwn(SHAPES, event.type)) return null;
  const type = event.type as keyof Shapes;
  const parsed = SHAPES[type].safeParse(event.data);
  // The shape was chosen by the type, so type and data match.
  const read: { type: string; data: unknown } = { type, data: parsed.data };
  return parsed.success ? (read as Read) : null;
}
