import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { AppError } from "#lib/app-error.ts";
import type { ObjectId } from "./objects.ts";
import { startFailure } from "#git/process/repository-missing.ts";
import { type GitEnvironment, gitEnvironment } from "#git/process/runner.ts";

export interface ObjectHeader {
  oid: ObjectId;
  type: "blob" | "tree" | "commit" | "tag";
  sizeBytes: number;
}

export interface GitObject extends ObjectHeader {
  content: Buffer;
}

/** One long-lived `git cat-file` per repository: a lookup takes 0.1 ms, a new process 10 ms. */
export interface ObjectReader {
  /** Null for missing objects. Names are object ids or full reference names, with an optional `^{type}`. */
  headers(names: readonly string[]): Promise<(ObjectHeader | null)[]>;
  /** Whole objects; the caller must have checked their sizes. */
  objects(names: readonly string[]): Promise<(GitObject | null)[]>;
  readonly closed: boolean;
  close(): Promise<void>;
}

/** An object that git finds and cannot read. */
export class DamagedObject extends AppError {
  constructor(oid: ObjectId) {
    super("unavailable", `The object ${oid} of the repository is damaged.`, { retryAfterSeconds: 60 });
    this.name = "DamagedObject";
  }
}

interface Request {
  lines: string;
  wantsContent: boolean;
  count: number;
  found: (GitObject | null)[];
  resolve(found: (GitObject | null)[]): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

const REQUEST_TIMEOUT_MS = 60_000;
const HEADER = /^([0-9a-f]{40}) (blob|tree|commit|tag) (\d+)$/;
const NEWLINE = 0x0a;

export function createObjectReader(options: { directory: string; environment: GitEnvironment }): ObjectReader {
  const queue: Request[] = [];
  const ended = Promise.withResolvers<void>();
  let closed = false;
  let unsent = "";
  let child = start();

  function start(): ChildProcessByStdio<Writable, Readable, null> {
    const git = spawn("git", ["cat-file", "--batch-command", "--buffer"], {
      cwd: options.directory,
      env: gitEnvironment(options),
      stdio: ["pipe", "pipe", "ignore"],
      detached: true, // an interrupt from the terminal is ours to handle
    });
    const answers = createAnswerParser(queue, git);
    git.once("error", end);
    git.once("close", (exitCode) => {
      const oid = exitCode === null ? null : answers.unfinished();
      if (oid === null || closed) end(null);
      else continueWithout(oid);
    });
    git.stdin.on("error", () => undefined); // the child has exited: 'close' handles that
    git.stdout.on("data", answers.take);
    return git;
  }

  function end(error: Error | null): void {
    closed = true;
    ended.resolve();
    for (const request of queue.splice(0)) {
      clearTimeout(request.timer);
      request.reject(startFailure(options.directory, "The repository could not be read.", error));
    }
  }

  /** Git exits at a damaged object. The other requests, which may be other readers', go to a new process. */
  function continueWithout(damaged: ObjectId): void {
    const [request] = queue.splice(0, 1);
    clearTimeout(request?.timer);
    request?.reject(new DamagedObject(damaged));
    for (const waiting of queue) waiting.found = [];
    unsent = queue.map(({ lines }) => lines).join("");
    child = start();
    send();
  }

  // Requests of the same tick share a write: the write and git's flush take as long as the response.
  function send(): void {
    const requests = unsent;
    unsent = "";
    if (!closed && requests !== "") child.stdin.write(`${requests}flush\n`);
  }

  const ask = (names: readonly string[], wantsContent: boolean): Promise<(GitObject | null)[]> => {
    if (names.length === 0) return Promise.resolve([]);
    if (closed) return Promise.reject(startFailure(options.directory, "The repository could not be read.", null));
    const { promise, resolve, reject } = Promise.withResolvers<(GitObject | null)[]>();
    const timer = setTimeout(() => child.kill("SIGKILL"), REQUEST_TIMEOUT_MS);
    const verb = wantsContent ? "contents" : "info";
    const lines = names.map((name) => `${verb} ${name}\n`).join("");
    queue.push({ lines, wantsContent, count: names.length, found: [], resolve, reject, timer });
    if (unsent === "") process.nextTick(send);
    unsent += lines;
    return promise;
  };

  return {
    headers: (names) => ask(names, false),
    objects: (names) => ask(names, true),
    get closed() {
      return closed;
    },
    async close() {
      send();
      closed = true;
      child.stdin.end();
      const force = setTimeout(() => child.kill("SIGKILL"), 1_000);
      await ended.promise;
      clearTimeout(force);
    },
  };
}

/** Splits the output stream into responses: a header line, and for `contents` the bytes and a newline. */
function createAnswerParser(
  queue: Request[],
  child: ChildProcess,
): {
  take(chunk: Buffer): void;
  /** The object whose content is still incomplete, or null. */
  unfinished(): ObjectId | null;
} {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let header: ObjectHeader | null = null;

  const answer = (request: Request, object: GitObject | null) => {
    request.found.push(object);
    if (request.found.length < request.count) return;
    queue.shift();
    clearTimeout(request.timer);
    request.resolve(request.found);
  };

  const take = (chunk: Buffer) => {
    chunks.push(chunk);
    buffered += chunk.length;
    if (header && buffered < header.sizeBytes + 1) return; // avoids concatenating a large object for every chunk
    let buffer = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    for (let request = queue[0]; request; request = queue[0]) {
      if (header) {
        if (buffer.length < header.sizeBytes + 1) break;
        const content = Buffer.from(buffer.subarray(0, header.sizeBytes));
        buffer = buffer.subarray(header.sizeBytes + 1);
        answer(request, { ...header, content });
        header = null;
        continue;
      }
      const end = buffer.indexOf(NEWLINE);
      if (end === -1) break;
      const line = buffer.toString("utf8", 0, end);
      buffer = buffer.subarray(end + 1);
      const parsed = parseHeader(line);
      if (parsed === "unreadable") {
        child.kill("SIGKILL");
        return;
      }
      if (parsed && request.wantsContent) header = parsed;
      else answer(request, parsed && { ...parsed, content: Buffer.alloc(0) });
    }
    chunks = buffer.length > 0 ? [buffer] : [];
    buffered = buffer.length;
  };
  return { take, unfinished: () => header?.oid ?? null };
}

function parseHeader(line: string): ObjectHeader | null | "unreadable" {
  const match = HEADER.exec(line);
  if (!match) return / (missing|ambiguous)$/.test(line) ? null : "unreadable";
  return { oid: match[1] as ObjectId, type: match[2] as ObjectHeader["type"], sizeBytes: Number(match[3]) };
}
