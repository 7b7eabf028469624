import { z } from "zod";
import type { McpTool, TellProgress } from "#lib/mcp/mcp-server.ts";
import { AppError } from "#lib/app-error.ts";
import { cutText } from "#lib/cut-text.ts";

import type { OwnInterface } from "./own-interface.ts";
import { inputs, MAX_WAIT_SECONDS } from "./tool-inputs.ts";
import { outputs } from "./tool-outputs.ts";
import { lastFindings, transcriptOf, waitForJob } from "./transcript-tools.ts";

const MAX_TEXT = 60_000;

/** Tools for agents that work on a project of this server: the API operations that they need. */
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
    tool(inputs.checkPatch, {
      name: "check_patch",
      output: outputs.trial,
      title: "Check a patch",
      description:
        "Checks a change that you made to the documentation, without publishing it: whether it applies, what the checks before a pull request find (broken links among it), and the changed pages as readers would get them.",
      run: async ({ patch, ref }) =>
        shortTrial(
          await own.ask({
            method: "POST",
            path: `${agent}/chores/try`,
            body: { chores: [{ apply_patch: { patch } }], withPages: true, ...(ref !== undefined && { ref }) },
          }),
        ),
    }),
    tool(inputs.openPullRequest, {
      name: "open_pull_request",
      output: outputs.job,
      title: "Open a pull request",
      description:
        "Opens one pull request with a change that you made to the documentation, after the same checks as check_patch. Answers with the job that did it; send_message continues it.",
      changes: "more",
      run: async ({ patch, description, idempotencyKey, ...asked }, tell) => {
        const made = await own.ask({
          method: "POST",
          path: `${agent}/job`,
          body: {
            ...asked,
            chores: [{ apply_patch: { patch } }],
            ...(description !== undefined && { prompt: description }),
          },
          ...(idempotencyKey !== undefined && { headers: { "Idempotency-Key": idempotencyKey } }),
        });
        const { id } = Made.parse(JSON.parse(made));
        return waitForJob(own, pathOf(id), { seconds: MAX_WAIT_SECONDS, tell });
      },
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
        "Answers with the job as soon as it is not active any more, or as it is when the time is over. Sends progress notifications to clients that ask for them.",
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
const Made = z.looseObject({ id: z.string() });
const Trial = z.looseObject({ files: z.array(z.unknown()), moreFiles: z.number(), diff: z.string(), diffLeftOut: z.number() }); // oxfmt-ignore

/** Shortens a trial for a model: first without its patch, then with fewer files. */
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
  const note = `[The patch continues: ${end} of ${text.length} characters. Continue at offset ${end}.]`;
  return { part: `${part}\n\n${note}`, nextOffset: end };
}
