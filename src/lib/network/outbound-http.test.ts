import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createOutboundHttp, type OutboundRequest } from "./outbound-http.ts";

async function serve(listener: RequestListener, at: { address?: string; port?: number } = {}): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(at.port ?? 0, at.address ?? "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const post = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: "POST",
  headers: { "Content-Type": "text/plain" },
  body: "héllo",
  timeoutMs: 2_000,
  maxResponseBytes: 4_096,
  ...more,
});

test("sends the body and reads the response of an allowed address", async () => {
  let seen = "";
  const port = await serve((request, response) => {
    seen = `${request.method} ${request.url} ${request.headers.host} `;
    request.setEncoding("utf8").on("data", (text) => (seen += String(text)));
    request.on("end", () => response.writeHead(202, { "X-Answer": "yes" }).end("thanks"));
  });
  const http = createOutboundHttp({ allow: ["127.0.0.0/8"] });
  const result = await http.send(post(`http://127.0.0.1:${port}/in?a=1`));
  expect(result).toMatchObject({ ok: true, status: 202, headers: { "x-answer": "yes" }, isCut: false });
  expect(result.ok && result.body.toString()).toBe("thanks");
  expect(seen).toBe(`POST /in?a=1 127.0.0.1:${port} héllo`);
});

test.each([
  "http://127.0.0.1/",
  "http://localhost/",
  "http://[::1]/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0177.0.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://[::ffff:169.254.169.254]/",
  "http://10.0.0.1/",
  "http://0.0.0.0/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://127.0.0.1/",
  "javascript:alert(1)",
  "http://user:word@1.1.1.1/",
  "http://user@1.1.1.1/",
  "nothing",
  "",
])("refuses %j", async (url) => {
  const http = createOutboundHttp({ allow: [] });
  expect(await http.send(post(url))).toMatchObject({ ok: false, reason: "refused" });
  expect(await http.findRefusal(url)).toEqual(expect.any(String));
});

test("refuses any name that resolves to an internal address", async () => {
  const http = createOutboundHttp({ allow: [], resolve: async () => ["10.0.0.7", "::1"] });
  expect(await http.send(post("http://hooks.example.com/"))).toMatchObject({ ok: false, reason: "refused" });
});

test("resolves a name once and connects to the address that was checked", async () => {
  const port = await serve((request, response) => void response.end(request.headers.host));
  let lookups = 0;
  const answers = [["127.0.0.1"], ["127.0.0.99"]];
  const http = createOutboundHttp({ allow: ["127.0.0.1/32"], resolve: async () => answers[lookups++] ?? [] });
  const first = await http.send(post(`http://rebind.example:${port}/`));
  expect(first.ok && first.body.toString()).toBe(`rebind.example:${port}`);
  expect(lookups).toBe(1);
  expect(await http.send(post(`http://rebind.example:${port}/`))).toMatchObject({ ok: false, reason: "refused" });
});

test("tries only the allowed ones of several addresses", async () => {
  const port = await serve((_request, response) => void response.end("here"));
  await serve((_request, response) => void response.end("inside"), { address: "127.0.0.2", port });
  const http = createOutboundHttp({ allow: ["127.0.0.1/32"], resolve: async () => ["127.0.0.2", "127.0.0.1"] });
  const result = await http.send(post(`http://two.example:${port}/`));
  expect(result.ok && result.body.toString()).toBe("here");
});

test("allows a host by its name or by a parent domain", async () => {
  const port = await serve((_request, response) => void response.end("ok"));
  const http = createOutboundHttp({ allow: ["hooks.internal", "*.corp.example"], resolve: async () => ["127.0.0.1"] });
  expect(await http.send(post(`http://hooks.internal:${port}/`))).toMatchObject({ ok: true });
  expect(await http.send(post(`http://a.corp.example:${port}/`))).toMatchObject({ ok: true });
  expect(await http.send(post(`http://corp.example:${port}/`))).toMatchObject({ ok: false, reason: "refused" });
  expect(await http.send(post(`http://nothooks.internal:${port}/`))).toMatchObject({ ok: false, reason: "refused" });
});

