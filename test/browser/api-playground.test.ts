import type { IncomingMessage } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { listen } from "#testing/listen.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";
import { launchBrowser, serveSite } from "#test/support/browser.ts";

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
    servers: [
      { url: api },
      { url: "http://127.0.0.1:1" },
      { url: `${api}/{region}`, variables: { region: { default: "eu", enum: ["eu", "us"] } } },
    ],
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
      "/animals/{ids}": {
        get: {
          summary: "Find animals",
          parameters: [
            { name: "ids", in: "path", required: true, schema: { type: "array", items: { type: "integer" } } },
            { name: "tags", in: "query", schema: { type: "array", items: { type: "string" } } },
            { name: "csv", in: "query", explode: false, schema: { type: "array", items: { type: "string" } } },
            { name: "filter", in: "query", style: "deepObject", schema: { type: "object" } },
            { name: "where", in: "query", content: { "application/json": { schema: { type: "object" } } } },
            { name: "X-Fields", in: "header", schema: { type: "array", items: { type: "string" } } },
          ],
          responses: { 200: { description: "Found." } },
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
  await page.selectOption('[data-name="dry run"]', "true");
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

it("sends lists, objects and JSON as the description says, to the server with the value that was chosen", async () => {
  const page = await open("/api-reference/find-animals");
  await page.click("text=Try it");
  await page.selectOption('[name="server"]', `${api}/us`);
  const entered = { ids: "1, 2", tags: "x,y z", csv: '["a","b,c"]', filter: '{"age":3}', "X-Fields": "a,b" };
  for (const [name, value] of Object.entries(entered)) await page.fill(`[data-name="${name}"]`, value);
  await page.fill('[data-name="where"]', '{"a":[1]}');
  await page.click("[data-playground] button");
  await page.waitForSelector("[data-answer] pre");
  const query = "tags=x&tags=y%20z&csv=a%2Cb%2Cc&filter%5Bage%5D=3&where=%7B%22a%22%3A%5B1%5D%7D";
  expect(heard[0]).toMatchObject({ url: `/us/animals/1,2?${query}` });
  expect(heard[0]?.headers["x-fields"]).toBe("a,b");
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
