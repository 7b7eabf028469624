import { setFlagsFromString } from "node:v8";
import { parentPort, Worker } from "node:worker_threads";
import { errorText } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";

/** Functions that a thread runs for others. Their arguments and results are copied (structured clone). */
type Functions<Name extends PropertyKey> = Record<Name, (...args: never[]) => Promise<unknown>>;

interface Call {
  id: number;
  name: string;
  args: unknown[];
}
type Answer = { id: number } & ({ result: unknown } | { error: ReturnType<typeof copyOfError> });

const CLOSE = "close";

/** A thread that runs functions of `answerCalls`. */
export interface CalledThread<Called extends Functions<keyof Called>> extends AsyncDisposable {
  call<Name extends keyof Called & string>(name: Name, ...args: Parameters<Called[Name]>): ReturnType<Called[Name]>;
}

/**
 * Node's type stripper is WebAssembly. When two threads of a process recompile its calls into JavaScript at the same
 * time, V8 13.6 aborts the process: 2 of 4 runs of 450 threads that strip types concurrently crashed, none of 9 with a
 * budget that no thread uses up. Existing threads keep theirs.
 */
const NO_WRAPPER_TIER_UP = "--wasm-wrapper-tiering-budget=1000000000";

/**
 * The thread is started on the first call, and again after it died; the calls that it had are then rejected. An idle thread does
 * not keep the process alive.
 */
export function createCalledThread<Called extends Functions<keyof Called>>({
  module,
  name: threadName,
  workerData = () => null,
  logger,
}: {
  /** See `ownModule`. */
  module: URL;
  name: string;
  workerData?: () => unknown;
  logger: Logger;
}): CalledThread<Called> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let worker: Worker | null = null;
  let isClosing = false;
  let lastId = 0;

  const start = (): Worker => {
    setFlagsFromString(NO_WRAPPER_TIER_UP);
    const made = new Worker(module, { workerData: workerData() });
    made.on("message", (answer: Answer) => {
      const { resolve, reject } = waiting.get(answer.id)!;
      waiting.delete(answer.id);
      if (waiting.size === 0 && !isClosing) made.unref();
      if ("result" in answer) resolve(answer.result);
      else reject(Object.assign(new Error(answer.error.message), answer.error));
    });
    made.on("error", (error) => logger.error({ err: error, thread: threadName }, "a thread failed"));
    made.on("exit", () => {
      worker = null;
      for (const { reject } of waiting.values()) reject(new Error(`The ${threadName} thread ended.`));
      waiting.clear();
    });
    return made;
  };

  return {
    call(name, ...args) {
      if (isClosing)
        return Promise.reject(new Error(`The ${threadName} thread is closed.`)) as ReturnType<Called[typeof name]>;
      worker ??= start();
      const id = ++lastId;
      const answered = Promise.withResolvers<unknown>();
      worker.postMessage({ id, name, args } satisfies Call); // throws for what cannot be copied
      waiting.set(id, answered);
      worker.ref();
      return answered.promise as ReturnType<Called[typeof name]>;
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      if (worker === null) return;
      const exited = Promise.withResolvers<void>();
      worker.once("exit", () => exited.resolve());
      worker.ref();
      worker.postMessage(CLOSE);
      await exited.promise;
    },
  };
}

/** In the thread: answers the calls of `createCalledThread` with these functions, until it is closed by `close`. */
export function answerCalls<Called extends Functions<keyof Called>>(
  functions: Called,
  close: () => PromiseLike<void>,
): void {
  const answer = async ({ id, name, args }: Call): Promise<void> => {
    try {
      const result = await functions[name as keyof Called](...(args as never[]));
      parentPort?.postMessage({ id, result } satisfies Answer);
    } catch (error) {
      parentPort?.postMessage({ id, error: copyOfError(error) } satisfies Answer);
    }
  };
  const end = async (): Promise<void> => {
    await close();
    parentPort?.close();
  };
  parentPort?.on("message", (message: Call | typeof CLOSE) => void (message === CLOSE ? end() : answer(message)));
}

/** With the codes by which callers know a full disk. Other properties may be objects that cannot be copied. */
function copyOfError(error: unknown) {
  const { stack, code, errcode } = error as Error & { code?: string; errcode?: number };
  return { message: errorText(error), stack, code, errcode };
}
