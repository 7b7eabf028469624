import { DocentError } from "#client/docent-error.ts";
import { type Call, readJson, send, type TransportOptions } from "#client/transport.ts";
import { AppError, ERROR_CODES, type ErrorCode } from "#lib/app-error.ts";
import type { AnyLogin } from "./logins.ts";

/** The interface of a server, for one project. Everything throws `AppError`, or the reason of an aborted signal. */
export interface Server {
  login: AnyLogin;
  /** For what reads streams itself. */
  transport: TransportOptions;
  ask<T>(call: Call): Promise<T>;
  askText(call: Call): Promise<string>;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 3;

/** `signal` ends every call. */
export function createServer(login: AnyLogin, signal: AbortSignal, timeoutMs = TIMEOUT_MS): Server {
  const transport: TransportOptions = {
    baseUrl: login.server,
    apiKey: login.key,
    fetch: (input, init) => globalThis.fetch(input, init),
    timeoutMs,
    retries: RETRIES,
  };
  return {
    login,
    transport,
    ask: <T>(call: Call) =>
      told(login, async () => {
        const response = await send(transport, { signal, ...call });
        return response.status === 204 ? (null as T) : readJson<T>(response);
      }),
    askText: (call) => told(login, async () => (await send(transport, { signal, ...call })).text()),
  };
}

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
