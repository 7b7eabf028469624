import { createHash } from "node:crypto";
import { parseProblem } from "#docs/parse-limits.ts";
import type { MarkdownFormat, MarkdownParser, ParseOutcome } from "#docs/parser.ts";
import { type ApiDocuments, type ApiReader, type ApiReading, createApiDescriptions } from "#docs/api/api-documents.ts";
import { MAX_DOCUMENT_CHARACTERS, MAX_DOCUMENT_FILES } from "#docs/api/bounds.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { Priority } from "#lib/waiting/fair-places.ts";
import { MachineBusy } from "#lib/waiting/machine-busy.ts";
import { createChildPool } from "./child-pool.ts";
import { DOCUMENT_FILE } from "#docs/render/operation/operation-part.ts";
import type { Reply, Request } from "./messages.ts";
import type { RenderInput, RenderedPage } from "#docs/render/page.ts";
import type { TitleCard } from "#docs/render/picture/title-card.ts";
import { plainPage } from "#docs/render/plain-page.ts";
import type { Deadline, Death } from "./render-child.ts";

/**
 * Parses and renders pages in processes that can be killed, so that no page can stall or crash the server. A page
 * that uses too much processor time or kills its process comes back as plain text with a warning, never as an error; on a machine
 * that has no processor time to give, the work waits and goes on. `render` and
 * `parse` reject only on abort, and with `unavailable` after disposal, when too many pages wait (`MachineBusy`), or when no process
 * can be started.
 */
export interface ContentWork extends MarkdownParser {
  render(input: RenderInput): Promise<RenderedPage>;
  /** Parses for this owner (a project): owners share the processes fairly. */
  parserFor(owner: string): MarkdownParser;
  /**
   * Reads the description of an API, after pages that readers and jobs wait for; one that uses too much processor time or memory is a
   * problem of the reading. `MachineBusy` when its processes were ended from outside.
   */
  readApi: ApiReader["readApi"];
  /** Descriptions of APIs that were read, kept for all who ask. */
  apiDocuments: ApiDocuments;
  /** Draws the picture of a page as PNG; null when that takes too long or kills the process. */
  draw(card: TitleCard, owner: string): Promise<Uint8Array | null>;
}

/** What readers wait for comes first, then what jobs parse. */
export interface ContentProcess extends ContentWork, AsyncDisposable {
  /** The same for who has time: its pages come after all others, and leave a process of each owner to them. */
  inBackground: ContentWork;
}

export interface ContentProcessOptions {
  logger: Logger;
  /** Processes at once for each owner, about 100 MB each; one more is there for the others. */
  processes?: number;
  deadline?: Deadline;
  /** False: grammars are compiled when a page needs them, not ahead. */
  isWarmedUp?: boolean;
}

const MAX_ATTEMPTS = 4;
const MAX_DEATHS = 2;
const MAX_REMEMBERED = 1_000;
const REMEMBER_MS = 3_600_000;
const MAX_INCLUDE_CHARACTERS = 2_000_000;

// A page with blocks in fifteen languages takes a fresh process 1.1 s on a quiet machine, and 2.2 s beside other work:
// processor time grows, too, when two threads share a core.
const DEADLINE: Deadline = { cpuMs: 4_000, asleepMs: 30_000 };

