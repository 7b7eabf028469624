import { expect, it } from "vitest";
import type { ProjectId } from "#lib/ids.ts";
import type { SearchIndex } from "./search-index.ts";
import type { SearchPage, SearchScope, SearchSection } from "./search-page.ts";
import { createSearch } from "./search.ts";

const ALL: SearchScope = { language: null, version: null };

interface Opened extends AsyncDisposable {
  index: SearchIndex;
  /** A second index on the same store, as in another process; null if only one process uses the store. */
  other: SearchIndex | null;
  newProject(): Promise<ProjectId>;
}

/** The contract of every search engine. */
export function searchIndexContract(open: () => Promise<Opened>): void {
  const page = (route: string, title: string, ...sections: [heading: string, text: string][]): SearchPage => ({
    route,
    title,
    keywords: "",
    isReference: false,
    language: null,
    version: null,
    versionRank: 0,
    key: `key of ${route}`,
    includes: [],
    sections: sections.map(([heading, text]): SearchSection => ({
      anchor: heading === "" ? null : heading.toLowerCase(),
      heading,
      text,
      reference: "",
    })),
  });
  const DOCS = [
    page(
      "/install",
      "Install",
      ["", "Get the program for your machine."],
      ["Linux", "Download the archive, then unpack it with tar."],
      ["Docker", "Run the image with a volume for the data directory."],
    ),
    page(
      "/webhooks",
      "Webhooks",
      ["", "Events are sent to your server."],
      ["Retries", "A delivery is repeated for a day."],
    ),
    page("/configuration", "Configuration", ["", "Set DOCENT_BASE_URL and siteDomain; deployments read docs.json."]),
    page("/über", "Über uns", ["", "Wer wir sind: ein kleines Café."]),
  ];

  async function filled(opened: Opened, pages: readonly SearchPage[] = DOCS) {
    const project = await opened.newProject();
    await opened.index.change(project, { put: pages, remove: [] });
    const search = createSearch({ index: opened.index });
    const found = async (query: string, scope = ALL) => {
      const { results } = await search(project, { query, scope, limit: 10, edition: "1" });
      return results.map(({ route, anchor }) => (anchor === null ? route : `${route}#${anchor}`));
    };
    return { project, search, found };
  }

  it("finds sections by whole words, by prefixes, and by other forms of English words", async () => {
    await using opened = await open();
    const { found } = await filled(opened);
    expect(await found("webhooks")).toContain("/webhooks");
    expect(await found("doc")).toContain("/install#docker");
    expect(await found("unpacking")).toEqual(["/install#linux"]);
    expect(await found("deployment")).toEqual(["/configuration"]);
    expect(await found("cafe")).toEqual(["/über"]);
    expect(await found("nothing-of-that")).toEqual([]);
    expect(await found("w")).toEqual([]); // one letter begins too many words
  });

  it("ranks a matching name before a mention, and titles before headings before text", async () => {
    await using opened = await open();
    const { found } = await filled(opened, [
      page("/a", "Other things", ["", "Retries are mentioned here: retries, retries, retries."]),
      page("/b", "Some", ["Retries", "Text."]),
      page("/c", "Retries", ["", "Text."]),
    ]);
    expect(await found("retries")).toEqual(["/c", "/b#retries", "/a"]);
  });

  it("finds a section by a word of its page's title and one of its own", async () => {
    await using opened = await open();
    const { found } = await filled(opened);
    expect((await found("install docker"))[0]).toBe("/install#docker");
  });

  it("finds names by their parts, and addresses with dots and underscores", async () => {
    await using opened = await open();
    const { found } = await filled(opened);
    for (const query of ["DOCENT_BASE_URL", "docs.json", "siteDomain", "domain"])
      expect(await found(query)).toContain("/configuration");
  });

  it("finds the inside of a name, and a name with its dots or spaces left out", async () => {
    await using opened = await open();
    const { found } = await filled(opened, [
      page("/users", "Users", ["", "Call getUserById(id), then parseHTMLDocument."]),
      page("/node", "Node.js", ["", "A runtime."]),
      page("/deno", "Deno", ["", "It runs some NodeJS programs by get_by_name."]),
    ]);
    for (const query of ["UserById", "userbyid", "getUserBy", "byId", "HTMLDocument", "html document"])
      expect([query, await found(query)]).toEqual([query, ["/users"]]);
    expect(await found("nodejs")).toEqual(["/node", "/deno"]);
    expect(await found("node js")).toEqual(["/node", "/deno"]);
    expect(await found("node.js")).toEqual(["/node", "/deno"]);
    expect(await found("getByName")).toEqual(["/deno"]);
  });

  it("finds a page by the words of its path and by its author's keywords", async () => {
    await using opened = await open();
    const { found } = await filled(opened, [
      page("/lib/nextjs", "SDK for the app router", ["", "Feature flags."]),
      page("/lib/react", "React SDK", ["", "Feature flags, in Next.js as well."]),
      { ...page("/private", "Private sites", ["", "A password."]), keywords: "sso saml" },
    ]);
    expect((await found("nextjs"))[0]).toBe("/lib/nextjs");
    expect(await found("saml")).toEqual(["/private"]);
  });

  it("ranks the text of a page before responses of an API and examples", async () => {
    await using opened = await open();
    const responses = { anchor: "responses", heading: "Responses", text: "" };
    const operation = (number: number): SearchPage => ({
      ...page(`/api/event-${number}`, `Event ${number}`, ["", "Sent once."]),
      isReference: true,
    });
    const events = Array.from({ length: 80 }, (_, number): SearchPage => ({
      ...operation(number),
      sections: [
        ...operation(number).sections,
        { ...responses, reference: `It is tried again: a retry of ${number}.` },
      ],
    }));
    const example = { anchor: "example", heading: "Example", text: "A program.", reference: "retry();" };
    const { found } = await filled(opened, [
      ...events,
      { ...page("/program", "A program"), sections: [example] },
      page("/delivery", "Delivery", [
        "",
        "What is not taken is sent again after a while, which is a retry of the event.",
      ]),
    ]);
    expect((await found("retry")).slice(0, 2)).toEqual(["/delivery", "/program#example"]);
  });

  it("ranks the page with the matching name first, however many sections have that name and however long the page is", async () => {
    await using opened = await open();
    const sections = Array.from({ length: 150 }, (_, at) =>
      page(`/port-${at}`, `Port ${at}`, ["Lanterns", `A lantern, ${at}.`]),
    );
    const long = Array.from({ length: 900 }, (_, at) => `word${at}`).join(" ");
    const { found } = await filled(opened, [...sections, page("/lights", "Lanterns", ["", long])]);
    expect((await found("lanterns"))[0]).toBe("/lights");
  });

  it("shows identical results from several places once", async () => {
    await using opened = await open();
    const { found } = await filled(opened, [
      ...["a", "b", "c"].map((name) => page(`/${name}`, `Page ${name}`, ["Responses", "Mainsail: tried again."])),
      page("/d", "Page d", ["Responses", "Mainsail: at once."]),
    ]);
    expect(await found("mainsail")).toHaveLength(2);
  });

  it("leaves out versions other than the default one on request", async () => {
    await using opened = await open();
    const { project } = await filled(opened, [
      page("/x", "Lantern", ["", "of all"]),
      { ...page("/new", "Lantern", ["", "new"]), version: "v2", versionRank: 0 },
      { ...page("/old", "Lantern", ["", "old"]), version: "v1", versionRank: 1 },
    ]);
    const terms = [[{ text: "lantern", isPrefix: true }]];
    const routes = async (isDefaultVersion: boolean) => {
      const query = { terms, match: "all", scope: ALL, isDefaultVersion, limit: 10 } as const;
      return (await opened.index.find(project, query)).map(({ route }) => route).toSorted();
    };
    expect(await routes(true)).toEqual(["/new", "/x"]);
    expect(await routes(false)).toEqual(["/new", "/old", "/x"]);
  });

  it("finds misspelt words, also while they are typed", async () => {
    await using opened = await open();
    const { found } = await filled(opened);
    for (const query of ["webhoks", "wbehooks", "configuratoin", "configurt"]) {
      expect(await found(query)).not.toEqual([]);
    }
    expect((await found("dokcer"))[0]).toBe("/install#docker");
  });

  it("finds words of scripts without spaces", async () => {
    await using opened = await open();
    const { found } = await filled(opened, [
      page("/zh", "安装指南", ["", "在服务器上安装文档平台。"]),
      page("/ja", "はじめに", ["", "ドキュメントを公開する。"]),
      page("/ko", "설치", ["", "서버에 문서를 설치합니다."]),
    ]);
    expect(await found("安装")).toEqual(["/zh"]);
    expect(await found("服务器")).toEqual(["/zh"]);
    expect(await found("平")).toEqual(["/zh"]);
    expect(await found("公開")).toEqual(["/ja"]);
    expect(await found("ドキュ")).toEqual(["/ja"]);
    expect(await found("설치")).toEqual(["/ko"]);
  });

  it("reads operators, quotes and very long queries as plain words", async () => {
    await using opened = await open();
    const { found } = await filled(opened);
    for (const query of [
      '"',
      "'",
      "*",
      "a'); drop table section; --",
      "title:install",
      "(",
      "NEAR(",
      "\0",
      "\\",
      "!&|:*",
      "   ",
    ])
      expect(Array.isArray(await found(query))).toBe(true);
    expect(await found('webhooks AND "NOT')).toContain("/webhooks");
    expect(await found("x".repeat(100_000))).toEqual([]);
    expect(await found("linux ".repeat(20_000))).toEqual(["/install#linux"]);
  });

  it("is limited to a language and a version, and includes pages of all", async () => {
    await using opened = await open();
    const { found } = await filled(opened, [
      { ...page("/en/x", "Setup", ["", "one"]), language: "en", version: "v2" },
      { ...page("/fr/x", "Setup", ["", "two"]), language: "fr", version: "v2" },
      { ...page("/en/v1/x", "Setup", ["", "three"]), language: "en", version: "v1" },
      page("/x", "Setup", ["", "four"]),
    ]);
    expect((await found("setup", { language: "en", version: null })).sort()).toEqual(["/en/v1/x", "/en/x", "/x"]);
    expect((await found("setup", { language: "EN", version: "v2" })).sort()).toEqual(["/en/x", "/x"]);
    expect((await found("setup")).length).toBe(4);
  });

  it("replaces and removes pages, and remembers their keys", async () => {
    await using opened = await open();
    const { project, found } = await filled(opened);
    const changed = { ...page("/install", "Set up", ["", "All is new."]), key: "2", includes: ["a.mdx"] };
    await opened.index.change(project, { put: [changed], remove: ["/webhooks"] });
    expect(await found("linux")).toEqual([]);
    expect(await found("webhooks")).toEqual([]);
    expect(await found("new")).toEqual(["/install"]);
    const pages = await opened.index.pages(project);
    expect([...pages.keys()].sort()).toEqual(["/configuration", "/install", "/über"]);
    expect(pages.get("/install")).toEqual({ key: "2", includes: ["a.mdx"] });
  });

  it("isolates projects from each other, and deletes a project", async () => {
    await using opened = await open();
    const one = await filled(opened);
    const two = await filled(opened, [page("/secret", "Secret plans", ["", "unicorn"])]);
    expect(await one.found("unicorn")).toEqual([]);
    expect(await one.found("unicron")).toEqual([]);
    expect(await opened.index.vocabulary(one.project)).not.toContain("unicorn");
    await opened.index.remove(two.project);
    expect(await two.found("unicorn")).toEqual([]);
    expect(await one.found("linux")).toEqual(["/install#linux"]);
  });

  it("changes and removes pages of one project alone", async () => {
    await using opened = await open();
    const one = await filled(opened);
    const two = await filled(opened);
    await opened.index.change(one.project, { put: [page("/install", "Set up", ["", "New."])], remove: ["/webhooks"] });
    expect(await one.found("linux")).toEqual([]);
    expect(await two.found("linux")).toEqual(["/install#linux"]);
    expect(await two.found("webhooks")).toContain("/webhooks");
  });

  it("lets one process at a time work on a project", async () => {
    await using opened = await open();
    const project = await opened.newProject();
    const another = await opened.newProject();
    const index = opened.other ?? opened.index;
    const ran: unknown[] = [];
    const first = await opened.index.alone(project, async (stillOurs) => {
      ran.push(await stillOurs());
      ran.push(await index.alone(project, async () => void ran.push("wrong")));
      ran.push(await index.alone(another, async () => void ran.push("another")));
    });
    expect([first, ran]).toEqual([true, [true, false, "another", true]]);
    expect(await index.alone(project, async () => undefined)).toBe(true);
  });

  it("marks matches in the excerpt, and suggests words if there are no results", async () => {
    await using opened = await open();
    const { project, search } = await filled(opened);
    const ask = (query: string) => search(project, { query, scope: ALL, limit: 5, edition: "1" });
    expect(await ask("dockrex")).toEqual({ results: [], suggestions: ["docker"] });
    const { results, suggestions } = await ask("archive");
    expect(suggestions).toEqual([]);
    expect(results[0]?.excerpt).toEqual([
      { text: "Download the ", isMatch: false },
      { text: "archive", isMatch: true },
      { text: ", then unpack it with tar.", isMatch: false },
    ]);
  });
}
