import type { HostedRepository } from "#hosts/code-host.ts";
import { DEFAULT_GIT_ENVIRONMENT, type GitEnvironment } from "#git/process/runner.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import { AppError } from "#lib/app-error.ts";
import { createFairBytes } from "#lib/fair-bytes.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import { type ExchangeDeps, serveExchange } from "./git-exchange.ts";
import { plain } from "./git-responses.ts";
import type { ServiceName } from "./git-service.ts";

export interface SmartHttpDeps<Client> extends Pick<
  ExchangeDeps,
  "repoStore" | "logger" | "onPush" | "publishFrom" | "admitGrowth"
> {
  /** The repository of a slug if this key may do that with it; null in every other case. */
  authorize(
    slug: string,
    /** `AppError forbidden` for a key that does not work for this client, or may read and not write. */
    given: { key: string; client: Client },
    access: "read" | "write",
  ): Promise<HostedRepository | null>;
  environment?: GitEnvironment;
  maxPushBytes?: number;
  maxProcesses?: number;
  /** On disk for bodies and packs that are on their way. */
  room?: { total: number; perOwner: number };
}

const MAX_PUSH_BYTES = 512 * 1024 * 1024;
const MAX_PROCESSES = 8;
/** Four pushes of the largest size, or clones that are read slowly; see `createFairBytes` for one that is larger. */
const ROOM = { total: 8 * 1024 ** 3, perOwner: 2 * 1024 ** 3 };
/** Requests of one project that are under way, most of them waiting for their client. */
const MAX_UNDER_WAY = 64;

const ROUTE = /^\/git\/([a-z0-9][a-z0-9-]{0,99})(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

const LFS_ROUTE = /^\/git\/[a-z0-9][a-z0-9-]{0,99}(?:\.git)?\/info\/lfs\//;

/** As the interface of Git LFS has errors: its client shows the message. */
function noLargeFiles(): Response {
  const message =
    "Git LFS is not supported here: readers would get pointers in place of files. Commit the files themselves (git lfs migrate export).";
  const headers = { "Content-Type": "application/vnd.git-lfs+json", "Cache-Control": "no-store" };
  return new Response(JSON.stringify({ message }), { status: 501, headers });
}

/**
 * Serves `/git/{slug}.git` to git clients: clone and fetch with a key that may read, push with one that may write.
 * The key is the password of Basic authentication (any user name) or a Bearer token. A repository that does not exist
 * and one that the key may not see give the same 401.
 */
export function createSmartHttp<Client>(
  deps: SmartHttpDeps<Client>,
): (request: Request, client: Client) => Promise<Response> {
  const places = createFairPlaces({ places: deps.maxProcesses ?? MAX_PROCESSES });
  const room = createFairBytes(deps.room ?? ROOM);
  const underWay = new Map<string, number>();
  const diskTrouble = createLastingTrouble(deps.logger, "git requests fail: the disk is full");
  const count = (project: string, change: 1 | -1) => {
    const now = (underWay.get(project) ?? 0) + change;
    if (now > 0) underWay.set(project, now);
    else underWay.delete(project);
  };
  return async (request, client) => {
    const url = new URL(request.url);
    const [, slug = "", action = ""] = ROUTE.exec(url.pathname) ?? [];
    if (LFS_ROUTE.test(url.pathname)) return noLargeFiles();
    if (slug === "") return plain(404, "Not found.\n");
    const service = serviceOf(action, url.searchParams.get("service"));
    if (service === null) return plain(403, "Only the smart protocol of git is served here.\n");
    const advertise = action === "info/refs";
    if (request.method !== (advertise ? "GET" : "POST")) {
      return plain(405, "Method not allowed.\n", { Allow: advertise ? "GET" : "POST" });
    }
    const key = keyOf(request.headers.get("authorization"));
    const access = service === "git-receive-pack" ? "write" : "read";
    const authorize = async () => (key === null ? null : deps.authorize(slug, { key, client }, access));
    let repository: HostedRepository | null;
    try {
      repository = await authorize();
    } catch (error) {
      if (error instanceof AppError && error.code === "forbidden") return plain(403, `${error.message}\n`);
      throw error;
    }
    if (!repository) {
      return plain(
        401,
        "Use a personal access token or an API key of the project as the password. A push needs the scope write.\n",
        {
          "WWW-Authenticate": 'Basic realm="Docent", charset="UTF-8"',
        },
      );
    }
    const { projectId } = repository;
    if ((underWay.get(projectId) ?? 0) >= MAX_UNDER_WAY) {
      return plain(503, "Too many git commands on this project at once.\n", { "Retry-After": "5" });
    }
    const { promise: answer, resolve, reject } = Promise.withResolvers<Response>();
    count(projectId, 1);
    const exchange = {
      request,
      repository,
      service,
      advertise,
      isStillAllowed: () => authorize().then((found) => found !== null, isNoRefusal),
      environment: deps.environment ?? DEFAULT_GIT_ENVIRONMENT,
      maxPushBytes: deps.maxPushBytes ?? MAX_PUSH_BYTES,
      room,
      answer: resolve,
      inPlace: <T>(work: () => Promise<T>) => places.run(projectId, work),
    };
    // It goes on after the answer has begun.
    serveExchange({ ...deps, diskTrouble }, exchange)
      .catch((error: unknown) => {
        deps.logger.warn({ err: error, slug, service }, "git request failed");
        reject(error);
      })
      .finally(() => count(projectId, -1));
    return answer;
  };
}

const isNoRefusal = (error: unknown): false => {
  if (error instanceof AppError && error.code === "forbidden") return false;
  throw error;
};

function serviceOf(action: string, asked: string | null): ServiceName | null {
  const name = action === "info/refs" ? asked : action;
  return name === "git-upload-pack" || name === "git-receive-pack" ? name : null;
}

function keyOf(authorization: string | null): string | null {
  const [, scheme = "", value = ""] = /^(basic|bearer) +(\S+)$/i.exec(authorization ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  const [, user = "", password = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(value, "base64").toString("utf8")) ?? [];
  return password || user || null;
}
