import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { listen } from "#testing/listen.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { plainRequest, sendPlain } from "#app/http/site-listener.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

const page = (title: string, body: string) => `---\ntitle: ${title}\ndescription: About ${title}.\n---\n\n${body}\n`;
const files = {
  "docs.json": JSON.stringify({
    name: "Harbor",
    description: "Boats and berths.",
    redirects: [{ source: "/old-berths", destination: "/guides/berths" }],
    navigation: {
      versions: [
        { version: "v1", groups: [{ group: "Guides", pages: ["v1/berths"] }] },
        {
          version: "v2",
          groups: [{ group: "Guides", pages: ["index", "guides/berths", "guides/long", "guides/unlisted"] }],
        },
      ],
    },
  }),
  "index.md": page("Welcome", "Start here."),
  "guides/berths.mdx": page("Berths", "## Reserve\n\nA berth is reserved by **radio**."),
  "guides/long.md": page("Long", "word ".repeat(20_000)),
  "guides/unlisted.md": "---\ntitle: Unlisted\nnoindex: true\n---\n\nFor those who have its address.\n",
  "v1/berths.md": page("Old berths", "By telegraph."),
  "secret.md": page("Draft", "Not in the navigation."),
};

let contentProcess: ContentProcess;
let site: TestSite;
let address: string;
let isAdmitted = true;
const closing = new AsyncDisposableStack();

beforeAll(async () => {
  contentProcess = closing.use(sharedContent());
  const options = { contentProcess, search: { admits: () => true }, admitsCall: () => isAdmitted };
  site = closing.use(await createTestSite(files, options));
  const server = await listen((incoming, outgoing) => {
    void site.handle(plainRequest(incoming)).then((answer) => sendPlain(outgoing, answer));
  });
  address = `${closing.use(server).url}/mcp`;
  const isIndexed = async () => {
    const answer = await site.request("/_docent/search?q=berths", { headers: { accept: "application/json" } });
    return !((await answer.json()) as { indexing: boolean }).indexing;
  };
  await vi.waitUntil(isIndexed, { timeout: 60_000 });
});
afterAll(() => closing.disposeAsync());

async function connected(mode: "legacy" | { pin: string }) {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  return client;
}
const textOf = async (client: Client, name: string, input: object) => {
  const { content, isError } = await client.callTool({ name, arguments: { ...input } });
  return (isError === true ? "ERROR " : "") + (content as { text: string }[]).map(({ text }) => text).join("\n");
};

test.each(["legacy", { pin: "2026-07-28" }] as const)(
  "a standard client lists, searches and reads (%j)",
  async (mode) => {
    const client = await connected(mode);
    expect(client.getInstructions()).toContain("The documentation of Harbor: Boats and berths.");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search_docs", "read_page", "list_pages"]);
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(inputSchema).toMatchObject({ type: "object" });
    }
    site.served.length = 0;
    site.searched.length = 0;

    const found = await textOf(client, "search_docs", { query: "resrve", version: "v2" });
    expect(found).toContain("1. Berths › Reserve: /guides/berths#reserve\n");
    expect(site.searched).toEqual([expect.objectContaining({ query: "resrve", results: 1 })]);

    const read = await textOf(client, "read_page", { page: "/guides/berths" });
    expect(read).toContain("# Berths\n\n> About Berths.\n\n## Reserve\n\nA berth is reserved by **radio**.");
    expect(site.served).toEqual([
      { projectId: site.project.id, path: "/guides/berths", surface: "markdown", found: true },
    ]);

    const list = await textOf(client, "list_pages", { version: "v2" });
    expect(list).toBe(
      "Pages 1 to 3 of 3. Versions: v1, v2.\n\n## v2 › Guides\n\n" +
        "- [Welcome](/): About Welcome.\n- [Berths](/guides/berths): About Berths.\n- [Long](/guides/long): About Long.",
    );
    await client.close();
  },
);

