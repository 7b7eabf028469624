import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { ENGINES } from "#testing/databases.ts";

describe.each(ENGINES)("malformed requests of clients and attackers on %s", (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      files: { "index.md": "# Start\n" },
      environment: { DOCENT_AGENT_CALLS_PER_HOUR: "1000", DOCENT_JOBS_AT_ONCE: "0" },
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** The answer to bytes as they are: no client would send most of these. */
  async function exchange(text: string): Promise<{ status: number; head: string; body: string }> {
    const socket = connect(server.port, "127.0.0.1");
    socket.setTimeout(10_000, () => socket.destroy());
    socket.write(text);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    await once(socket, "close");
    const [head = "", body = ""] = Buffer.concat(chunks).toString("utf8").split("\r\n\r\n");
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head: head.toLowerCase(), body };
  }

  const agent = () => `/v2/agent/${server.instance.project.id}`;
  const authorization = () => `Authorization: Bearer ${server.instance.key}\r\n`;
  const get = (path: string, headers = "") =>
    exchange(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${authorization()}${headers}\r\n`);
  const post = (path: string, body: string, headers: string) =>
    exchange(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${authorization()}${headers}` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );

  it.each([
    ["a line that is not HTTP", () => "\u0000\u0001 garbage\r\n\r\n", 400, "invalid"],
    ["an unknown method", () => `BREW ${agent()}/job HTTP/1.1\r\nHost: localhost\r\n\r\n`, 400, "invalid"],
    ["a host that is no host", () => "GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400, "invalid"],
    ["a host with a path", () => "GET /health HTTP/1.1\r\nHost: a@b/c\r\nConnection: close\r\n\r\n", 400, "invalid"],
    [
      "headers of 20 KB",
      () => `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Big: ${"y".repeat(20_000)}\r\n\r\n`,
      431,
      "too_large",
    ],
  ])("answers %s in the shape of every error", async (_name, text, status, code) => {
    const answer = await exchange(text());
    expect(answer.status).toBe(status);
    expect(answer.head).toContain("content-type: application/json");
    const body = JSON.parse(answer.body) as Record<"error" | "code" | "requestId", string>;
    expect(Object.keys(body)).toEqual(["error", "code", "requestId"]);
    expect(body.code).toBe(code);
    expect(answer.head).toContain(`x-request-id: ${body.requestId}`);
  });

  const site = () => `${server.instance.project.slug}.localhost`;

  it.each([
    ["no host", () => "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["an empty host", () => "GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n"],
    ["two hosts", () => "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n"],
    ["a site's host twice", () => `GET / HTTP/1.1\r\nHost: ${site()}\r\nhost: ${site()}\r\nConnection: close\r\n\r\n`],
    [
      "the host of a site and its own",
      () => `GET / HTTP/1.1\r\nHost: ${site()}\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    ],
    ["a host with a list", () => `GET / HTTP/1.1\r\nHost: ${site()}, localhost\r\nConnection: close\r\n\r\n`],
  ])("refuses a request with %s, whomever it is for", async (_name, text) => {
    const answer = await exchange(text());
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      code: "invalid",
      error: expect.stringContaining("Host") as string,
    });
  });

  it("uses the host of an absolute URL, whatever the header says", async () => {
    const whole = (address: string, host: string, method = "GET") =>
      exchange(`${method} http://${address} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const own = `localhost:${server.port}`;
    const its = `${site()}:${server.port}`;
    expect((await whole(`${its}/`, own)).body).toContain("<span>Test docs</span>");
    expect((await whole(`${its}`, own)).body).toContain("<span>Test docs</span>");
    expect((await whole(`${its.toUpperCase()}/`, own)).body).toContain("<span>Test docs</span>");
    expect(await whole(`${own}/health`, its)).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect((await whole(`${its}/health`, own)).status).toBe(404);
    expect((await whole(`nobody.localhost:${server.port}/`, its)).status).toBe(404);
    for (const address of ["", "/", `user@${its}/`, `${its},${own}/`, "a b/"]) {
      const answer = await whole(address, own);
      expect([address, answer.status]).toEqual([address, 400]);
      expect(JSON.parse(answer.body)).toMatchObject({ code: "invalid" });
    }
  });

  it.each([
    ["TRACE of the interface", () => `TRACE ${agent()}/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`],
    ["TRACE of a site", () => `TRACE / HTTP/1.1\r\nHost: ${site()}\r\nConnection: close\r\n\r\n`],
    ["CONNECT", () => "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n"],
    ["CONNECT of a site", () => `CONNECT ${site()}:80 HTTP/1.1\r\nHost: ${site()}\r\n\r\n`],
  ])("answers %s with 405", async (_name, text) => {
    const answer = await exchange(text());
    expect(answer.status).toBe(405);
    expect(answer.head).toContain("allow: delete, get, head, options, post");
    expect(JSON.parse(answer.body)).toMatchObject({ code: "method_not_allowed" });
  });

  it("rejects an unknown expectation in the standard error format", async () => {
    const answer = await get("/health", "Expect: the-unexpected\r\n");
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { code: "invalid" }]);
  });

  it.each([
    ["access_token=x", ""],
    ["key=", "KEY"],
    ["limit=1&access_token=", ""],
  ])("refuses a key in the address (%s%s) also beside a valid one in the header", async (start, end) => {
    const query = start + (end === "KEY" ? server.instance.key : end);
    const answer = await get(`${agent()}/jobs?${query}`);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { code: "invalid" }]);
    expect((await get(`/v1/analytics/${server.instance.project.id}/visitors?${query}`)).status).toBe(400);
  });

  it("responds to a health check without a host", async () => {
    const answer = await exchange("GET /health HTTP/1.0\r\n\r\n");
    expect(answer).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  });

  it.each([
    ["a NUL", "a%00b"],
    ["a broken escape", "%E0%A4%A"],
    ["an encoded slash", "..%2f..%2fetc"],
    ["5,000 characters", "x".repeat(5_000)],
  ])("knows no job whose id has %s", async (_name, id) => {
    const answers = [
      await get(`${agent()}/job/${id}`),
      await get(`${agent()}/job/${id}/events`),
      await post(`${agent()}/job/${id}/message`, '{"prompt":"x"}', "Content-Type: application/json\r\n"),
      await get(`${agent()}/webhooks/${id}`),
      await get(`/v2/agent/${id}/job/x`),
      await get(`/v1/analytics/${id}/visitors`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    for (const { body } of answers) expect(JSON.parse(body)).toMatchObject({ code: "not_found" });
  });

  it("returns 404 for a project name with a NUL", async () => {
    expect((await get("/te%00st/pulls")).status).toBe(404);
    expect((await get("/git/te%00st.git/info/refs?service=git-upload-pack")).status).toBe(404);
  });

  it.each([
    "application/json;",
    "application/json; charset=utf-8",
    'application/json; charset="utf-8"',
    "Application/JSON ; Charset=UTF-8",
  ])("takes a body of type %s", async (type) => {
    const answer = await post(`${agent()}/job`, '{"prompt":"Fix the broken links."}', `Content-Type: ${type}\r\n`);
    expect(answer.status).toBe(201);
  });

  it.each(["text/json", "application/jsonp", "text/plain; application/json", "application/ld+json"])(
    "refuses a body of type %s with 415",
    async (type) => {
      const answer = await post(`${agent()}/job`, '{"prompt":"x"}', `Content-Type: ${type}\r\n`);
      expect(answer.status).toBe(415);
      expect(JSON.parse(answer.body)).toMatchObject({ code: "unsupported_media_type" });
    },
  );

  it.each([
    [60, 201],
    [60_000, 400],
  ])("a field that it does not know may be nested, but not deeply: %i levels are %i", async (levels, status) => {
    const body = `{"prompt":"Fix the broken links.","x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect((await post(`${agent()}/job`, body, "Content-Type: application/json\r\n")).status).toBe(status);
  });

  const DEEP = `${"[".repeat(60_000)}${"]".repeat(60_000)}`;
  it.each([
    ["objects for a job", () => `${agent()}/job`, `{"prompt":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`],
    ["a message to the MCP server", () => "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping","params":${DEEP}}`],
    ["a view of a page elsewhere", () => `/ingest/${server.instance.project.id}`, `{"path":"/","id":${DEEP}}`],
    ["many values for a job", () => `${agent()}/job`, `{"prompt":[${"1,".repeat(30_000)}1]}`],
  ])("refuses %s before it is parsed", async (_name, path, body) => {
    const types = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    const answer = await post(path(), body, types);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(/nested more than 64 deep|more than 20000 values|deeper or longer|is not JSON/);
  });

  it.each(["a..b", "--upload-pack=x", "@{-1}", "HEAD", "../../config", "a\u0007b", "refs/heads/main"])(
    "rejects %j as a base branch",
    async (ref) => {
      const body = JSON.stringify({ prompt: "Fix the broken links.", ref });
      const answer = await post(`${agent()}/job`, body, "Content-Type: application/json\r\n");
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ code: "invalid", details: [{ path: "ref" }] });
    },
  );

  it.each(["", "k".repeat(256), "caf\u00e9"])("rejects the Idempotency-Key %j", async (key) => {
    const headers = `Content-Type: application/json\r\nIdempotency-Key: ${key}\r\n`;
    const answer = await post(`${agent()}/job`, '{"prompt":"x"}', headers);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ details: [{ path: "Idempotency-Key" }] });
  });

  it("ignores X-Forwarded-Host", async () => {
    const answer = await get("/openapi.json", "X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n");
    expect(answer.body).not.toContain("evil.example");
    expect(answer.body).toContain(`"url":"http://localhost:${server.port}"`);
  });

  it("lets no other origin read a response", async () => {
    const asked = `Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n`;
    const answer = await exchange(
      `OPTIONS ${agent()}/job HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${authorization()}${asked}\r\n`,
    );
    expect(answer.status).toBe(405);
    expect(answer.head).not.toContain("access-control");
    expect((await get(`${agent()}/jobs`, asked)).head).not.toContain("access-control");
  });

  it("responds to HEAD as to GET, without a body", async () => {
    const head = (path: string) =>
      exchange(`HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${authorization()}\r\n`);
    expect(await head(`${agent()}/jobs`)).toMatchObject({ status: 200, body: "" });
    expect(await head(`${agent()}/job/nowhere`)).toMatchObject({ status: 404, body: "" });
    const refused = await head(`${agent()}/job`);
    expect(refused).toMatchObject({ status: 405, body: "" });
    expect(refused.head).toContain("allow: post");
  });
});