export function createContentProcess(options: ContentProcessOptions): ContentProcess {
  const { logger, processes = 2, deadline = DEADLINE, isWarmedUp = true } = options;
  const pool = createChildPool({ perOwner: processes, deadline, isWarmedUp });
  const fatal = createLruCache<string, { message: string; until: number }>({ maxWeight: MAX_REMEMBERED });
  let lastId = 0;

  const remember = (key: string, message: string) => fatal.set(key, { message, until: Date.now() + REMEMBER_MS });
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
    options: {
      readInclude: (path: string) => Promise<string | null>;
      owner: string;
      priority: Priority;
      signal?: AbortSignal | undefined;
    },
  ): Promise<Reply | Death> {
    for (let attempt = 1; ; attempt += 1) {
      lastId += 1;
      const id = lastId;
      const { answer, wasFresh } = await pool.run({ signal: undefined, ...options, request: { ...request, id } });
      if (answer.kind === "died" && answer.reason === "not started") {
        logger.error({ detail: answer.detail }, "render process could not be started");
        throw new AppError("unavailable", "Pages cannot be rendered at the moment.", { retryAfterSeconds: 5 });
      }
      if (answer.kind !== "died" || answer.reason !== "crashed") return answer;
      // A description is read once for many pages: what ended its process was hardly the file.
      const isOver = request.kind === "api" ? attempt > MAX_DEATHS : wasFresh || attempt > 1;
      if (isOver) return answer;
      logger.warn({ detail: answer.detail }, "render process ended, trying its page once more");
    }
  }

  async function parse(
    source: string,
    { format, owner, priority }: { format: MarkdownFormat; owner: string; priority: Priority },
  ): Promise<ParseOutcome> {
    const limit = parseProblem(source);
    if (limit !== null) return { ok: false, message: limit, line: null };
    const key = contentKey("parse", format, source);
    const known = recall(key);
    if (known !== null) return { ok: false, message: known, line: null };
    const readInclude = () => Promise.resolve(null);
    const answer = await run({ kind: "parse", source, format }, { readInclude, owner, priority });
    if (answer.kind === "parsed") return answer.outcome;
    if (answer.kind === "failed") return { ok: false, message: answer.message, line: null };
    const message =
      answer.kind === "died" && answer.reason === "too slow"
        ? "The page takes too long to parse."
        : "The page cannot be parsed.";
    remember(key, message);
    return { ok: false, message, line: null };
  }

  async function readApi({ path, owner, read }: Parameters<ApiReader["readApi"]>[0]): Promise<ApiReading> {
    const failed = (message: string, files: readonly string[]): ApiReading => {
      const problems = [{ severity: "warning" as const, code: "api_description" as const, path, line: null, message }];
      return { document: null, operations: [], title: null, summary: null, files, problems };
    };
    const asked = new Set([path]);
    let trouble = null as Error | null;
    const readOrNote = (file: string) =>
      read(file).catch((error: unknown) => {
        trouble = error instanceof Error ? error : new Error(errorText(error)); // the file may be there
        return null;
      });
    let size = 0;
    const readInclude = async (file: string) => {
      asked.add(file);
      const mayBeRead = file === path || isPlainPath(file); // what was asked for may be an address
      const text = asked.size <= MAX_DOCUMENT_FILES && mayBeRead ? await readOrNote(file) : null;
      size += text?.length ?? 0;
      return size <= MAX_DOCUMENT_CHARACTERS * 2 ? text : null;
    };
    const answer = await run({ kind: "api", path }, { readInclude, owner, priority: "later" });
    if (trouble !== null) throw trouble as Error;
    if (answer.kind === "read") return answer.reading;
    if (answer.kind === "failed") return failed(answer.message, [...asked]);
    const reason = answer.kind === "died" ? answer.reason : answer.kind;
    const detail = answer.kind === "died" ? answer.detail : null;
    logger.warn({ path, reason, detail }, "description of an API ended its render process");
    if (reason === "too slow") return failed("The file takes too long to read.", [...asked]);
    if (reason === "out of memory") return failed("The file takes too much memory to read.", [...asked]);
    throw new MachineBusy(
      `${path.slice(0, 200)} could not be read: the process that read it ended ${MAX_DEATHS + 1} times.`,
    );
  }
  const apiDocuments = createApiDescriptions({ readApi });

  const work = (priorities: { page: Priority; parse: Priority }): ContentWork => ({
    async render(input) {
      input.signal?.throwIfAborted();
      const { path, source, format } = input;
      const limit = parseProblem(source);
      if (limit !== null) return plainPage(source, limit);
      const key = contentKey("render", format, `${JSON.stringify(input.operation ?? null)} ${source}`);
      const known = recall(key);
      if (known !== null) return plainPage(source, known);

      const request = {
        kind: "render" as const,
        path,
        source,
        format,
        language: input.language ?? null,
        variables: { ...input.variables },
        dollars: input.dollars ?? "likely",
        iconLibrary: input.iconLibrary ?? null,
        stylesheets: input.stylesheets ?? [],
        warnsOfStyles: input.warnsOfStyles ?? false,
        isColoured: input.isColoured ?? true,
        readsLinks: input.readsLinks ?? false,
        operation: input.operation ?? null,
      };
      const again = () =>
        run(request, {
          readInclude: includeReader(input, logger),
          owner: input.owner ?? "",
          priority: priorities.page,
          signal: input.signal,
        });
      let answer = await again();
      // What was coloured is remembered there, and grammars are compiled: each try gets further.
      for (let attempt = 1; attempt < MAX_ATTEMPTS && answer.kind === "rendered" && answer.unfinished; attempt += 1) {
        answer = await again();
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

    readApi,
    apiDocuments,
    async draw(card, owner) {
      const answer = await run(
        { kind: "draw", card },
        { readInclude: () => Promise.resolve(null), owner, priority: priorities.page },
      );
      if (answer.kind === "drawn") return answer.png;
      logger.warn({ answer }, "the picture of a page could not be drawn");
      return null;
    },
    parse: (source, format) => parse(source, { format, owner: "", priority: priorities.parse }),
    parserFor: (owner) => ({
      parse: (source, format) => parse(source, { format, owner, priority: priorities.parse }),
    }),
  });

  return {
    ...work({ page: "now", parse: "soon" }),
    inBackground: work({ page: "later", parse: "later" }),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

type WithoutId = Request extends infer One
  ? One extends { kind: "parse" | "render" | "api" | "draw" }
    ? Omit<One, "id">
    : never
  : never;

/** The caller's reader, behind a check of our own: what the render process asks for is not trusted. */
function includeReader(
  { readInclude, readDocument }: RenderInput,
  logger: Logger,
): (path: string) => Promise<string | null> {
  let asked = 0;
  return async (path) => {
    if (path === DOCUMENT_FILE) return readDocument === undefined ? null : readDocument();
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
