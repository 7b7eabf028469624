import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { imageSize } from "#features/sites/image-shape.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";
import { createImageSizes } from "./page-media.ts";

const gif = Buffer.from("R0lGODlhAwACAPAAAAAAAAAAACwAAAAAAwACAAACAoRdADs=", "base64");
const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47]);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return new Uint8Array(bytes);
};

let site: TestSite;

beforeAll(async () => {
  site = await createTestSite({
    "docs.json": JSON.stringify({ name: "H", logo: "/logo.svg", navigation: { pages: ["index"] } }),
    "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"></svg>',
    "index.mdx": [
      "# Pictures\n\n![One](a.png)\n\n![Two](/a%20b.png)\n",
      '<img src="/a.png" width="150" /> <img src="/a.png" width="50%" /> <img src="/gone.png" />\n',
      '<img src="/logo.svg" alt=\'a">\' /> <video src="/film.mp4" poster="/a.png"></video> ![There](https://x.example/a.png)\n',
      '`<img src="/a.png">`\n',
    ].join("\n"),
    "a.png": png(300, 200),
    "a b.png": png(10, 20),
    "film.mp4": new Uint8Array(10),
  });
});
afterAll(() => site[Symbol.asyncDispose]());

const tagsOf = async () => {
  const html = await (await site.request("/")).text();
  const found = html.slice(html.indexOf("<article")).match(/<(?:img|video)\b[^>]*>/g) ?? [];
  return found.map((tag) => tag.replaceAll(/\?v=[0-9a-f]{12}"/g, '?v"').replaceAll(/ (?:alt|decoding)="[^"]*"/g, ""));
};

it("images have their size and an immutable address, and the first one loads eagerly", async () => {
  expect(await tagsOf()).toEqual([
    '<img src="/a.png?v" width="300" height="200" fetchpriority="high">',
    '<img src="/a%20b.png?v" width="10" height="20" loading="lazy">',
    '<img width="150" src="/a.png?v" height="100" loading="lazy">',
    '<img width="50%" src="/a.png?v" loading="lazy">',
    '<img src="/gone.png" loading="lazy">',
    '<img src="/logo.svg?v" width="20" height="10" loading="lazy">',
    '<video src="/film.mp4?v" poster="/a.png?v" controls preload="metadata">',
    '<img src="https://x.example/a.png" loading="lazy">',
  ]);
});

it("a new version of an image has a new address and size on an unchanged page", async () => {
  const address = async (name: string) => {
    const html = await (await site.request("/")).text();
    return new RegExp(`"(/${name}\\?v=[0-9a-f]{12})"`).exec(html)?.[1] ?? "";
  };
  const [before, logo] = [await address("a.png"), await address("logo.svg")];
  const kept = await site.request(before);
  expect(kept.headers.get("cache-control")).toContain("immutable");
  await site.push({
    "a.png": png(30, 60),
    "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  });
  site.passTime(250);
  expect((await tagsOf())[0]).toContain('width="30" height="60"');
  expect(await address("a.png")).not.toBe(before);
  expect(await address("logo.svg")).not.toBe(logo);
  const old = await site.request(before);
  expect(old.headers.get("cache-control")).toBe("no-cache");
});

it("a page waits a limited time for the sizes of its images, and knows them the next time", async () => {
  const head = Promise.withResolvers<Buffer>();
  const sizes = createImageSizes({ repoStore: { readBlobStart: () => head.promise }, logger: silentLogger });
  await sizes.learn(site.project.id, ["a"], 10);
  expect(sizes.known("a")).toBeUndefined();
  head.resolve(Buffer.from(png(30, 60)));
  await expect.poll(() => sizes.known("a")).toEqual({ width: 30, height: 60 });
});

const jpeg = (exif: number[]) =>
  Uint8Array.from(
    [
      [0xff, 0xd8, 0xff, 0xe1, 0, 2 + exif.length, ...exif],
      [0xff, 0xc0, 0, 17, 8, 0, 2, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ].flat(),
  );
const turned = [
  0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0,
];
const riff = (kind: string, rest: number[]) =>
  Uint8Array.from([...Buffer.from(`RIFF0000WEBP${kind}0000`), ...rest, ...Array<number>(20).fill(0)]);

it.each([
  ["a GIF", gif, { width: 3, height: 2 }],
  ["a JPEG", jpeg([]), { width: 3, height: 2 }],
  ["a JPEG on its side", jpeg(turned), { width: 2, height: 3 }],
  ["a lossy WebP", riff("VP8 ", [0, 0, 0, 0x9d, 1, 0x2a, 3, 0, 2, 0]), { width: 3, height: 2 }],
  ["a lossless WebP", riff("VP8L", [0x2f, 2, 0x40, 0, 0]), { width: 3, height: 2 }],
  ["an extended WebP", riff("VP8X", [0, 0, 0, 0, 2, 0, 0, 1, 0, 0]), { width: 3, height: 2 }],
  [
    "an AVIF",
    Uint8Array.from([
      ...Buffer.from("0000ftypavif00000000ispe0000"),
      0,
      0,
      0,
      3,
      0,
      0,
      0,
      2,
      ...Array<number>(16).fill(0),
    ]),
    { width: 3, height: 2 },
  ],
  ["a drawing with a shape alone", Buffer.from('<svg viewBox="0 0 10 10">                '), null],
  ["a JPEG of markers without an end", new Uint8Array(100_000).fill(0xff).with(1, 0xd8), null],
  ["nothing", new Uint8Array(), null],
])("reads the size of %s from its head", (_, bytes, expected) => {
  expect(imageSize(bytes)).toEqual(expected);
});
