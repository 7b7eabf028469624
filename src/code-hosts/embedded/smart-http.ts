import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import type { HostedRepository } from "#code-hosts/code-host.ts";
import type { BranchPush } from "#code-hosts/hosted-pull-requests.ts";
import { syncReferences } from "#git/durable.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { DEFAULT_GIT_ENVIRONMENT, type GitEnvironment } from "#git/runner.ts";
import type { Logger } from "#lib/logger.ts";
import { createSemaphore } from "#lib/semaphore.ts";
import { type GitService, limitBytes, type ServiceName, startGitService } from "./git-service.ts";
import { FLUSH, pktLine, readReceiveRequest, type ReceiveCommand, refusal, refusalReport } from "./receive-commands.ts";

export interface SmartHttpDeps {
  repoStore: RepoStore;
  logger: Logger;
  /** The repository of a slug if this key may do that with it; null in every other case. */
  authorize(slug: string, key: string, access: "read" | "write"): Promise<HostedRepository | null>;
  /** Called for each branch that a push moved, after it is durable and before the client has its answer. */
  onPush(repository: HostedRepository, push: BranchPush): Promise<void>;
  environment?: GitEnvironment;
  maxPushBytes?: number;
  maxProcesses?: number;
}

const MAX_PUSH_BYTES = 512 * 1024 * 1024;
const MAX_FETCH_REQUEST_BYTES = 32 * 1024 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_PROCESSES = 8;
const MAX_WAITING = 64;
const TIMEOUT_MS = 30 * 60_000;

