import { AppError } from "#lib/app-error.ts";
import type { Reply, Request } from "./messages.ts";
import { type Deadline, type Death, type RenderChild, startRenderChild } from "./render-child.ts";

export interface ChildPool extends AsyncDisposable {
  /** `wasFresh`: the process had done nothing before, so its end is this request's doing. */
  run(
    request: Exclude<Request, { kind: "included" }>,
    readInclude: (path: string) => Promise<string | null>,
    signal?: AbortSignal,
  ): Promise<{ answer: Reply | Death; wasFresh: boolean }>;
}

const MAX_WAITING = 5_000;
// Grammars and caches level off near 400 MB after 10,000 code blocks; a new process now and then keeps it there.
const RETIRE_AFTER = 3_000;

/** Up to `size` render processes, started when they are needed; the one used last is used next, its caches are warm. */
export function createChildPool({ size, deadline }: { size: number; deadline: Deadline }): ChildPool {
  const idle: RenderChild[] = [];
  const busy = new Set<RenderChild>();
  const waiting: { resolve(child: RenderChild): void; reject(error: Error): void }[] = [];
  let closed = false;

  const start = (): RenderChild => {
    const child = startRenderChild(deadline);
    busy.add(child);
    return child;
  };

  const acquire = (): Promise<RenderChild> | RenderChild => {
    if (closed) throw new AppError("unavailable", "The server is shutting down.");
    for (let child = idle.pop(); child !== undefined; child = idle.pop()) {
      if (!child.alive) continue;
      busy.add(child);
      return child;
    }
    if (busy.size < size) return start();
    if (waiting.length >= MAX_WAITING)
      throw new AppError("unavailable", "Too many pages wait to be rendered.", { retryAfterSeconds: 5 });
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };

  const release = (child: RenderChild): void => {
    busy.delete(child);
    if (closed || child.served >= RETIRE_AFTER) child.kill();
    const usable = !closed && child.alive && child.served < RETIRE_AFTER;
    const next = waiting.shift();
    if (next) {
      if (usable) busy.add(child);
      next.resolve(usable ? child : start());
    } else if (usable) idle.push(child);
  };

  return {
    async run(request, readInclude, signal) {
      const child = await acquire();
      try {
        signal?.throwIfAborted();
        const wasFresh = child.served === 0;
        const answer = await child.run(request, readInclude);
        if (closed) throw new AppError("unavailable", "The server is shutting down.");
        return { answer, wasFresh };
      } finally {
        release(child);
      }
    },
    [Symbol.asyncDispose]() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(new AppError("unavailable", "The server is shutting down."));
      for (const child of [...idle.splice(0), ...busy]) child.kill();
      return Promise.resolve();
    },
  };
}
