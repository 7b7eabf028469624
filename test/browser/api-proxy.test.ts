import type { IncomingMessage } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { saveSettings } from "#features/projects/projects.ts";
import { listen } from "#testing/listen.ts";
import { launchBrowser } from "#test/support/browser.ts";
import { startTestServer } from "#test/support/server.ts";

let browser: Browser;
let context: BrowserContext;
let origin: string;
let api: string;
let heard: Pick<IncomingMessage, "method" | "url" | "headers">[] = [];
let resources: AsyncDisposableStack;

beforeAll(async () => {
  await using stack = new AsyncDisposableStack();
  // An API that lets no other site's browser call it.
  const answering = await listen(({ method, url, headers }, outgoing) => {
    heard.push({ method, url, headers });
    outgoing.writeHead(200, { "Content-Type": "application/json", "Set-Cookie": "taken=1" });
    outgoing.end('{"id":"1","name":"<b>Ada</b>"}');
  });
  api = `http://127.0.0.1:${stack.use(answering).port}/v1`;
  const document = {
    openapi: "3.1.0",
    info: { title: "Harbor", version: "1" },
    servers: [{ url: api }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    paths: {
      "/ships/{id}": {
        get: {
          summary: "Read a ship",
          description: "Answers with one ship of the harbor.",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: { 200: { description: "The ship." } },
        },
      },
    },
  };
  const navigation = { groups: [{ group: "Ships", openapi: "api.json" }] };
  const server = stack.use(
    await startTestServer({
      engine: "sqlite",
      files: { "docs.json": JSON.stringify({ name: "Harbor", navigation }), "api.json": JSON.stringify(document) },
      environment: { DOCENT_WEBHOOK_ALLOW: "127.0.0.1" },
    }),
  );
  await saveSettings(server.instance, server.instance.project, { apiProxy: true });
  origin = `http://${server.instance.project.slug}.localhost:${server.port}`;
  browser = await launchBrowser();
  stack.defer(() => browser.close());
  resources = stack.move();
});
afterEach(async () => {
  heard = [];
  await context.close();
});
afterAll(() => resources[Symbol.asyncDispose]());

async function open(): Promise<Page> {
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${origin}/api-reference/read-a-ship`);
  await page.click("text=Try it");
  await page.fill('[data-name="Authorization"]', "secret");
  return page;
}

it("sends through the site's server to an API that lets no browser call it, and shows the answer as text", async () => {
  const page = await open();
  expect(await page.textContent("[data-where]")).toContain("This site's server passes it on");
  await page.fill('[data-name="id"]', "a/b");
  await page.click("[data-playground] button");
  await page.waitForSelector("[data-answer] pre");
  expect(await page.textContent("[data-answer] pre")).toBe('{\n  "id": "1",\n  "name": "<b>Ada</b>"\n}');
  expect(await page.textContent(".api-try-status")).toMatch(/^200 OK in \d+ ms$/);
  expect(heard).toMatchObject([{ method: "GET", url: "/v1/ships/a%2Fb", headers: { authorization: "Bearer secret" } }]);
  expect(heard[0]!.headers).not.toHaveProperty("cookie");
  expect(heard[0]!.headers).not.toHaveProperty("origin");
  const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
  expect(kept).not.toContain("secret");
  expect(await context.cookies()).toEqual([]);
});

it("says why nothing came back, and lets the page's own scripts reach nothing else", async () => {
  const page = await open();
  await page.evaluate(`document.querySelector('[name="server"] option').value = "http://127.0.0.1:9/v1"`);
  await page.fill('[data-name="id"]', "1");
  await page.click("[data-playground] button");
  await page.waitForSelector("text=No answer came back.");
  expect(await page.textContent("[data-answer] pre")).toBe("The page names no server that has this address.");
  const direct = `fetch(${JSON.stringify(api)}, { mode: "no-cors" }).then(() => "reached", (error) => error.name)`;
  expect(await page.evaluate(direct)).toBe("TypeError");
  expect(heard).toEqual([]);
});
