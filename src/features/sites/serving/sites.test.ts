import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

const ORIGIN = "http://harbor.localhost:4000";

const DOCS = {
  "docs.json": JSON.stringify({
    name: "Harbor",
    description: "How to use Harbor.",
    colors: { primary: "#0b6e99" },
    navigation: {
      groups: [
        { group: "Start", pages: ["index", "guides/setup"] },
        { group: "Reference", pages: ["reference/api", "über uns"] },
      ],
    },
    redirects: [
      { source: "/old/:slug*", destination: "/guides/:slug*" },
      { source: "/blog", destination: "https://blog.example/", permanent: false },
      { source: "/ask", destination: "/guides/setup?from=ask" },
      { source: "/loop", destination: "/loop2" },
      { source: "/loop2", destination: "/loop" },
    ],
  }),
  "index.mdx": "---\ntitle: Welcome\ndescription: Start here.\n---\n\nHello **reader**.\n\n## First\n\n## Second\n",
  "guides/setup.mdx":
    'import Note1 from "/snippets/note.mdx"\n\n# Set up\n\nText <script>alert(1)</script>\n\n<Note1 />\n\n<Card title="T" href="/reference/api">C</Card>\n',
  "reference/api.md": "---\ntitle: API\n---\n\n```js\nconst a = 1;\n```\n",
  "über uns.md": "# Über uns\n",
  "hidden.md": "# Hidden page\n",
  "snippets/note.mdx": "From the **snippet**.\n",
  "img/logo.svg": '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  "img/a b.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  "data.bin": new Uint8Array([1, 2, 3]),
  "page.html": "<script>alert(1)</script>",
  "tool.js": "alert(1)",
  ".env": "SECRET=1",
  ".well-known/x.txt": "x",
  "link.md": { linkTo: "/etc/passwd" },
  "escape.png": { linkTo: "../../../etc/passwd" },
};

let site: TestSite;

beforeAll(async () => {
  site = await createTestSite(DOCS);
});
afterAll(() => site[Symbol.asyncDispose]());

async function text(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await site.request(path, { headers });
  return response.text();
}

