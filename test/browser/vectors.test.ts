import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";
import { launchBrowser, serveSite } from "#test/support/browser.ts";
import { asyncApiOf } from "#test/support/hostile-channels.ts";

const RUN = "window.attacked=1";
const ELSEWHERE = "https://elsewhere.example";
/** Texts that run where a page takes them for markup; `LOAD` ones ask another server for something. */
const VECTORS = [
  `<script>${RUN}</script>`,
  `"><script>${RUN}</script>`,
  `'><img src=x onerror=${RUN}>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<body onload=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<iframe srcdoc="<script>parent.attacked=1</script>"></iframe>`,
  `<iframe src="javascript:parent.attacked=1"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<a href="javascript:${RUN}">x</a>`,
  `<a href="java\tscript:${RUN}">x</a>`,
  `[x](javascript:${RUN})`,
  `[x](data:text/html,<script>${RUN}</script>)`,
  `![x" onerror="${RUN}](x)`,
  `</title><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `--><script>${RUN}</script>`,
  `</code></pre><script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  "\\u003cscript\\u003ewindow.attacked=1\\u003c/script\\u003e",
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `<form action="${ELSEWHERE}/form"><button autofocus>x</button></form>`,
  `<link rel=stylesheet href="${ELSEWHERE}/a.css">`,
  `<style>@import "${ELSEWHERE}/b.css"; * { background: url(${ELSEWHERE}/c.png) }</style>`,
  `<base href="${ELSEWHERE}/">`,
  `<meta http-equiv=refresh content="0;url=${ELSEWHERE}/meta">`,
  `<div style="background:url(${ELSEWHERE}/d.png)">x</div>`,
  `$\\href{javascript:${RUN}}{x}$ $\\includegraphics{${ELSEWHERE}/e.png}$ $\\htmlData{onclick=${RUN}}{x}$`,
  `$$\\text{<img src=x onerror=${RUN}>}$$`,
];
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.attacked=1;top.attacked=1"><script>top.attacked=1;fetch("${ELSEWHERE}/icon")</script><image href="${ELSEWHERE}/icon.png"/><foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="top.attacked=1"/></foreignObject></svg>`;
const CSS = [
  `@import "${ELSEWHERE}/import.css";`,
  `@font-face { font-family: x; src: url(${ELSEWHERE}/font.woff2) }`,
  `.content * { background: url(${ELSEWHERE}/bg.png); cursor: url(${ELSEWHERE}/cursor), auto; font-family: x }`,
  `.content p { background: image-set("${ELSEWHERE}/set.png" 1x); list-style: \\75 rl(${ELSEWHERE}/escaped) }`,
  `.content a[href^="/"] { background-image: -webkit-cross-fade(url(${ELSEWHERE}/fade), url(x), 50%) }`,
  `</style><script>${RUN}</script>`,
].join("\n");

/** One operation with these texts in every place of a description that has room for one. */
function operationOf(vectors: readonly string[]) {
  const [first = ""] = vectors;
  const each = <T>(make: (vector: string) => T) => Object.fromEntries(vectors.map((vector) => [vector, make(vector)]));
  const named = (vector: string) => ({
    title: vector,
    description: vector,
    format: vector,
    enum: [vector],
    default: vector,
  });
  const inner = (vector: string) => ({
    type: vector,
    description: vector,
    example: vector,
    oneOf: [{ title: vector, const: vector }],
  });
  const whole = { ...named(first), type: "object", pattern: first, properties: each(inner) };
  const examples = each((vector) => ({ summary: vector, value: { [vector]: vector } }));
  const media = { schema: whole, examples };
  return {
    summary: first,
    tags: vectors,
    description: vectors.join("\n\n"),
    externalDocs: { url: first, description: first },
    parameters: vectors.flatMap((name) =>
      ["path", "query", "header", "cookie"].map((place) => ({
        name,
        in: place,
        description: name,
        schema: { ...named(name), type: "string" },
      })),
    ),
    requestBody: { description: first, content: { ...each(() => media), "application/json": media } },
    responses: each((vector) => ({
      description: vector,
      headers: { [vector]: { schema: named(vector), description: vector } },
      content: { [vector]: { schema: inner(vector), example: vector } },
    })),
    "x-codeSamples": vectors.map((vector) => ({ lang: vector, label: vector, source: vector })),
    security: vectors.map((vector) => ({ [vector]: [vector] })),
    callbacks: Object.fromEntries(
      vectors.map((vector) => [
        vector,
        {
          [vector]: {
            post: {
              summary: vector,
              description: vector,
              parameters: [{ name: vector, in: "header", description: vector }],
              requestBody: { description: vector, content: { [vector]: { schema: inner(vector) } } },
              responses: { [vector]: { description: vector } },
            },
          },
        },
      ]),
    ),
  };
}

const CHUNK = 9;
const chunks = Array.from({ length: Math.ceil(VECTORS.length / CHUNK) }, (_, at) =>
  VECTORS.slice(at * CHUNK, (at + 1) * CHUNK),
);

