import { createHash } from "node:crypto";
import { parseProblem, type MarkdownFormat, type MarkdownParser, type ParseOutcome } from "#docs/parser.ts";
import { type ApiDocuments, type ApiReader, type ApiReading, createApiDescriptions } from "#docs/api/api-documents.ts";
import { MAX_DOCUMENT_CHARACTERS, MAX_DOCUMENT_FILES } from "#docs/api/bounds.ts";
import type { DialectName } from "#docs/dialect.ts";
import { errorText } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { createActivity } from "#lib/activity.ts";
import { createMeasure, secondsSince } from "#lib/measure.ts";
import type { Priority } from "#lib/waiting/fair-places.ts";
import { MachineBusy } from "#lib/waiting/machine-busy.ts";
import { createChildPool } from "./child-pool.ts";
import { includeReader, isPlainPath } from "./include-reader.ts";
import { type Reply, type Request } from "./messages.ts";
import type { RenderInput, RenderedPage } from "#docs/render/page.ts";
import type { TitleCard } from "#docs/render/picture/title-card.ts";
import { brokenInstallation, type Deadline, type Death } from "./render-child.ts";
import { plainPage } from "#docs/render/plain-page.ts";

/**
 * Parses and renders pages in processes that can be killed, so that no page can stall or crash the server. A page that
 * exceeds its CPU time or kills its process is returned as plain text with a warning, never as an error; on an overloaded
 * machine the work waits and continues. `render` and `parse` reject only on abort, and with `unavailable` after disposal,
 * when too many pages wait or something else kills the processes (`MachineBusy`), when no process can be started, or when
 * an existing snippet cannot be read at the moment.
 */
export interface ContentWork extends MarkdownParser {
  render(input: RenderInput): Promise<RenderedPage>;
  /** Parses for this owner (a project): owners share the processes fairly. */
  parserFor(owner: string, signal?: AbortSignal): MarkdownParser;
  /**
   * Reads an API description, with lower priority than pages for readers and jobs. One that exceeds its CPU time or memory has
   * a problem as its result. `MachineBusy` when its processes were killed from outside.
   */
  readApi: ApiReader["readApi"];
  /** API descriptions that were read, cached for all callers. */
  apiDocuments: ApiDocuments;
  /** Draws the image of a page as PNG; null when that takes too long or kills the process. */
  draw(card: TitleCard, owner: string): Promise<Uint8Array | null>;
}

/** Pages for readers come first, then those that jobs parse. */
export interface ContentProcess extends ContentWork, AsyncDisposable {
  /** Renders a tiny page under an owner of its own; false, with the reason in the log, when that fails. */
  canRender(): Promise<boolean>;
  /** The same at low priority: its pages come after all others, and leave one process of each owner free. */
  inBackground: ContentWork;
}

export interface ContentProcessOptions {
  logger: Logger;
  /** Concurrent processes for each owner, about 100 MB each; one more is shared by all. */
  processes?: number;
  deadline?: Deadline;
  /** False: grammars are compiled when a page needs them, not ahead. */
  isWarmedUp?: boolean;
  /** How long a process beside the last one waits for work before it ends. */
  idleMs?: number;
}

/** Requests to render processes, including the wait for a process; `result`: `ok`, or why the last process ended. */
export const contentRuns = createMeasure<{
  kind: WithoutId["kind"];
  result: "ok" | Death["reason"];
  seconds: number;
}>("content run");

/** The same requests, while they run. */
export const contentWork = createActivity<{ kind: WithoutId["kind"]; result?: "ok" | Death["reason"] }>("content work");

const MAX_ATTEMPTS = 4;
const MAX_DEATHS = 2;
/** How often a page's processes may be killed like this before the page is blamed. */
const MAX_ROUNDS = 3;
const MAX_REMEMBERED = 1_000;
const REMEMBER_MS = 3_600_000;

/** A process that is started again takes a second of CPU time, one that waits 60 to 100 MB. */
const IDLE_MS = 15_000;

// A page with blocks in fifteen languages takes a fresh process 1.1 s on a quiet machine, and 2.2 s on a busy one: CPU time
// also grows when two threads share a core.
const DEADLINE: Deadline = { cpuMs: 4_000, asleepMs: 30_000 };

