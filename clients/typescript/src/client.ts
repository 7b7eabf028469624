import type { AgentJob, AgentJobDiff, AgentJobEvent, AgentMessage, NewAgentJob, VisitorsPage } from "./answers.ts";
import {
  type Answer,
  type Answered,
  type Caller,
  callOperation,
  type Given,
  type Input,
  type Item,
  itemsOf,
  type OperationName,
  type PagedName,
  pagesOf,
  readOperationText,
  segment,
  type TextName,
} from "./call.ts";
import { DocentError } from "./docent-error.ts";
import { followEvents, waitForJob } from "./follow.ts";
import type { Operations } from "./operations.ts";
import type { TransportOptions } from "./transport.ts";

export type {
  AgentJob,
  AgentJobDiff,
  AgentJobEvent,
  AgentJobStatus,
  AgentMessage,
  NewAgentJob,
  VisitorCounts,
  VisitorsPage,
  WebhookEvent,
} from "./answers.ts";
export type { Answer, Answered, Input, Item, OperationName, PagedName, TextName } from "./call.ts";
export { DocentError, type DocentErrorCode, type DocentErrorFacts } from "./docent-error.ts";
export type { Operations, Schemas } from "./operations.ts";
export { readWebhook } from "./webhook.ts";

export interface DocentClientOptions {
  /** Address of the server, such as `https://docs.example.com`. */
  baseUrl: string;
  /** The project of all calls that are about one, unless a call names another. */
  projectId?: string;
  /** A secret: for servers only, never for code that reaches a browser. */
  apiKey: string;
  fetch?: typeof globalThis.fetch;
  /** For one request; 30 s. */
  timeoutMs?: number;
  /** Repetitions of a request that was refused for now or got lost; 3. */
  retries?: number;
  /** Hears why a request is sent again, and after how many milliseconds: for a line in a log, or in a terminal. */
  onRetry?: (error: DocentError, waitMs: number) => void;
}

interface Cancellable {
  signal?: AbortSignal;
}

/** For a call that changes something. It is always sent with a key: repeated after a lost answer, it does nothing twice. */
interface Repeatable extends Cancellable {
  idempotencyKey?: string;
}

/** What can be asked of a server. Everything throws `DocentError`, or the reason of an aborted signal. */
export interface DocentClient {
  /** Any operation of the interface by its `operationId`, as its document describes it. */
  call<Name extends OperationName>(name: Name, ...input: Given<Name>): Promise<Answer<Name>>;
  /** The same with the status and the headers of the answer. */
  request<Name extends OperationName>(name: Name, ...input: Given<Name>): Promise<Answered<Name>>;
  /** The answer in another form: `text("getVisitors", { accept: "text/csv" })`. */
  text<Name extends TextName>(name: Name, input: Input<Name> & { accept: Operations[Name]["text"] }): Promise<string>;
  /** What any list is made of, from all its pages. */
  each<Name extends PagedName>(name: Name, ...input: Given<Name>): AsyncGenerator<Item<Name>, void, undefined>;
  /** The pages of any list, one after another. */
  pages<Name extends PagedName>(name: Name, ...input: Given<Name>): AsyncGenerator<Answer<Name>, void, undefined>;

  createJob(job: NewAgentJob, options?: Repeatable): Promise<AgentJob>;
  /** A prompt, or the body with `chores`. */
  sendMessage(jobId: string, message: string | AgentMessage, options?: Repeatable): Promise<AgentJob>;
  /** Sends the last message again, if it failed or was refused. */
  retryJob(jobId: string, options?: Repeatable): Promise<AgentJob>;
  getJob(jobId: string, options?: Cancellable): Promise<AgentJob>;
  getDiff(jobId: string, options?: Cancellable): Promise<AgentJobDiff>;
  /** With `keepWork` what the agent has made is published as a draft. */
  cancelJob(jobId: string, options?: Repeatable & { keepWork?: boolean }): Promise<AgentJob>;
  /**
   * Merges the pull request of a job that has ended. With `head`, the commit that was looked at, any other is refused.
   * `DocentError conflict`.
   */
  mergeJob(jobId: string, options?: Repeatable & { head?: string }): Promise<AgentJob>;
  closeJob(jobId: string, options?: Repeatable & { head?: string }): Promise<AgentJob>;
  /**
   * Asks until the job is no longer active: every half second at first, every five seconds in the end, and cheaply
   * where nothing has changed. A `failed` job is an answer, not an error. Throws `timeout` after `timeoutMs`, one hour
   * unless said otherwise. A server that is away is asked again for some four minutes.
   */
  waitForJob(
    jobId: string,
    options?: Cancellable & { timeoutMs?: number; onChange?: (job: AgentJob) => void },
  ): Promise<AgentJob>;
  /**
   * The transcript as it grows, each event once and in order, over lost connections and some four minutes without a
   * server too. Ends when the job has come to rest. `after` is the `seq` of the last event already seen.
   */
  streamEvents(
    jobId: string,
    options?: Cancellable & { after?: number },
  ): AsyncGenerator<AgentJobEvent, void, undefined>;
  /** The pages of the visitors export, one after another. Dates are `YYYY-MM-DD`; `dateTo` is the day after the last. */
  visitors(
    range?: Cancellable & { dateFrom?: string; dateTo?: string; pageSize?: number },
  ): AsyncGenerator<VisitorsPage, void, undefined>;
}

