import { z } from "zod";
import type { TellProgress } from "#lib/mcp/mcp-server.ts";
import type { OwnInterface } from "./own-interface.ts";

const Event = z.looseObject({ seq: z.number(), turn: z.number(), type: z.string(), data: z.looseObject({}) });
const Events = z.looseObject({ events: z.array(Event), hasMore: z.boolean() });
const Checked = z.object({
  errors: z.array(z.unknown()).catch([]),
  warnings: z.array(z.unknown()).catch([]),
  newHosts: z.array(z.string()).catch([]),
  totals: z.object({ errors: z.number(), warnings: z.number(), newHosts: z.number() }).optional().catch(undefined),
});
type Event = z.infer<typeof Event>;

const MAX_TEXT = 60_000;
const PAGE = 500;
const POLL_MS = 700;

async function eventsAfter({ ask }: OwnInterface, path: string, after: number, limit = PAGE) {
  return Events.parse(JSON.parse(await ask({ method: "GET", path: `${path}/events?after=${after}&limit=${limit}` })));
}

/**
 * Events of a job, up to the amount that a model can read at once. A single event that is too long is returned without
 * its data.
 */
export async function transcriptOf(
  own: OwnInterface,
  path: string,
  { after, limit }: { after: number; limit: number },
): Promise<string> {
  const { events, hasMore } = await eventsAfter(own, path, after, limit);
  const shown: Event[] = [];
  let length = 0;
  for (const event of events) {
    const size = JSON.stringify(event).length;
    if (length + size > MAX_TEXT && shown.length > 0) break;
    shown.push(size > MAX_TEXT ? { ...event, data: { leftOut: true } } : event);
    length += size;
  }
  return JSON.stringify({ events: shown, hasMore: hasMore || shown.length < events.length });
}

/** The latest findings of the checks. */
export async function lastFindings(own: OwnInterface, path: string): Promise<string> {
  let last: Event | undefined;
  let after = 0;
  for (;;) {
    const { events, hasMore } = await eventsAfter(own, path, after);
    last = events.findLast(({ type }) => type === "validation") ?? last;
    after = events.at(-1)?.seq ?? after;
    if (!hasMore) break;
  }
  return JSON.stringify({ turn: last?.turn ?? null, ...Checked.parse(last?.data ?? {}) });
}

const Status = z.looseObject({ status: z.string() });

/**
 * The job when it ends, or its current state after the timeout. Reports each event that a person would follow as
 * progress.
 */
export async function waitForJob(
  own: OwnInterface,
  path: string,
  { seconds, tell }: { seconds: number; tell: TellProgress },
): Promise<string> {
  const until = Date.now() + seconds * 1_000;
  let after = 0;
  for (;;) {
    const text = await own.ask({ method: "GET", path });
    if (tell) {
      const { events } = await eventsAfter(own, path, after);
      for (const event of events) {
        after = event.seq;
        const message = newsIn(event);
        if (message !== null) tell({ progress: event.seq, message });
      }
    }
    if (Status.parse(JSON.parse(text)).status !== "active" || Date.now() + POLL_MS > until) return text;
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
    own.signal.throwIfAborted();
  }
}

const Plan = z.array(z.looseObject({ text: z.string(), state: z.string() }));
const textOf = (value: unknown): string | null => (typeof value === "string" ? value.slice(0, 500) : null);

function newsIn({ type, data }: Event): string | null {
  switch (type) {
    case "job.phase":
      return textOf(data["phase"]);
    case "tool.finished":
      return textOf(data["summary"]);
    case "subtask.finished":
      return textOf(`${data["ok"] === true ? "Done" : "Not done"}: ${String(data["title"])}`);
    case "message":
    case "notice":
      return textOf(data["text"]);
    case "plan.updated": {
      const steps = Plan.catch([]).parse(data["steps"]);
      const done = steps.filter(({ state }) => state === "done").length;
      return `${done} of ${steps.length} steps done${textOf(steps.find(({ state }) => state === "in_progress")?.text)?.replace(/^/, ": ") ?? ""}`;
    }
    default:
      return null;
  }
}
