import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { S3mini, S3ServiceError } from "s3mini";
import { AppError } from "#lib/app-error.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { createActivity } from "#lib/activity.ts";
import { createMeasure, secondsSince } from "#lib/measure.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { type BucketSettings, bucketUrl } from "./bucket-settings.ts";
import { faultOfConnection, faultOfReply, type StorageFault } from "./storage-fault.ts";

/** The bytes of an object. `read` is called again when the request is repeated. */
export interface ObjectContent {
  sizeBytes: number;
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Objects in a bucket, by names below its prefix. All calls throw `StorageUnavailable` during an outage. */
export interface Bucket {
  /** Where it is, for messages. */
  url: string;
  put(name: string, content: ObjectContent): Promise<void>;
  /** The bytes of an object of about this size; null if it does not exist. */
  get(name: string, sizeBytes: number): Promise<AsyncIterable<Uint8Array> | null>;
  /** Also succeeds if it does not exist. */
  remove(name: string): Promise<void>;
  /** All objects below a name. */
  list(under: string): AsyncGenerator<{ name: string; sizeBytes: number }>;
  /** Writes, reads and removes an object. `AppError invalid` for a setting that is wrong; see `StorageFault`. */
  check(): Promise<void>;
  /** Why the last request failed; null if it succeeded. */
  trouble(): string | null;
}

/** Requests to a bucket. `seconds` is the time until the reply begins. */
export const bucketRequests = createMeasure<{
  operation: "put" | "get" | "remove" | "list";
  result: "ok" | "missing" | "failed";
  seconds: number;
}>("bucket request");

/** The same with its retries. */
export const bucketCalls = createActivity<{ operation: "put" | "get" | "remove" | "list" }>("bucket call");

const TRIES = 3;
const PAUSE_MS = 200;
/** After a request has failed in an outage, others are refused at once for so long; then one is sent to see whether it is over. */
const HOLD_MS = 5_000;
const REPLY_MS = 15_000;
/** The slowest transfer that is waited for, 100 kB/s. */
const BYTES_PER_MS = 100;
const PAGE = 1_000;
const NO_PARTS = 5 * 1024 ** 3; // the largest object that one request may store

/** Told apart from a failure of the network, which `fetch` reports in the same way. */
class ContentFailed extends Error {}

export function createBucket({
  settings,
  logger,
  fetch: send = fetch,
  holdMs = HOLD_MS,
  replyMs = REPLY_MS,
}: {
  settings: BucketSettings;
  logger: Logger;
  fetch?: typeof fetch;
  holdMs?: number;
  replyMs?: number;
}): Bucket {
  const url = bucketUrl(settings);
  const outage = createLastingTrouble(logger, "the object storage is unavailable");
  let trouble: string | null = null;
  let isAway = false;
  let heldUntilMs = 0;

  /** A client whose requests end after a time. Signing has no state, so a client per call costs nothing. */
  const clientFor = (timeoutMs: number) =>
    new S3mini({
      accessKeyId: settings.accessKeyId,
      secretAccessKey: settings.secretAccessKey.reveal(),
      endpoint: url,
      region: settings.region,
      minPartSize: NO_PARTS,
      fetch(input, init) {
        // Streams need `duplex`; other bodies ignore it.
        const streamed: RequestInit & { duplex: "half" } = { ...init, duplex: "half" };
        return send(input, { ...streamed, signal: AbortSignal.timeout(Math.ceil(timeoutMs)) });
      },
    });

  function failed(fault: StorageFault): StorageUnavailable {
    trouble = fault.words;
    isAway = fault.isOutage;
    heldUntilMs = performance.now() + holdMs;
    const error = new StorageUnavailable(fault.words, fault);
    outage.failed(error);
    return error;
  }

  function faultOf(error: unknown): StorageFault {
    if (!(error instanceof S3ServiceError)) return faultOfConnection(error, settings);
    const code = /<Code>([A-Za-z]+)<\/Code>/.exec(error.body ?? "")?.[1] ?? null;
    return faultOfReply({ status: error.status, code }, settings);
  }

  /** Sends a request, again after a brief failure; null if there is no such object. */
  function request<T>(
    operation: Parameters<typeof bucketRequests.publish>[0]["operation"],
    sizeBytes: number,
    work: (client: S3mini) => Promise<T>,
  ): Promise<T | null> {
    return bucketCalls.run({ operation }, () => requestWithRetries(operation, sizeBytes, work));
  }

  async function requestWithRetries<T>(
    ...[operation, sizeBytes, work]: Parameters<typeof request<T>>
  ): Promise<T | null> {
    if (isAway) {
      if (performance.now() < heldUntilMs) throw new StorageUnavailable(trouble ?? url, { isOutage: true });
      heldUntilMs = performance.now() + replyMs + holdMs; // this one finds out for all
    }
    for (let tries = 1; ; tries++) {
      const startMs = performance.now();
      const end = (result: "ok" | "missing" | "failed") =>
        bucketRequests.publish({ operation, result, seconds: secondsSince(startMs) });
      try {
        const result = await work(clientFor(replyMs + sizeBytes / BYTES_PER_MS));
        end("ok");
        trouble = null;
        isAway = false;
        outage.worked();
        return result;
      } catch (error) {
        if (error instanceof S3ServiceError && error.status === 404 && /<Code>NoSuchKey</.test(error.body ?? "")) {
          end("missing");
          return null;
        }
        end("failed");
        for (let one = error; one instanceof Error; one = one.cause) if (one instanceof ContentFailed) throw one.cause;
        const fault = faultOf(error);
        if (!fault.isBrief || tries === TRIES) throw failed(fault);
        await sleep(PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random()));
      }
    }
  }

