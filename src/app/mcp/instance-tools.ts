import { z } from "zod";
import type { McpTool, TellProgress } from "#lib/mcp/mcp-server.ts";
import { AppError } from "#lib/app-error.ts";
import { CHORE_FACTS } from "#agent/toolbox/tools.ts";
import { jsonSchemaOfChore } from "#agent/toolbox/chore-calls.ts";
import { cutText } from "#lib/cut-text.ts";
import { MAX_PROMPT_CHARACTERS, MAX_TITLE_CHARACTERS } from "#features/jobs/job-limits.ts";

import type { OwnInterface } from "./own-interface.ts";
import { outputs } from "./tool-outputs.ts";
import { lastFindings, transcriptOf, waitForJob } from "./transcript-tools.ts";

const MAX_TEXT = 60_000;
const MAX_WAIT_SECONDS = 50;

const job = z
  .string()
  .max(100)
  .regex(/^job_[0-9a-z]+$/, "must be the id of a job, job_…") // a path is made of it
  .describe("Id of the job, job_….");
/** The interface counts its characters, as JSON Schema does: not by the units that strings have here. */
const prompt = (description: string) => z.string().min(1).meta({ maxLength: MAX_PROMPT_CHARACTERS, description });
/** The interface reads each chore, and says what is wrong with it. */
const chores = (description: string) =>
  z.array(z.record(z.string(), z.unknown())).meta({ description, items: { oneOf: CHORES } });
const CHORES = CHORE_FACTS.map(({ name, description }) => ({
  type: "object" as const,
  description,
  properties: { [name]: jsonSchemaOfChore(name) },
  required: [name],
  additionalProperties: false,
}));
const Day = z.string().max(40).optional();
const inputs = {
  create: z.object({
    prompt: prompt("What to change in the documentation, in plain words.").optional(),
    chores: chores(
      "Chores to carry out without a model. The prompt is optional with them, and not carried out.",
    ).optional(),
    ref: z.string().max(200).optional().describe("Branch to start from; the project's by default."),
    model: z.string().max(200).optional().describe("Model to use, provider/name; the project's by default."),
    title: z.string().meta({ maxLength: MAX_TITLE_CHARACTERS, description: "Title of the pull request." }).optional(),
    draft: z.boolean().optional().describe("Open the pull request as a draft."),
    dryRun: z.boolean().optional().describe("Tell what would change, and publish nothing."),
    idempotencyKey: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[\x20-\x7e]+$/)
      .optional()
      .describe("Say the same one when you try again after a failure: the job is created once."),
  }),
  message: z.object({
    job,
    prompt: prompt("What should be different.").optional(),
    chores: chores("Chores to carry out without a model. The prompt is optional with them.").optional(),
  }),
  tryChores: z.object({
    chores: chores("What to try."),
    ref: z.string().max(200).optional().describe("Branch to try them on; the project's by default."),
  }),
  job: z.object({ job }),
  wait: z.object({
    job,
    seconds: z.int().min(1).max(MAX_WAIT_SECONDS).default(30).describe("How long to wait for its end at most."),
  }),
  transcript: z.object({
    job,
    after: z.int().min(0).max(999_999_999).default(0).describe("Only events after this `seq`."),
    limit: z.int().min(1).max(500).default(100).describe("How many events at most."),
  }),
  list: z.object({ limit: z.int().min(1).max(50).default(10).describe("How many jobs at most, the newest first.") }),
  diff: z.object({
    job,
    offset: z.int().min(0).max(20_000_000).default(0).describe("Where to go on in a long patch."),
  }),
  merge: z.object({
    job,
    head: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/)
      .describe("The commit that get_diff showed: nothing else is merged."),
  }),
  visitors: z.object({
    from: Day.describe("First day, YYYY-MM-DD."),
    to: Day.describe("Day after the last one, YYYY-MM-DD."),
    limit: z.int().min(1).max(250).default(20).describe("How many pages at most, the most visited first."),
  }),
  search: z.object({
    query: z.string().min(1).max(200).describe("Words to look for."),
    limit: z.int().min(1).max(20).default(8).describe("How many sections at most."),
  }),
};