interface State {
  attacked: number;
  markup: number;
  path: string;
  shows: boolean;
}

/** What of a page ran, and what of it could: scripts that are not ours, and handlers. */
const STATE = `({
  attacked: window.attacked ?? 0,
  path: location.pathname,
  shows: /attacked|elsewhere/.test(document.body?.innerText ?? ""),
  markup:
    [...document.scripts].filter((each) => each.type !== "application/ld+json" && !new URL(each.src || "about:blank").pathname.startsWith("/_docent/")).length +
    [...document.querySelectorAll("*")].flatMap((each) => each.getAttributeNames().filter((name) => name.startsWith("on"))).length,
})`;

let site: TestSite;
let browser: Browser;
let origin: string;
let served: Awaited<ReturnType<typeof serveSite>>;

beforeAll(async () => {
  const paths = Object.fromEntries(
    chunks.map((chunk, at) => [
      `/p${at}${chunk[0]}`,
      { post: { ...operationOf(chunk), "x-mint": { href: `/api/${at}` } } },
    ]),
  );
  const openapi = {
    openapi: "3.1.0",
    info: { title: VECTORS[1], version: VECTORS.join(" "), description: VECTORS.join("\n\n") },
    security: VECTORS.map((vector) => ({ [vector]: [vector] })),
    servers: [{ url: `javascript:${RUN}` }, { url: "https://api.example", description: VECTORS[0] }],
    paths,
  };
  site = await createTestSite(
    {
      "docs.json": JSON.stringify({
        name: VECTORS[0],
        navigation: {
          groups: [
            { group: VECTORS[1], icon: "/icon.svg", pages: ["texts", "plain"] },
            { group: "API", openapi: "api.json" },
            ...chunks.map((_, at) => ({
              group: `Live ${at}`,
              asyncapi: { source: `live${at}.json`, directory: `live${at}` },
            })),
          ],
        },
      }),
      "api.json": JSON.stringify(openapi),
      ...Object.fromEntries(
        chunks.map((chunk, at) => [`live${at}.json`, JSON.stringify(asyncApiOf(chunk, `live${at}`))]),
      ),
      "icon.svg": ICON,
      "style.css": CSS,
      "texts.md": `---\ntitle: Harbor\nicon: /icon.svg\ndescription: ${JSON.stringify(VECTORS[3])}\n---\n\n${VECTORS.map((vector) => `## Harbor ${vector}\n\n${vector}\n`).join("\n")}\n<Card title="x" icon="/icon.svg">x</Card>\n\n<Icon icon="data:image/svg+xml,${encodeURIComponent(ICON)}" />\n\n<style>\n${CSS}\n</style>\n`,
      "plain.mdx": `${VECTORS.map((vector) => `{${JSON.stringify(vector)}}`).join("\n\n")}\n\n<Card title={${JSON.stringify(VECTORS[3])}} icon={${JSON.stringify(VECTORS[4])}} href={"javascript:${RUN}"}>x</Card>\n`,
    },
    { search: { admits: () => true } },
  );
  served = await serveSite(site);
  origin = served.origin;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await served[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

it("runs nothing and asks nobody else, whatever stands in a description, a page, an icon, styles, formulas or a search", async () => {
  const page = await browser.newPage();
  const elsewhere: string[] = [];
  let dialogs = 0;
  page.on("dialog", (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:data|blob|about):/.test(url)) elsewhere.push(url);
  });
  // The policy of a page stops it before it leaves the browser.
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText === "csp") elsewhere.splice(elsewhere.indexOf(request.url()), 1);
  });
  const searches = chunks.map((chunk) => `/_docent/search?q=${encodeURIComponent(`harbor ${chunk.join(" ")}`)}`);
  const described = chunks.flatMap((_, at) => [`/api/${at}`, `/live${at}`, `/live${at}/evil`]);
  const visits = ["/texts", "/plain", "/api-reference", ...described, ...searches, "/icon.svg"];
  const wrong: string[] = [];
  for (const visit of visits) {
    const response = await page.goto(`${origin}${visit}`);
    const status = response?.status() ?? 0;
    const state = await page.evaluate<State>(STATE);
    const isSvg = visit === "/icon.svg";
    if (
      status !== 200 ||
      state.attacked !== 0 ||
      (!isSvg && state.markup > 0) ||
      !visit.startsWith(state.path) ||
      (described.includes(visit) && !state.shows)
    )
      wrong.push(`${visit} ${status} ${JSON.stringify(state)}`);
  }
  await page.goto(`${origin}/texts`);
  await page.keyboard.press("/");
  await page.locator("dialog input").waitFor();
  await page.keyboard.type("harbor");
  await page.locator('dialog a[href^="/texts"]').first().waitFor();
  expect((await page.evaluate<{ attacked: number }>(STATE)).attacked).toBe(0);
  expect({ wrong, elsewhere, dialogs }).toEqual({ wrong: [], elsewhere: [], dialogs: 0 });
  await page.close();
});
