import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContext } from "playwright-core";
import { listen } from "#testing/listen.ts";
import { launchBrowser } from "#test/support/browser.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900" fill="#0b6e63"/></svg>`;
const words = "Words to read about ships. ".repeat(60);
const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const table = (columns: number, rows: number) =>
  [
    row(Array.from({ length: columns }, (_, at) => `Column ${at}`)),
    row(Array.from({ length: columns }, () => "---")),
    ...Array.from({ length: rows }, (_, line) =>
      row(Array.from({ length: columns }, (__, at) => `value-${line}-${at}`)),
    ),
  ].join("\n");

const API = {
  openapi: "3.1.0",
  info: { title: "Harbor", version: "1" },
  servers: [{ url: "https://a-long-name-of-a-server.harbor.example/v1/of-the-interface" }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
  paths: {
    "/ships/{id}": {
      get: {
        summary: "Read a ship",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", minLength: 2 } }],
        responses: {
          200: {
            description: "The ship.",
            content: { "application/json": { schema: { type: "object", properties: { kind: { enum: ["a", "b"] } } } } },
          },
        },
      },
    },
  },
};

const FILES = {
  "docs.json": JSON.stringify({
    name: "A long name of a documentation that takes up room",
    colors: { primary: "#7dd3c8" },
    banner: { content: "Version 2 is **out**: [read more](/changelog)" },
    navbar: { links: [{ label: "Status", href: "https://status.example" }], primary: { label: "Go", href: "/" } },
    footer: {
      socials: { github: "https://github.com/x" },
      links: [{ header: "More", items: [{ label: "A", href: "/" }] }],
    },
    navigation: {
      languages: [
        {
          language: "en",
          tabs: [
            {
              tab: "Guides",
              groups: [{ group: "Start", pages: ["index", "guide", "components", "code", "tables", "changelog"] }],
            },
            { tab: "API", groups: [{ group: "Ships", openapi: "api.json", pages: ["GET /ships/{id}"] }] },
            { tab: "Long", groups: [{ group: "Long", pages: Array.from({ length: 60 }, (_, at) => `long/${at}`) }] },
          ],
        },
        { language: "ar", groups: [{ group: "البداية", pages: ["ar/index", "ar/more"] }] },
      ],
    },
  }),
  "index.mdx": "# Welcome\n\n## First\n\nHello [you](/guide).\n\n## Second\n\nMore.\n",
  "guide.md": `---\ntitle: Guide\ndescription: How one moors.\n---\n\n${Array.from({ length: 9 }, (_, at) => `## Part ${at}\n\n${words}\n\n### Sub ${at}\n\n${words}`).join("\n\n")}\n`,
  "components.mdx": `---\ntitle: Components\n---\n\n${["Note", "Tip", "Info", "Check", "Warning", "Danger"].map((name) => `<${name}>Text with a [link](/guide) and \`code\`.</${name}>`).join("\n\n")}\n\n<Tabs><Tab title="npm">One</Tab><Tab title="pnpm">Two</Tab></Tabs>\n\n<Steps><Step title="First">Do.</Step></Steps>\n\n<AccordionGroup><Accordion title="Closed">In</Accordion></AccordionGroup>\n\n<CardGroup cols={2}><Card title="One" icon="rocket" href="/guide">Text.</Card><Card title="Two">Text.</Card></CardGroup>\n\n<ParamField path="id" type="string" required default="x" deprecated>Id.</ParamField>\n\n<Frame caption="A ship"><img src="/ship.svg" alt="A ship" /></Frame>\n\n${["gray", "green", "red", "yellow", "blue", "purple"].map((color) => `<Badge color="${color}">new</Badge>`).join(" ")} <Tooltip tip="What it is">word</Tooltip>\n\n<Tree><Tree.Folder name="src" defaultOpen><Tree.File name="a.ts" /></Tree.Folder></Tree>\n\n- [x] done\n\nText[^1].\n\n[^1]: A footnote.\n`,
  "code.mdx":
    "---\ntitle: Code\n---\n\n```ts server.ts {2} focus={1}\nconst x: number = 1;\n// comment\nfunction f() { return `t`; }\n```\n\n```diff\n- old\n+ new\n```\n\n<CodeGroup>\n```bash npm\nnpm i\n```\n```bash pnpm\npnpm i\n```\n</CodeGroup>\n\n```mermaid\ngraph LR; A-->B\n```\n\n$$\na^2 + b^2 = c^2\n$$\n",
  "tables.md": `---\ntitle: Tables\n---\n\n${table(2, 30)}\n\n${table(16, 20)}\n`,
  "changelog.mdx":
    '---\ntitle: Changelog\n---\n\n<Update label="v2" description="November" tags={["API"]}>\n\n## New\n\nIt moors.\n\n</Update>\n',
  "ar/index.mdx":
    "---\ntitle: البدء\n---\n\n<Note>ملاحظة</Note>\n\n## التثبيت\n\n```sh\nnpm i\n```\n\n## التالي\n\nنص.\n",
  "ar/more.md": "# المزيد\n",
  "api.json": JSON.stringify(API),
  "ship.svg": PICTURE,
  ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`long/${at}.md`, `# Page ${at}\n`])),
};

