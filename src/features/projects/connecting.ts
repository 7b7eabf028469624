import { cloneProgress } from "#git/transfer/clone-progress.ts";
import { AppError } from "#lib/app-error.ts";
import { newId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { type ConnectDeps, connectProject } from "./connect-project.ts";
import type { Project } from "./project.ts";
import { addressesOf } from "./project-making.ts";
import { createProject } from "./projects.ts";

/**
 * Input of a connection; the token is not kept with it. `copy`: copies the repository once, without a connection to its
 * host.
 */
export type ConnectionInput = Omit<Parameters<typeof connectProject>[1], "token" | "signal" | "onProgress"> & {
  copy?: boolean;
};

/** Progress of a connection that a person waits for. */
export type ConnectingStage =
  | { stage: "under_way"; input: ConnectionInput; progress: string | null }
  | { stage: "done"; input: ConnectionInput; project: Project }
  | { stage: "failed"; input: ConnectionInput; error: AppError };

/** Connections in progress, of this process only. */
export interface Connecting extends AsyncDisposable {
  /** Starts a connection; returns its ID when it is done, or after `patienceMs`. `AppError rate_limited`. */
  begin(input: ConnectionInput, token: Parameters<typeof connectProject>[1]["token"]): Promise<string>;
  /** Null if it is unknown, forgotten, or runs in another process. */
  look(id: string): ConnectingStage | null;
  forget(id: string): void;
}

const AT_ONCE = 4;
const MAX_REMEMBERED = 50;
const PATIENCE_MS = 2_000;

/** Disposing aborts connections in progress, which leave nothing behind. */
export function createConnecting(
  deps: ConnectDeps & { logger: Logger; outboundHttp: OutboundHttp },
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Connecting {
  const stopping = new AbortController();
  const stages = new Map<string, ConnectingStage>();
  const working = new Map<string, Promise<void>>();

  async function work(id: string, input: ConnectionInput, token: Parameters<Connecting["begin"]>[1]): Promise<void> {
    const onProgress = (line: string) => {
      const progress = cloneProgress(line);
      if (progress !== null) stages.set(id, { stage: "under_way", input, progress });
    };
    try {
      const progress = { signal: stopping.signal, onProgress };
      const project = input.copy
        ? await createProject(deps, {
            ...input,
            ...progress,
            source: input.url,
            addresses: await addressesOf(deps, input.url),
          })
        : await connectProject(deps, { ...input, token, ...progress });
      stages.set(id, { stage: "done", input, project });
    } catch (error) {
      if (!(error instanceof AppError)) deps.logger.error({ err: error }, "repository not connected");
      const shown = error instanceof AppError ? error : new AppError("internal", "Something went wrong on our side.");
      stages.set(id, { stage: "failed", input, error: shown });
    }
  }
  return {
    async begin(input, token) {
      if (working.size >= AT_ONCE) {
        const message = `${AT_ONCE} repositories are being connected already. Try again when one of them is there.`;
        throw new AppError("rate_limited", message, { retryAfterSeconds: 10 });
      }
      const id = newId("req");
      for (const old of [...stages.keys()].slice(0, Math.max(0, stages.size + 1 - MAX_REMEMBERED))) stages.delete(old);
      stages.set(id, { stage: "under_way", input, progress: null });
      const one = work(id, input, token).finally(() => working.delete(id));
      working.set(id, one);
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
      await Promise.race([one, patience]);
      clearTimeout(timer);
      return id;
    },
    look: (id) => stages.get(id) ?? null,
    forget: (id) => void stages.delete(id),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all(working.values());
    },
  };
}
