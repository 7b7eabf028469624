import type { IncomingMessage } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";
import { launchBrowser, listen, serveSite } from "#test/support/browser.ts";

type Heard = Pick<IncomingMessage, "method" | "url" | "headers"> & { body: string };

let site: TestSite;
let browser: Browser;
let context: BrowserContext;
let origin: string;
let api: string;
let heard: Heard[] = [];
let resources: AsyncDisposableStack;

beforeAll(async () => {
  await using stack = new AsyncDisposableStack();
  const answering = await listen((incoming, outgoing) => {
    let body = "";
    incoming.on("data", (chunk: Buffer) => (body += chunk.toString()));
    incoming.on("end", () => {
      const { method, url, headers } = incoming;
      if (method !== "OPTIONS") heard.push({ method, url, headers, body });
      const allowed = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Headers": "*",
        "Access-Control-Allow-Methods": "*",
      };
      outgoing.writeHead(200, { ...allowed, "Content-Type": "application/json" });
      outgoing.end('{"answer":"<b>yes</b>"}');
    });
  });
  api = `http://127.0.0.1:${stack.use(answering).port}`;
  const document = {
    openapi: "3.0.3",
    info: { title: "Harbor", version: "1" },
    servers: [{ url: api }, { url: "http://127.0.0.1:1" }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    paths: {
      "/ships/{id}": {
        put: {
          summary: "Change a ship",
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            { name: "dry run", in: "query", schema: { type: "boolean" } },
          ],
          requestBody: { content: { "application/json": { schema: { type: "object" }, example: { name: "Ada" } } } },
          responses: { 200: { description: "Changed." } },
        },
      },
    },
  };
  const navigation = {
    groups: [
      { group: "Ships", openapi: "api.json" },
      { group: "More", pages: ["silent"] },
    ],
  };
  site = await createTestSite({
    "docs.json": JSON.stringify({ name: "Harbor", navigation }),
    "api.json": JSON.stringify(document),
    "silent.md": '---\nopenapi: "PUT /ships/{id}"\nplayground: none\n---\n',
  });
  ({ origin } = stack.use(await serveSite(stack.use(site))));
  browser = await launchBrowser();
  resources = stack.move();
});
afterEach(async () => {
  heard = [];
  await context.close();
});
afterAll(async () => {
  await browser.close();
  await resources[Symbol.asyncDispose]();
});

async function open(path: string, options: { script?: boolean; width?: number } = {}): Promise<Page> {
  context = await browser.newContext({
    javaScriptEnabled: options.script ?? true,
    viewport: { width: options.width ?? 1280, height: 800 },
  });
  const page = await context.newPage();
  await page.goto(origin + path);
  return page;
}

const PAGE = "/api-reference/change-a-ship";

it("sends what the reader entered to the server that the description names, and shows the answer as text", async () => {
  const page = await open(PAGE);
  await page.click("text=Try it");
  await page.fill('[data-name="Authorization"]', "secret");
  await page.fill('[data-name="id"]', "a/b ?");
  await page.fill('[data-name="dry run"]', "true");
  await page.click("[data-playground] button");
  await page.waitForSelector("[data-answer] pre");
  expect(await page.textContent("[data-answer] pre")).toBe('{\n  "answer": "<b>yes</b>"\n}');
  expect(await page.textContent(".api-try-status")).toMatch(/^200 OK in \d+ ms$/);
  expect(heard).toHaveLength(1);
  expect(heard[0]).toMatchObject({
    method: "PUT",
    url: "/ships/a%2Fb%20%3F?dry%20run=true",
    body: '{\n  "name": "Ada"\n}',
  });
  expect(heard[0]?.headers).toMatchObject({ authorization: "Bearer secret", "content-type": "application/json" });
  expect(heard[0]?.headers).not.toHaveProperty("cookie");
  const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
  expect(kept).not.toContain("secret");
});

it("prints the request for a shell as it is entered, without the key", async () => {
  const page = await open(PAGE);
  await page.click("text=Try it");
  const printed = () => page.textContent('[data-tab="cURL"] + label + .tab-panel pre code');
  expect(await printed()).toContain("/ships/{id}");
  await page.fill('[data-name="Authorization"]', "secret");
  expect(await printed()).not.toContain("secret");
  await page.fill('[data-name="id"]', "it's");
  await page.fill('[name="body"]', '{"name":"O\'Hara"}');
  expect(await printed()).toBe(
    [
      `curl '${api}/ships/it'\\''s'`,
      "--request PUT",
      "--header 'Authorization: Bearer <token>'",
      "--header 'Content-Type: application/json'",
      `--data '{"name":"O'\\''Hara"}'`,
    ].join(" \\\n  "),
  );
});

it("says what may be wrong when no answer comes back", async () => {
  const page = await open(PAGE);
  await page.click("text=Try it");
  await page.selectOption('[name="server"]', "http://127.0.0.1:1");
  await page.fill('[data-name="id"]', "1");
  await page.click("[data-playground] button");
  await page.waitForSelector("text=No answer came back.");
  expect(await page.textContent("[data-answer] pre")).toContain("CORS");
});

it("lets the page reach the servers of the description, and no others", async () => {
  const page = await open(PAGE);
  const reach = (url: string) =>
    page.evaluate(`fetch(${JSON.stringify(url)}).then(() => "reached", (error) => error.name)`);
  expect(await reach(`${api}/ships/1`)).toBe("reached");
  expect(await reach(`${api.replace("127.0.0.1", "localhost")}/ships/1`)).toBe("TypeError");
  const silent = await open("/silent");
  expect(await silent.evaluate(`fetch(${JSON.stringify(api)}).then(() => "reached", (error) => error.name)`)).toBe(
    "TypeError",
  );
  expect(await silent.locator("text=Try it").count()).toBe(0);
});

it("is not shown without scripts, and the page fits a telephone", async () => {
  const page = await open(PAGE, { script: false });
  expect(await page.isVisible("text=Try it")).toBe(false);
  expect(await page.isVisible("text=Changed.")).toBe(true);
  const narrow = await open(PAGE, { width: 390 });
  expect(await narrow.evaluate("document.documentElement.scrollWidth")).toBe(390);
});
