import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

const PAGE = "---\ntitle: X\n---\n\n<Note>n</Note>\n\n```js\na\n```\n\n## One\n\n## Two\n";
const SITE = {
  "docs.json": JSON.stringify({
    name: "Harbor",
    navigation: {
      languages: [
        { language: "en", groups: [{ group: "A", pages: ["index"] }] },
        { language: "ar", groups: [{ group: "B", pages: ["ar/index", "ar/more"] }] },
        { language: "cn", groups: [{ group: "C", pages: ["cn/index"] }] },
      ],
    },
  }),
  "index.mdx": PAGE,
  "ar/index.mdx": PAGE,
  "ar/more.mdx": PAGE,
  "cn/index.mdx": PAGE,
};

let contentProcess: ContentProcess;
let site: TestSite;
beforeAll(async () => {
  contentProcess = sharedContent();
  site = await createTestSite(SITE, { contentProcess, search: { admits: () => true } });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await contentProcess[Symbol.asyncDispose]();
});
const text = async (path: string, of = site) => (await of.request(path)).text();

describe("the interface of a page", () => {
  it.each([
    ["/", 'lang="en" dir="ltr"', "Copy", 'aria-label="Note"', "On this page"],
    ["/ar", 'lang="ar" dir="rtl"', "نسخ", 'aria-label="ملاحظة"', "في هذه الصفحة"],
    ["/cn", 'lang="zh-Hans" dir="ltr"', "复制", 'aria-label="注意"', "本页内容"],
  ])("uses the language of %s around and in its content", async (path, root, ...words) => {
    const html = await text(path);
    expect(html).toContain(`<html ${root}`);
    for (const word of words) expect(html).toContain(word);
  });

  it("uses it on missing pages and in the search, too", async () => {
    expect(await text("/ar/nowhere")).toContain("الصفحة غير موجودة");
    expect(await text("/nowhere")).toContain("Page not found");
    const search = await text("/_docent/search?q=nothing&language=ar");
    expect(search).toContain("لم يُعثر على شيء");
    expect(search).toContain('<input type="hidden" name="language" value="ar" />');
  });

  it("names each language in that language", async () => {
    expect(await text("/")).toContain('lang="zh-Hans" hreflang="zh-Hans">简体中文</a>');
  });

  it("follows the setting of a site in one language", async () => {
    const files = { "docs.json": '{"name":"Hafen","language":"de"}', "index.md": "# Hallo\n\n```js\na\n```\n" };
    await using german = await createTestSite(files, { contentProcess });
    const html = await text("/", german);
    expect(html).toContain('<html lang="de"');
    expect(html).toContain(">Kopieren</button>");
    await german.push({ "docs.json": '{"name":"Hafen","language":"pl"}' });
    german.passTime(1_000);
    expect(await text("/", german)).toContain(">Kopiuj</button>");
  });
});
