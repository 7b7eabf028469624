import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { useBrowser, useSite } from "#test/support/browser.ts";

const fence = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\`\n`;
const ATTACK = fence(`flowchart LR
  A["<img src=x onerror=parent.attacked=1><script>parent.attacked=1</script>"] --> B
  click A "javascript:parent.attacked=1"
  click B href "https://elsewhere.example/click" _top
  style B fill:url(https://elsewhere.example/fill)
  C@{ img: "https://elsewhere.example/image.png", label: "C" }
  classDef x fill:#fff,background:url(https://elsewhere.example/class)`);
const DIRECTIVE =
  fence(`%%{init: {"securityLevel": "loose", "themeCSS": "* { background: url(https://elsewhere.example/css) }", "htmlLabels": true}}%%
flowchart LR
  A["<iframe src=javascript:parent.attacked=1>"] --> B
  click A call attack()`);

const served = useSite({
  "docs.json": JSON.stringify({ name: "Harbor", navigation: { pages: ["plain", "drawn", "attack"] } }),
  "plain.md": "# Plain\n\n```js\nlet a;\n```\n",
  "drawn.md": `# Drawn\n\n${fence("flowchart LR\n  accTitle: The way\n  A --> B")}\nWrong:\n\n${fence("flowchart LR\n  A -->")}\n${fence("mindmap\n  a")}`,
  "attack.md": `# Attack\n\n${ATTACK}\n${DIRECTIVE}\n${fence("sequenceDiagram\n  A->>B: hello")}`,
});
const { browser } = useBrowser();

async function open(path: string, options: { script?: boolean } = {}): Promise<{ page: Page; requests: string[] }> {
  const page = await browser().newPage({ javaScriptEnabled: options.script ?? true, colorScheme: "light" });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(served().origin + path);
  return { page, requests };
}

it("draws a diagram as a picture, again in the other theme, and leaves what is wrong as its source", async () => {
  const { page } = await open("/drawn");
  const picture = page.getByRole("img", { name: "The way" });
  await picture.waitFor();
  expect((await picture.boundingBox())?.width ?? 0).toBeGreaterThan(50);
  const light = await picture.getAttribute("src");
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect.poll(() => picture.getAttribute("src"), { timeout: 10_000 }).not.toBe(light);
  expect(await page.locator("figure pre:visible").allTextContents()).toEqual(["flowchart LR\n  A -->", "mindmap\n  a"]);
  const notes = page.locator("figure.diagram-undrawn");
  await expect.poll(() => notes.count()).toBe(2);
  const shown = await page.evaluate<string[]>(
    '[...document.querySelectorAll("figure.diagram-undrawn")].map((each) => getComputedStyle(each, "::after").content)',
  );
  expect(shown).toEqual(Array<string>(2).fill('"This diagram cannot be drawn. This is its source."'));
});

it("loads the library on pages that have a diagram, and shows the source without script", async () => {
  const plain = await open("/plain");
  await plain.page.waitForLoadState("networkidle");
  expect(plain.requests.filter((url) => /mermaid|diagram/.test(url))).toEqual([]);
  const { page } = await open("/drawn", { script: false });
  expect(await page.locator("figure pre:visible").count()).toBe(3);
});

it("runs no script of a diagram and loads nothing for it, whatever it says", async () => {
  const { page, requests } = await open("/attack");
  await page.getByRole("img", { name: "Diagram" }).last().waitFor();
  await page.waitForLoadState("networkidle");
  expect(requests.filter((url) => !url.startsWith(served().origin) && !url.startsWith("data:"))).toEqual([]);
  expect(await page.evaluate("'attacked' in globalThis")).toBe(false);
  expect(await page.locator("figure.diagram a, figure.diagram svg").count()).toBe(0);
});

it("gives the frame an origin of its own", async () => {
  const { page } = await open("/drawn");
  await page.getByRole("img", { name: "The way" }).waitFor();
  const frame = page.frames().find((each) => each.url().includes("/_docent/diagram-"));
  expect(await frame?.evaluate("origin")).toBe("null");
  const response = await served().site.request(new URL(frame?.url() ?? "").pathname);
  expect(response.headers.get("Content-Security-Policy")).toMatch(/^sandbox allow-scripts; default-src 'none'/);
});
