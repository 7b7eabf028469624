import type { IncomingMessage, ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { systemClock } from "#lib/clock.ts";
import { setSiteAccess } from "#features/projects/site-access.ts";
import { listen } from "#testing/listen.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient, type SiteClient } from "#test/support/site-client.ts";

// The one private address that this server may reach: the others stand for what it must not.
const ALLOWED = "127.0.0.3";
const PAGE = "/api-reference/change-a-ship";
const KEY = "a-key-that-nobody-keeps";

interface Heard {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  raw: string[];
  body: string;
}

let server: TestServer;
let client: SiteClient;
let api: { host: string };
let inside: { host: string };
let resources: AsyncDisposableStack;
let heard: Heard[] = [];
let reachedInside = 0;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const logged: string[] = [];

async function listenOn(address: string, respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const listener = await listen(respond, address);
  return { ...listener, host: `${address}:${listener.port}` };
}

beforeAll(async () => {
  await using stack = new AsyncDisposableStack();
  api = stack.use(
    await listenOn(ALLOWED, (request, response) => {
      void textOf(request).then((body) => {
        const { method = "", url = "", headers, rawHeaders: raw } = request;
        heard.push({ method, url, headers, raw, body });
        answer(request, response);
      });
    }),
  );
  inside = stack.use(
    await listenOn("127.0.0.1", (_, response) => {
      reachedInside += 1;
      response.end("secret");
    }),
  );
  const port = inside.host.split(":")[1];
  const servers = [
    `http://${api.host}/v1`,
    `http://${inside.host}`,
    `http://localhost:${port}`,
    `http://[::1]:${port}`,
  ];
  const ship = {
    put: {
      summary: "Change a ship",
      requestBody: { content: { "application/json": { schema: { type: "object" } } } },
      responses: { 200: { description: "Changed." } },
    },
    get: { summary: "Read a ship", responses: { 200: { description: "The ship." } } },
  };
  const document = {
    openapi: "3.1.0",
    info: { title: "Harbor", version: "1" },
    servers: servers.map((url) => ({ url })),
    paths: { "/ships/{id}": ship },
  };
  const groups = [
    { group: "Ships", openapi: "api.json" },
    { group: "More", pages: ["index", "silent"] },
  ];
  server = stack.use(
    await startTestServer({
      engine: "sqlite",
      files: {
        "docs.json": JSON.stringify({ name: "Docs", navigation: { groups } }),
        "api.json": JSON.stringify(document),
        "index.md": "# Start\n",
        "silent.md": '---\nopenapi: "PUT /ships/{id}"\nplayground: none\n---\n',
      },
      environment: { DOCENT_WEBHOOK_ALLOW: ALLOWED, DOCENT_TRUSTED_PROXIES: "127.0.0.1" },
      server: { logger: pino({ level: "trace" }, { write: (line: string) => void logged.push(line) }) },
    }),
  );
  client = createSiteClient(server);
  stack.defer(() => client[Symbol.dispose]());
  resources = stack.move();
});
afterAll(() => resources[Symbol.asyncDispose]());
beforeEach(() => {
  heard = [];
  answer = (_, response) => void response.writeHead(200, { "Content-Type": "application/json" }).end('{"ok":true}');
});

async function turn(proxy: boolean): Promise<void> {
  const { instance, baseUrl } = server;
  const response = await fetch(`${baseUrl}/v2/project/${instance.project.id}/api-addresses`, {
    method: "PUT",
    headers: { authorization: `Bearer ${instance.key}`, "content-type": "application/json" },
    body: JSON.stringify({ proxy }),
  });
  expect(await response.json()).toMatchObject({ proxy });
}

const called = (path = "/v1/ships/1") => ({ page: PAGE, url: `http://${api.host}${path}`, headers: {}, body: null });

let clients = 0;

/** As the script of a page sends it, each time from another client. */
async function tryIt(body: object | string, headers: Record<string, string> = {}) {
  clients += 1;
  const answered = await client.send("/_docent/try", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: `http://${client.host}`,
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": `198.51.${clients >> 8}.${clients & 255}`,
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return {
    ...answered,
    body: JSON.parse(answered.text.startsWith("{") ? answered.text : "{}") as Record<string, unknown>,
  };
}

it("proxies nothing until the project enables it; then pages can connect only to their own server", async () => {
  expect((await tryIt(called())).status).toBe(405);
  const before = await client.send(PAGE);
  expect(before.text).not.toContain("data-api-proxy");
  expect(before.headers["content-security-policy"]).toContain(`connect-src 'self' http://${api.host}`);
  await turn(true);
  await expect.poll(async () => (await client.send(PAGE)).text).toContain('data-api-proxy="/_docent/try"');
  expect((await client.send(PAGE)).headers["content-security-policy"]).toContain("connect-src 'self';");
  expect(heard).toEqual([]);
});

it("sends only what the reader entered, nothing of their own request, and returns JSON that sets no headers", async () => {
  answer = (_, response) =>
    void response
      .writeHead(201, { "Content-Type": "text/html", "Set-Cookie": "taken=1", "Clear-Site-Data": '"*"' })
      .end("<script>alert(1)</script>");
  const call = {
    ...called("/v1/ships/a%2Fb?x=1"),
    headers: {
      Authorization: `Bearer ${KEY}`,
      "Content-Type": "application/json",
      "X-Trace": "trace",
      Cookie: "session=stolen",
      Host: "internal.example",
      Origin: "http://evil.example",
      "Proxy-Authorization": "Basic x",
      "Sec-Fetch-Site": "none",
      "Transfer-Encoding": "chunked",
      "Content-Length": "1",
      "X-Forwarded-For": "127.0.0.1",
      Connection: "upgrade",
    },
    body: '{"name":"Ada"}',
  };
  const { status, headers, body } = await tryIt(call, {
    cookie: "docent_site=reader",
    authorization: "Bearer docent_own",
    "x-forwarded-for": "192.0.2.1",
  });
  expect([status, headers["content-type"], headers["cache-control"], headers["x-content-type-options"]]).toEqual([
    200,
    "application/json",
    "no-store",
    "nosniff",
  ]);
  expect(headers["set-cookie"]).toBeUndefined();
  expect(headers["clear-site-data"]).toBeUndefined();
  expect(body).toMatchObject({ status: 201, statusText: "Created", text: "<script>alert(1)</script>", cut: false });
  expect(heard).toHaveLength(1);
  const { method, url, headers: sent, body: received } = heard[0]!;
  expect([method, url, received]).toEqual(["PUT", "/v1/ships/a%2Fb?x=1", '{"name":"Ada"}']);
  expect(Object.keys(sent).toSorted()).toEqual([
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "host",
    "user-agent",
    "x-trace",
  ]);
  expect(sent).toMatchObject({
    authorization: `Bearer ${KEY}`,
    host: api.host,
    "content-length": "14",
    connection: "close",
  });
});

it("calls only the servers of the page, with the method of the page", async () => {
  const refused = async (call: object) => {
    const { status, body } = await tryIt({ ...called(), ...call });
    return [status, body["code"]];
  };
  for (const url of [
    `http://${api.host}/v2/ships/1`,
    `http://${api.host}/v1/%2e%2e%2fadmin`,
    `http://${api.host}/v1/../admin`,
    `http://${ALLOWED}:1/v1/ships/1`,
    "http://example.com/v1/ships/1",
    `http://user:password@${api.host}/v1/ships/1`,
    "file:///etc/passwd",
  ]) {
    expect(await refused({ url })).toEqual([403, "forbidden"]);
  }
  expect(await refused({ page: "/" })).toEqual([403, "forbidden"]);
  expect(await refused({ page: "/silent" })).toEqual([403, "forbidden"]);
  expect(await refused({ page: "/none" })).toEqual([403, "forbidden"]);
  expect(await refused({ method: "DELETE" })).toEqual([400, "invalid"]);
  expect(heard).toEqual([]);
  await tryIt({ ...called(), page: "/api-reference/read-a-ship", body: "left out" });
  expect(heard).toMatchObject([{ method: "GET", body: "" }]);
});

it("reaches no private address that the server's settings do not allow, through any name or redirect", async () => {
  const port = inside.host.split(":")[1];
  for (const host of [inside.host, `localhost:${port}`, `[::1]:${port}`]) {
    const { status, body } = await tryIt({ ...called(), url: `http://${host}/` });
    expect([status, body["code"], body["error"]]).toEqual([
      502,
      "refused",
      expect.stringContaining("not on the public Internet"),
    ]);
  }
  answer = (_, response) => void response.writeHead(302, { Location: `http://${inside.host}/` }).end();
  expect((await tryIt(called())).body).toMatchObject({ status: 302, location: `http://${inside.host}/`, text: "" });
  expect(reachedInside).toBe(0);
});

it("rejects header injection and requests from other origins", async () => {
  for (const headers of [
    { "X-A": "a\r\nX-B: b" },
    { "X-A\r\nX-B": "b" },
    { "X-A": "a\nX-B: b" },
    { "X-A": "a\u0000" },
    { "X A": "b" },
    { "": "b" },
    { "X-A": "\u010d\u010a" },
  ]) {
    expect((await tryIt({ ...called(), headers })).status).toBe(400);
  }
  expect((await tryIt({ ...called(), headers: { "X-A": "a".repeat(9_000) } })).status).toBe(413);
  expect((await tryIt({ ...called(), body: "a".repeat(300_000) })).status).toBe(413);
  expect((await tryIt("not JSON")).status).toBe(400);
  expect((await tryIt(called(), { "content-type": "text/plain" })).status).toBe(415);

  const elsewhere: Record<string, string>[] = [
    { origin: "http://evil.example", "sec-fetch-site": "cross-site" },
    { origin: "http://other.localhost:4000", "sec-fetch-site": "same-site" },
    { origin: "null", "sec-fetch-site": "same-origin" },
    { origin: `http://${client.host}`, "sec-fetch-site": "cross-site" },
    { origin: "http://evil.example", "sec-fetch-site": "same-origin" },
  ];
  for (const headers of elsewhere) expect((await tryIt(called(), headers)).status).toBe(403);
  const program = await client.send("/_docent/try", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(called()),
  });
  expect(program.status).toBe(403);
  expect((await client.send("/_docent/try")).status).toBe(405);
  expect(heard).toEqual([]);
});

it("cuts off a body of 100 MB, and returns only the size of binary content", async () => {
  let sent = 0;
  answer = (_, response) => {
    response.writeHead(200, { "Content-Type": "text/plain" });
    const piece = Buffer.alloc(1_000_000, "x");
    const write = () => {
      while (sent < 100_000_000 && !response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once("drain", write);
      }
      response.end();
    };
    write();
  };
  const { body } = await tryIt(called());
  expect([body["cut"], (body["text"] as string).length]).toEqual([true, 1_000_000]);
  expect(sent).toBeLessThan(30_000_000);
  answer = (_, response) => void response.writeHead(200, { "Content-Type": "image/png" }).end(Buffer.alloc(77));
  expect((await tryIt(called())).body).toMatchObject({ text: "(77 bytes of image/png)" });
  answer = (_, response) =>
    void response
      .writeHead(200, { "Content-Type": "text/plain; charset=iso-8859-1" })
      .end(Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  expect((await tryIt(called())).body).toMatchObject({ text: "café" });
});

it("limits a project to six concurrent calls, and still serves the site", async () => {
  const sockets: ServerResponse[] = [];
  answer = (_, response) => void sockets.push(response);
  const waiting = Array.from({ length: 13 }, () => tryIt(called()));
  await expect.poll(() => sockets.length).toBe(6);
  expect((await client.send("/")).status).toBe(200);
  const refused = await Promise.race(waiting);
  expect([refused.status, refused.body["code"]]).toEqual([503, "unavailable"]);
  expect(sockets).toHaveLength(6);
  answer = (_, response) => void response.end("{}");
  for (const response of sockets) response.end("{}");
  const answers = await Promise.all(waiting);
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(1);
});

it.runIf(LONG_TESTS)("times out if a server never responds", async () => {
  answer = () => undefined;
  const { status, body } = await tryIt(called());
  expect([status, body]).toEqual([502, { error: "No answer within 30 seconds.", code: "timeout" }]);
});

it("limits a client to 30 calls per minute", async () => {
  const from = { "x-forwarded-for": "192.0.2.77" };
  const answered = [];
  for (let time = 0; time < 65; time += 1) answered.push(await tryIt("{}", from)); // maybe over a minute's end
  expect(answered.slice(0, 30).map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 400));
  expect(answered.find(({ status }) => status === 429)?.headers["retry-after"]).toBe("60");
  expect((await tryIt("{}")).status).toBe(400); // somebody else
});

it("proxies nothing for readers without access to a private site", async () => {
  const { instance } = server;
  const access = (mode: "links" | "public") =>
    setSiteAccess({ ...instance, clock: systemClock }, instance.project.id, { mode, password: null });
  await access("links");
  await expect.poll(async () => (await tryIt(called())).status).not.toBe(200);
  heard = [];
  expect((await tryIt(called())).body).not.toHaveProperty("text");
  expect(heard).toEqual([]);
  await access("public");
  await expect.poll(async () => (await tryIt(called())).status).toBe(200);
});

it("stores and logs no key, body or response", async () => {
  const row = await server.instance.database.kysely.selectFrom("project").selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(KEY);
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join("")).not.toContain(KEY);
  expect(logged.join("")).not.toContain("Ada");
});