  async function* ownFailures(content: ReturnType<ObjectContent["read"]>): AsyncGenerator<Uint8Array> {
    try {
      yield* content;
    } catch (error) {
      throw new ContentFailed("the content of an object cannot be read", { cause: error });
    }
  }

  async function* transferred(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      throw failed(faultOfConnection(error, settings));
    }
  }

  const bucket: Bucket = {
    url,
    async put(name, { sizeBytes, read }) {
      await request("put", sizeBytes, async (client) => {
        const body = ReadableStream.from(ownFailures(read()));
        const reply = await client.putObject(settings.prefix + name, body, undefined, undefined, undefined, sizeBytes);
        await reply.arrayBuffer();
      });
    },
    async get(name, sizeBytes) {
      const reply = await request("get", sizeBytes, (client) => client.getObjectRaw(settings.prefix + name));
      return reply === null ? null : transferred(reply.body ?? ReadableStream.from([]));
    },
    async remove(name) {
      await request("remove", 0, (client) => client.deleteObject(settings.prefix + name));
    },
    async *list(under) {
      let token: string | undefined;
      do {
        const page = await request("list", 0, async (client) => {
          const found = await client.listObjectsPaged("/", settings.prefix + under, PAGE, token);
          if (found?.objects) return found;
          throw new S3ServiceError("no bucket", 404, undefined, "<Code>NoSuchBucket</Code>");
        });
        for (const { Key: key, Size: size } of page?.objects ?? []) {
          yield { name: key.slice(settings.prefix.length), sizeBytes: Number(size) };
        }
        token = page?.nextContinuationToken;
      } while (token !== undefined);
    },
    async check() {
      const name = `check-${randomUUID()}`;
      const content = Buffer.from("docent");
      await bucket.put(name, { sizeBytes: content.length, read: () => [content] });
      const found = await bucket.get(name, content.length);
      const read = found && Buffer.concat(await Array.fromAsync(found));
      await bucket.remove(name);
      if (read?.equals(content)) return;
      throw new AppError("invalid", `The object storage at ${url} does not return what was just stored in it.`);
    },
    trouble: () => trouble,
  };
  return bucket;
}