test("finds a page by any form of its address, returns long ones in parts, and explains mistakes", async () => {
  const client = await connected("legacy");
  for (const asked of [
    "guides/berths",
    `${address.replace("/mcp", "")}/guides/berths.md#reserve`,
    "/old-berths",
    "/Guides/Berths",
  ])
    expect(await textOf(client, "read_page", { page: asked })).toContain("# Berths");
  const first = await textOf(client, "read_page", { page: "/guides/long" });
  const offset = Number(/Read on with offset (\d+)/.exec(first)?.[1]);
  const rest = await textOf(client, "read_page", { page: "/guides/long", offset });
  const whole = first.replace(/\n\n\[The page continues[^]*/, "") + rest;
  expect(whole.split("word").length - 1).toBe(20_000);
  const mistakes: [string, object, string][] = [
    ["read_page", { page: "/nowhere" }, "There is no page at /nowhere. search_docs finds pages"],
    ["read_page", { page: "https://elsewhere.example/guides/berths" }, "There is no page at"],
    ["read_page", { page: "/../../etc/passwd" }, "There is no page at"],
    ["read_page", {}, "page "],
    ["search_docs", { query: "x".repeat(201) }, "query "],
    ["list_pages", { limit: 501 }, "limit "],
  ];
  for (const [name, input, words] of mistakes) expect(await textOf(client, name, input)).toContain(`ERROR ${words}`);
  expect(await textOf(client, "list_pages", { under: "/guides", offset: 1 })).toContain("Pages 2 to 2 of 2.");
  expect(await textOf(client, "list_pages", {})).not.toContain("Draft");
  await client.close();
});

test("a search in one version finds only pages of that version", async () => {
  const client = await connected("legacy");
  const pathsOf = async (version: string) => {
    const text = await textOf(client, "search_docs", { query: "berths", version });
    return new Set(Array.from(text.matchAll(/: (\/[^#\s]+)/g), ([, path]) => path));
  };
  expect(await pathsOf("v1")).toEqual(new Set(["/v1/berths"]));
  expect(await pathsOf("v2")).toEqual(new Set(["/guides/berths"]));
  await client.close();
});

test("a folder's list contains no page of a folder that only shares its prefix", async () => {
  const client = await connected("legacy");
  expect(await textOf(client, "list_pages", { under: "/guide" })).toContain("There are 0 such pages");
  await client.close();
});

test("a page that is hidden from search engines is not listed for agents either", async () => {
  const client = await connected("legacy");
  expect(await textOf(client, "list_pages", {})).not.toContain("Unlisted");
  await client.close();
});

const JSON_TYPE = { "content-type": "application/json" };
const rpc = (method: string, params?: object, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modern = (method: string) => ({ ...JSON_TYPE, "mcp-protocol-version": "2026-07-28", "mcp-method": method });
const call = { name: "list_pages", arguments: {} };

const hostile: [string, RequestInit, status: number, code: number | null][] = [
  [
    "another site's page",
    { headers: { ...JSON_TYPE, origin: "https://evil.example" }, body: rpc("ping") },
    403,
    -32_600,
  ],
  ["a frame of nobody", { headers: { ...JSON_TYPE, origin: "null" }, body: rpc("ping") }, 403, -32_600],
  ["a form", { headers: { "content-type": "text/plain" }, body: rpc("ping") }, 415, -32_600],
  ["100 KB", { headers: JSON_TYPE, body: rpc("ping", { text: "x".repeat(100_000) }) }, 413, -32_600],
  ["no JSON", { headers: JSON_TYPE, body: "{" }, 400, -32_700],
  [
    "a tree of 6,000 levels",
    { headers: JSON_TYPE, body: '{"a":'.repeat(6_000) + "1" + "}".repeat(6_000) },
    400,
    -32_700,
  ],
  ["null", { headers: JSON_TYPE, body: "null" }, 400, -32_600],
  ["no JSON-RPC", { headers: JSON_TYPE, body: '{"id":1,"method":"ping"}' }, 400, -32_600],
  ["an id of null", { headers: JSON_TYPE, body: rpc("ping", undefined, null) }, 400, -32_600],
  ["a response", { headers: JSON_TYPE, body: '{"jsonrpc":"2.0","id":1,"result":{}}' }, 400, -32_600],
  ["an unknown method", { headers: JSON_TYPE, body: rpc("tools/run") }, 200, -32_601],
  ["a method of Object", { headers: JSON_TYPE, body: rpc("__proto__") }, 200, -32_601],
  ["an unknown tool", { headers: JSON_TYPE, body: rpc("tools/call", { name: "constructor" }) }, 200, -32_602],
  [
    "a revision to come",
    { headers: { ...JSON_TYPE, "mcp-protocol-version": "2099-01-01" }, body: rpc("ping") },
    400,
    -32_022,
  ],
  ["an empty list", { headers: JSON_TYPE, body: "[]" }, 400, -32_600],
  ["eleven at once", { headers: JSON_TYPE, body: `[${Array(11).fill(rpc("ping")).join(",")}]` }, 400, -32_600],
  ["a list where there are none", { headers: modern("ping"), body: `[${rpc("ping")}]` }, 400, -32_600],
  ["the new form without its fields", { headers: modern("tools/list"), body: rpc("tools/list") }, 400, -32_602],
  [
    "another method in the header",
    { headers: modern("tools/call"), body: rpc("tools/list", { _meta: META }) },
    400,
    -32_020,
  ],
  [
    "another tool in the header",
    { headers: { ...modern("tools/call"), "mcp-name": "x" }, body: rpc("tools/call", { ...call, _meta: META }) },
    400,
    -32_020,
  ],
  [
    "the old handshake in the new form",
    { headers: modern("initialize"), body: rpc("initialize", { _meta: META }) },
    404,
    -32_601,
  ],
  ["a session to end", { method: "DELETE" }, 405, -32_600],
  ["a stream", { method: "GET", headers: { accept: "text/event-stream" } }, 405, -32_600],
  ["a preflight", { method: "OPTIONS", headers: { origin: "https://evil.example" } }, 405, -32_600],
];

test.each(hostile)("refuses %s in JSON-RPC", async (_name, init, status, code) => {
  const answer = await fetch(address, { method: "POST", ...init });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", error: { code } });
});

test("accepts notifications, answers batches in order, and refuses floods", async () => {
  const send = (body: string, headers: object = JSON_TYPE) =>
    fetch(address, { method: "POST", headers: { ...headers }, body });
  const noted = await send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  expect([noted.status, await noted.text()]).toEqual([202, ""]);
  const both = await send(
    `[${rpc("ping", {}, "a")},{"jsonrpc":"2.0","method":"notifications/x"},${rpc("ping", {}, 2)}]`,
  );
  expect(await both.json()).toEqual([
    { jsonrpc: "2.0", id: "a", result: {} },
    { jsonrpc: "2.0", id: 2, result: {} },
  ]);
  const named = { ...modern("tools/call"), "mcp-name": "=?base64?bGlzdF9wYWdlcw==?=" };
  expect((await send(rpc("tools/call", { ...call, _meta: META }), named)).status).toBe(200);
  isAdmitted = false;
  const refused = await send(rpc("ping"));
  isAdmitted = true;
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
});

test("a search of an agent with Do Not Track is counted as a private one", async () => {
  const body = rpc("tools/call", { name: "search_docs", arguments: { query: "radio" } });
  site.searched.length = 0;
  for (const headers of [JSON_TYPE, { ...JSON_TYPE, "sec-gpc": "1" }])
    expect((await site.request("/mcp", { method: "POST", headers, body })).status).toBe(200);
  expect(site.searched).toMatchObject([
    { query: "radio", isPrivate: false },
    { query: "radio", isPrivate: true },
  ]);
});

test("people who open the address see an explanation, and a page at that address stays a page", async () => {
  const notice = await fetch(address, { headers: { accept: "text/html" } });
  expect([notice.status, notice.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(await notice.text()).toContain(address);
  await using other = await createTestSite({ "mcp.md": page("Our MCP", "How to connect.") }, { contentProcess });
  expect((await other.request("/mcp")).status).toBe(200);
  const listed = await other.request("/mcp", { method: "POST", headers: JSON_TYPE, body: rpc("tools/list") });
  const { result } = (await listed.json()) as { result: { tools: { name: string }[] } };
  expect(result.tools.map(({ name }) => name)).toEqual(["read_page", "list_pages"]); // like previews, it is not searched
});
