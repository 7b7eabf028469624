import { Hono } from "hono";
import { expect, it } from "vitest";
import type { HttpEnv } from "./context.ts";
import { sendError } from "./send-error.ts";
import { jsonBody } from "./json-body.ts";
import { refusedBodies } from "./refused-bodies.ts";

it("a project whose large bodies are refused repeatedly has to wait, and others need not", async () => {
  let now = 0;
  const app = new Hono<HttpEnv>();
  app.onError((error, c) => sendError(c as never, error));
  app.use(async (c, next) => {
    c.set("owner", c.req.header("x-owner") as never);
    await next();
  });
  app.use(refusedBodies(() => now));
  app.use(jsonBody);
  app.post("/", (c) => c.text("", c.req.header("x-owner") === "good" ? 200 : 400));
  const send = (owner: string, size: number, type = "application/json") =>
    app.request("/", {
      method: "POST",
      body: JSON.stringify({ text: "x".repeat(size) }),
      headers: { "x-owner": owner, "content-type": type },
    });
  const statuses = async (owner: string, size: number, times: number) => {
    const all: number[] = [];
    for (let sent = 0; sent < times; sent += 1) all.push((await send(owner, size)).status);
    return new Set(all);
  };
  expect(await statuses("small", 100, 200)).toEqual(new Set([400]));
  expect(await statuses("good", 256 * 1024, 80)).toEqual(new Set([200]));
  expect(await statuses("large", 256 * 1024, 64)).toEqual(new Set([400]));
  for (let sent = 0; sent < 100; sent += 1) await send("unread", 256 * 1024, "text/plain");
  expect((await send("unread", 100)).status).toBe(400);
  const refused = await send("large", 100);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect((await send("small", 100)).status).toBe(400);
  // A schema validates each element of a list, however few bytes it has.
  const list = `{"events":[${"1,".repeat(19_000)}1]}`;
  const headers = { "x-owner": "lists", "content-type": "application/json" };
  for (let sent = 0; sent < 14; sent += 1) await app.request("/", { method: "POST", body: list, headers });
  expect((await send("lists", 100)).status).toBe(429);
  now = 61_000;
  expect((await send("large", 100)).status).toBe(400);
});
