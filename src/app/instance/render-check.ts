/** How long a successful check is cached. `/ready` is public, and each check uses a render process. */
const FRESH_MS = 5_000;
/** How long a caller waits for a check if the previous one failed. */
const WAIT_MS = 3_000;
/**
 * A process that is silent for this long gets no processor time, or is stopped: a page that hangs is ended much
 * earlier.
 */
const PATIENCE_MS = 60_000;

export const RENDERING_FAILED = "Pages cannot be rendered; the log says why.";
export const RENDERING_STARTS = "No page was rendered yet: the render process is starting.";
export const RENDERING_SILENT = "No page was rendered for a minute: the render process does not answer.";

/**
 * Returns why pages cannot be rendered; null while they can. `canRender` renders a page, at most once in five seconds
 * and never concurrently. While it runs, the previous result is returned: a busy machine is slow, but stays ready.
 */
export function createRenderCheck(
  canRender: () => Promise<boolean>,
  { monotonicMs = () => performance.now(), waitMs = WAIT_MS }: { monotonicMs?: () => number; waitMs?: number } = {},
): () => Promise<string | null> {
  let last: { at: number; isFine: boolean } | null = null;
  let current: { since: number; end: Promise<void> } | null = null;
  const start = () => {
    const end = canRender()
      .catch(() => false)
      .then((isFine) => {
        last = { at: monotonicMs(), isFine };
        current = null;
      });
    return { since: monotonicMs(), end };
  };
  const isFine = () => last?.isFine === true;
  return async () => {
    if (current === null && (last === null || monotonicMs() - last.at > FRESH_MS)) current = start();
    if (current !== null && !isFine()) await Promise.race([current.end, unrefed(waitMs)]);
    if (last?.isFine === false) return RENDERING_FAILED;
    if (current !== null && monotonicMs() - current.since > PATIENCE_MS) return RENDERING_SILENT;
    return isFine() ? null : RENDERING_STARTS;
  };
}

const unrefed = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
