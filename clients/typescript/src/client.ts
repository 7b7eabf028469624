import type { AgentJob, AgentJobEvent, NewAgentJob, VisitorsPage } from "./answers.ts";
import { followEvents, waitForJob } from "./follow.ts";
import {
  type Answer,
  callOperation,
  type Given,
  type Input,
  type OperationName,
  type PagedName,
  pagesOf,
} from "./call.ts";
import { DocentError } from "./docent-error.ts";
import { type Call, type TransportOptions, readJson, send } from "./transport.ts";

export type { AgentJob, AgentJobEvent, AgentJobStatus, NewAgentJob, VisitorCounts, VisitorsPage } from "./answers.ts";
export type { Schemas } from "./operations.ts";
export type { Answer, Input, OperationName, PagedName } from "./call.ts";
export { readWebhook } from "./webhook.ts";
export { DocentError, type DocentErrorCode, type DocentErrorFacts } from "./docent-error.ts";

export interface DocentClientOptions {
  /** Address of the server, such as `https://docs.example.com`. */
  baseUrl: string;
  projectId: string;
  /** An admin key: for servers only, never for code that reaches a browser. */
  apiKey: string;
  fetch?: typeof globalThis.fetch;
  /** For one request; 30 s. */
  timeoutMs?: number;
  /** Repetitions of a request that was refused for now or got lost; 3. */
  retries?: number;
}

interface Cancellable {
  signal?: AbortSignal;
}

/** For a call that changes something. It is always sent with a key: repeated after a lost answer, it does nothing twice. */
interface Repeatable extends Cancellable {
  idempotencyKey?: string;
}

/** What can be asked of one project. Everything throws `DocentError`, or the reason of an aborted signal. */
export interface DocentClient {
  createJob(job: NewAgentJob, options?: Repeatable): Promise<AgentJob>;
  sendMessage(jobId: string, prompt: string, options?: Repeatable): Promise<AgentJob>;
  getJob(jobId: string, options?: Cancellable): Promise<AgentJob>;
  /** With `keepWork` what the agent has made is published as a draft. */
  cancelJob(jobId: string, options?: Repeatable & { keepWork?: boolean }): Promise<AgentJob>;
  /**
   * Asks until the job is no longer active: every half second at first, every five seconds in the end, and cheaply
   * where nothing has changed. A `failed` job is an answer, not an error. Throws `timeout` after `timeoutMs`, one hour
   * unless said otherwise.
   */
  waitForJob(
    jobId: string,
    options?: Cancellable & { timeoutMs?: number; onChange?: (job: AgentJob) => void },
  ): Promise<AgentJob>;
  /**
   * The transcript as it grows, each event once and in order, over lost connections too. Ends when the job has come
   * to rest. `after` is the `seq` of the last event already seen.
   */
  streamEvents(
    jobId: string,
    options?: Cancellable & { after?: number },
  ): AsyncGenerator<AgentJobEvent, void, undefined>;
  /**
   * Merges the pull request of a job that has ended. With `head`, the commit that was looked at, any other is refused.
   * `DocentError conflict`.
   */
  mergeJob(jobId: string, options?: Repeatable & { head?: string }): Promise<AgentJob>;
  closeJob(jobId: string, options?: Repeatable & { head?: string }): Promise<AgentJob>;
  /** Any operation of the interface by its `operationId`, as its document describes it. */
  call<Name extends OperationName>(name: Name, ...input: Given<Name>): Promise<Answer<Name>>;
  /** The pages of any list of the interface, one after another. */
  pages<Name extends PagedName>(name: Name, ...input: Given<Name>): AsyncGenerator<Answer<Name>, void, undefined>;
  /** The pages of the visitors export, one after another. Dates are `YYYY-MM-DD`; `dateTo` is the day after the last. */
  visitors(
    range?: Cancellable & { dateFrom?: string; dateTo?: string; pageSize?: number },
  ): AsyncGenerator<VisitorsPage, void, undefined>;
}

const DEFAULT_PAGE_SIZE = 250;

/** A client for one project of a Docent server. Needs `fetch` and nothing of Node: it runs on any server or edge. */
export function createDocentClient(options: DocentClientOptions): DocentClient {
  const { protocol } = URL.parse(options.baseUrl) ?? { protocol: "" };
  if (protocol !== "http:" && protocol !== "https:") {
    throw new DocentError("invalid", `"${options.baseUrl}" is no address of a server: it begins with https://.`);
  }
  if (!/^[\x21-\x7e]+$/.test(options.apiKey)) {
    throw new DocentError("invalid", "The API key is empty, or has a space or a line break in it.");
  }
  const transport: TransportOptions = {
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    apiKey: options.apiKey,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 3,
  };
  const agentPath = `/v2/agent/${encodeURIComponent(options.projectId)}`;
  const jobPath = (jobId: string) => `${agentPath}/job/${encodeURIComponent(jobId)}`;

  async function askForJob(call: Call): Promise<AgentJob> {
    return readJson<AgentJob>(await send(transport, call));
  }

  return {
    createJob: (job, options = {}) => askForJob({ ...options, method: "POST", path: `${agentPath}/job`, body: job }),
    sendMessage: (jobId, prompt, options = {}) =>
      askForJob({ ...options, method: "POST", path: `${jobPath(jobId)}/message`, body: { prompt } }),
    getJob: (jobId, options = {}) => askForJob({ ...options, method: "GET", path: jobPath(jobId) }),
    cancelJob: (jobId, { keepWork, ...options } = {}) =>
      askForJob({
        ...options,
        method: "POST",
        path: `${jobPath(jobId)}/cancel`,
        ...(keepWork && { body: { keepWork } }),
      }),

    mergeJob: (jobId, { head, ...options } = {}) =>
      askForJob({ ...options, method: "POST", path: `${jobPath(jobId)}/merge`, ...(head !== undefined && { body: { head } }) }), // oxfmt-ignore
    closeJob: (jobId, { head, ...options } = {}) =>
      askForJob({ ...options, method: "POST", path: `${jobPath(jobId)}/close`, ...(head !== undefined && { body: { head } }) }), // oxfmt-ignore

    call: (name, ...[input]) => callOperation(transport, options.projectId, name, (input ?? {}) as Input<typeof name>),
    pages: (name, ...[input]) => pagesOf(transport, options.projectId, name, (input ?? {}) as Input<typeof name>),

    waitForJob: (jobId, waiting = {}) => waitForJob(transport, jobPath(jobId), waiting),
    streamEvents: (jobId, following = {}) => followEvents(transport, jobPath(jobId), following),

    async *visitors({ signal, dateFrom, dateTo, pageSize = DEFAULT_PAGE_SIZE } = {}) {
      const path = `/v1/analytics/${encodeURIComponent(options.projectId)}/visitors`;
      for (let offset = 0; ; offset += pageSize) {
        const query = { dateFrom, dateTo, limit: pageSize, offset };
        const page = await readJson<VisitorsPage>(await send(transport, { method: "GET", path, query, signal }));
        yield page;
        if (!page.hasMore) return;
      }
    },
  };
}
