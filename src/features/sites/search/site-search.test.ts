import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

const DOCS = {
  "docs.json": JSON.stringify({
    name: "Harbor",
    navigation: {
      languages: [
        {
          language: "en",
          groups: [{ group: "Start", pages: ["index", "guides/setup", "guides/private", "guides/quiet"] }],
        },
        { language: "fr", groups: [{ group: "Début", pages: ["fr/setup"] }] },
      ],
    },
  }),
  "index.mdx":
    "---\ntitle: Welcome\ndescription: Where ships moor.\n---\n\nHello.\n\n## First `steps`\n\nTake the anchor up.\n",
  "guides/setup.mdx":
    '---\ntitle: Set up\n---\n\n<Steps>\n<Step title="Rig">Hoist the mainsail.</Step>\n</Steps>\n\n<Snippet file="note.mdx" />\n\n## <img src=x onerror=alert(1)> & more\n\nBarnacles.\n',
  "fr/setup.md": "---\ntitle: Installer\n---\n\nHisser la mainsail.\n",
  "hidden.md": "# Hidden page\n\nkraken\n",
  "guides/private.md": "---\ntitle: Private\nnoindex: true\n---\n\nkraken\n",
  "guides/quiet.md": "---\ntitle: Quiet\nsearchable: false\n---\n\nkraken\n",
  "snippets/note.mdx": "Mind the jellyfish.\n",
};

interface Answer {
  query: string;
  results: { href: string; page: string; title: string; heading: string | null; excerpt: string }[];
  suggestions: string[];
  indexing: boolean;
}

let contentProcess: ContentProcess;
let site: TestSite;
const gate = { isOpen: true };

beforeAll(async () => {
  contentProcess = sharedContent();
  site = await createTestSite(DOCS, { contentProcess, search: { admits: () => gate.isOpen } });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await contentProcess[Symbol.asyncDispose]();
});

const asProgram = { headers: { accept: "*/*" } };

