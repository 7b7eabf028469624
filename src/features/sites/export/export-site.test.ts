import path from "node:path";
import { expect, test } from "vitest";
import { sharedContent } from "#testing/shared-content.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createSearch } from "#search/search.ts";
import { createStaticIndex } from "#search/static/static-index.ts";
import { createLargeFiles } from "#features/sites/media/large-files.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createTestSite } from "#testing/site.ts";
import { exportSite } from "./export-site.ts";
import { linksIn } from "./redirect-files.ts";

const ORIGIN = "https://docs.example.com";
const files = {
  "docs.json": JSON.stringify({
    name: "Harbor",
    redirects: [
      { source: "/news/article-*", destination: "/guides/start" },
      { source: "/old", destination: "/guides/berths#reserve" },
      { source: "/v1/:path*", destination: "/guides/:path*", permanent: false },
    ],
    navigation: {
      languages: [
        { language: "en", groups: [{ group: "Guides", pages: ["guides/start", "guides/berths"] }] },
        { language: "de", groups: [{ group: "Texte", pages: ["de/liegeplatz"] }] },
      ],
    },
  }),
  "guides/start.md": "# Start\n\n[Berths](/Guides/Berths), ![Boat](/images/boat.svg), [gone](/nowhere)\n",
  "guides/berths.mdx":
    "---\ntitle: Berths\n---\n\n## Reserve\n\nBy radio, [again](./start).\n\n```mermaid\ngraph TD; A-->B\n```\n",
  "de/liegeplatz.md": "# Liegeplatz\n\nPer radio.\n",
  "hidden page/größe.md": "# Größe\n\nNirgends.\n",
  "images/boat.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
  "files/data.bin": Buffer.from([0, 255, 10]),
};