describe("a page", () => {
  it("is HTML with its title, content, navigation and neighbours", async () => {
    const response = await site.request("/");
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(html).toContain("<title>Welcome · Harbor</title>");
    expect(html).toContain('<meta name="description" content="Start here." />');
    expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/" />`);
    expect(html).toContain("Hello <strong>reader</strong>.");
    expect(html).toContain('<a href="/" aria-current="page">Welcome</a>');
    expect(html).toContain('<a href="/guides/setup">Set up</a>');
    expect(html).toMatch(/class="next" rel="next" href="\/guides\/setup"/);
    expect(html).toContain('<a href="#first">First</a>');
  });

  it("runs only the theme's own scripts and forbids all others", async () => {
    const response = await site.request("/guides/setup");
    const html = await response.text();
    expect(html).not.toContain("alert(1)</script>");
    expect(html).not.toMatch(/<script(?! (?:(?:type="module" )?src="\/_docent\/|type="application\/ld\+json"))/);
    expect(html).not.toMatch(/ on[a-z]+=/);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("includes snippets and changes when they do", async () => {
    expect(await text("/guides/setup")).toContain("From the <strong>snippet</strong>.");
    await site.push({ "snippets/note.mdx": "From a *newer* snippet.\n" });
    site.passTime(250);
    expect(await text("/guides/setup")).toContain("From a <em>newer</em> snippet.");
  });

  it("responds 304 to a client that has it", async () => {
    const first = await site.request("/reference/api");
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const second = await site.request("/reference/api", { headers: { "if-none-match": `"x", ${etag}` } });
    expect([second.status, await second.text(), second.headers.get("etag")]).toEqual([304, "", etag]);
  });

  it("is compressed for clients that accept that", async () => {
    const plain = await text("/");
    const gzip = await site.request("/", { headers: { "accept-encoding": "gzip, deflate" } });
    expect(gzip.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await gzip.bytes()).toString()).toBe(plain);
    const brotli = await site.request("/", { headers: { "accept-encoding": "gzip, br;q=1.0" } });
    expect(brotli.headers.get("content-encoding")).toBe("br");
    expect(brotliDecompressSync(await brotli.bytes()).toString()).toBe(plain);
    const refused = await site.request("/", { headers: { "accept-encoding": "gzip;q=0, br;q=0" } });
    expect(refused.headers.get("content-encoding")).toBeNull();
  });

  it("answers HEAD without content and other methods with 405", async () => {
    const head = await site.request("/", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1_000);
    const post = await site.request("/", { method: "POST", body: "x" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("that the navigation does not name is served, but not indexed", async () => {
    expect(await text("/hidden")).toContain('<meta name="robots" content="noindex" />');
    expect(await text("/sitemap.xml")).not.toContain("/hidden");
    expect(await text("/llms.txt")).not.toContain("/hidden");
  });
});

it.each([
  ["text/html,*/*;q=0.8", "Accept"],
  ["text/markdown", "Accept"],
  ["*/*", "Accept, User-Agent"],
])("a page for Accept: %s can be cached for all with the same %s", async (accept, expected) => {
  const answer = await site.request("/guides/setup", { headers: { accept, "user-agent": "curl/8" } });
  expect(answer.headers.get("vary")?.replace(", Accept-Encoding", "")).toBe(expected);
});

describe("Markdown", () => {
  it.each([
    ["/guides/setup.md", { accept: "*/*" }],
    ["/guides/setup.mdx", { accept: "*/*" }],
    ["/guides/setup", { accept: "text/markdown" }],
    ["/guides/setup", { accept: "text/markdown, text/html;q=0.9, */*;q=0.1" }],
    ["/guides/setup", { accept: "text/html;q=0.5, text/x-markdown" }],
    ["/guides/setup", { accept: "text/plain" }],
    ["/guides/setup", { accept: "*/*", "user-agent": "Mozilla/5.0 (compatible; Claude-User/1.0)" }],
  ])("is the response to %s with %j", async (path, headers) => {
    const response = await site.request(path, { headers });
    expect(response.headers.get("content-type")).toMatch(/^text\/(markdown|plain); charset=utf-8$/);
    expect(response.headers.get("vary")).toContain("Accept");
    const markdown = await response.text();
    expect(markdown).toMatch(/^# Set up\n/);
    expect(markdown).toContain("snippet");
    expect(markdown).not.toContain("import Note1");
    expect(markdown).toContain('<Card title="T" href="/reference/api">');
  });

  it.each([
    { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
    { accept: "text/html, text/markdown" },
    { accept: "text/html, text/markdown;q=0.9", "user-agent": "ChatGPT-User/1.0" },
    { accept: "*/*" },
    { accept: "text/markdown;q=0, */*" },
    { accept: "" },
  ])("is not the response to %j", async (headers) => {
    const response = await site.request("/guides/setup", { headers });
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("vary")).toContain("Accept");
  });

  it("has the title and the description instead of the front matter", async () => {
    expect(await text("/index.md")).toBe("# Welcome\n\n> Start here.\n\nHello **reader**.\n\n## First\n\n## Second\n");
  });

  it("of all pages is listed in llms.txt and joined in llms-full.txt", async () => {
    const list = await text("/llms.txt");
    expect(list).toBe(
      [
        "# Harbor",
        "",
        "> How to use Harbor.",
        "",
        "## Start",
        "",
        `- [Welcome](${ORIGIN}/index.md): Start here.`,
        `- [Set up](${ORIGIN}/guides/setup.md)`,
        "",
        "## Reference",
        "",
        `- [API](${ORIGIN}/reference/api.md)`,
        `- [Über uns](${ORIGIN}/%C3%BCber%20uns.md)`,
        "",
      ].join("\n"),
    );
    const full = await text("/llms-full.txt");
    expect(full).toContain("# Welcome");
    expect(full).toContain(`Source: ${ORIGIN}/reference/api`);
    expect((await site.request("/%C3%BCber%20uns.md")).status).toBe(200);
  });
});

describe("addresses", () => {
  it.each([
    ["/guides/setup/", 308, "/guides/setup"],
    ["/guides/setup.html", 308, "/guides/setup"],
    ["/index", 308, "/"],
    ["/index.html?x=1", 308, "/?x=1"],
    ["/README", 308, "/"],
    ["/Guides/Setup", 307, "/guides/setup"],
    ["/old/setup", 308, "/guides/setup"],
    ["/old/setup?x=1", 308, "/guides/setup?x=1"],
    ["/blog", 307, "https://blog.example/"],
    ["/Guides/SETUP.md", 307, "/guides/setup.md"],
    ["/ask?x=1&from=me", 308, "/guides/setup?from=ask&x=1"],
  ])("%s responds %i with %s", async (path, status, location) => {
    const response = await site.request(path);
    expect([response.status, response.headers.get("location")]).toEqual([status, location]);
  });

  it.each(["/%C3%BCber%20uns", "/%c3%bcber%20uns", "/guides//setup", "/guides/%73etup"])(
    "%s is one of several spellings of a page's address",
    async (path) => {
      expect((await site.request(path)).status).toBe(200);
    },
  );

  it.each(["/loop", "/snippets/note", "/docs.json"])("%s is not found", async (path) => {
    expect((await site.request(path)).status).toBe(404);
  });

  it("that do not exist get suggestions", async () => {
    const response = await site.request("/guide/setpu");
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(html).toContain('<a href="/guides/setup">Set up</a>');
    expect(html).not.toContain("confirm-view");
    expect(await text("/nothing%22%3E%3Cscript%3Ealert(1)")).not.toContain("<script>alert");
  });

  it("that do not exist are 404 also to a client that has the page", async () => {
    const first = await site.request("/nothing-here");
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    const again = await site.request("/nothing-here", { headers });
    expect([again.status, again.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await again.text()).toContain("Page not found");
  });

  it("of crawlers' files exist", async () => {
    expect(await text("/robots.txt")).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${ORIGIN}/sitemap.xml\n`);
    expect(await text("/sitemap.xml")).toContain(`<loc>${ORIGIN}/%C3%BCber%20uns</loc>`);
  });

  it("of an unknown project are 404, the same for every path", async () => {
    const response = await site.request("/guides/setup", { slug: "nobody" });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("No site here");
  });
});

describe("files", () => {
  it.each([
    ["/img/logo.svg", "image/svg+xml", "sandbox; default-src 'none'"],
    ["/data.bin", "application/octet-stream", "sandbox; default-src 'none'"],
    ["/page.html", "text/plain; charset=utf-8", "sandbox; default-src 'none'"],
    ["/tool.js", "text/plain; charset=utf-8", "sandbox; default-src 'none'"],
    ["/img/a%20b.png", "image/png", null],
  ])("%s is sent as %s with the policy %s", async (path, type, policy) => {
    const response = await site.request(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const sent = response.headers.get("content-security-policy");
    expect(policy === null ? sent : sent?.startsWith(policy)).toBe(policy === null ? null : true);
    const again = await site.request(path, { headers: { "if-none-match": response.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  it.each([
    "/.env",
    "/.git/config",
    "/.well-known/x.txt",
    "/escape.png",
    "/link",
    "/link.md",
    "/..%2f..%2fetc/passwd",
    "/img/..%2f.env",
    "/img%2Flogo.svg",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/img/%00logo.svg",
    "/%ff",
    "/img\\logo.svg%00",
    "/__proto__",
    "/constructor",
    "/_docent/nothing.js",
  ])("%s is never served", async (path) => {
    const response = await site.request(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toMatch(/SECRET|root:/);
  });

  it("of the theme are cached by browsers under a name with their hash", async () => {
    const html = await text("/");
    const urls = [...html.matchAll(/"(\/_docent\/[^"]+)"/g)].map(([, url = ""]) => url);
    expect(urls.length).toBeGreaterThanOrEqual(4);
    for (const url of urls) {
      const response = await site.request(url);
      expect([url, response.status]).toEqual([url, 200]);
      expect(response.headers.get("cache-control")).toContain("immutable");
    }
  });

  it("and the page together are at most 40 KB compressed", async () => {
    const html = await text("/guides/setup");
    const urls = [...html.matchAll(/(?:href|src)="(\/_docent\/[^"]+)"/g)].map(([, url = ""]) => url);
    let total = 0;
    for (const url of ["/guides/setup", ...urls]) {
      const response = await site.request(url, { headers: { "accept-encoding": "gzip" } });
      total += (await response.bytes()).length;
    }
    expect(total).toBeLessThan(40_000);
  });
});

describe("views", () => {
  it("are reported with their surface, by the page's canonical path", async () => {
    site.served.length = 0;
    await site.request("/guides/setup");
    await site.request("/guides/setup.md");
    await site.request("/llms.txt");
    await site.request("/%c3%bcber%20uns");
    await site.request("/gone");
    await site.request("/", { method: "HEAD" });
    await site.request("/img/logo.svg");
    await site.request("/guides/setup/");
    const projectId = site.project.id;
    expect(site.served).toEqual([
      { projectId, path: "/guides/setup", surface: "html", found: true },
      { projectId, path: "/guides/setup", surface: "markdown", found: true },
      { projectId, path: "/llms.txt", surface: "llms", found: true },
      { projectId, path: "/%C3%BCber%20uns", surface: "html", found: true },
      { projectId, path: "/gone", surface: "html", found: false },
    ]);
  });

  it("are confirmed by the page's script, whose path becomes the canonical one", async () => {
    site.confirmed.length = 0;
    const confirm = (fields: Record<string, string>) =>
      site.request(`/_docent/view?${String(new URLSearchParams(fields))}`, { method: "POST" });
    const fields = { path: "/%c3%bcber%20uns/", referrer: "https://news.example", id: "1", storage: "true" };
    expect((await confirm(fields)).status).toBe(204);
    await confirm({ path: "/gone", id: "2" });
    await confirm({ id: "3" }); // for the collector to refuse
    expect(site.confirmed).toEqual([
      { body: { ...fields, storage: true, automated: false }, page: "/%C3%BCber%20uns" },
      { body: { path: "/gone", referrer: null, id: "2", storage: false, automated: false }, page: null },
      { body: { path: null, referrer: null, id: "3", storage: false, automated: false }, page: null },
    ]);
    expect((await site.request("/_docent/view?path=/", { method: "GET" })).status).toBe(404);
    expect(site.confirmed).toHaveLength(3);
  });

  it("are confirmed by scripts of earlier versions in a body", async () => {
    site.confirmed.length = 0;
    const confirm = (body: string) => site.request("/_docent/view", { method: "POST", body });
    const response = await confirm(JSON.stringify({ path: "/%c3%bcber%20uns/", referrer: "", id: "1" }));
    expect(response.status).toBe(204);
    await confirm(JSON.stringify({ path: "/gone", referrer: "", id: "2" }));
    expect(site.confirmed).toEqual([
      { body: { path: "/%c3%bcber%20uns/", referrer: "", id: "1" }, page: "/%C3%BCber%20uns" },
      { body: { path: "/gone", referrer: "", id: "2" }, page: null },
    ]);
    expect((await confirm("not json")).status).toBe(400);
    expect((await confirm("")).status).toBe(400);
    expect((await confirm(JSON.stringify({ path: "/".repeat(10_000) }))).status).toBe(413);
  });
});

describe("a push", () => {
  it("is live immediately, and the old version is served only within the recheck time", async () => {
    await site.push({ "live.md": "# Live\n\nfirst\n" });
    site.passTime(1_000);
    expect(await text("/live")).toContain("first");
    await site.push({ "live.md": "# Live\n\nsecond\n" });
    site.passTime(200);
    expect(await text("/live")).toContain("first");
    site.passTime(50);
    expect(await text("/live")).toContain("second");
    await site.push({ "live.md": null });
    site.passTime(250);
    expect((await site.request("/live")).status).toBe(404);
  });

  it("changes the Markdown of a page, llms-full.txt and the sitemap, too", async () => {
    await site.push({ "docs/changing.md": "# Changing\n\nfirst\n" });
    site.passTime(1_000);
    expect(await text("/docs/changing.md", { accept: "*/*" })).toContain("first");
    expect(await text("/llms-full.txt")).not.toContain("Third");
    await site.push({ "docs/changing.md": "# Changing\n\nsecond\n", "guides/setup.mdx": "# Third\n" });
    site.passTime(1_000);
    expect(await text("/docs/changing.md", { accept: "*/*" })).toContain("second");
    expect(await text("/llms-full.txt")).toContain("Third");
  });

  it("of the same page into two folders keeps each one's own links", async () => {
    const same = "# Same\n\n[Next](./next)\n";
    await site.push({ "a/same.md": same, "b/same.md": same, "a/next.md": "# A\n", "b/next.md": "# B\n" });
    site.passTime(1_000);
    for (const folder of ["a", "b"]) expect(await text(`/${folder}/same`)).toContain(`href="/${folder}/next">Next</a>`);
  });

  it("is visible after one recheck, however often readers request meanwhile", async () => {
    await site.request("/");
    await site.push({ "timed.md": "# Timed\n" });
    for (let passedMs = 0; passedMs < 250; passedMs += 10) {
      site.passTime(10);
      await Promise.all([site.request("/timed"), site.request("/")]);
    }
    expect((await site.request("/timed")).status).toBe(200);
  });
});