/** What an agent can ask of a project of this server: the operations of the interface that its work is made of. */
export function instanceTools(own: OwnInterface): McpTool[] {
  const agent = `/v2/agent/${encodeURIComponent(own.project)}`;
  const pathOf = (id: string) => `${agent}/job/${encodeURIComponent(id)}`;
  const get = (path: string, headers: Record<string, string> = {}) => own.ask({ method: "GET", path, headers });
  return [
    tool(inputs.create, {
      name: "create_job",
      output: outputs.job,
      title: "Create a job",
      description:
        "Has the server's agent edit the documentation in the background and open one pull request. Answers with the job at once; wait_for_job waits for its end.",
      changes: "more",
      run: ({ idempotencyKey, ...body }) =>
        own.ask({
          method: "POST",
          path: `${agent}/job`,
          body,
          ...(idempotencyKey !== undefined && { headers: { "Idempotency-Key": idempotencyKey } }),
        }),
    }),
    tool(inputs.message, {
      name: "send_message",
      output: outputs.job,
      title: "Send a follow-up",
      description: "Continues a job on the same pull request, with what should be different.",
      changes: "more",
      run: ({ job: id, ...body }) => own.ask({ method: "POST", path: `${pathOf(id)}/message`, body }),
    }),
    tool(inputs.tryChores, {
      name: "try_chores",
      output: outputs.trial,
      title: "Try chores",
      description:
        "Says what chores would change, without changing it: files, lines, the patch, and what the checks before a pull request find. create_job with the same chores carries them out.",
      run: async (body) => shortTrial(await own.ask({ method: "POST", path: `${agent}/chores/try`, body })),
    }),
    tool(inputs.job, {
      name: "retry_job",
      output: outputs.job,
      title: "Retry a failed job",
      description: "Sends a job's last message again, if it failed or was refused.",
      changes: "more",
      run: ({ job: id }) => own.ask({ method: "POST", path: `${pathOf(id)}/retry` }),
    }),
    tool(inputs.wait, {
      name: "wait_for_job",
      output: outputs.job,
      title: "Wait for a job",
      description:
        "Answers with the job as soon as it is not active any more, or as it is when the time is over. Sends progress notifications to who asks for them.",
      run: ({ job: id, seconds }, tell) => waitForJob(own, pathOf(id), { seconds, tell }),
    }),
    tool(inputs.job, {
      name: "get_job",
      output: outputs.job,
      title: "See a job",
      description: "A job as it is now: status, summary, error, pull request, plan of a dry run.",
      run: ({ job: id }) => get(pathOf(id)),
    }),
    tool(inputs.transcript, {
      name: "get_transcript",
      output: outputs.transcript,
      title: "Read a job's transcript",
      description: "What happened in a job, event by event: tool calls with their results, plan, checks, commits.",
      run: ({ job: id, after, limit }) => transcriptOf(own, pathOf(id), { after, limit }),
    }),
    tool(inputs.job, {
      name: "get_findings",
      output: outputs.findings,
      title: "See what the checks found",
      description: "Errors and warnings of the checks of a job's last change, and hosts that it links to first.",
      run: ({ job: id }) => lastFindings(own, pathOf(id)),
    }),
    tool(inputs.list, {
      name: "list_jobs",
      output: outputs.jobs,
      title: "List the jobs",
      description: "Jobs of the project, newest first.",
      run: ({ limit }) => get(`${agent}/jobs?limit=${limit}`),
    }),
    tool(inputs.diff, {
      name: "get_diff",
      output: outputs.diff,
      title: "See what a job changed",
      description: "The commits that a job's changes lie between, the changed files, and the patch.",
      run: async ({ job: id, offset }) => {
        const files = await get(`${pathOf(id)}/diff`, { Accept: "application/json" });
        const { part, nextOffset } = partOf(await get(`${pathOf(id)}/diff`, { Accept: "text/x-diff" }), offset);
        const { base, head, files: changed } = Diff.parse(JSON.parse(files));
        return {
          text: `${offset === 0 ? `${cutText(files, MAX_TEXT / 4)}\n\n` : ""}${part}`,
          structured: { base, head, files: offset === 0 ? changed : [], patch: part, nextOffset },
        };
      },
    }),
    tool(inputs.merge, {
      name: "merge_job",
      output: outputs.job,
      title: "Merge a job's pull request",
      description: "Merges the pull request if `head` is still its commit. Only when the person asked for it.",
      changes: "for good",
      run: ({ job: id, head }) => own.ask({ method: "POST", path: `${pathOf(id)}/merge`, body: { head } }),
    }),
    tool(inputs.job, {
      name: "cancel_job",
      output: outputs.job,
      title: "Cancel a job",
      description: "Ends an active job; what it has made is dropped.",
      changes: "for good",
      run: ({ job: id }) => own.ask({ method: "POST", path: `${pathOf(id)}/cancel` }),
    }),
    tool(inputs.visitors, {
      name: "get_visitors",
      output: outputs.visitors,
      title: "Count visitors",
      description: "Exact unique visitors of the site and of its pages in a range of UTC days, people and AI apart.",
      run: ({ from, to, limit }) => {
        const query = new URLSearchParams({ limit: String(limit) });
        if (from !== undefined) query.set("dateFrom", from);
        if (to !== undefined) query.set("dateTo", to);
        return get(`/v1/analytics/${encodeURIComponent(own.project)}/visitors?${query.toString()}`);
      },
    }),
    tool(inputs.search, {
      name: "search_docs",
      output: outputs.found,
      title: "Search the documentation",
      description: "Finds sections of the project's site: page, heading, path and excerpt of each, the best one first.",
      run: async ({ query, limit }) => {
        const found = await own.search(new URLSearchParams({ q: query, limit: String(limit) }));
        if (found === null) throw new AppError("not_found", "The site of this project cannot be searched.");
        return found;
      },
    }),
  ];
}

