import { composeOwnerApi } from "#app/owner-api.ts";
import { createContext } from "#app/context.ts";
import { DocentError } from "#client/docent-error.ts";
import { findKeyOwner } from "#features/keys/api-keys.ts";
import { findAnyJob } from "#features/jobs/jobs.ts";
import { findProject, requireProject } from "#features/projects/projects.ts";
import { cloneProgress } from "#git/transfer/clone-progress.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import type { JobId } from "#lib/ids.ts";
import type { Docent, Whose } from "./docent.ts";
import { openInstance, type OpenInstance, openVault } from "./open-instance.ts";
import type { ProgressListener } from "#cli/places/progress-listener.ts";
import type { PlaceOptions } from "#cli/places/place.ts";
import { withDetails, operationsOver } from "#cli/places/server.ts";

/** No timeout: the user sees progress, and can interrupt with Ctrl-C. */
const PATIENCE_MS = 2 ** 31 - 1;

/**
 * The API on the store of a data directory, in this process. Write access to the directory makes the user its owner.
 */
export async function openBeside(
  options: PlaceOptions,
  whose: Whose,
  { signal, say, progress }: ProgressListener,
): Promise<Docent> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await openInstance({ ...options, say, mayMakeStore: whose === "new project" }));
  const { database, repoStore, clock, logger, config, baseUrl } = instance;
  const project = await projectOf(instance, whose);
  const api = stack.use(
    composeOwnerApi(createContext({ ...config, baseUrl }, { logger, clock }), {
      store: { database, repoStore, vault: await openVault(instance) },
      say,
      onProgress(line) {
        const words = cloneProgress(line);
        if (words !== null) progress(words);
      },
    }),
  );
  const operations = operationsOver(
    {
      baseUrl,
      apiKey: api.key,
      ...(project && { projectId: project.id }),
      fetch: (url, init) => answered(api.fetch(new Request(url, init)), signal),
      timeoutMs: PATIENCE_MS,
      retries: 0,
    },
    { signal, onSilence: () => undefined, inWords: (error) => inOwnWords(error.cause ?? error) },
  );
  const owned = stack.move();
  return {
    ...operations,
    projectId: project?.id ?? null,
    name: project?.slug ?? "",
    beside: instance,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function projectOf(instance: OpenInstance, whose: Whose) {
  if (typeof whose === "string") return null;
  if ("project" in whose) return requireProject(instance, whose.project);
  if ("key" in whose) {
    const { projectId } = await findKeyOwner(instance, whose.key);
    return projectId && findProject(instance, projectId);
  }
  const job = await findAnyJob(instance, whose.job as JobId);
  const owner = job && (await findProject(instance, job.projectId));
  if (!owner) throw new AppError("not_found", `There is no job "${whose.job}".`);
  return owner;
}

/** Passes errors on unchanged: the client would report them as a lost connection. */
async function answered(work: Promise<Response>, signal: AbortSignal): Promise<Response> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const interrupt = () => reject(signal.reason);
  signal.addEventListener("abort", interrupt, { once: true });
  try {
    const response = await Promise.race([work, interrupted]);
    // An abort also ends a stream that is silent.
    return response.body === null
      ? response
      : new Response(response.body.pipeThrough(new TransformStream(), { signal }), response);
  } catch (cause) {
    throw new DocentError("unknown", errorText(cause), { cause });
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
}

const inOwnWords = (cause: unknown): unknown =>
  cause instanceof AppError && cause.details?.length ? new AppError(cause.code, withDetails(cause), { cause }) : cause;