const ROUTE = /^\/git\/([a-z0-9][a-z0-9-]{0,99})(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/**
 * Serves `/git/{slug}.git` to git clients: clone and fetch with a key that may read, push with one that may write.
 * The key is the password of Basic authentication (any user name) or a Bearer token. A repository that does not exist
 * and one that the key may not see give the same 401.
 */
export function createSmartHttp(deps: SmartHttpDeps): (request: Request) => Promise<Response> {
  const places = createSemaphore(deps.maxProcesses ?? MAX_PROCESSES);
  let underWay = 0;
  return async (request) => {
    const url = new URL(request.url);
    const [, slug = "", action = ""] = ROUTE.exec(url.pathname) ?? [];
    if (slug === "") return plain(404, "Not found.\n");
    const service = serviceOf(action, url.searchParams.get("service"));
    if (service === null) return plain(403, "Only the smart protocol of git is served here.\n");
    const advertise = action === "info/refs";
    if (request.method !== (advertise ? "GET" : "POST")) {
      return plain(405, "Method not allowed.\n", { Allow: advertise ? "GET" : "POST" });
    }
    const key = keyOf(request.headers.get("authorization"));
    const access = service === "git-receive-pack" ? "write" : "read";
    const repository = key === null ? null : await deps.authorize(slug, key, access);
    if (!repository) {
      return plain(401, "Use an API key of the project as the password.\n", {
        "WWW-Authenticate": 'Basic realm="Docent", charset="UTF-8"',
      });
    }
    if (underWay >= (deps.maxProcesses ?? MAX_PROCESSES) + MAX_WAITING) {
      return plain(503, "The server is busy.\n", { "Retry-After": "5" });
    }
    const { promise: answer, resolve, reject } = Promise.withResolvers<Response>();
    underWay += 1;
    // The place is held until git has ended, which is after the answer has begun.
    places
      .run(() => serve(deps, request, { repository, service, advertise, answer: resolve }))
      .catch((error: unknown) => {
        deps.logger.warn({ err: error, slug, service }, "git request failed");
        reject(error);
      })
      .finally(() => (underWay -= 1));
    return answer;
  };
}

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

interface Exchange {
  repository: HostedRepository;
  service: ServiceName;
  advertise: boolean;
  answer(response: Response): void;
}

async function serve(deps: SmartHttpDeps, request: Request, exchange: Exchange): Promise<void> {
  const { repository, service, advertise, answer } = exchange;
  const protocol = /^version=[012]$/.exec(request.headers.get("git-protocol") ?? "")?.[0] ?? null;
  const start = (body: Readable | null): GitService =>
    startGitService({
      service,
      advertise,
      protocol,
      body,
      directory: deps.repoStore.directory(repository.projectId),
      environment: deps.environment ?? DEFAULT_GIT_ENVIRONMENT,
      maxPackBytes: deps.maxPushBytes ?? MAX_PUSH_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal: request.signal,
    });
  if (advertise) {
    const git = start(null);
    const refs = await readAnswer(git);
    const failed = (await git.ended).exitCode !== 0;
    // Version 2 has no such first line.
    const intro =
      protocol === "version=2" && service === "git-upload-pack" ? [] : [pktLine(`# service=${service}\n`), FLUSH];
    if (failed) answer(plain(500, "Git failed.\n"));
    else answer(gitResponse(`application/x-${service}-advertisement`, Buffer.concat([...intro, refs])));
    return;
  }
  if (request.headers.get("content-type") !== `application/x-${service}-request`) {
    answer(plain(415, "Unsupported media type.\n"));
    return;
  }
  if (service === "git-receive-pack") await receive(deps, request, { ...exchange, start });
  else await upload(deps, request, { ...exchange, start });
}

type Conversation = Exchange & { start(body: Readable): GitService };

async function upload(
  deps: SmartHttpDeps,
  request: Request,
  { start, answer, repository }: Conversation,
): Promise<void> {
  const git = start(requestBody(request, MAX_FETCH_REQUEST_BYTES));
  git.stdout.once("close", git.kill); // a client that went away needs no pack
  answer(gitResponse("application/x-git-upload-pack-result", Readable.toWeb(git.stdout) as ReadableStream<Uint8Array>));
  const { exitCode, stderr } = await git.ended;
  if (exitCode !== 0) deps.logger.info({ project: repository.projectId, exitCode, stderr }, "git fetch did not finish");
}

async function receive(
  deps: SmartHttpDeps,
  request: Request,
  { start, answer, repository }: Conversation,
): Promise<void> {
  const type = "application/x-git-receive-pack-result";
  const body = requestBody(request, (deps.maxPushBytes ?? MAX_PUSH_BYTES) + 1024 * 1024);
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  const next = async () => (await chunks.next()).value ?? null;
  const push = await readReceiveRequest(next).catch(() => null);
  if (!push) return answer(plain(400, "This is not a push.\n"));
  // A client sends an empty one to see whether its key is accepted, before it streams a large pack.
  if (push.commands.length === 0) return answer(gitResponse(type, Buffer.alloc(0)));
  const reasons = new Map<string, string>();
  for (const command of push.commands) {
    const reason = refusal(command, repository.branch);
    if (reason !== null) reasons.set(command.ref, reason);
  }
  if (reasons.size > 0) {
    // A client reads no answer before it has sent everything.
    while ((await next().catch(() => null)) !== null);
    return answer(gitResponse(type, refusalReport(push, reasons)));
  }
  const git = start(Readable.from(continued(push.head, next)));
  const result = await readAnswer(git);
  const { exitCode, stderr } = await git.ended;
  if (exitCode !== 0) deps.logger.info({ project: repository.projectId, exitCode, stderr }, "git push did not finish");
  while ((await next().catch(() => null)) !== null); // git may have stopped reading: the client has not stopped sending
  await recordPush(deps, repository, push.commands);
  if (result.length === 0 && exitCode !== 0) return answer(plain(500, "Git failed.\n"));
  return answer(gitResponse(type, result));
}

async function readAnswer(git: GitService): Promise<Buffer> {
  try {
    return await buffer(git.stdout.pipe(limitBytes(MAX_ANSWER_BYTES)));
  } finally {
    git.kill(); // without effect on a process that has ended
  }
}

async function* continued(head: Buffer, next: () => Promise<Buffer | null>): AsyncGenerator<Buffer> {
  yield head;
  for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
}

/** Git may have refused some or all: only what the references say now counts. */
async function recordPush(deps: SmartHttpDeps, repository: HostedRepository, commands: readonly ReceiveCommand[]) {
  const { repoStore } = deps;
  await syncReferences(
    repoStore.directory(repository.projectId),
    commands.map((command) => command.ref),
  );
  for (const { ref, before } of commands) {
    if (!ref.startsWith("refs/heads/")) continue;
    const after = await repoStore.resolve(repository.projectId, ref);
    if (after === before) continue;
    const push = { branch: ref.slice("refs/heads/".length), before, after };
    await deps.onPush(repository, push).catch((error: unknown) => {
      // The push stands; readers find its effects in the repository.
      deps.logger.error({ err: error, project: repository.projectId, push }, "push could not be followed up");
    });
  }
}

function requestBody(request: Request, maxBytes: number): Readable {
  const raw = request.body ? Readable.fromWeb(request.body) : Readable.from([]);
  const limited = limitBytes(maxBytes);
  const stages = request.headers.get("content-encoding") === "gzip" ? [createGunzip(), limited] : [limited];
  let last: Readable = raw;
  for (const stage of stages) {
    last.once("error", (error) => stage.destroy(error));
    last = last.pipe(stage);
  }
  return last;
}

const NEVER_CACHE = {
  "Cache-Control": "no-cache, max-age=0, must-revalidate",
  Expires: "Fri, 01 Jan 1980 00:00:00 GMT",
  Pragma: "no-cache",
  "X-Content-Type-Options": "nosniff",
};

function gitResponse(type: string, body: Buffer | ReadableStream<Uint8Array>): Response {
  const content = Buffer.isBuffer(body) ? new Uint8Array(body) : body;
  return new Response(content, { headers: { ...NEVER_CACHE, "Content-Type": type } });
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    status,
    headers: { ...NEVER_CACHE, "Content-Type": "text/plain; charset=utf-8", ...headers },
  });
}
