import { writeSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";
import { readRange, createLargeFiles } from "./large-files.ts";

const LARGE = new Uint8Array(17 * 1024 * 1024).map((_, index) => index >> 16);
const SMALL = Uint8Array.from({ length: 1_000 }, (_, index) => index % 251);

let site: TestSite;

beforeAll(async () => {
  site = await createTestSite({
    "index.md": "# Films\n",
    "a.mp4": SMALL,
    "large.mp4": LARGE,
    "notes.txt": "Notes.",
    "notes.csv": "Notes.",
  });
});
afterAll(() => site[Symbol.asyncDispose]());

it.each([
  ["bytes=0-1", { first: 0, last: 1 }],
  ["bytes=998-5000", { first: 998, last: 999 }],
  ["bytes=990-", { first: 990, last: 999 }],
  ["bytes=-10", { first: 990, last: 999 }],
  ["bytes=-5000", { first: 0, last: 999 }],
  ["bytes=1000-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=5-4", null],
  ["bytes=-", null],
  ["bytes=0-1,5-6", null],
  ["lines=0-1", null],
  [`bytes=${"9".repeat(40)}-`, null],
] as const)("the range %s of 1,000 bytes is %j", (range, expected) => {
  const headers = new Headers({ range });
  expect(readRange(headers, { sizeBytes: 1_000, etag: '"x"' })).toEqual(expected);
});

it("sends no range of a text that may be encoded differently", () => {
  const etag = 'W/"x"';
  expect(readRange(new Headers({ range: "bytes=0-1", "if-range": etag }), { sizeBytes: 1_000, etag })).toBeNull();
});

it("files with the same bytes are each sent with their own type", async () => {
  const types = [];
  for (const path of ["/notes.txt", "/notes.csv"]) types.push((await site.request(path)).headers.get("content-type"));
  expect(types).toEqual(["text/plain; charset=utf-8", "text/csv; charset=utf-8"]);
});

it.each([
  ["/a.mp4", SMALL],
  ["/large.mp4", LARGE],
])("sends %s whole, as a range, and as a range only of the version that the client has", async (path, bytes) => {
  const whole = await site.request(path);
  const etag = whole.headers.get("etag") ?? "";
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
  expect([whole.status, whole.headers.get("accept-ranges"), whole.headers.get("content-length")]).toEqual([
    200,
    "bytes",
    String(bytes.length),
  ]);

  const range = `bytes=${bytes.length - 300}-`;
  const part = await site.request(path, { headers: { range, "if-range": etag } });
  expect(part.headers.get("content-range")).toBe(`bytes ${bytes.length - 300}-${bytes.length - 1}/${bytes.length}`);
  expect(part.headers.get("content-length")).toBe("300");
  expect([part.status, Buffer.from(await part.arrayBuffer()).equals(bytes.slice(-300))]).toEqual([206, true]);

  const other = await site.request(path, { headers: { range, "if-range": '"other"' } });
  expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
  const beyond = await site.request(path, { headers: { range: `bytes=${bytes.length}-` } });
  expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${bytes.length}`]);
  const head = await site.request(path, { method: "HEAD", headers: { range } });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
  const known = await site.request(path, { headers: { range, "if-none-match": etag } });
  expect(known.status).toBe(304);
});

it("an address with the file's version is immutable, any other is revalidated", async () => {
  const { headers } = await site.request("/a.mp4");
  const version = /"(.*)"/.exec(headers.get("etag") ?? "")?.[1] ?? "";
  const kept = async (query: string) => {
    const answer = await site.request(`/a.mp4${query}`);
    return answer.headers.get("cache-control");
  };
  expect(await kept(`?v=${version.slice(0, 12)}`)).toBe("public, max-age=31536000, immutable");
  expect([await kept("?v=000000000000"), await kept("?v="), await kept("")]).toEqual(Array(3).fill("no-cache"));
});

it("a large file with a reader stays, and files without readers make room", async () => {
  const written: string[] = [];
  await using files = createLargeFiles({
    repoStore: {
      async writeBlob(_, oid, { descriptor }) {
        written.push(oid);
        return writeSync(descriptor, Buffer.alloc(600, oid));
      },
    },
    directory: tmpdir(),
    limits: { total: 2_000, perOwner: 1_200, files: 10 },
  });
  const file = (version: string) => ({ project: site.project.id, version });
  for (const version of ["a", "b", "a", "c", "a", "b"]) await files.bring(file(version));
  expect(written).toEqual(["a", "b", "c", "b"]); // c replaced b, which was used before a

  const readers = ["a", "b"].map((version) => files.read(file(version), { first: 0, last: 5 })[Symbol.asyncIterator]());
  const pieces = await Promise.all(readers.map((reader) => reader.next()));
  expect(pieces.map(({ value }) => String(value))).toEqual(["aaaaaa", "bbbbbb"]);
  await expect(files.bring(file("d"))).rejects.toMatchObject({ code: "unavailable" });
  await readers[0]?.return?.();
  await files.bring(file("d"));
  expect(written.slice(4)).toEqual(["d", "d"]);
});

it("a large file has no name on disk, so that none remains when the process ends", async () => {
  await using directory = await createTestDirectory();
  let named: string[] | null = null;
  await using files = createLargeFiles({
    repoStore: {
      async writeBlob(_, oid, { descriptor }) {
        named = await readdir(directory.path);
        return writeSync(descriptor, oid);
      },
    },
    directory: directory.path,
  });
  await files.bring({ project: site.project.id, version: "a" });
  expect(named).toEqual([]);
});
