import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createTestSite } from "#testing/site.ts";
import type { TestFile } from "#testing/repositories.ts";

let contentProcess: ContentProcess;

beforeAll(() => {
  contentProcess = sharedContent();
});
afterAll(() => contentProcess[Symbol.asyncDispose]());

async function open(files: Record<string, TestFile>) {
  const site = await createTestSite(files, { contentProcess });
  return {
    site,
    async get(path: string) {
      const response = await site.request(path);
      return { status: response.status, html: await response.text(), location: response.headers.get("location") };
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

describe("a nearly empty repository", () => {
  it("that has no commit says so", async () => {
    await using empty = await open({});
    const { status, html } = await empty.get("/");
    expect(status).toBe(200);
    expect(html).toContain("The repository of this site is empty.");
    expect((await empty.get("/x")).status).toBe(404);
  });

  it("that has no Markdown says so", async () => {
    await using source = await open({ "main.c": "int main;", "docs.json": '{"name":"C docs"}' });
    const { html } = await source.get("/");
    expect(html).toContain("no Markdown files");
    expect(html).toContain("C docs");
  });

  it("that has no first page redirects to the first one in its navigation", async () => {
    await using docs = await open({ "docs.json": '{"navigation":{"pages":["b","a"]}}', "a.md": "# A", "b.md": "# B" });
    expect(await docs.get("/")).toMatchObject({ status: 307, location: "/b" });
  });
});

describe("a broken configuration", () => {
  it.each([["{ broken"], ['{"navigation": 3}'], ['{"navigation":{"pages":["gone"]}}'], ["[".repeat(300_000)]])(
    "%# leaves pages working, and readers see nothing of it",
    async (config) => {
      await using docs = await open({ "docs.json": config, "README.md": "# Home", "guides/a.md": "# A" });
      const { status, html } = await docs.get("/");
      expect(status).toBe(200);
      expect(html).not.toMatch(/docs\.json|not valid|error/);
      expect(html).toContain('<a href="/guides/a">A</a>');
    },
  );

  it("with 50,000 entries is served in parts", async () => {
    const pages = Array.from({ length: 50_000 }, (_, index) => `pages/p${index}`);
    await using docs = await open({
      "docs.json": JSON.stringify({ navigation: { pages: ["index", ...pages] } }),
      "index.md": "# Home",
    });
    const { status, html } = await docs.get("/");
    expect(status).toBe(200);
    expect(html.length).toBeLessThan(50_000);
  });
});

describe("hostile pages", () => {
  it("of 5 MB are shown in a simpler form, with a warning", async () => {
    await using docs = await open({ "README.md": `# Large\n\n${"A line of text with some words.\n".repeat(165_000)}` });
    const { status, html } = await docs.get("/");
    expect(status).toBe(200);
    expect(html).toContain("shown in a simpler form");
    expect(html).toContain("larger than 1 MB. It is shown as plain text, cut after 1 MB.");
    expect(html).toContain("A line of text");
    const markdown = await docs.get("/index.md");
    expect(markdown.html.length).toBeGreaterThan(5_000_000);
  });

  it("cannot add markup to the frame", async () => {
    const evil = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
    await using docs = await open({
      "docs.json": JSON.stringify({
        name: evil,
        description: evil,
        favicon: "javascript:alert(1)",
        logo: "javascript:alert(1)",
        colors: { primary: "#fff;}</style><script>" },
        navbar: {
          links: [
            { label: evil, href: "javascript:alert(1)" },
            { label: evil, href: "/x" },
          ],
        },
        footer: {
          socials: { [evil]: "https://x.example" },
          links: [{ header: evil, items: [{ label: evil, href: "data:text/html,x" }] }],
        },
        banner: { content: evil },
        seo: { metatags: { [evil]: evil } },
        navigation: { groups: [{ group: evil, tag: evil, pages: ["a", 'http://x.example/"><script>'] }] },
      }),
      "a.md": `---\ntitle: '${evil}'\ndescription: '${evil}'\n---\n\n## ${evil}\n\n## Two\n`,
      [`b ${"&amp;"}'x'.md`]: "# B",
    });
    for (const path of ["/a", "/gone", "/b%20&amp;'x'"]) {
      const { html } = await docs.get(path);
      expect(html).not.toMatch(/<script(?! (?:(?:type="module" )?src="\/_docent\/|type="application\/ld\+json"))/);
      expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]* onerror=/);
      expect(html).not.toMatch(/(?:href|src)="?(?:javascript|data:text)/i);
    }
  });

  it("whose names differ only in case or form have one address each", async () => {
    await using docs = await open({
      "a.md": "# a",
      "a.mdx": "# x",
      "A.md": "# A",
      "a/index.md": "# i",
      "a/README.md": "# r",
    });
    expect((await docs.get("/a")).html).toContain(">x<");
    expect((await docs.get("/A")).html).toContain(">A<");
    expect((await docs.get("/a/index")).html).toContain(">i<");
    expect((await docs.get("/a/README")).html).toContain(">r<");
  });
});
