import { createHash } from "node:crypto";
import { parseProblem } from "#content/parse-limits.ts";
import type { MarkdownFormat, MarkdownParser, ParseOutcome } from "#content/parser.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";
import { createChildPool } from "./child-pool.ts";
import type { Reply, Request } from "./messages.ts";
import type { RenderInput, RenderedPage } from "./page.ts";
import { plainPage } from "./plain-page.ts";
import type { Deadline, Death } from "./render-child.ts";

/**
 * Parses and renders pages in processes that can be killed, so that no page can stall or crash the server. A page
 * that takes too long or kills its process comes back as plain text with a warning, never as an error; `render` and
 * `parse` reject only on abort, and with `unavailable` after disposal, when too many pages wait, or when no process can be
 * started.
 */
export interface ContentProcess extends MarkdownParser, AsyncDisposable {
  render(input: RenderInput): Promise<RenderedPage>;
}

export interface ContentProcessOptions {
  logger: Logger;
  /** Processes at once, about 100 MB each. */
  processes?: number;
  deadline?: Deadline;
}

const MAX_ATTEMPTS = 4;
const MAX_REMEMBERED = 1_000;
const REMEMBER_MS = 3_600_000;
const MAX_INCLUDE_CHARACTERS = 2_000_000;

export function createContentProcess(options: ContentProcessOptions): ContentProcess {
  const { logger, processes = 2, deadline = { cpuMs: 2_000, wallMs: 15_000 } } = options;
  const pool = createChildPool({ size: processes, deadline });
  const fatal = new Map<string, { message: string; until: number }>();
  let lastId = 0;

  const remember = (key: string, message: string) => {
    fatal.set(key, { message, until: Date.now() + REMEMBER_MS });
    for (const old of fatal.keys()) {
      if (fatal.size <= MAX_REMEMBERED) break;
      fatal.delete(old);
    }
  };
  const recall = (key: string): string | null => {
    const entry = fatal.get(key);
    if (entry === undefined) return null;
    if (entry.until > Date.now()) return entry.message;
    fatal.delete(key);
    return null;
  };

  /** One request; a process that dies is given one more try if it had worked on other pages before this one. */
  async function run(
    request: WithoutId,
    readInclude: (path: string) => Promise<string | null>,
    signal?: AbortSignal,
  ): Promise<Reply | Death> {
    for (let attempt = 1; ; attempt += 1) {
      lastId += 1;
      const id = lastId;
      const { answer, wasFresh } = await pool.run({ ...request, id }, readInclude, signal);
      if (answer.kind === "died" && answer.reason === "not started") {
        logger.error({ detail: answer.detail }, "render process could not be started");
        throw new AppError("unavailable", "Pages cannot be rendered at the moment.", { retryAfterSeconds: 5 });
      }
      if (answer.kind !== "died" || answer.reason === "too slow" || wasFresh || attempt > 1) return answer;
      logger.warn({ detail: answer.detail }, "render process ended, trying its page once more");
    }
  }

  return {
    async render(input) {
      input.signal?.throwIfAborted();
      const { path, source, format } = input;
      const limit = parseProblem(source);
      if (limit !== null) return plainPage(source, limit);
      const key = contentKey("render", format, source);
      const known = recall(key);
      if (known !== null) return plainPage(source, known);

      const request = { kind: "render" as const, path, source, format, variables: { ...input.variables } };
      let answer = await run(request, includeReader(input, logger), input.signal);
      // What was coloured is remembered there, and grammars are compiled: each try gets further.
      for (let attempt = 1; attempt < MAX_ATTEMPTS && answer.kind === "rendered" && answer.unfinished; attempt += 1) {
        answer = await run(request, includeReader(input, logger), input.signal);
      }
      if (answer.kind === "rendered") return answer.page;
      if (answer.kind === "failed") return plainPage(source, answer.message);
      const message =
        answer.kind === "died" && answer.reason === "too slow"
          ? "The page takes too long to render."
          : "The page cannot be rendered.";
      logger.warn(
        { path, answer: answer.kind === "died" ? { reason: answer.reason, detail: answer.detail } : answer.kind },
        "page ended its render process",
      );
      remember(key, message);
      return plainPage(source, message);
    },

    async parse(source, format): Promise<ParseOutcome> {
      const limit = parseProblem(source);
      if (limit !== null) return { ok: false, message: limit, line: null };
      const key = contentKey("parse", format, source);
      const known = recall(key);
      if (known !== null) return { ok: false, message: known, line: null };
      const answer = await run({ kind: "parse", source, format }, () => Promise.resolve(null));
      if (answer.kind === "parsed") return answer.outcome;
      if (answer.kind === "failed") return { ok: false, message: answer.message, line: null };
      const message =
        answer.kind === "died" && answer.reason === "too slow"
          ? "The page takes too long to parse."
          : "The page cannot be parsed.";
      remember(key, message);
      return { ok: false, message, line: null };
    },

    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

type WithoutId = Request extends infer One
  ? One extends { kind: "parse" | "render" }
    ? Omit<One, "id">
    : never
  : never;

/** The caller's reader, behind a check of our own: what the render process asks for is not trusted. */
function includeReader({ readInclude }: RenderInput, logger: Logger): (path: string) => Promise<string | null> {
  let asked = 0;
  return async (path) => {
    asked += 1;
    if (asked > 200 || !isPlainPath(path)) return null;
    try {
      const content = await readInclude(path);
      return content !== null && content.length <= MAX_INCLUDE_CHARACTERS ? content : null;
    } catch (error) {
      logger.error({ path, error: errorText(error) }, "snippet could not be read");
      return null;
    }
  };
}

function isPlainPath(path: unknown): path is string {
  return (
    typeof path === "string" &&
    path.length <= 1_000 &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\0"))
  );
}

function contentKey(kind: string, format: MarkdownFormat, source: string): string {
  return createHash("sha256").update(`${kind} ${format} `).update(source).digest("base64");
}
