import { inflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

let contentProcess: ContentProcess;
let site: TestSite;

const titled = (title: string, more = "") => `---\ntitle: ${JSON.stringify(title)}\n${more}---\n\nText.\n`;

beforeAll(async () => {
  contentProcess = sharedContent();
  site = await createTestSite(
    {
      "docs.json": JSON.stringify({
        name: "Harbor",
        colors: { primary: "#c81e4a" },
        navigation: {
          languages: [
            { language: "en", groups: [{ group: "A", pages: ["index", "long", "own", "emoji", "chinese", "thai"] }] },
            { language: "he", groups: [{ group: "B", pages: ["he/start"] }] },
          ],
        },
      }),
      "index.md": titled("Install the client", "description: All that a team needs.\n"),
      "long.md": titled(
        `${"A very long title ".repeat(200)}${"x".repeat(5_000)}`,
        `description: ${"y".repeat(5_000)}\n`,
      ),
      "own.md": titled("Own picture", '"og:image": /images/own.png\n'),
      "emoji.md": titled("🎉 Released 🇩🇪"),
      "chinese.md": titled("安装客户端"),
      "thai.md": titled("ติดตั้ง"),
      "he/start.md": titled("מדריך ההתקנה"),
      "images/own.png": Buffer.from("89504e470d0a1a0a", "hex"),
    },
    { contentProcess, hasPictures: true },
  );
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await contentProcess[Symbol.asyncDispose]();
});

async function tagsOf(path: string): Promise<Map<string, string>> {
  const html = await (await site.request(path)).text();
  const tags = html.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"/g);
  return new Map(Array.from(tags, ([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")]));
}

/** Width, height and the pixels of a PNG, whose unfiltered rows suffice to compare images. */
function readPng(bytes: Buffer) {
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  const parts: Buffer[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), rows: inflateSync(Buffer.concat(parts)) };
}

async function pictureOf(path: string): Promise<Response> {
  const address = new URL((await tagsOf(path)).get("og:image") ?? "");
  return site.request(address.pathname + address.search);
}

describe("the picture of a page", () => {
  it("is named in its head with its size, and is a PNG of that size", async () => {
    const tags = await tagsOf("/");
    expect(tags.get("og:image")).toMatch(
      /^http:\/\/harbor\.localhost:4000\/_docent\/picture\.png\?page=%2F&v=[0-9a-f]{12}$/,
    );
    expect([tags.get("og:image:width"), tags.get("og:image:height")]).toEqual(["1200", "630"]);
    expect(tags.get("twitter:card")).toBe("summary_large_image");
    const response = await pictureOf("/");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const { width, height, rows } = readPng(Buffer.from(await response.arrayBuffer()));
    expect([width, height]).toEqual([1200, 630]);
    expect(new Set(rows).size).toBeGreaterThan(50);
  });

  it("differs for another title, and has the same bytes for the same one", async () => {
    const bytes = async (path: string) => Buffer.from(await (await pictureOf(path)).arrayBuffer()).toString("base64");
    const first = await bytes("/");
    expect(await bytes("/")).toBe(first);
    expect(await bytes("/long")).not.toBe(first);
    await site.push({ "index.md": titled("Install the other client") });
    site.passTime(10_000);
    await expect.poll(() => bytes("/"), { timeout: 30_000 }).not.toBe(first);
  });

  it("is revalidated at an address of another version", async () => {
    const response = await site.request("/_docent/picture.png?page=%2Flong&v=0");
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-cache"]);
  });

  it("does not exist for an address that is not a page", async () => {
    for (const query of ["", "?page=%2Fnowhere", "?page=https%3A%2F%2Felsewhere.example"])
      expect((await site.request(`/_docent/picture.png${query}`)).status).toBe(404);
  });

  it("does not replace the author's own", async () => {
    const tags = await tagsOf("/own");
    expect(tags.get("og:image")).toMatch(/^http:\/\/harbor\.localhost:4000\/images\/own\.png/);
    expect(tags.has("og:image:width")).toBe(false);
  });

  it("is drawn in Hebrew, and without emoji, but not in scripts without a font", async () => {
    expect((await pictureOf("/he/start")).status).toBe(200);
    expect((await pictureOf("/emoji")).status).toBe(200);
    for (const path of ["/chinese", "/thai"]) {
      const tags = await tagsOf(path);
      expect([tags.has("og:image"), tags.get("twitter:card")]).toEqual([false, "summary"]);
      const asked = await site.request(`/_docent/picture.png?page=${encodeURIComponent(path)}`);
      expect(asked.status).toBe(404);
    }
  });
});

it("is drawn for a limited number of clients at once, and for each of them later", async () => {
  const names = Array.from({ length: 60 }, (_, number) => `page-${number}`);
  const files = Object.fromEntries(names.map((name) => [`${name}.md`, titled(`The page ${name}`)]));
  await using many = await createTestSite(files, { contentProcess, hasPictures: true });
  const ask = (name: string) => many.request(`/_docent/picture.png?page=%2F${name}`);
  await ask("page-0");
  const answers = await Promise.allSettled(names.map(ask));
  const refused = answers.filter((answer) => answer.status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: "unavailable" });
  expect(answers.length - refused.length).toBeGreaterThan(40);
  const again = await Promise.all(names.slice(30).map(ask));
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
});

describe("drawing", () => {
  const card = {
    description: null,
    siteName: "Harbor",
    address: "harbor.example",
    color: "#0b6e63",
    isRightToLeft: false,
  };

  it.each([
    ["one word of 160 characters", "x".repeat(160)],
    ["markup", '<img src="https://elsewhere.example/x.png" onerror=alert(1)>'],
    ["marks of direction", "\u202Eabc\u202C \u2067x"],
    ["characters that combine", `a${"\u0301".repeat(150)}`],
  ])("supports %s", async (_, title) => {
    const png = await contentProcess.draw({ ...card, title }, "p");
    expect(png && readPng(Buffer.from(png))).toMatchObject({ width: 1200, height: 630 });
  });
});
