import { type ChildProcess, spawn } from "node:child_process";
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

interface Request {
  wantsContent: boolean;
  left: number;
  found: (GitObject | null)[];
  resolve(found: (GitObject | null)[]): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

const REQUEST_TIMEOUT_MS = 60_000;
const HEADER = /^([0-9a-f]{40}) (blob|tree|commit|tag) (\d+)$/;
const NEWLINE = 0x0a;

export function createObjectReader(options: { directory: string; environment: GitEnvironment }): ObjectReader {
  const child = spawn("git", ["cat-file", "--batch-command", "--buffer"], {
    cwd: options.directory,
    env: gitEnvironment(options),
    stdio: ["pipe", "pipe", "ignore"],
    detached: true, // an interrupt from the terminal is ours to handle
  });
  const queue: Request[] = [];
  let closed = false;
  const ended = new Promise<void>((resolve) => {
    const end = (error: Error | null) => {
      closed = true;
      resolve();
      for (const request of queue.splice(0)) {
        clearTimeout(request.timer);
        request.reject(startFailure(options.directory, "The repository could not be read.", error));
      }
    };
    child.once("error", end);
    child.once("close", () => end(null));
  });
  child.stdin.on("error", () => undefined); // the child has exited: 'close' handles that
  child.stdout.on("data", createAnswerParser(queue, child));

  // Requests of the same tick share a write: the write and git's flush take as long as the response.
  let unsent = "";
  const send = () => {
    const requests = unsent;
    unsent = "";
    if (!closed) child.stdin.write(`${requests}flush\n`);
  };

  const ask = (names: readonly string[], wantsContent: boolean): Promise<(GitObject | null)[]> => {
    if (names.length === 0) return Promise.resolve([]);
    if (closed) return Promise.reject(startFailure(options.directory, "The repository could not be read.", null));
    const { promise, resolve, reject } = Promise.withResolvers<(GitObject | null)[]>();
    const timer = setTimeout(() => child.kill("SIGKILL"), REQUEST_TIMEOUT_MS);
    queue.push({ wantsContent, left: names.length, found: [], resolve, reject, timer });
    const verb = wantsContent ? "contents" : "info";
    if (unsent === "") process.nextTick(send);
    unsent += names.map((name) => `${verb} ${name}\n`).join("");
    return promise;
  };

  return {
    headers: (names) => ask(names, false),
    objects: (names) => ask(names, true),
    get closed() {
      return closed;
    },
    async close() {
      if (unsent !== "") send();
      closed = true;
      child.stdin.end();
      const force = setTimeout(() => child.kill("SIGKILL"), 1_000);
      await ended;
      clearTimeout(force);
    },
  };
}

/** Splits the output stream into responses: a header line, and for `contents` the bytes and a newline. */
function createAnswerParser(queue: Request[], child: ChildProcess): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let header: ObjectHeader | null = null;

  const answer = (request: Request, object: GitObject | null) => {
    request.found.push(object);
    request.left -= 1;
    if (request.left > 0) return;
    queue.shift();
    clearTimeout(request.timer);
    request.resolve(request.found);
  };

  return (chunk) => {
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
}

function parseHeader(line: string): ObjectHeader | null | "unreadable" {
  const match = HEADER.exec(line);
  if (!match) return / (missing|ambiguous)$/.test(line) ? null : "unreadable";
  return { oid: match[1] as ObjectId, type: match[2] as ObjectHeader["type"], sizeBytes: Number(match[3]) };
}
