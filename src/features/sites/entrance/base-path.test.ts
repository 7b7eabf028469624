import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { htmlTokens } from "#docs/markup/html-tokens.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

// A site below a path of another one, which forwards /docs and everything below, as nginx or a worker would.

let site: TestSite;
let other: Server;
let origin: string;

beforeAll(async () => {
  site = await createTestSite(
    {
      "docs.json": JSON.stringify({
        name: "Harbor",
        logo: "/img/logo.svg",
        favicon: "/img/logo.svg",
        fonts: { family: "Own", source: "/img/own.woff2", format: "woff2" },
        navbar: { links: [{ label: "Setup", href: "/guides/setup" }] },
        banner: { content: "See [what is new](/guides/new)" },
        footer: { links: [{ header: "More", items: [{ label: "New", href: "/guides/new" }] }] },
        redirects: [
          { source: "/old/:name", destination: "/guides/:name" },
          { source: "/gone", destination: "https://elsewhere.example/" },
        ],
        navigation: {
          tabs: [
            {
              tab: "Guides",
              groups: [{ group: "Guides", icon: "/img/logo.svg", pages: ["index", "guides/setup", "guides/new"] }],
            },
            { tab: "API", openapi: "api.json" },
          ],
        },
      }),
      "index.mdx":
        '# Start\n\n[Setup](/guides/setup) [Written whole](/docs/guides/setup) <Card title="New" href="/guides/new" img="/img/logo.svg">x</Card>\n\n![logo](/img/logo.svg)\n\n```mermaid\ngraph LR; a-->b\n```\n',
      "guides/setup.md":
        '# Set up\n\n[New](./new.md#part) [Text](/guides/new.md) <a href="/llms.txt">llms</a>\n\n```md\n[no](/such-page)\n```\n',
      "guides/new.md": "# New\n\n## Part\n\n[Start](/) [Old](/old/setup) [Missing](/img/logo.svg?raw)\n",
      "new.md": "# Another\n",
      "img/logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      "img/own.woff2": "wOF2",
      "api.json": JSON.stringify({
        openapi: "3.1.0",
        info: { title: "API", version: "1" },
        paths: {
          "/things": { get: { summary: "List things", responses: { 200: { description: "[Setup](/guides/setup)" } } } },
        },
      }),
    },
    { search: { admits: () => true } },
  );
  other = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "";
    if (!/^\/docs(?:\/|$|\?)/.test(path)) return void outgoing.writeHead(418).end("the other site");
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => !["host", "connection"].includes(name)),
    ) as Record<string, string>;
    const { method = "GET" } = incoming;
    void site.request(path, { method, headers }).then(async (answer) => {
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      outgoing.end(Buffer.from(await answer.arrayBuffer()));
    });
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  site.project.address = { origin, base: "/docs", mainLabel: null };
});
afterAll(async () => {
  other.closeAllConnections();
  other.close();
  await site[Symbol.asyncDispose]();
});