const sites = new Map<string, TestSite>();
let browser: Browser;
let server: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  sites.set("harbor", await createTestSite(FILES, { search: { admits: () => true } }));
  sites.set("empty", await createTestSite({}));
  server = await listen((incoming, outgoing) => {
    const site = sites.get((incoming.headers.host ?? "").split(".")[0] ?? "");
    const headers = { accept: incoming.headers.accept ?? "*/*" };
    void site?.request(incoming.url ?? "/", { headers }).then(async (response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.bytes());
    });
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
  for (const site of sites.values()) await site[Symbol.asyncDispose]();
});

const KINDS = [
  ["home", "harbor", "/"],
  ["guide", "harbor", "/guide"],
  ["components", "harbor", "/components"],
  ["code, formulas and diagrams", "harbor", "/code"],
  ["tables", "harbor", "/tables"],
  ["changelog", "harbor", "/changelog"],
  ["operation of an API", "harbor", "/api-reference/read-a-ship"],
  ["long navigation", "harbor", "/long/30"],
  ["right to left", "harbor", "/ar"],
  ["missing page", "harbor", "/nowhere/ships"],
  ["results", "harbor", "/_docent/search?q=ship"],
  ["empty site", "empty", "/"],
] as const;

async function violations(context: BrowserContext, slug: string, path: string): Promise<string[]> {
  const page = await context.newPage();
  const response = await page.goto(`http://${slug}.localhost:${server.port}${path}`, { waitUntil: "load" });
  expect([path, response?.status()]).toEqual([path, path.startsWith("/nowhere") ? 404 : 200]);
  await page.evaluate(AXE);
  const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  await page.close();
  return found.violations.map(
    ({ id, nodes }) =>
      `${path} ${id}: ${nodes
        .map(({ html }) => html)
        .join(" ")
        .slice(0, 400)}`,
  );
}

it.each([
  ["light", 1360],
  ["dark", 390],
] as const)(
  "axe finds nothing on any kind of page, %s and %i wide",
  async (colorScheme, width) => {
    const viewport = { width, height: 900 };
    const context = await browser.newContext({ colorScheme, viewport, bypassCSP: true, reducedMotion: "reduce" });
    const found: string[] = [];
    for (const [, slug, path] of KINDS) found.push(...(await violations(context, slug, path)));
    await context.close();
    expect(found).toEqual([]);
  },
  120_000,
);

it("pictures open by keyboard and close by Escape, and without scripts lead to the file", async () => {
  const context = await browser.newContext({ viewport: { width: 800, height: 700 } });
  const page = await context.newPage();
  await page.goto(`http://harbor.localhost:${server.port}/components`);
  const link = page.locator("a.site-zoom");
  await link.focus();
  await page.keyboard.press("Enter");
  await page.locator("dialog.site-picture[open] img").waitFor();
  await page.keyboard.press("Escape");
  expect(await page.locator("dialog.site-picture[open]").count()).toBe(0);
  expect(await page.evaluate("document.activeElement.matches('a.site-zoom')")).toBe(true);
  expect(await link.getAttribute("href")).toContain("/ship");
  await context.close();
});

it("tables keep their header in view: below the bars of the page, or in a box of their own where they are wide", async () => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 500 } });
  const page = await context.newPage();
  await page.goto(`http://harbor.localhost:${server.port}/tables`);
  const top = async (place: string) => (await page.locator(place).first().boundingBox())?.y ?? Number.NaN;
  await page.locator(".table-fits tr").nth(20).scrollIntoViewIfNeeded();
  await page.evaluate("scrollBy(0, 200)");
  const bars = await page.locator(".site-header").boundingBox();
  const bottom = (bars?.y ?? 0) + (bars?.height ?? 0);
  expect(Math.abs((await top(".table-fits th")) - bottom)).toBeLessThan(4);
  await page.evaluate("document.querySelector('.table-wide').scrollTo(300, 400)");
  expect(Math.abs((await top(".table-wide th")) - (await top(".table-wide")))).toBeLessThan(3);
  const wide = page.locator(".table-wide");
  expect(await wide.getAttribute("tabindex")).toBe("0");
  await context.close();
});