async function search(query: string, of = site): Promise<Answer> {
  for (;;) {
    const answer = (await (await of.request(`/_docent/search?${query}`, asProgram)).json()) as Answer;
    if (!answer.indexing) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const hrefs = async (query: string, of = site) => (await search(query, of)).results.map(({ href }) => href);

describe("the search of a site", () => {
  it("finds the end of a long section in a script without spaces", async () => {
    await using chinese = await createTestSite(
      { "index.md": `# 指南\n\n${"船只停泊在港口。".repeat(430)}灯塔航线\n` },
      { contentProcess, search: { admits: () => true } },
    );
    expect(await hrefs(`q=${encodeURIComponent("灯塔航线")}`, chinese)).toEqual(["/"]);
  });

  it("finds sections by heading, text, description, component and snippet", async () => {
    expect(await hrefs("q=steps")).toContain("/#first-steps");
    expect((await hrefs("q=first+steps"))[0]).toBe("/#first-steps");
    expect(await hrefs("q=moor")).toEqual(["/"]);
    expect(await hrefs("q=hoist")).toEqual(["/guides/setup"]);
    expect(await hrefs("q=jellyfish")).toEqual(["/guides/setup"]);
    const { results } = await search("q=anchor");
    expect(results[0]).toMatchObject({
      href: "/#first-steps",
      page: "/",
      title: "Welcome",
      heading: "First steps",
      excerpt: "Take the anchor up.",
      matches: { title: [], heading: [], excerpt: [[9, 15]] },
    });
  });

  it("excludes pages that the navigation or the author hides", async () => {
    expect(await hrefs("q=kraken")).toEqual([]);
  });

  it("stays within the language of the reader's page", async () => {
    expect((await hrefs("q=mainsail")).sort()).toEqual(["/fr/setup", "/guides/setup"]);
    expect(await hrefs("q=mainsail&from=/fr/setup")).toEqual(["/fr/setup"]);
    expect(await hrefs("q=mainsail&language=en")).toEqual(["/guides/setup"]);
  });

  it("prefers the requested language to that of the page", async () => {
    expect(await hrefs("q=mainsail&from=/fr/setup&language=en")).toEqual(["/guides/setup"]);
  });

  it("is a page for browsers without scripts, which escapes the query and the content", async () => {
    const response = await site.request("/_docent/search?q=barnacles+%3Cscript%3E");
    const html = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(html).toContain('<meta name="robots" content="noindex" />');
    expect(html).toContain('value="barnacles &lt;script&gt;"');
    expect(html).toContain("<mark>Barnacles</mark>");
    expect(html).not.toContain("<img src=x");
    expect(await (await site.request("/")).text()).toContain(
      'href="/_docent/search?language=en" data-search="/_docent/search-',
    );
  });

  it("groups the results of one page in the page for browsers", async () => {
    const html = await (await site.request("/_docent/search?q=steps+anchor+welcome")).text();
    expect(html.match(/<li>\s*<a href="[^"]*"|<ul>|<\/ul>/g)?.slice(0, 4)).toEqual([
      '<li>\n    <a href="/#first-steps"',
      "<ul>",
      '<li><a href="/"',
      "</ul>",
    ]);
  });

  it("responds 304 to clients that have the results, and refuses invalid requests", async () => {
    const { headers } = await site.request("/_docent/search?q=hoist", asProgram);
    const again = await site.request("/_docent/search?q=hoist", {
      headers: { accept: "*/*", "if-none-match": headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
    for (const limit of ["0", "51", "999", "1000", "ten"]) {
      const wrong = await site.request(`/_docent/search?q=hoist&limit=${limit}`, asProgram);
      expect([limit, wrong.status, await wrong.json()]).toEqual([
        limit,
        400,
        { error: "The query is not valid: limit must be a whole number from 1 to 50.", code: "invalid" },
      ]);
    }
    expect((await site.request("/_docent/search?q=hoist", { slug: "nobody" })).status).toBe(404);
    gate.isOpen = false;
    const flood = await site.request("/_docent/search?q=hoist", asProgram);
    gate.isOpen = true;
    expect([flood.status, flood.headers.get("retry-after")]).toEqual([429, "30"]);
  });

  it("reports that a site has no search", async () => {
    await using plain = await createTestSite({ "index.md": "# Hi\n" }, { contentProcess });
    expect((await plain.request("/_docent/search?q=hi", asProgram)).status).toBe(404);
    expect(await (await plain.request("/")).text()).not.toContain("data-search");
  });
});

describe("what is counted", () => {
  const tell = (query: string, headers: Record<string, string> = {}) =>
    site.request(`/_docent/search?${query}`, { method: "POST", headers });

  it("is the report of the dialog's script at the end of a search, for existing pages", async () => {
    site.searched.length = 0;
    expect((await tell("q=Hoist&results=1&page=/guides/setup")).status).toBe(204);
    expect((await tell("q=nothing&results=0", { "sec-gpc": "1" })).status).toBe(204);
    expect(site.searched).toEqual([
      { query: "Hoist", results: 1, page: "/guides/setup", isPrivate: false },
      { query: "nothing", results: 0, page: null, isPrivate: true },
    ]);
    for (const wrong of ["q=&results=1", "q=a&results=many", "q=a&results=1&page=/nowhere", "q=a&results=51"])
      expect((await tell(wrong)).status).toBe(400);
    expect((await tell("q=a&results=1", { origin: "https://elsewhere.example" })).status).toBe(403);
    expect(site.searched).toHaveLength(2);
  });

  it("excludes a flood from one address", async () => {
    site.searched.length = 0;
    gate.isOpen = false;
    const flood = await tell("q=hoist&results=1");
    gate.isOpen = true;
    expect([flood.status, flood.headers.get("retry-after"), site.searched]).toEqual([429, "30", []]);
  });

  it("is a submitted form of the results page, and not a robot's request", async () => {
    site.searched.length = 0;
    await site.request("/_docent/search?q=hoist");
    await site.request("/_docent/search?q=hoist", asProgram);
    expect(site.searched).toEqual([]);
    const headers = { "sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin" };
    await site.request("/_docent/search?q=hoist", { headers });
    expect(site.searched).toEqual([{ query: "hoist", results: 1, page: null, isPrivate: false }]);
  });
});

describe("after a push", () => {
  it("renders changed pages again, including those with a changed snippet, and removes deleted ones", async () => {
    await using pushed = await createTestSite(DOCS, { contentProcess, search: { admits: () => true } });
    expect(await hrefs("q=hoist", pushed)).toEqual(["/guides/setup"]);
    expect(pushed.rendered.toSorted()).toEqual(["fr/setup.md", "guides/setup.mdx", "index.mdx"]);

    pushed.rendered.length = 0;
    await pushed.push({ "index.mdx": "---\ntitle: Welcome\n---\n\nAhoy.\n", "snippets/note.mdx": "Mind the eels.\n" });
    pushed.passTime(1_000);
    expect(await hrefs("q=ahoy", pushed)).toEqual(["/"]);
    expect(await hrefs("q=eels", pushed)).toEqual(["/guides/setup"]);
    expect(await hrefs("q=jellyfish", pushed)).toEqual([]);
    expect(pushed.rendered.toSorted()).toEqual(["guides/setup.mdx", "index.mdx"]);

    pushed.rendered.length = 0;
    await pushed.push({ "fr/setup.md": null });
    pushed.passTime(1_000);
    expect(await hrefs("q=hisser", pushed)).toEqual([]);
    expect(pushed.rendered).toEqual([]);
  });

  it("searches a page with its current version in the navigation", async () => {
    const versions = (first: string, second: string) => ({
      "docs.json": JSON.stringify({
        name: "Harbor",
        navigation: {
          versions: [
            { version: "v1", groups: [{ group: "Start", pages: [first] }] },
            { version: "v2", groups: [{ group: "Start", pages: [second] }] },
          ],
        },
      }),
    });
    const pages = { "north.md": "# North\n\nA lantern.\n", "south.md": "# South\n\nA lantern.\n" };
    await using pushed = await createTestSite(
      { ...versions("north", "south"), ...pages },
      { contentProcess, search: { admits: () => true } },
    );
    expect(await hrefs("q=lantern&version=v1", pushed)).toEqual(["/north"]);

    await pushed.push(versions("south", "north"));
    pushed.passTime(1_000);
    expect(await hrefs("q=lantern&version=v1", pushed)).toEqual(["/south"]);
  });
});
