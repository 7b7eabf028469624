import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import type { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { startS3Server } from "#testing/s3-server.ts";
import { type Bucket, createBucket } from "./bucket.ts";
import { type BucketSettings, bucketUrl } from "./bucket-settings.ts";

let server: Awaited<ReturnType<typeof startS3Server>>;
let bucket: Bucket;
const open = (changed: Partial<BucketSettings> = {}, limits = {}) =>
  createBucket({ settings: { ...server.settings, ...changed }, logger: silentLogger, holdMs: 0, ...limits });
const textOf = async (found: AsyncIterable<Uint8Array> | null) =>
  found && Buffer.concat(await Array.fromAsync(found)).toString();
const content = (text: string) => ({ sizeBytes: Buffer.byteLength(text), read: () => [Buffer.from(text)] });

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: StorageUnavailable) => error.reason,
  );

beforeAll(async () => {
  server = await startS3Server();
  bucket = open();
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => Object.assign(server.behaviour, { fault: null, delayMs: 0, clockAheadMs: 0, beforePut: null }));

it("stores, reads, lists and removes objects below its prefix", async () => {
  await bucket.put("prj_1/a b+c~ü", content("one"));
  expect([...server.objects.keys()]).toEqual(["docent/prj_1/a b+c~ü"]);
  expect(await textOf(await bucket.get("prj_1/a b+c~ü", 3))).toBe("one");
  expect(await Array.fromAsync(bucket.list(""))).toEqual([{ name: "prj_1/a b+c~ü", sizeBytes: 3 }]);
  expect(await bucket.get("prj_1/none", 3)).toBeNull();
  await bucket.remove("prj_1/a b+c~ü");
  await bucket.remove("prj_1/a b+c~ü");
  expect(server.objects.size).toBe(0);
  await bucket.check();
  expect(server.objects.size).toBe(0);
});

it("lists more objects than one reply holds", async () => {
  for (let number = 0; number < 2_001; number++) server.objects.set(`docent/many/${number}`, Buffer.alloc(1));
  expect(await Array.fromAsync(bucket.list("many/"))).toHaveLength(2_001);
  server.objects.clear();
});

it.each<[string, (server_: typeof server) => Partial<BucketSettings>, RegExp]>([
  ["an unknown key", () => ({ accessKeyId: "AKOTHER" }), /does not know the access key: check DOCENT_S3_ACCESS_KEY_ID/],
  [
    "a wrong secret",
    () => ({ secretAccessKey: new Secret("wrong-secret-key") }),
    /refuses the secret key: check DOCENT_S3_SECRET_ACCESS_KEY/,
  ],
  ["a missing bucket", () => ({ bucket: "none" }), /has no bucket none: create it, or check DOCENT_S3_BUCKET/],
  ["another region", () => ({ region: "us-east-1" }), /expects another region than us-east-1: check DOCENT_S3_REGION/],
  [
    "an endpoint without a server",
    () => ({ endpoint: "http://127.0.0.1:1" }),
    /cannot be reached .*DOCENT_S3_ENDPOINT/,
  ],
])("says what to do about %s, without the secret", async (_, changed, words) => {
  const error = await open(changed(server))
    .check()
    .then(() => null, String);
  const reason = await reasonOf(open(changed(server)).check());
  expect(reason).toMatch(words);
  expect(`${error}${reason}`).not.toMatch(/wrong-secret-key|a secret/);
});

it("says that the clocks differ", async () => {
  server.behaviour.clockAheadMs = 3_600_000;
  expect(await reasonOf(bucket.check())).toContain("clocks of both with NTP");
});

it("repeats a request that fails briefly, with its whole body", async () => {
  let failures = 0;
  server.behaviour.beforePut = () => {
    if (failures++ < 2) throw new Error("the connection is cut");
  };
  await bucket.put("again", content("whole"));
  expect(await textOf(await bucket.get("again", 5))).toBe("whole");
});

it("gives up on a server that answers 503 or too slowly, says why, and recovers", async () => {
  server.behaviour.fault = { status: 503, code: "SlowDown" };
  await expect(bucket.get("again", 5)).rejects.toMatchObject({ code: "unavailable" });
  expect(bucket.trouble()).toContain("answers 503 SlowDown");
  server.behaviour.fault = null;
  await bucket.get("again", 5);
  expect(bucket.trouble()).toBeNull();
  server.behaviour.delayMs = 300;
  expect(await reasonOf(open({}, { replyMs: 50 }).get("again", 0))).toContain("does not answer in time");
});

it("refuses at once during an outage, without a request", async () => {
  const held = open({}, { holdMs: 60_000 });
  server.behaviour.fault = { status: 503, code: "SlowDown" };
  await expect(held.get("again", 5)).rejects.toMatchObject({ code: "unavailable" });
  server.behaviour.fault = null;
  await expect(held.get("again", 5)).rejects.toMatchObject({ code: "unavailable" });
});

it("sends one request of many to see whether an outage is over", async () => {
  const waiting = open({}, { replyMs: 200 });
  server.behaviour.delayMs = 1_000;
  await expect(waiting.get("again", 0)).rejects.toMatchObject({ code: "unavailable" });
  const before = server.counts.requests;
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => waiting.get("again", 0)));
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "rejected"));
  expect(server.counts.requests).toBe(before + 1);
});

it("addresses the bucket in the path or in the host name", () => {
  const settings = { ...server.settings, endpoint: null, region: "eu-west-1", bucket: "b" };
  expect(bucketUrl({ ...settings, isPathStyle: false })).toBe("https://b.s3.eu-west-1.amazonaws.com");
  expect(bucketUrl({ ...settings, endpoint: "https://s3.example.com/", isPathStyle: true })).toBe(
    "https://s3.example.com/b",
  );
});
