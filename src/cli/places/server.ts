import { DocentError } from "#client/docent-error.ts";
import { type Call, readJson, send, type TransportOptions } from "#client/transport.ts";
import { AppError, ERROR_CODES, type ErrorCode } from "#lib/app-error.ts";
import type { Shape } from "./answer-shapes.ts";
import type { AnyLogin } from "./logins.ts";
import type { Onlooker } from "./onlooker.ts";
import { showAfter } from "./show-after.ts";

/** The interface of a server, for one project. Everything throws `AppError`, or the reason of an aborted signal. */
export interface Server {
  login: AnyLogin;
  /** For what reads streams itself. */
  transport: TransportOptions;
  /** Its answer, which has what `shape` asks for: anybody may be at the address. */
  ask<T>(call: Call, shape: Shape): Promise<T>;
  /** The same where nothing of the answer matters. */
  ask(call: Call): Promise<void>;
  askText(call: Call): Promise<string>;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 3;

/** Longer without an answer, a person asks themselves whether anything happens. */
const SILENT_MS = 3_000;

/** `around.signal` ends every call; `around` hears of an answer that takes long, and of requests that are sent again. */
export function createServer(login: AnyLogin, around: Onlooker, timeoutMs = TIMEOUT_MS): Server {
  const { signal } = around;
  const transport: TransportOptions = {
    baseUrl: login.server,
    apiKey: login.key,
    fetch: (input, init) => globalThis.fetch(input, init),
    timeoutMs,
    retries: RETRIES,
    onRetry: (error, waitMs) =>
      around.say(`${error.message} Asking ${login.server} again in ${Math.max(1, Math.round(waitMs / 1000))} s …`),
  };
  const sent = async (call: Call): Promise<Response> => {
    using _ = showAfter(SILENT_MS, () => around.reassure(`Waiting for ${login.server} …`));
    return await send(transport, { signal, ...call });
  };
  function ask<T>(call: Call, shape: Shape): Promise<T>;
  function ask(call: Call): Promise<void>;
  function ask(call: Call, shape?: Shape): Promise<unknown> {
    return told(login, async () => {
      const response = await sent(call);
      if (shape === undefined) return;
      const answer = await readJson(response);
      const wrong = shape(answer, "");
      if (wrong !== null) throw oddAnswer(login, wrong);
      return answer;
    });
  }
  return {
    login,
    transport,
    ask,
    askText: (call) => told(login, async () => (await sent(call)).text()),
  };
}

const oddAnswer = ({ server }: AnyLogin, where: string): AppError =>
  new AppError(
    "unavailable",
    `The answer of ${server} is not one that this version of docent understands (${where}). Is a Docent server at this address?`,
  );

/** Runs it with the client's errors in the words of the command line. */
export async function told<T>(login: AnyLogin, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof DocentError ? failure(error, login) : error;
  }
}

export function failure(error: DocentError, { server, project }: Pick<AnyLogin, "server" | "project">): AppError {
  const code: ErrorCode = ERROR_CODES.find((one) => one === error.code) ?? "unavailable";
  const details = error.details.map(({ path, message }) => `\n  ${path}: ${message}`).join("");
  const id = error.code === "internal" && error.requestId !== null ? ` Its log has it as ${error.requestId}.` : "";
  const text =
    error.status === 401
      ? `${server} does not take the key for ${project ?? "all projects"}: it is revoked, expired or another server's. \`docent login\` keeps a new one.`
      : `${error.message}${details}${id}`;
  return new AppError(code, text, { cause: error });
}
