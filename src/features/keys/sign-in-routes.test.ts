import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

const send = (app: TestApp, body: string, headers: Record<string, string> = {}) =>
  app.app.fetch(
    new Request("http://localhost:4000/sign-in", {
      method: "POST",
      headers: { host: "localhost:4000", "content-type": "application/x-www-form-urlencoded", ...headers },
      body,
    }),
    { peerAddress: "127.0.0.1" },
  );
const form = (app: TestApp, to: string) => new URLSearchParams({ key: app.key, to }).toString();

describe("the sign-in page", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp("sqlite");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("sets an HttpOnly, same-site cookie, and redirects to the requested page", async () => {
    const answer = await send(app, form(app, "/harbor-docs/pull/1"), { origin: "http://localhost:4000" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/harbor-docs/pull/1");
    const cookie = answer.headers.get("set-cookie")!;
    expect(cookie).toMatch(/^docent_session=[^;]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(app.key);
  });

  it("sets a Secure cookie if the public URL is https, even on a plain connection", async () => {
    await using secure = await createTestApp("sqlite", { baseUrl: "https://docs.example.com" });
    const answer = await send(secure, form(secure, "/"));
    expect(answer.headers.get("set-cookie")).toMatch(/^__Host-docent_session=[^;]+; Path=\/; .*; Secure$/);
  });

  it.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/\t/evil.example",
    "/a\r\nSet-Cookie: a=b",
    "javascript:alert(1)",
    "",
  ])("never leads to %j", async (to) => {
    expect((await send(app, form(app, to))).headers.get("location")).toBe("/");
  });

  it.each(["https://evil.example", "null", "http://localhost:4001"])("rejects a form from %s", async (origin) => {
    const answer = await send(app, form(app, "/"), { origin });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it.each([
    ["a wrong key", "key=docent_wrong", "application/x-www-form-urlencoded", 401],
    ["no fields", "", "application/x-www-form-urlencoded", 401],
    ["another kind of form", "--b\r\nbroken", "multipart/form-data; boundary=b", 401],
    ["a form without its boundary", "key=x", "multipart/form-data", 401],
    ["a form of 6 KB", `key=${"x".repeat(6_000)}`, "application/x-www-form-urlencoded", 413],
  ])("answers %s with the form and the reason", async (_name, body, type, status) => {
    const answer = await send(app, body, { "content-type": type });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain('role="alert"');
  });

  it("cannot be framed, and shows its input as text", async () => {
    const answer = await app.openPath(`/sign-in?to=${encodeURIComponent('/"><script>alert(1)</script>')}`);
    const page = await answer.text();
    expect(page).toContain('value="/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("rejects a cookie from before the sign-out", async () => {
    const cookie = (await send(app, form(app, "/"))).headers.get("set-cookie")!.split(";")[0]!;
    const request = (method: string, path: string) =>
      app.app.fetch(
        new Request(`http://localhost:4000${path}`, {
          method,
          headers: { host: "localhost:4000", accept: "text/html", cookie },
        }),
        { peerAddress: "127.0.0.1" },
      );
    expect((await request("GET", "/harbor-docs/keys")).status).toBe(200);
    expect((await request("POST", "/sign-out")).status).toBe(303);
    const after = await request("GET", "/harbor-docs/keys");
    expect([after.status, after.headers.get("location")]).toEqual([303, "/sign-in?to=%2Fharbor-docs%2Fkeys"]);
  });

  it("ends the session on sign-out, but not on a request from another site", async () => {
    const signOut = (origin: string) =>
      app.app.fetch(
        new Request("http://localhost:4000/sign-out", { method: "POST", headers: { host: "localhost:4000", origin } }),
        { peerAddress: "127.0.0.1" },
      );
    expect((await signOut("http://localhost:4000")).headers.get("set-cookie")).toMatch(/^docent_session=; .*Max-Age=0/);
    expect((await signOut("https://evil.example")).headers.get("set-cookie")).toBeNull();
  });
});
