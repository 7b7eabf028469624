import { ShuttingDown } from "#lib/app-error.ts";
import { MachineBusy } from "#lib/waiting/machine-busy.ts";
import { createFairPlaces, type Priority } from "#lib/waiting/fair-places.ts";
import type { Reply, Request } from "./messages.ts";
import { type Deadline, type Death, type RenderChild, startRenderChild } from "./render-child.ts";

export interface ChildPool extends AsyncDisposable {
  /** `wasFresh`: the process had not done anything before, so this request caused its end. */
  run(work: {
    request: Exclude<Request, { kind: "included" }>;
    readInclude: (path: string) => Promise<string | null>;
    owner: string;
    priority: Priority;
    signal: AbortSignal | undefined;
  }): Promise<{ answer: Reply | Death; wasFresh: boolean }>;
}

/** Per owner. Few pages are queued for readers: with more, readers would give up before their page is rendered. */
const MAX_WAITING = { now: 300, soon: 2_000, later: 2_000 };
// Grammars and caches level off near 400 MB after 10,000 code blocks; replacing processes keeps them there.
const RETIRE_AFTER = 3_000;

/**
 * Render processes, started on demand. The one used last is reused first, because its caches are warm. Each owner (a project)
 * has up to `perOwner` of them at once, and there is one more, so that one owner's slow pages do not block another's.
 * One without work for `idleMs` ends if it is not the last.
 */
export function createChildPool(options: {
  perOwner: number;
  deadline: Deadline;
  isWarmedUp: boolean;
  idleMs: number;
}): ChildPool {
  const { perOwner, deadline, idleMs } = options;
  const places = createFairPlaces({
    places: perOwner + 1,
    perOwner,
    maxWaiting: MAX_WAITING,
    refusal: () => new MachineBusy("Too many pages wait to be rendered."),
  });
  const idle: RenderChild[] = [];
  const endings = new Map<RenderChild, NodeJS.Timeout>();
  const busy = new Set<RenderChild>();
  let closed = false;

  const start = (): RenderChild => {
    const child = startRenderChild(deadline, options);
    busy.add(child);
    return child;
  };

  const acquire = (): RenderChild => {
    for (let child = idle.pop(); child !== undefined; child = idle.pop()) {
      clearTimeout(endings.get(child));
      endings.delete(child);
      if (!child.alive) continue;
      busy.add(child);
      return child;
    }
    return start();
  };

  const release = (child: RenderChild): void => {
    busy.delete(child);
    if (closed || child.served >= RETIRE_AFTER) child.kill();
    if (closed || !child.alive || child.served >= RETIRE_AFTER) return;
    idle.push(child);
    endings.set(child, setTimeout(() => endSpare(child), idleMs).unref());
  };

  const endSpare = (child: RenderChild): void => {
    endings.delete(child);
    if (idle.length + busy.size === 1) return;
    idle.splice(idle.indexOf(child), 1);
    child.kill();
  };
  const shuttingDown = () => new ShuttingDown();

  return {
    run: ({ request, readInclude, owner, priority, signal }) => {
      const work = async () => {
        if (closed) throw shuttingDown();
        signal?.throwIfAborted();
        const child = acquire();
        try {
          const wasFresh = child.served === 0;
          const answer = await child.run(request, readInclude);
          if (closed) throw shuttingDown();
          return { answer, wasFresh };
        } finally {
          release(child);
        }
      };
      return places.run(owner, work, priority);
    },
    [Symbol.asyncDispose]() {
      closed = true;
      for (const ending of endings.values()) clearTimeout(ending);
      for (const child of [...idle.splice(0), ...busy]) child.kill();
      return Promise.resolve();
    },
  };
}
