import { realpath } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { HostedRepository } from "#hosts/code-host.ts";
import type { BranchPush } from "#hosts/hosted-pull-requests.ts";
import { RepositoryMissing } from "#git/process/repository-missing.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { type GitEnvironment, GitError } from "#git/process/runner.ts";
import { createActivity } from "#lib/activity.ts";
import { AppError } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";
import type { FairBytes } from "#lib/fair-bytes.ts";
import type { LastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { createMeasure } from "#lib/measure.ts";
import { createSpool, type Spool } from "#lib/spool.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { gitResponse, plain } from "./git-responses.ts";
import { type GitService, limitBytes, readAnswer, type ServiceName, startGitService } from "./git-service.ts";
import { faultLines, withAdvice } from "./push-advice.ts";
import { readReceiveRequest, type ReceiveCommand, refusalReport, pushRefusals } from "./receive-commands.ts";
import { FLUSH, hideFolders, pktLine, textIn } from "./side-band.ts";

/** Branches that git clients pushed. */
export const gitPushes = createMeasure<{ branch: string }>("git push");

/** Work on a push, from the moment when its pack has arrived. */
export const pushes = createActivity<{ projectId: HostedRepository["projectId"]; sizeBytes: number }>("push");

export interface ExchangeDeps {
  repoStore: RepoStore;
  logger: Logger;
  diskTrouble: LastingTrouble;
  /** Called for each branch that a push moved, after it is durable and before the client has its answer. */
  onPush(repository: HostedRepository, push: BranchPush): Promise<void>;
  /** Has the site made from another branch. */
  publishFrom(repository: HostedRepository, branch: string): Promise<void>;
  /** Lets a repository grow by so many bytes, until disposed while the push is under way; or says why not, to who pushes. */
  admitGrowth?(repository: HostedRepository, bytes: number): Promise<string | Disposable | null>;
}

/** One request of a git client that may have what it asks for. */
export interface Exchange {
  request: Request;
  repository: HostedRepository;
  service: ServiceName;
  /** The list of references in place of a conversation. */
  advertise: boolean;
  /** Whether the key still has its access, which may have been taken away while the body arrived. */
  isStillAllowed(): Promise<boolean>;
  environment: GitEnvironment;
  maxPushBytes: number;
  /** Room on disk for what waits for a client, or for git. */
  room: FairBytes;
  answer(response: Response): void;
  /** Waits for a place of the project and runs git in it. Nothing in it may wait for the client. */
  inPlace<T>(work: () => Promise<T>): Promise<T>;
}

const MAX_FETCH_REQUEST_BYTES = 32 * 1024 * 1024;
/** Taken before the answer to a fetch begins: after that a client can no longer be told why it gets no more. */
const RESERVED_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30 * 60_000;

/**
 * Answers a request: takes its body in first, runs git in a place, and gives what git says out as fast as the client reads
 * it. So a client on a slow line, or one that stops, holds a file and no process.
 */
export async function serveExchange(deps: ExchangeDeps, exchange: Exchange): Promise<void> {
  const { request, service, answer } = exchange;
  const { projectId } = exchange.repository;
  if (!(await deps.repoStore.exists(projectId))) {
    const missing = new RepositoryMissing(deps.repoStore.directory(projectId));
    deps.logger.error({ project: projectId, reason: missing.message }, "git request failed");
    return answer(noRoom(missing));
  }
  await deps.repoStore.prepare(projectId);
  if (exchange.advertise) return advertise(deps, exchange);
  if (request.headers.get("content-type") !== `application/x-${service}-request`) {
    return answer(plain(415, "Unsupported media type.\n"));
  }
  const isPush = service === "git-receive-pack";
  await using body = createSpool(deps.repoStore.directory(projectId), { room: exchange.room.hold(projectId) });
  const maxBytes = isPush ? exchange.maxPushBytes + 1024 * 1024 : MAX_FETCH_REQUEST_BYTES;
  let [isStoring, bytes] = [false, 0];
  try {
    for await (const chunk of requestBody(request, maxBytes)) {
      isStoring = true;
      await body.write(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      isStoring = false;
    }
  } catch (error) {
    if (error instanceof AppError) return answer(noRoom(error));
    if (!isStoring) return answer(plain(400, "The request is too large, or was cut off.\n"));
    if (isDiskFull(error)) deps.diskTrouble.failed(error);
    else deps.logger.error({ err: error, project: projectId, service }, "body of a git request could not be stored");
    return answer(noRoom(new AppError("unavailable", storeTrouble(error), { cause: error })));
  }
  body.end();
  if (isPush) await pushes.run({ projectId, sizeBytes: bytes }, () => receive(deps, exchange, { body, bytes }));
  else await upload(deps, exchange, body);
}

const storeTrouble = (error: unknown) =>
  isDiskFull(error)
    ? "The server's disk is full. Try again later."
    : "The server could not store this. Try again later.";

const noRoom = ({ message, retryAfterSeconds }: AppError) =>
  plain(503, `${message}\n`, { "Retry-After": String(retryAfterSeconds ?? 30) });

function start(exchange: Exchange, directory: string, body: Spool | null): GitService {
  const { request } = exchange;
  return startGitService({
    service: exchange.service,
    advertise: exchange.advertise,
    protocol: protocolOf(request),
    body: body && Readable.from(body.read()),
    directory,
    environment: exchange.environment,
    maxPackBytes: exchange.maxPushBytes,
    timeoutMs: TIMEOUT_MS,
    signal: request.signal,
  });
}

const protocolOf = (request: Request): string | null =>
  /^version=[012]$/.exec(request.headers.get("git-protocol") ?? "")?.[0] ?? null;

async function advertise(deps: ExchangeDeps, exchange: Exchange): Promise<void> {
  const { service, answer } = exchange;
  const { refs, hasFailed } = await exchange.inPlace(async () => {
    const git = start(exchange, deps.repoStore.directory(exchange.repository.projectId), null);
    return { refs: await readAnswer(git), hasFailed: (await git.ended).exitCode !== 0 };
  });
  // Version 2 has no such first line.
  const hasIntro = protocolOf(exchange.request) !== "version=2" || service !== "git-upload-pack";
  const intro = hasIntro ? [pktLine(`# service=${service}\n`), FLUSH] : [];
  if (hasFailed) answer(plain(500, "Git failed.\n"));
  else answer(gitResponse(`application/x-${service}-advertisement`, Buffer.concat([...intro, refs])));
}

async function upload(deps: ExchangeDeps, exchange: Exchange, body: Spool): Promise<void> {
  const { repository, request } = exchange;
  const room = exchange.room.hold(repository.projectId);
  try {
    room.take(RESERVED_BYTES);
  } catch (error) {
    if (error instanceof AppError) return exchange.answer(noRoom(error));
    throw error;
  }
  const directory = deps.repoStore.directory(repository.projectId);
  await using pack = createSpool(directory, { room });
  const { promise: sent, resolve: end } = Promise.withResolvers<void>();
  await exchange.inPlace(async () => {
    if (request.signal.aborted) return end(); // it went away while it waited
    const git = start(exchange, directory, body);
    const toClient = async function* () {
      try {
        yield* pack.read();
      } finally {
        git.kill(); // a client that went away needs no pack
        end();
      }
    };
    exchange.answer(gitResponse("application/x-git-upload-pack-result", ReadableStream.from(toClient())));
    request.signal.addEventListener("abort", () => end(), { once: true });
    try {
      for await (const chunk of git.stdout) await pack.write(chunk as Buffer);
      pack.end();
    } catch (error) {
      if (isDiskFull(error)) deps.diskTrouble.failed(error);
      else deps.logger.info({ err: error, project: repository.projectId }, "git fetch was cut off");
      pack.end(new Error("The answer was cut off.", { cause: error }));
    }
    const { exitCode, stderr } = await git.ended;
    if (exitCode !== 0) {
      deps.logger.info({ project: repository.projectId, exitCode, stderr }, "git fetch did not finish");
    }
  });
  await sent;
}

async function receive(
  deps: ExchangeDeps,
  exchange: Exchange,
  { body, bytes }: { body: Spool; bytes: number },
): Promise<void> {
  const { repository, answer } = exchange;
  const type = "application/x-git-receive-pack-result";
  const push = await readReceiveRequest(body.read());
  if (!push) return answer(plain(400, "This is not a push.\n"));
  // A client sends an empty one to see whether its key is accepted, before it streams a large pack.
  if (push.commands.length === 0) return answer(gitResponse(type, Buffer.alloc(0)));
  const reasons = pushRefusals(push, repository.branch);
  if (reasons.size > 0) return answer(gitResponse(type, withAdvice(refusalReport(push, reasons))));
  const refuseAll = (reason: string) => refusalReport(push, new Map(push.commands.map((command) => [command, reason])));
  const growth = push.commands.some(({ after }) => after !== null) ? await deps.admitGrowth?.(repository, bytes) : null;
  const isFull = typeof growth === "string";
  if (isFull)
    return answer(gitResponse(type, withAdvice(refuseAll("the project's storage quota is used up"), [growth])));
  using _ = growth;
  const refs = push.commands.map((command) => command.ref);
  const received = await exchange
    .inPlace(async () => {
      // A large push takes minutes to arrive, and may wait for its place.
      if (!(await exchange.isStillAllowed()))
        return answer(gitResponse(type, refuseAll("you may no longer push here")));
      return await deps.repoStore.receive(repository.projectId, refs, async (directory) => {
        const git = start(exchange, directory, body);
        const said = hideFolders(await readAnswer(git), [directory, await realpath(directory)]);
        return { said, ...(await git.ended) };
      });
    })
    .catch((error: unknown) => {
      // Git shows its user the reason of a refused reference, and no text of a 503.
      if (error instanceof StorageUnavailable) {
        return answer(gitResponse(type, refuseAll("the server's object storage is unavailable: push again soon")));
      }
      if (!isDiskFull(error)) throw error;
      deps.diskTrouble.failed(error);
      return answer(noRoom(new AppError("unavailable", storeTrouble(error), { cause: error })));
    });
  if (!received) return;
  if (!received.isStored && received.result.exitCode === null) {
    deps.logger.info({ project: repository.projectId, stderr: received.result.stderr }, "git push was cut off");
    return answer(plain(500, "The push was cut off. Nothing of it was stored.\n"));
  }
  if (!received.isStored) {
    return answer(gitResponse(type, refuseAll("it has moved meanwhile: fetch first")));
  }
  const { said: result, exitCode, stderr } = received.result;
  // Git ends with 0 also where it could store nothing: it has told the client so.
  const failure = new GitError("receive-pack", exitCode, [stderr, ...faultLines(textIn(result))].join("\n"));
  if (isDiskFull(failure)) deps.diskTrouble.failed(failure);
  else if (exitCode === 0) deps.diskTrouble.worked();
  else deps.logger.info({ project: repository.projectId, exitCode, stderr }, "git push did not finish");
  const published = await choosePublished(deps, repository);
  await recordPush(deps, published.repository, push.commands);
  if (result.length === 0 && exitCode !== 0) return answer(plain(500, "Git failed.\n"));
  answer(gitResponse(type, withAdvice(result, published.told)));
}

/**
 * The first push to an empty repository decides which branch the site is published from: `master` is what git itself calls it. Of
 * several branches none is guessed.
 */
async function choosePublished(
  deps: ExchangeDeps,
  repository: HostedRepository,
): Promise<{ repository: HostedRepository; told: string[] }> {
  const { projectId, slug, branch: expected } = repository;
  if ((await deps.repoStore.resolve(projectId, `refs/heads/${expected}`)) !== null) return { repository, told: [] };
  const branches = (await deps.repoStore.branches(projectId)).map(({ name }) => name);
  if (branches.length === 0) return { repository, told: ["The site is empty: the repository has no branch yet."] };
  const [only] = branches;
  if (branches.length > 1 || only === undefined) {
    const told = `The site is published from ${expected}, which is not there. For another one: docent projects set ${slug} branch NAME`;
    return { repository, told: [told] };
  }
  await deps.publishFrom(repository, only);
  return {
    repository: { ...repository, branch: only },
    told: [`The site is published from ${only}, the only branch.`],
  };
}

/** Git may have refused some or all: only what the references say now counts. */
async function recordPush(deps: ExchangeDeps, repository: HostedRepository, commands: readonly ReceiveCommand[]) {
  const { repoStore } = deps;
  for (const { ref, before } of commands) {
    if (!ref.startsWith("refs/heads/")) continue;
    const after = await repoStore.resolve(repository.projectId, ref);
    if (after === before) continue;
    const push = { branch: ref.slice("refs/heads/".length), before, after };
    gitPushes.publish({ branch: push.branch });
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
