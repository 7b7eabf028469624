import type { AgentJobEvent } from "#client/answers.ts";
import {
  type Answer,
  createDocentClient,
  type DocentClientOptions,
  DocentError,
  type Input,
  type Item,
  type OperationName,
  type Operations,
  type PagedName,
  type TextName,
} from "#client/client.ts";
import type { Given } from "#client/call.ts";
import { AppError, ERROR_CODES, type ErrorCode } from "#lib/app-error.ts";
import type { AnyLogin } from "./logins.ts";
import type { ProgressListener } from "./progress-listener.ts";
import { showAfter } from "./show-after.ts";

/** The API operations for commands. All throw `AppError`, or the reason of an aborted signal. */
export interface ApiOperations {
  call<Name extends OperationName>(name: Name, ...input: Given<Name>): Promise<Answer<Name>>;
  /** The items of all pages of a list, or the first `limit`. */
  all<Name extends PagedName>(name: Name, input: Input<Name>, limit?: number): Promise<Item<Name>[]>;
  /** A response that is not JSON. */
  text<Name extends TextName>(name: Name, input: Input<Name> & { accept: Operations[Name]["text"] }): Promise<string>;
  /** Follows the transcript of a job until the job is no longer active. */
  follow(jobId: string, after: number): AsyncGenerator<AgentJobEvent, void, undefined>;
}

/** These fetch a repository or read all views of a project before they respond. */
const SLOW: ReadonlySet<OperationName> = new Set(["createProject", "addSource", "replaceSourceToken", "eraseAddress"]);
const SLOW_MS = 40 * 60_000;
/** After this time without a response, the user gets a progress message. */
const SILENT_MS = 3_000;
const PAGE = 100;

/** The operations of a server. `listener` is notified of slow responses and retries. */
export function operationsAt(login: AnyLogin, listener: ProgressListener): ApiOperations {
  const { server, project, key } = login;
  const options: DocentClientOptions = {
    baseUrl: server,
    apiKey: key,
    ...(project !== null && { projectId: project }),
    onRetry: (error, waitMs) =>
      listener.say(`${error.message} Asking ${server} again in ${Math.max(1, Math.round(waitMs / 1000))} s …`),
  };
  return operationsOver(options, {
    signal: listener.signal,
    onSilence: () => listener.reassure(`Waiting for ${server} …`),
    inWords: (error) => failure(error, login),
  });
}

/** The operations of an API client. `inWords` rewrites its errors for the command line. */
export function operationsOver(
  options: DocentClientOptions,
  { signal, onSilence, inWords }: { signal: AbortSignal; onSilence(): void; inWords(error: DocentError): unknown },
): ApiOperations {
  async function runCall<T>(work: () => Promise<T>): Promise<T> {
    using _ = showAfter(SILENT_MS, onSilence);
    try {
      return await work();
    } catch (error) {
      throw error instanceof DocentError ? inWords(error) : error;
    }
  }
  const clientFor = (name: OperationName) =>
    createDocentClient(SLOW.has(name) ? { timeoutMs: SLOW_MS, ...options } : options);
  return {
    call: (name, ...[input]) =>
      runCall(() => clientFor(name).call(name, ...([{ signal, ...input }] as unknown as Given<typeof name>))),
    all: (name, input, limit = Infinity) =>
      runCall(async () => {
        const items: Item<typeof name>[] = [];
        const asked = { signal, ...input, query: { ...input.query, limit: Math.min(PAGE, limit) } };
        for await (const item of clientFor(name).each(name, ...([asked] as unknown as Given<typeof name>))) {
          if (!item) throw new DocentError("unexpected_answer", "The answer has a list of nothing.");
          items.push(item);
          if (items.length >= limit) break;
        }
        return items;
      }),
    text: (name, input) => runCall(() => clientFor(name).text(name, { signal, ...input })),
    async *follow(jobId, after) {
      try {
        yield* createDocentClient(options).streamEvents(jobId, { after, signal });
      } catch (error) {
        throw error instanceof DocentError ? inWords(error) : error;
      }
    },
  };
}

function failure(error: DocentError, { server, project }: Pick<AnyLogin, "server" | "project">): AppError {
  const code: ErrorCode = ERROR_CODES.find((one) => one === error.code) ?? "unavailable";
  const id = error.code === "internal" && error.requestId !== null ? ` Its log has it as ${error.requestId}.` : "";
  const text =
    error.status === 401
      ? `${server} does not take the key for ${project ?? "all projects"}: it is revoked, expired or another server's. \`docent login\` keeps a new one.`
      : withDetails(error) + id;
  return new AppError(code, text, { cause: error });
}

/** The message, followed by a line for each invalid field, unless the message has it already. */
export function withDetails(error: {
  message: string;
  details?: readonly { path: string; message: string }[] | undefined;
}): string {
  const { message, details = [] } = error;
  const further = details.filter((detail) => !message.includes(detail.message));
  return message + further.map((detail) => `\n  ${detail.path}: ${detail.message}`).join("");
}