async function exported(of: Parameters<typeof createTestSite>[0] = files) {
  const stack = new AsyncDisposableStack();
  const contentProcess = stack.use(sharedContent());
  const site = stack.use(await createTestSite(of, { contentProcess }));
  const directory = stack.use(await createTestDirectory());
  const { repoStore, project } = site;
  const largeFiles = stack.use(createLargeFiles({ repoStore, directory: path.join(directory.path, "large") }));
  const clock = { now: () => new Date() };
  const written = new Map<string, Buffer>();
  const run = (change = {}) =>
    exportSite(
      { repoStore, contentProcess, largeFiles, logger: silentLogger, clock },
      {
        project: { ...project, ...change },
        origin: ORIGIN,
        async write(file, content) {
          expect(typeof content === "string" || content instanceof Uint8Array).toBe(true);
          written.set(file, Buffer.from(content as Uint8Array));
        },
        onProgress: () => undefined,
        signal: new AbortController().signal,
      },
    );
  return { run, written, served: site.served, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test("an exported site works on a static server: pages, links, search", async () => {
  await using made = await exported();
  const { written } = made;
  const { pages, warnings } = await made.run();
  const text = (file: string) => written.get(file)?.toString() ?? `no ${file}`;
  expect([pages, warnings]).toEqual([4, ["/guides/start leads to /nowhere, which is not there."]]);
  expect(written.get("files/data.bin")).toEqual(files["files/data.bin"]);
  expect(text("guides/berths.md")).toContain("By radio");
  expect(text("hidden page/größe/index.html")).toContain("Nirgends");

  // As static servers do: a file, or the index of a folder.
  const isServed = (link: string) => {
    const file = decodeURIComponent(link.slice(1));
    return written.has(file) || written.has(`${file}/index.html`);
  };
  const documents = [...written].filter(([file]) => file.endsWith(".html"));
  expect(documents.length).toBeGreaterThan(6);
  const broken = documents.flatMap(([, html]) =>
    [...linksIn(html.toString(), ORIGIN)].filter((link) => !isServed(link)),
  );
  expect([...new Set(broken)]).toEqual(["/nowhere"]);
  const namesOf = (isWrong: (html: string) => boolean) =>
    documents.filter(([, html]) => isWrong(html.toString())).map(([file]) => file);
  expect(namesOf((html) => /confirm-view|\/mcp"|MCP server|_docent\/search\?/.test(html))).toEqual([]);
  const withoutPolicy = (html: string) => !/http-equiv="refresh"|default-src 'none'/.test(html);
  expect(namesOf(withoutPolicy)).toEqual([]);
  expect(text("guides/berths/index.html")).toContain(`<link rel="canonical" href="${ORIGIN}/guides/berths"`);
  expect(text("old/index.html")).toContain('content="0; url=/guides/berths#reserve"');
  expect(text("index.html")).toContain('content="0; url=/guides/start"');
  expect(text("Guides/Berths/index.html")).toContain("url=/guides/berths");
  expect(text("_redirects")).toBe(
    "/ /guides/start 307\n/old /guides/berths#reserve 308\n/news/article-* /guides/start 308\n/v1/* /guides/:splat 307\n",
  );
  expect(text("404.html")).toContain("There is no page at this address.");
  expect(text("sitemap.xml")).toContain(`${ORIGIN}/guides/berths<`);
  expect(text("skill.md")).not.toContain("/mcp");
  expect(made.served).toEqual([]);

  const scripts = [...written.keys()].filter((file) => /^_docent\/search\/[\w-]+\.js$/.test(file));
  expect(scripts).not.toEqual([]);
  for (const file of scripts)
    for (const [, from = ""] of text(file).matchAll(/from\s*"([^"]+)"/g))
      expect(scripts).toContain(`_docent/search/${from.slice(2)}`);
  const index = createStaticIndex((file) => Promise.resolve(JSON.parse(text(`_docent/search/${file}`)) as unknown));
  const search = createSearch({ index });
  const find = async (query: string, language: string | null) => {
    const asked = { query, scope: { language, version: null }, limit: 10, edition: "" };
    return (await search("" as ProjectId, asked)).results
      .map(({ route, anchor }) => `${route}#${anchor ?? ""}`)
      .toSorted();
  };
  expect(await find("radio", null)).toEqual(["/de/liegeplatz#", "/guides/berths#reserve"]);
  expect(await find("radoi", "de")).toEqual(["/de/liegeplatz#"]);
  expect(await find("reser", "en")).toEqual(["/guides/berths#reserve"]);
  expect(await find("nirgends", null)).toEqual([]);
});

test("a branch without content is not exported", async () => {
  await using made = await exported();
  await expect(made.run({ branch: "other" })).rejects.toThrow(AppError);
  expect(made.written.size).toBe(0);
});

test("a page and a file of the same name lose the file, not the export", async () => {
  await using made = await exported({
    "docs.json": JSON.stringify({ name: "Harbor", redirects: [{ source: "/boat.svg/old", destination: "/index" }] }),
    "index.md": "# Harbor\n",
    "LICENSE.md": "# License\n",
    LICENSE: "MIT",
    "boat.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
  });
  const { warnings } = await made.run();
  const taken = (file: string) =>
    `/${file} is not there: on a disk its name is taken by a folder, or by a file above it.`;
  expect(warnings).toEqual([taken("LICENSE"), taken("boat.svg/old/index.html")]);
  expect([...made.written.keys()]).toEqual(expect.arrayContaining(["LICENSE/index.html", "boat.svg"]));
  expect([...made.written.keys()]).not.toContain("LICENSE");
});

test("a repository's own _headers and _redirects are kept, with the site's redirects below its own", async () => {
  const headers = "/*\n  X-Robots-Tag: none\n";
  await using made = await exported({
    "docs.json": JSON.stringify({
      navigation: { pages: ["index"] },
      redirects: [{ source: "/old", destination: "/" }],
    }),
    "index.md": "# A\n",
    _headers: headers,
    _redirects: "/mine https://elsewhere.example 301",
  });
  const { warnings } = await made.run();
  expect(made.written.get("_headers")?.toString()).toBe(headers);
  expect(made.written.get("_redirects")?.toString()).toBe("/mine https://elsewhere.example 301\n/old / 308\n");
  expect(warnings).toEqual([expect.stringMatching(/^The repository's own _headers stands/)]);
});

test("the path of an API that a page describes is not a file of an exported site", () => {
  const form =
    '<form data-path="/users/{id}"><script src="/_docent/a.js"></script><a data-search="/_docent/s.js"></a></form>';
  expect([...linksIn(form, ORIGIN)]).toEqual(["/_docent/a.js", "/_docent/s.js"]);
});
