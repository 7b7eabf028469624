import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { BucketSettings } from "#object-storage/bucket-settings.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { listen } from "./listen.ts";

const KEY = { id: "AKDOCENTTEST", secret: "a secret/key+of the test" };
const MAX_SKEW_MS = 15 * 60_000;

/** What tests change while the server runs. */
interface Behaviour {
  /** The answer to every request, in place of the right one. */
  fault: { status: number; code: string } | null;
  /** Every answer waits for so long. */
  delayMs: number;
  /** How far the server's clock is ahead. */
  clockAheadMs: number;
  /** Called before an object is stored. */
  beforePut: ((name: string) => Promise<void> | void) | null;
}

/**
 * An S3 server on loopback with one bucket: the wire of PUT, GET, DELETE and ListObjectsV2 with path style, and the check of
 * signatures (AWS Signature Version 4, from its documentation). Versity's gateway was used by hand (decision 124).
 */
export async function startS3Server() {
  const objects = new Map<string, Buffer>();
  const counts = { requests: 0 };
  const behaviour: Behaviour = { fault: null, delayMs: 0, clockAheadMs: 0, beforePut: null };
  const listener = await listen((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    counts.requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await sleep(behaviour.delayMs);
    if (request.socket.destroyed) return; // its client gave up
    const url = new URL(request.url ?? "/", "http://s3");
    const [, bucket, ...path] = url.pathname.split("/").map(decodeURIComponent);
    const name = path.join("/");
    const refusal = behaviour.fault ?? refusalOf(request, url, behaviour.clockAheadMs);
    if (refusal) return fail(response, refusal);
    if (bucket !== "packs") return fail(response, { status: 404, code: "NoSuchBucket" });
    if (request.method === "PUT") {
      if (request.headers["content-length"] === undefined) {
        return fail(response, { status: 411, code: "MissingContentLength" });
      }
      await behaviour.beforePut?.(name);
      objects.set(name, Buffer.concat(chunks));
      response.writeHead(200).end();
    } else if (request.method === "DELETE") {
      objects.delete(name);
      response.writeHead(204).end();
    } else if (name === "") {
      response.writeHead(200, { "Content-Type": "application/xml" }).end(listing(objects, url.searchParams));
    } else {
      const content = objects.get(name);
      if (content) response.writeHead(200, { "Content-Length": content.length }).end(content);
      else fail(response, { status: 404, code: "NoSuchKey" });
    }
  }
  const endpoint = listener.url;
  const settings: BucketSettings = {
    endpoint,
    region: "eu-central-1",
    bucket: "packs",
    prefix: "docent/",
    accessKeyId: KEY.id,
    secretAccessKey: new Secret(KEY.secret),
    isPathStyle: true,
  };
  return {
    settings,
    /** The same settings as variables of a server's environment. */
    environment: {
      DOCENT_S3_ENDPOINT: endpoint,
      DOCENT_S3_REGION: settings.region,
      DOCENT_S3_BUCKET: settings.bucket,
      DOCENT_S3_PREFIX: settings.prefix,
      DOCENT_S3_ACCESS_KEY_ID: KEY.id,
      DOCENT_S3_SECRET_ACCESS_KEY: KEY.secret,
    },
    objects,
    behaviour,
    counts,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

function fail(response: ServerResponse, { status, code }: { status: number; code: string }): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>m</Message></Error>`;
  response.writeHead(status, { "Content-Type": "application/xml" }).end(body);
}

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function refusalOf(request: IncomingMessage, url: URL, aheadMs: number): { status: number; code: string } | null {
  const [, id, scope = "", signed = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? "",
    ) ?? [];
  if (id === undefined) return { status: 403, code: "AccessDenied" };
  if (id !== KEY.id) return { status: 403, code: "InvalidAccessKeyId" };
  const date = String(request.headers["x-amz-date"]);
  const [day = "", region = "", service = "", end = ""] = scope.split("/");
  const sentAt = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..)Z$/, "$1-$2-$3:$4:$5Z"));
  if (!(Math.abs(Date.now() + aheadMs - sentAt) < MAX_SKEW_MS)) return { status: 403, code: "RequestTimeTooSkewed" };
  if (region !== "eu-central-1") return { status: 400, code: "AuthorizationHeaderMalformed" };
  const query = [...url.searchParams]
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .sort()
    .join("&");
  const headers = signed.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [
    request.method,
    url.pathname,
    query,
    headers.join(""),
    signed,
    request.headers["x-amz-content-sha256"],
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  const key = [day, region, service, end].reduce<string | Buffer>(hmac, `AWS4${KEY.secret}`);
  const isRight = hmac(key, text).toString("hex") === signature;
  return isRight ? null : { status: 403, code: "SignatureDoesNotMatch" };
}

function listing(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const after = query.get("continuation-token") ?? "";
  const most = Math.min(Number(query.get("max-keys") ?? 1_000), 1_000);
  const names = [...objects.keys()].filter((name) => name.startsWith(query.get("prefix") ?? "") && name > after).sort();
  const page = names.slice(0, most);
  const rows = page.map((name) => `<Contents><Key>${name}</Key><Size>${objects.get(name)!.length}</Size></Contents>`);
  const rest = names.length > most ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>${rest !== ""}</IsTruncated>${rest}${rows.join("")}</ListBucketResult>`;
}