/** Every address that a browser, a crawler or a text reader finds in a response. */
function addressesIn(text: string, type: string): string[] {
  if (type.startsWith("text/html")) {
    const attributes = htmlTokens(text).flatMap((token) => (token.kind === "open" ? token.attributes : []));
    const found = attributes.filter(
      ({ name, value }) => ["href", "src", "action"].includes(name) || value?.includes("/_docent/") === true,
    );
    const inStyles = [...text.matchAll(/url\("([^"]+)"\)/g)].map(([, url = ""]) => url);
    return [...found.map(({ value }) => value ?? ""), ...inStyles];
  }
  if (/javascript|css|svg/.test(type)) return [];
  if (type.startsWith("application/json")) return [...text.matchAll(/"href":"([^"]+)"/g)].map(([, url = ""]) => url);
  const outsideCode = text.replaceAll(/```.*?```/gs, "").replaceAll(/`[^`\n]*`/g, "");
  return [...outsideCode.matchAll(/\]\(([^)\s]+)\)|<loc>([^<]+)|(?:Source|Sitemap): (\S+)|href="([^"]+)"/g)].map(
    ([, ...groups]) => groups.find((group) => group !== undefined) ?? "",
  );
}

it("no address leaves its path, and none is broken", { timeout: 60_000 }, async () => {
  const waiting = [
    "/docs",
    "/docs/llms.txt",
    "/docs/llms-full.txt",
    "/docs/sitemap.xml",
    "/docs/robots.txt",
    "/docs/nowhere",
  ];
  const statuses = new Map<string, number>();
  const bodies = new Map<string, string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (statuses.has(path) || statuses.size > 200) continue;
    const answer = await fetch(origin + path, { headers: { accept: "text/html,*/*;q=0.8" }, redirect: "manual" });
    const text = await answer.text();
    statuses.set(path, answer.status);
    bodies.set(path, text);
    const found = addressesIn(text, answer.headers.get("content-type") ?? "");
    const link = /<([^>]*)>/.exec(answer.headers.get("link") ?? "")?.[1];
    for (const address of [...found, answer.headers.get("location") ?? "#", link ?? "#"]) {
      const url = new URL(address, origin + path);
      // In the text of all pages it is unknown which page a relative link belongs to.
      const isLost = path === "/docs/llms-full.txt" && !/^\/|^http/.test(address);
      if (url.origin === origin && !isLost) waiting.push(url.pathname + url.search);
    }
  }
  const wrong = [...statuses].filter(([path, status]) => ![200, 307, 308].includes(status) && path !== "/docs/nowhere");
  expect(wrong).toEqual([]);
  expect([...statuses.keys()]).toEqual(
    expect.arrayContaining([
      "/docs/guides/setup",
      "/docs/guides/setup.md",
      expect.stringMatching(/^\/docs\/.*list-things$/),
      expect.stringMatching(/^\/docs\/img\/own\.woff2\?v=/),
      "/docs/old/setup",
      "/docs/docs/guides/setup",
    ]),
  );
  expect(bodies.get("/docs/guides/setup")).toContain(`<link rel="canonical" href="${origin}/docs/guides/setup" />`);
  expect(bodies.get("/docs/sitemap.xml")).toContain(`<loc>${origin}/docs/guides/setup</loc>`);
  expect(bodies.get("/docs/guides/setup.md")).toContain("[Text](/docs/guides/new.md)");
  expect(bodies.get("/docs/guides/setup.md")).toContain("[no](/such-page)");
  expect(bodies.get("/docs")).toContain('data-base="/docs"');
});

it("agents can read it with the addresses that they get", async () => {
  const call = async (name: string, input: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    return await (await site.request("/docs/mcp", { method: "POST", headers, body })).text();
  };
  for (const page of [`${origin}/docs/guides/new`, "/docs/guides/new.md", "/guides/new", "/docs/old/new"]) {
    expect(await call("read_page", { page })).toContain(`Source: ${origin}/docs/guides/new`);
  }
  expect(await call("list_pages", { under: "/docs/guides" })).toContain("[New](/docs/guides/new)");
  expect(await call("list_pages", { under: "/docs" })).toContain("[Start](/docs/)");
  await expect
    .poll(() => call("search_docs", { query: "part" }), { timeout: 20_000 })
    .toContain("/docs/guides/new#part");
  const index = await fetch(`${origin}/docs/.well-known/agent-skills/index.json`);
  expect(await index.text()).toContain('"url": "/docs/.well-known/agent-skills/harbor/SKILL.md"');
});

it("search, redirects and view confirmation work below its path", async () => {
  const get = (path: string, init: RequestInit = {}) => fetch(origin + path, { redirect: "manual", ...init });
  await expect
    .poll(async () => (await get("/docs/_docent/search?q=part")).text(), { timeout: 20_000 })
    .toContain('"href":"/docs/guides/new#part"');
  const old = await get("/docs/old/setup?a=1");
  expect([old.status, old.headers.get("location")]).toEqual([308, "/docs/guides/setup?a=1"]);
  expect((await get("/docs/gone")).headers.get("location")).toBe("https://elsewhere.example/");
  expect((await get("/docs/guides/setup/")).headers.get("location")).toBe("/docs/guides/setup");
  site.confirmed.length = 0;
  const view = await get("/docs/_docent/view?path=%2Fguides%2Fnew&id=1", { method: "POST", headers: { origin } });
  expect([view.status, site.confirmed.map(({ page }) => page)]).toEqual([204, ["/guides/new"]]);
  // From a proxy that strips the path.
  expect(await (await site.request("/guides/setup")).text()).toContain('href="/docs/guides/new#part"');
});

it("separates two pages that had the same address, before and after the site moved", async () => {
  const { address } = site.project;
  expect(await (await site.request("/docs/guides/new.md")).text()).toContain("# New");
  site.project.address = { origin, base: "/docs/guides", mainLabel: null };
  expect(await (await site.request("/docs/guides/new.md")).text()).toContain("# Another");
  site.project.address = address!;
});
