import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { listen } from "#testing/listen.ts";
import { openedOnce } from "#testing/opened-once.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";
import { findChromium } from "./chromium.ts";

/** Chromium, which finds every `*.localhost` on this machine and asks nobody on its own. Throws where there is none. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-background-networking", "--host-resolver-rules=MAP *.localhost 127.0.0.1"],
  });
}

/**
 * A browser for the tests of one file, whose profiles end with each test. `open` gives a page of a new profile, whose console
 * must stay empty: a policy that blocks our own script would show in it. A test that expects a complaint takes it from
 * `complaints`. Pages of `browser()` may complain.
 */
export function useBrowser(originOf: () => string = () => "http://localhost") {
  let browser: Browser;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    const found = complaints.splice(0);
    if (found.length > 0) throw new Error(`the browser complained: ${found.join("; ")}`);
  });
  afterAll(() => browser.close());

  async function open(
    path: string,
    { width = 1280, dark = false, script = true }: { width?: number; dark?: boolean; script?: boolean } = {},
  ): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: dark ? "dark" : "light",
      javaScriptEnabled: script,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(new URL(path, originOf()).href);
    return page;
  }
  return { open, complaints, browser: () => browser };
}

/** Serves a test site to a browser, at an origin with its name. */
export async function serveSite(site: TestSite): Promise<AsyncDisposable & { origin: string }> {
  const listener = await listen((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const method = incoming.method ?? "GET";
      const headers = incoming.headers as Record<string, string>;
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
      void site.request(incoming.url ?? "/", { method, headers, ...body }).then(async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        outgoing.end(await response.bytes());
      });
    });
  });
  return {
    origin: `http://${site.project.slug}.localhost:${listener.port}`,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

/** A site of these files for the tests of one file, served at an origin with its name. */
export function useSite(files: Record<string, string>): () => { site: TestSite; origin: string } {
  return openedOnce(async () => {
    const site = await createTestSite(files);
    const served = await serveSite(site);
    const close = async () => {
      await served[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    };
    return { site, origin: served.origin, [Symbol.asyncDispose]: close };
  });
}
