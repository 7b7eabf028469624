import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const LINE = "GET /health HTTP/1.1\r\n";
const HOST = "Host: localhost\r\n";
const END = "Connection: close\r\n\r\n";
const POST = `POST /nowhere HTTP/1.1\r\n${HOST}`;
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n`;
const get = (headers: string) => `${LINE}${HOST}${headers}${END}`;

/** What comes over the wire, and the status that RFC 9110 or 9112 asks for; null: the connection ends without an answer. */
const REQUESTS: Record<string, [request: string, status: number | readonly number[] | null][]> = {
  "the request line (RFC 9112, 3)": [
    [`GET /health\r\n${HOST}${END}`, 400],
    // Two spaces may be taken for one.
    [`GET  /health HTTP/1.1\r\n${HOST}${END}`, [200, 400]],
    [`GET /health  HTTP/1.1\r\n${HOST}${END}`, [200, 400]],
    [`GET /hea lth HTTP/1.1\r\n${HOST}${END}`, 400],
    [` GET /health HTTP/1.1\r\n${HOST}${END}`, 400],
    [`GET\t/health\tHTTP/1.1\r\n${HOST}${END}`, 400],
    [`GET /health HTTP/1.1 \r\n${HOST}${END}`, 400],
    [`G@T /health HTTP/1.1\r\n${HOST}${END}`, 400],
    [`get /health HTTP/1.1\r\n${HOST}${END}`, 400],
    [`GÉT /health HTTP/1.1\r\n${HOST}${END}`, 400],
    [`\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03`, 400],
    [`\0\0\0\0\r\n\r\n`, 400],
    [`{"prompt": "x"}\r\n\r\n`, 400],
    [`GET\r\n\r\n`, 400],
    [`HTTP/1.1 200 OK\r\n\r\n`, 400],
  ],
  "the version (RFC 9112, 2.3)": [
    [`GET /health HTTP/9.9\r\n${HOST}${END}`, [400, 505]],
    [`GET /health HTTP/2.0\r\n${HOST}${END}`, [400, 505]],
    [`GET /health HTTP/1\r\n${HOST}${END}`, 400],
    [`GET /health HTTP/1.1.1\r\n${HOST}${END}`, 400],
    [`GET /health HTTP/01.1\r\n${HOST}${END}`, 400],
    [`GET /health HTTP/1.x\r\n${HOST}${END}`, 400],
    [`GET /health http/1.1\r\n${HOST}${END}`, 400],
    [`GET /health HTTPS/1.1\r\n${HOST}${END}`, 400],
    ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, 505]],
  ],
  "the target (RFC 9112, 3.2)": [
    [`GET health HTTP/1.1\r\n${HOST}${END}`, 400],
    [`GET * HTTP/1.1\r\n${HOST}${END}`, 400],
    [`GET localhost:80 HTTP/1.1\r\n${HOST}${END}`, 400],
    [`GET http:// HTTP/1.1\r\n${HOST}${END}`, 400],
    [`GET ?x HTTP/1.1\r\n${HOST}${END}`, 400],
    [`GET /a\x01b HTTP/1.1\r\n${HOST}${END}`, 400],
    [`GET /a\x7fb HTTP/1.1\r\n${HOST}${END}`, 400],
    [`GET /health#part HTTP/1.1\r\n${HOST}${END}`, [200, 400]],
    [`GET /${"x".repeat(20_000)} HTTP/1.1\r\n${HOST}${END}`, [414, 431]],
  ],
  "the host (RFC 9112, 3.2)": [
    [`${LINE}${HOST}${HOST}${END}`, 400],
    [`GET / HTTP/1.1\r\n${END}`, 400],
    [`GET / HTTP/1.1\r\nHost: \r\n${END}`, 400],
    [`GET / HTTP/1.1\r\nHost: a b\r\n${END}`, 400],
    [`GET / HTTP/1.1\r\nHost: a/b\r\n${END}`, 400],
    [`GET / HTTP/1.1\r\nHost: a@b\r\n${END}`, 400],
    [`GET / HTTP/1.1\r\nHost: localhost:port\r\n${END}`, 400],
    [`GET / HTTP/1.1\r\nHost: localhost:99999\r\n${END}`, 400],
    [`GET / HTTP/1.1\r\nHost: [::1\r\n${END}`, 400],
    [`GET / HTTP/1.1\r\nHost: a,b\r\n${END}`, 400],
  ],
  "fields (RFC 9112, 5)": [
    [get("X-A : 1\r\n"), 400],
    [get(" X-A: 1\r\n"), 400],
    [get("X-A: 1\r\n folded\r\n"), 400],
    [get("X-A\r\n"), 400],
    [get(": 1\r\n"), 400],
    [get("X A: 1\r\n"), 400],
    [get("X(A): 1\r\n"), 400],
    [get("X-A: \x001\r\n"), 400],
    [get("X-A: \x011\r\n"), 400],
    [get("X-A: 1\rX-B: 2\r\n"), 400],
    [`${LINE}${HOST}X-A: 1\nX-B: 2\n\n`, [200, 400]],
    [get(`X-A: ${"y".repeat(20_000)}\r\n`), 431],
    [get(Array.from({ length: 3_000 }, (_, at) => `X-${at}: 1\r\n`).join("")), 431],
  ],
  "the length of a body (RFC 9112, 6)": [
    [`${POST}Content-Length: x\r\n${END}`, 400],
    [`${POST}Content-Length: -1\r\n${END}`, 400],
    [`${POST}Content-Length: +5\r\n${END}hello`, 400],
    [`${POST}Content-Length: 0x5\r\n${END}hello`, 400],
    [`${POST}Content-Length: 5.0\r\n${END}hello`, 400],
    [`${POST}Content-Length: \r\n${END}hello`, 400],
    [`${POST}Content-Length: 5 5\r\n${END}hello`, 400],
    [`${POST}Content-Length: 5, 6\r\n${END}hello`, 400],
    [`${POST}Content-Length: 5\r\nContent-Length: 6\r\n${END}hello`, 400],
    [`${POST}Content-Length: 99999999999999999999999999\r\n${END}hello`, [400, 413]],
    [`${CHUNKED}Content-Length: 5\r\n${END}0\r\n\r\n`, 400],
    [`${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n${END}0\r\n\r\n`, 400],
  ],
  "chunks (RFC 9112, 7)": [
    [`${POST}Transfer-Encoding: gzip\r\n${END}`, [400, 501]],
    [`${POST}Transfer-Encoding: chunked, gzip\r\n${END}0\r\n\r\n`, [400, 501]],
    [`${POST}Transfer-Encoding: xchunked\r\n${END}0\r\n\r\n`, [400, 501]],
    [`${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n${END}0\r\n\r\n`, [400, 501]],
  ],
};

