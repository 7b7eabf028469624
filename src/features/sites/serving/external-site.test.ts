import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

// A project whose pages another service publishes at https://acme.example/docs.

const PUBLISHED = "https://acme.example/docs";
const OWN = "http://harbor.localhost:4000";
let site: TestSite;

beforeAll(async () => {
  site = await createTestSite(
    {
      "docs.json": JSON.stringify({
        name: "Harbor",
        redirects: [{ source: "/old", destination: "/guides/setup" }],
        navigation: { pages: ["start", "guides/setup"] },
      }),
      "start.md": "# Start\n",
      "guides/setup.md": "# Set up\n\nSee [Start](/start) and ![a crane](/img/crane.svg).\n",
      "img/crane.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    },
    { search: { admits: () => true } },
  );
  site.project.externalSite = PUBLISHED;
});
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(() => {
  site.served.length = 0;
});

const to = async (path: string, init?: RequestInit) => {
  const { status, headers } = await site.request(path, init);
  return [status, headers.get("location")];
};
const text = async (path: string, accept = "*/*") => (await site.request(path, { headers: { accept } })).text();

it.each([
  ["/", "/"],
  ["/guides/setup", "/guides/setup"],
  ["/guides/setup/?from=mail", "/guides/setup/?from=mail"],
  ["/made-by-the-tool", "/made-by-the-tool"],
  ["/guides/setup?access=link.token&from=mail", "/guides/setup?from=mail"],
  ["/guides/setup?access=link.token", "/guides/setup"],
  ["//evil.example/x", "//evil.example/x"],
])("redirects a reader of %s to the same path where the site is published", async (path, same) => {
  expect(await to(path)).toEqual([302, PUBLISHED + same]);
  expect(site.served).toEqual([]);
});

it("leads old addresses, and paths below the published base path, to the page first", async () => {
  expect(await to("/old")).toEqual([308, "/guides/setup"]);
  expect(await to("/docs/guides/setup")).toEqual([307, "/guides/setup"]);
  expect(await to("/docs/guides/setup.md")).toEqual([307, "/guides/setup.md"]);
});

it("serves Markdown with links to the published pages, and files from here", async () => {
  const response = await site.request("/guides/setup.md");
  expect(response.status).toBe(200);
  expect(response.headers.get("link")).toContain(`<${PUBLISHED}/guides/setup>; rel="canonical"`);
  expect(await response.text()).toContain(`See [Start](${PUBLISHED}/start) and ![a crane](/img/crane.svg).`);
  expect(await text("/guides/setup", "text/markdown")).toContain("# Set up");
  expect(site.served.map(({ path, surface }) => [path, surface])).toEqual([
    ["/guides/setup", "markdown"],
    ["/guides/setup", "markdown"],
  ]);
});

it("lists the published pages for agents, and says where their Markdown is", async () => {
  const index = await text("/llms.txt");
  expect(index).toContain(`- [Set up](${PUBLISHED}/guides/setup)`);
  expect(index).toContain(`its path at ${OWN} with \`.md\` at the end`);
  expect(await text("/llms-full.txt")).toContain(`Source: ${PUBLISHED}/guides/setup`);
  const skill = await text("/skill.md");
  expect(skill).toContain(`[Set up](${PUBLISHED}/guides/setup)`);
  expect(skill).toContain(`${OWN}/llms.txt lists every page`);
  expect(skill).toContain(`${OWN}/mcp is an MCP server`);
});

it("finds pages with their published addresses, and leads a reader's search to the site", async () => {
  const search = "/_docent/search?q=crane";
  await expect.poll(() => text(search)).toContain(`"href":"${PUBLISHED}/guides/setup`);
  expect(await to(search)).toEqual([302, `${PUBLISHED}/`]);
});

it("answers MCP by path, by published address and by its own", async () => {
  const read = async (page: string) => {
    const params = { name: "read_page", arguments: { page } };
    const response = await site.request("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    return response.text();
  };
  for (const page of ["/guides/setup", `${PUBLISHED}/guides/setup`, `${OWN}/guides/setup.md`])
    expect(await read(page)).toContain(`Source: ${PUBLISHED}/guides/setup`);
});

it("leaves search engines to the published site", async () => {
  for (const path of ["/guides/setup", "/guides/setup.md", "/img/crane.svg", "/llms.txt"])
    expect([path, (await site.request(path)).headers.get("x-robots-tag")]).toEqual([path, "noindex"]);
  expect(await text("/robots.txt")).toBe("User-agent: *\nAllow: /\n");
  expect(await to("/sitemap.xml")).toEqual([302, `${PUBLISHED}/sitemap.xml`]);
});

it("asks readers of a private site to sign in before it redirects them", async () => {
  site.project.access = { mode: "links", passwordHash: null, version: 1 };
  try {
    expect((await site.request("/guides/setup")).status).toBe(401);
    expect((await site.request("/guides/setup.md", { headers: { accept: "*/*" } })).status).toBe(401);
    const headers = { authorization: `Bearer ${site.keys.own}` };
    expect(await to("/guides/setup", { headers })).toEqual([302, `${PUBLISHED}/guides/setup`]);
  } finally {
    delete site.project.access;
  }
});
