import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

let contentProcess: ContentProcess;

beforeAll(() => {
  contentProcess = sharedContent();
});
afterAll(() => contentProcess[Symbol.asyncDispose]());

interface Answer {
  results: { href: string; version: string | null }[];
  indexing: boolean;
}

async function search(site: TestSite, query: string): Promise<Answer["results"]> {
  for (;;) {
    const response = await site.request(`/_docent/search?${query}`, { headers: { accept: "*/*" } });
    const answer = (await response.json()) as Answer;
    if (!answer.indexing) return answer.results;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const hrefs = async (site: TestSite, query: string) => (await search(site, query)).map(({ href }) => href);

async function askAgentTool(site: TestSite, input: object): Promise<string> {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "search_docs", arguments: input } };
  const response = await site.request("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(call),
  });
  const { result } = JSON.parse((await response.text()).replace(/^[^{]*/, "")) as {
    result: { content: { text: string }[] };
  };
  return result.content.map(({ text }) => text).join("\n");
}

describe("a search without a version on a site with versions", () => {
  const version = (name: string, pages: string[], more: object = {}) => ({
    version: name,
    ...more,
    groups: [{ group: "Guides", pages }],
  });
  let site: TestSite;
  beforeAll(async () => {
    const docs = {
      name: "Harbor",
      navigation: {
        versions: [
          version("3.0 (beta)", ["3.0/lanterns", "3.0/beacons"]),
          version("v2", ["v2/lanterns", "v2/ropes"], { default: true }),
          version("v1", ["v1/lanterns", "v1/telegraph"]),
          version("v0", ["v0/lanterns", "v0/telegraph"]),
        ],
      },
    };
    site = await createTestSite(
      {
        "docs.json": JSON.stringify(docs),
        "3.0/lanterns.md": "# Lanterns of tomorrow\n\n## Light a lantern\n\nLantern lantern lantern lantern.\n",
        "3.0/beacons.md": "# Beacons\n\nA lantern that is large.\n",
        "v2/lanterns.md": "# Lanterns\n\n## Light a lantern\n\nOpen the lantern by its lid.\n",
        "v2/ropes.md": "# Ropes\n\nHang each lantern up with a rope.\n",
        "v1/lanterns.md": "# Old lanterns\n\n## Light a lantern\n\nA lantern burns oil.\n",
        "v1/telegraph.md": "# Telegraph\n\nA lantern gives the signal.\n",
        "v0/lanterns.md": "# Oldest lanterns\n\n## Light a lantern\n\nA lantern burns tallow.\n",
        "v0/telegraph.md": "# Telegraph of flags\n\nNo lantern: flags.\n",
      },
      { contentProcess, search: { admits: () => true } },
    );
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it("finds each section once: in the default version, then what exists only in others, in menu order", async () => {
    expect(await search(site, "q=lantern")).toMatchObject([
      { href: "/v2/lanterns", version: "v2" },
      { href: "/v2/lanterns#light-a-lantern", version: "v2" },
      { href: "/v2/ropes", version: "v2" },
      { href: "/3.0/beacons", version: "3.0 (beta)" },
      { href: "/v1/telegraph", version: "v1" },
    ]);
  });

  it("finds a section that only an old version has", async () => {
    expect(await hrefs(site, "q=tallow")).toEqual(["/v0/lanterns#light-a-lantern"]);
  });

  it("stays within the given version, or the reader's", async () => {
    const own = ["/v1/lanterns", "/v1/lanterns#light-a-lantern", "/v1/telegraph"];
    expect((await hrefs(site, "q=lantern&version=v1")).toSorted()).toEqual(own);
    expect((await hrefs(site, "q=lantern&from=/v1/telegraph")).toSorted()).toEqual(own);
  });

  it("returns one page at a time to agents, with the version of an old one", async () => {
    const text = await askAgentTool(site, { query: "lantern" });
    expect(text).toMatch(/^1\. Lanterns: \/v2\/lanterns\n.*\n {3}- Light a lantern: \/v2\/lanterns#light-a-lantern\n/);
    expect(text).toContain("2. Ropes: /v2/ropes\n");
    expect(text).toContain("4. Telegraph (v1): /v1/telegraph\n");
  });
});

describe("a site with languages in folders that its navigation does not name", () => {
  let site: TestSite;
  beforeAll(async () => {
    const page = (text: string) => `# ${text}\n\nLantern.\n`;
    site = await createTestSite(
      {
        "guide.md": page("Guide"),
        "setup.md": page("Setup"),
        "ko/guide.md": page("가이드"),
        "ko/setup.md": page("설치"),
        "zh-cn/guide.md": page("指南"),
        "ts/alone.md": page("Types"),
      },
      { contentProcess, search: { admits: () => true } },
    );
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it("is searched in the language of the reader's page, plus pages without a language", async () => {
    expect((await hrefs(site, "q=lantern&from=/ko/guide")).toSorted()).toEqual(["/ko/guide", "/ko/setup", "/ts/alone"]);
    expect((await hrefs(site, "q=lantern&from=/guide")).toSorted()).toEqual(["/guide", "/setup", "/ts/alone"]);
    expect(await hrefs(site, "q=lantern&language=zh-cn")).toContain("/zh-cn/guide");
  });

  it("is searched by agents in its own language", async () => {
    const text = await askAgentTool(site, { query: "lantern" });
    expect(text).toContain("/guide\n");
    expect(text).not.toMatch(/\/(?:ko|zh-cn)\//);
  });
});