test("does not follow redirects", async () => {
  let calls = 0;
  const port = await serve((_request, response) => {
    calls++;
    response.writeHead(302, { Location: `http://127.0.0.1:${port}/elsewhere` }).end();
  });
  const http = createOutboundHttp({ allow: ["127.0.0.1"] });
  expect(await http.send(post(`http://127.0.0.1:${port}/`))).toMatchObject({ ok: true, status: 302 });
  expect(calls).toBe(1);
});

test("returns a response of exactly the limit whole", async () => {
  const port = await serve((_request, response) => void response.end("four"));
  const http = createOutboundHttp({ allow: ["127.0.0.1/32"] });
  const result = await http.send(post(`http://127.0.0.1:${port}/`, { maxResponseBytes: 4 }));
  expect(result.ok && { body: result.body.toString(), isCut: result.isCut }).toEqual({ body: "four", isCut: false });
});

test("truncates an oversized response and closes the connection", async () => {
  let isClosed = false;
  const port = await serve((_request, response) => {
    response.on("close", () => (isClosed = true));
    const timer = setInterval(() => response.write("x".repeat(100_000)), 1);
    response.on("close", () => clearInterval(timer));
  });
  const http = createOutboundHttp({ allow: ["127.0.0.1"] });
  const result = await http.send(post(`http://127.0.0.1:${port}/`));
  expect(result).toMatchObject({ ok: true, status: 200, isCut: true });
  expect(result.ok && result.body.length).toBe(4_096);
  await expect.poll(() => isClosed).toBe(true);
});

test.each([
  ["never answers", (() => undefined) satisfies RequestListener],
  [
    "trickles its body",
    ((_request, response) => {
      const timer = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(timer));
    }) satisfies RequestListener,
  ],
])("gives up on a server that %s", async (_name, listener) => {
  const port = await serve(listener);
  const http = createOutboundHttp({ allow: ["127.0.0.1"] });
  const result = await http.send(post(`http://127.0.0.1:${port}/`, { timeoutMs: 200 }));
  expect(result).toEqual({ ok: false, reason: "timeout", message: "No answer within 0.2 seconds." });
});

test("gives up on a name server that never answers", async () => {
  const http = createOutboundHttp({ allow: [], resolve: () => new Promise(() => undefined) });
  expect(await http.send(post("http://slow.example/", { timeoutMs: 100 }))).toMatchObject({ reason: "timeout" });
});

test("distinguishes a closed port, a cut connection and an unknown name", async () => {
  const http = createOutboundHttp({ allow: ["127.0.0.1"] });
  expect(await http.send(post("http://127.0.0.1:9/"))).toMatchObject({
    reason: "network",
    message: "The connection was refused.",
  });
  const port = await serve((request) => request.socket.destroy());
  expect(await http.send(post(`http://127.0.0.1:${port}/`))).toMatchObject({
    reason: "network",
    message: "The connection was cut.",
  });
  expect(await http.send(post("http://no-such-name.invalid/"))).toMatchObject({ reason: "unknown_host" });
  expect(await http.findRefusal("http://no-such-name.invalid/")).toBeNull();
});

test("throws when the caller aborts", async () => {
  const port = await serve(() => undefined);
  const http = createOutboundHttp({ allow: ["127.0.0.1"] });
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error("stop")), 50);
  await expect(http.send(post(`http://127.0.0.1:${port}/`, { signal: controller.signal }))).rejects.toThrow("stop");
});

test("refuses an entry that is neither a host nor a range at startup", () => {
  expect(() => createOutboundHttp({ allow: ["http://x/"] })).toThrow(RangeError);
});

test("gives up on an address whose name cannot be resolved in time", async () => {
  const never = createOutboundHttp({ allow: [], resolve: () => new Promise(() => undefined), namesWithinMs: 20 });
  expect(await never.findAddresses("https://docs.example.com/acme")).toMatchObject({ ok: false, reason: "timeout" });
});