const count = Object.values(REQUESTS).flat().length;

describe("malformed raw requests", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n" } });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** All that comes back until the server closes: one answer, or more where it read more than one request. */
  async function exchange(text: string): Promise<string> {
    const socket = connect(server.port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined); // it may be reset behind an answer
    socket.write(Buffer.from(text, "latin1"));
    await once(socket, "close");
    return Buffer.concat(chunks).toString("utf8");
  }
  const statusesOf = (answer: string) =>
    [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));

  it("number at least sixty", () => expect(count).toBeGreaterThanOrEqual(60));

  it.each(Object.entries(REQUESTS))("in %s get the status that the RFC requires", async (_part, requests) => {
    for (const [request, wanted] of requests) {
      const answer = await exchange(request);
      const asked = JSON.stringify(request.slice(0, 120));
      const [status = null, ...more] = statusesOf(answer);
      const isWanted = [wanted].flat().includes(status);
      expect({ asked, status, isWanted, more }).toEqual({ asked, status, isWanted: true, more: [] });
      if (status === null || status < 400) continue;
      const body = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)) as object;
      expect({ asked, body }).toMatchObject({
        body: {
          error: expect.stringMatching(/^[A-Z].*\.$/) as string,
          code: expect.stringMatching(/^[a-z_]+$/) as string,
        },
      });
    }
  });

  it("never smuggle a second request", async () => {
    // A proxy in front and we would read different requests: what is behind the first one is not read.
    const inner = `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`;
    for (const smuggled of [
      `${POST}Content-Length: ${inner.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
      `${POST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n${inner}`,
      `${POST}Transfer-Encoding : chunked\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      `${POST}Transfer-Encoding:\x0bchunked\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      `${POST}Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      `${CHUNKED}\r\nzz\r\n\r\n${inner}`,
      `${CHUNKED}\r\n-1\r\n\r\n${inner}`,
      `${CHUNKED}\r\n5;x\nhello\r\n0\r\n\r\n${inner}`,
    ]) {
      const answer = await exchange(smuggled);
      expect(answer).not.toContain('"openapi"');
      expect([JSON.stringify(smuggled.slice(0, 90)), statusesOf(answer).length]).toEqual([expect.anything(), 1]);
    }
  });

  it("leave the server working", async () => {
    expect(await (await fetch(`${server.baseUrl}/health`)).json()).toEqual({ status: "ok" });
  });
});