function tool<Input extends z.ZodObject>(
  input: Input,
  {
    run,
    ...words
  }: Omit<McpTool, "input" | "call"> & { run(input: z.output<Input>, tell: TellProgress): ReturnType<McpTool["call"]> },
): McpTool {
  return { ...words, input, call: (given, tell) => run(input.parse(given), tell) };
}

const Diff = z.looseObject({ base: z.string().nullable(), head: z.string().nullable(), files: z.array(z.unknown()) });
const Trial = z.looseObject({ files: z.array(z.unknown()), moreFiles: z.number(), diff: z.string(), diffLeftOut: z.number() }); // oxfmt-ignore

/** A trial as long as a model reads: without its patch, and then with fewer files. */
function shortTrial(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const trial = Trial.parse(JSON.parse(text));
  const all = trial.files.length;
  let files = trial.files;
  const short = () =>
    JSON.stringify({ ...trial, files, moreFiles: trial.moreFiles + all - files.length, diff: "", diffLeftOut: all });
  while (short().length > MAX_TEXT && files.length > 0) files = files.slice(0, Math.floor(files.length / 2));
  return short();
}

function partOf(text: string, offset: number): { part: string; nextOffset: number | null } {
  if (text === "") return { part: "No file is changed.", nextOffset: null };
  const part = cutText(text.slice(offset), MAX_TEXT);
  const end = offset + part.length;
  if (end >= text.length) return { part, nextOffset: null };
  const note = `[The patch goes on: ${end} of ${text.length} characters. Go on with offset ${end}.]`;
  return { part: `${part}\n\n${note}`, nextOffset: end };
}
