import { createLruCache, type LruCache } from "#lib/lru-cache.ts";
import { MAX_DOCUMENT_CHARACTERS } from "#docs/api/bounds.ts";
import { readApi } from "#docs/api/reading/read-document.ts";
import { errorText } from "#lib/app-error.ts";
import { PageLimit } from "#docs/markup/budget.ts";
import { COMMON_LANGUAGES, UNCOLOURED } from "#docs/render/highlighter.ts";
import { createCardDrawing } from "#docs/render/picture/draw-card.ts";
import { COLD, type Reply, type Request } from "./messages.ts";
import { parseInDialect } from "#docs/syntax/syntax.ts";
import type { KeptDocument } from "#docs/render/operation/operation-part.ts";
import { createRenderDeps, type RenderDeps, renderPage } from "#docs/render/render-page.ts";

/**
 * The render process: started by `content-process.ts` with an empty environment, communicates over the IPC channel, handles
 * one request at a time. It ends when the channel closes.
 */
async function serve(): Promise<void> {
  // CPU time instead of wall-clock time: on a busy machine a page must not look different.
  const now = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  const deps: Deps = { ...(await createRenderDeps(now)), draw: createCardDrawing() };
  const session: Session = {
    waiting: new Map(),
    documents: createLruCache({ maxWeight: MAX_DOCUMENT_CHARACTERS * 1.5, weigh: ({ characters }) => characters }),
  };
  let isAnswering = false;

  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => {
    const request = message as Request;
    if (request.kind === "included") {
      session.waiting.get(request.path)?.(request.content);
      session.waiting.delete(request.path);
      return;
    }
    isAnswering = true;
    void answer(deps, request, session).then((reply) => {
      isAnswering = false;
      sendOrFail(reply, request.id);
    });
  });
  send({ kind: "ready" });
  if (!process.argv.includes(COLD)) await warmUp(deps, () => isAnswering);
}

type Deps = RenderDeps & { draw: ReturnType<typeof createCardDrawing> };

interface Session {
  /** Files that were requested. */
  waiting: Map<string, (content: string | null) => void>;
  documents: LruCache<string, KeptDocument>;
}

async function answer(
  deps: Deps,
  request: Exclude<Request, { kind: "included" }>,
  { waiting, documents }: Session,
): Promise<Reply> {
  const { id } = request;
  if (request.kind === "parse")
    return { kind: "parsed", id, outcome: parseInDialect(deps.parser.parse, request.source, request) };
  const highlighter = request.kind === "render" && request.isColoured === false ? UNCOLOURED : deps.highlighter;
  const read = (path: string) =>
    new Promise<string | null>((resolve) => {
      waiting.set(path, resolve);
      send({ kind: "include", id, path });
    });
  try {
    if (request.kind === "draw") return { kind: "drawn", id, png: await deps.draw(request.card) };
    if (request.kind === "api") return { kind: "read", id, reading: await readApi(request.path, read) };
    const operation = request.operation ? { ...request.operation, documents } : null;
    const page = await renderPage(
      { ...deps, highlighter },
      { ...request, variables: request.variables ?? {}, operation, read },
    );
    return {
      kind: "rendered",
      id,
      page,
      unfinished: [highlighter, deps.formulas, deps.diagrams].some((each) => each.ranOut()),
    };
  } catch (error) {
    if (error instanceof PageLimit) return { kind: "failed", id, message: error.message };
    const message = errorText(error);
    if (isMissingPackage(error)) return { kind: "failed", id, message, isIncomplete: true };
    // A stack overflow, or a bug of ours: the page is shown as plain text either way.
    return {
      kind: "failed",
      id,
      message:
        error instanceof RangeError ? "The page is nested too deeply." : `The page could not be rendered: ${message}`,
    };
  }
}

const isMissingPackage = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(error.code));

// The first block of a language takes up to 0.4 s. It is compiled here, between requests, rather than during one, where it
// would use up the page's time and restart its time for colors.
async function warmUp({ highlighter }: RenderDeps, isAnswering: () => boolean): Promise<void> {
  for (const language of COMMON_LANGUAGES) {
    do await new Promise((resolve) => setTimeout(resolve, 20));
    while (isAnswering());
    highlighter.startPage();
    await highlighter.load([language]);
    highlighter.tokens('const a = { b: "c", d: [1] } // e\n# f\n- g: h\n', language);
  }
}

// A tree can be too deep to be serialized.
function sendOrFail(reply: Reply, id: number): void {
  try {
    send(reply);
  } catch {
    send({ kind: "failed", id, message: "The page is nested too deeply." });
  }
}

function send(reply: Reply): void {
  process.send?.(reply);
}

await serve();