export function createContentProcess(options: ContentProcessOptions): ContentProcess {
  const { logger, processes = 2, deadline = DEADLINE, isWarmedUp = true, idleMs = IDLE_MS } = options;
  const pool = createChildPool({ perOwner: processes, deadline, isWarmedUp, idleMs });
  const fatal = createLruCache<string, { message: string; until: number }>({ maxWeight: MAX_REMEMBERED });
  const killedRounds = createLruCache<string, number>({ maxWeight: MAX_REMEMBERED });
  let lastId = 0;

  /** A machine that runs out of memory kills its largest process, whatever page that is rendering. */
  const refuseIfKilled = (key: string, answer: Reply | Death): void => {
    if (answer.kind !== "died" || answer.reason !== "killed") return killedRounds.delete(key);
    const rounds = (killedRounds.get(key) ?? 0) + 1;
    killedRounds.set(key, rounds);
    if (rounds < MAX_ROUNDS)
      throw new MachineBusy(`The processes that worked on a page ended ${MAX_DEATHS + 1} times.`);
  };
  const remember = (key: string, message: string) => fatal.set(key, { message, until: Date.now() + REMEMBER_MS });
  const recall = (key: string): string | null => {
    const entry = fatal.get(key);
    if (entry === undefined) return null;
    if (entry.until > Date.now()) return entry.message;
    fatal.delete(key);
    return null;
  };

  async function run(...given: Parameters<typeof runWithRetries>): Promise<Reply | Death> {
    const startMs = performance.now();
    const { kind } = given[0];
    const work: Parameters<typeof contentWork.run>[0] = { kind };
    return contentWork.run(work, async () => {
      const answer = await runWithRetries(...given);
      const result = answer.kind === "died" ? answer.reason : "ok";
      work.result = result;
      contentRuns.publish({ kind, result, seconds: secondsSince(startMs) });
      return answer;
    });
  }

  /**
   * Runs one request. If the process dies, it is retried once if the process had rendered other pages before, and twice more
   * if something else killed it.
   */
  async function runWithRetries(
    request: WithoutId,
    options: {
      readInclude?: (path: string) => Promise<string | null>;
      owner: string;
      priority: Priority;
      signal?: AbortSignal | undefined;
    },
  ): Promise<Reply | Death> {
    for (let attempt = 1; ; attempt += 1) {
      lastId += 1;
      const id = lastId;
      const { answer, wasFresh } = await pool.run({
        signal: undefined,
        readInclude: readNothing,
        ...options,
        request: { ...request, id },
      });
      const broken = brokenInstallation(answer);
      if (broken !== null) {
        logger.error({ detail: broken.reason }, "pages cannot be rendered");
        throw broken;
      }
      if (answer.kind !== "died" || (answer.reason !== "crashed" && answer.reason !== "killed")) return answer;
      // A description is read once for many pages: a crash is unlikely to be caused by the file.
      const isInnocent = request.kind === "api" || answer.reason === "killed";
      const isOver = isInnocent ? attempt > MAX_DEATHS : wasFresh || attempt > 1;
      if (isOver) return answer;
      logger.warn({ detail: answer.detail }, "render process ended, trying its page again");
    }
  }

  async function parse(
    source: string,
    {
      format,
      dialect = "native",
      ...owned
    }: {
      format: MarkdownFormat;
      dialect?: DialectName | undefined;
      owner: string;
      priority: Priority;
      signal?: AbortSignal | undefined;
    },
  ): Promise<ParseOutcome> {
    const limit = parseProblem(source);
    if (limit !== null) return { ok: false, message: limit, line: null };
    const key = contentKey(`parse ${dialect}`, format, source);
    const known = recall(key);
    if (known !== null) return { ok: false, message: known, line: null };
    const answer = await run({ kind: "parse", source, format, dialect }, owned);
    refuseIfKilled(key, answer);
    if (answer.kind === "parsed") return answer.outcome;
    if (answer.kind === "failed") return { ok: false, message: answer.message, line: null };
    const isTooSlow = endOf(answer).reason === "too slow";
    const message = isTooSlow ? "The page takes too long to parse." : "The page cannot be parsed.";
    remember(key, message);
    return { ok: false, message, line: null };
  }

  async function canRender(): Promise<boolean> {
    const request = { kind: "render", path: "ready.md", source: "# Ready\n", format: "md" } as const;
    const answer = await run(request, { owner: "readiness", priority: "now" });
    if (answer.kind === "rendered" && answer.page.title === "Ready") return true;
    logger.error({ answer }, "the page that tells whether the server is ready could not be rendered");
    return false;
  }

  async function readApi({ path, owner, read }: Parameters<ApiReader["readApi"]>[0]): Promise<ApiReading> {
    const failed = (message: string, files: readonly string[]): ApiReading => {
      const problems = [{ severity: "warning" as const, code: "api_description" as const, path, line: null, message }];
      return { document: null, operations: [], title: null, summary: null, files, problems };
    };
    const requested = new Set([path]);
    let trouble = null as Error | null;
    const readOrNote = (file: string) =>
      read(file).catch((error: unknown) => {
        trouble = error instanceof Error ? error : new Error(errorText(error)); // the file may be there
        return null;
      });
    let size = 0;
    const readInclude = async (file: string) => {
      requested.add(file);
      const mayBeRead = file === path || isPlainPath(file); // the requested path may be an address
      const text = requested.size <= MAX_DOCUMENT_FILES && mayBeRead ? await readOrNote(file) : null;
      size += text?.length ?? 0;
      return size <= MAX_DOCUMENT_CHARACTERS * 2 ? text : null;
    };
    const answer = await run({ kind: "api", path }, { readInclude, owner, priority: "later" });
    if (trouble !== null) throw trouble as Error;
    if (answer.kind === "read") return answer.reading;
    if (answer.kind === "failed") return failed(answer.message, [...requested]);
    const { reason, detail } = endOf(answer);
    logger.warn({ path, reason, detail }, "description of an API ended its render process");
    if (reason === "too slow") return failed("The file takes too long to read.", [...requested]);
    if (reason === "out of memory") return failed("The file takes too much memory to read.", [...requested]);
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
      const key = contentKey(
        `render ${input.dialect ?? "native"}`,
        format,
        `${JSON.stringify(input.operation ?? null)} ${source}`,
      );
      const known = recall(key);
      if (known !== null) return plainPage(source, known);

      const { readInclude: _, readDocument: __, owner = "", signal, ...page } = input;
      const included = includeReader(input, logger);
      const attemptOnce = () =>
        run({ kind: "render", ...page }, { readInclude: included.read, owner, priority: priorities.page, signal });
      let answer = await attemptOnce();
      // Colored blocks are cached there, and grammars stay compiled: each attempt gets further.
      for (let attempt = 1; attempt < MAX_ATTEMPTS && answer.kind === "rendered" && answer.unfinished; attempt += 1) {
        answer = await attemptOnce();
      }
      refuseIfKilled(key, answer);
      included.refuseIfUnavailable(); // otherwise the page would be cached without its snippet
      if (answer.kind === "rendered") return answer.page;
      if (answer.kind === "failed") return plainPage(source, answer.message);
      const { reason, detail } = endOf(answer);
      const message = reason === "too slow" ? "The page takes too long to render." : "The page cannot be rendered.";
      logger.warn({ path, reason, detail }, "page ended its render process");
      if (included.requested.size === 0) remember(key, message); // otherwise the cause may be another file
      return { ...plainPage(source, message), includes: [...included.requested] };
    },

    readApi,
    apiDocuments,
    async draw(card, owner) {
      const answer = await run({ kind: "draw", card }, { owner, priority: priorities.page });
      if (answer.kind === "drawn") return answer.png;
      logger.warn({ answer }, "the picture of a page could not be drawn");
      return null;
    },
    parse: (source, format, dialect) => parse(source, { format, dialect, owner: "", priority: priorities.parse }),
    parserFor: (owner, signal) => ({
      parse: (source, format, dialect) => parse(source, { format, dialect, owner, priority: priorities.parse, signal }),
    }),
  });

  return {
    ...work({ page: "now", parse: "soon" }),
    canRender,
    inBackground: work({ page: "later", parse: "later" }),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

const readNothing = () => Promise.resolve(null);

/** How a request ended that has no answer of its kind. */
const endOf = (answer: Reply | Death): { reason: string; detail: string | null } =>
  answer.kind === "died" ? answer : { reason: answer.kind, detail: null };

type WithoutId = Request extends infer One
  ? One extends { kind: "parse" | "render" | "api" | "draw" }
    ? Omit<One, "id">
    : never
  : never;

function contentKey(kind: string, format: MarkdownFormat, source: string): string {
  return createHash("sha256").update(`${kind} ${format} `).update(source).digest("base64");
}