const DEFAULT_PAGE_SIZE = 250;

/** A client for a Docent server. Needs `fetch` and nothing of Node: it runs on any server or edge. */
export function createDocentClient(options: DocentClientOptions): DocentClient {
  const transport = transportOf(options);
  const { projectId } = options;
  const caller: Caller = { transport, projectId };
  const jobPath = (jobId: string) =>
    `/v2/agent/${segment("projectId", projectId)}/job/${segment("the id of the job", jobId)}`;
  const ask = async <Name extends OperationName>(name: Name, input: Input<Name>) =>
    (await callOperation(caller, name, input)).body;

  return {
    call: (name, ...[input]) => ask(name, (input ?? {}) as Input<typeof name>),
    request: async (name, ...[input]) => callOperation(caller, name, (input ?? {}) as Input<typeof name>),
    text: async (name, input) => readOperationText(caller, name, input),
    each: (name, ...[input]) => itemsOf(caller, name, (input ?? {}) as Input<typeof name>),
    pages: (name, ...[input]) => pagesOf(caller, name, (input ?? {}) as Input<typeof name>),

    createJob: (job, more = {}) => ask("createAgentJob", { ...more, body: job }),
    sendMessage: (id, message, more = {}) =>
      ask("sendAgentMessage", { ...more, id, body: typeof message === "string" ? { prompt: message } : message }),
    retryJob: (id, more = {}) => ask("retryAgentJob", { ...more, id }),
    getJob: (id, more = {}) => ask("getAgentJob", { ...more, id }),
    getDiff: (id, more = {}) => ask("getAgentJobDiff", { ...more, id }),
    cancelJob: (id, { keepWork, ...more } = {}) =>
      ask("cancelAgentJob", { ...more, id, ...(keepWork && { body: { keepWork } }) }),
    mergeJob: (id, { head, ...more } = {}) =>
      ask("mergeAgentJob", { ...more, id, ...(head !== undefined && { body: { head } }) }),
    closeJob: (id, { head, ...more } = {}) =>
      ask("closeAgentJob", { ...more, id, ...(head !== undefined && { body: { head } }) }),

    waitForJob: async (jobId, waiting = {}) => waitForJob(transport, jobPath(jobId), waiting),
    async *streamEvents(jobId, following = {}) {
      yield* followEvents(transport, jobPath(jobId), following);
    },
    visitors: ({ dateFrom, dateTo, pageSize = DEFAULT_PAGE_SIZE, ...more } = {}) =>
      pagesOf(caller, "getVisitors", {
        ...more,
        query: {
          ...(dateFrom !== undefined && { dateFrom }),
          ...(dateTo !== undefined && { dateTo }),
          limit: pageSize,
        },
      }),
  };
}

function transportOf(options: DocentClientOptions): TransportOptions {
  const { apiKey, projectId, timeoutMs = 30_000, retries = 3 } = options;
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new DocentError("invalid", "The API key is empty, or has a space or a line break in it.");
  }
  if (projectId !== undefined) segment("projectId", projectId);
  if (!(timeoutMs > 0) || !(retries >= 0))
    throw new DocentError("invalid", "timeoutMs or retries is no number to use.");
  return {
    baseUrl: addressOf(options.baseUrl),
    apiKey,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs,
    retries,
    onRetry: options.onRetry,
  };
}

function addressOf(baseUrl: string): string {
  let url: URL | null = null;
  try {
    url = new URL(baseUrl);
  } catch {
    // told below
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new DocentError("invalid", `"${baseUrl}" is not a server address: it must begin with https://.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new DocentError("invalid", "The address of the server has a user, a “?” or a “#” in it: leave that out.");
  }
  return url.href.replace(/\/+$/, "");
}
