import { describe, expect, it } from "vitest";
import { dialectContract, load, outline } from "#docs/dialects/dialect.contract.ts";

const SUMMARY = `# Table of contents

* [Welcome](README.md)
* [Doors](guides/README.md)
  * [Sliding \\_doors\\_](<guides/sliding doors.md>)
  * [Forum](https://forum.example)

## Reference

* [Signals](reference/signals.md "mention")
`;
const FILES = {
  ".gitbook.yaml": "root: ./\nstructure:\n  summary: SUMMARY.md\nredirects:\n  old/page: guides/README.md\n",
  "SUMMARY.md": SUMMARY,
  "README.md": "# Trains",
  "guides/README.md": "# All doors",
  "guides/sliding doors.md": "# Sliding",
  "reference/signals.md": "# Signals",
  ".gitbook/assets/door.png": "x",
};

dialectContract({
  dialect: "gitbook",
  files: FILES,
  file: "SUMMARY.md",
  routes: ["/", "/guides", "/guides/sliding%20doors", "/reference/signals"],
  navigation:
    "Welcome(/) Doors(/guides)[Sliding _doors_(/guides/sliding%20doors) Forum->https://forum.example] Reference[Signals(/reference/signals)]",
});

describe("a GitBook space", () => {
  it("serves images of its hidden folder and redirects old addresses", async () => {
    const { assets, redirects } = await load(FILES);
    expect(assets.get("/.gitbook/assets/door.png")?.path).toBe(".gitbook/assets/door.png");
    expect(redirects.match("/old/page")?.location).toBe("/guides");
  });

  it("has the titles of its groups without the ids that GitBook keeps for them", async () => {
    const summary = '* [Home](README.md)\n\n## More <a href="#old" id="old"></a>\n\n* [Doors](guides/README.md)\n';
    expect(outline((await load({ ...FILES, "SUMMARY.md": summary })).navigation)).toBe("Home(/) More[Doors(/guides)]");
  });

  it("names what its navigation leaves out: links that run scripts, and what is more than 12 levels deep", async () => {
    const deep = Array.from({ length: 15 }, (_, depth) => `${"  ".repeat(depth)}* [${depth}](guides/README.md)\n`).join(
      "",
    );
    const docs = await load({ ...FILES, "SUMMARY.md": `* [X](javascript:alert)\n${deep}` });
    expect(JSON.stringify(docs.navigation)).not.toContain("javascript:");
    expect(docs.problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      ".gitbook.yaml: The link javascript:alert, which is not a path or an http(s) address, is left out of the navigation.",
      ".gitbook.yaml: What is in 12, more than 12 levels deep, is left out of the navigation.",
    ]);
  });

  it("has its pages in the folder that it names", async () => {
    const docs = await load({
      ".gitbook.yaml": "root: ./handbook/",
      "handbook/SUMMARY.md": "* [Start](README.md)\n* [A](a/b.md)",
      "handbook/README.md": "# Start",
      "handbook/a/b.md": "# B",
      "handbook/.gitbook/assets/x.png": "x",
      "notes.md": "# No page",
    });
    expect(outline(docs.navigation)).toBe("Start(/) A(/a/b)");
    expect([...docs.pages.keys()]).toEqual(["/", "/a/b"]);
    expect(docs.assets.get("/.gitbook/assets/x.png")?.path).toBe("handbook/.gitbook/assets/x.png");
  });
});

describe("several GitBook spaces without a configuration", () => {
  const SPACES = {
    "README.md": "# The repository",
    "a/SUMMARY.md": "* [A](README.md)\n* [P](x/p.md)",
    "a/README.md": "# A",
    "a/x/p.md": "# P\n\n![pic](../.gitbook/assets/p.svg)",
    "a/.gitbook/assets/p.svg": "<svg/>",
    "b/SUMMARY.md": "* [B](README.md)",
    "b/README.md": "# B",
    "notes/SUMMARY.md": "All in all, it was a good year.",
  };

  it("are the folders with a SUMMARY.md that lists files: the first is shown, the others are named", async () => {
    const docs = await load(SPACES);
    expect(docs.contentRoot).toBe("a");
    expect(outline(docs.navigation)).toBe("A(/) P(/x/p)");
    expect(docs.assets.get("/.gitbook/assets/p.svg")?.path).toBe("a/.gitbook/assets/p.svg");
    const [problem] = docs.problems;
    expect(problem?.message).toContain('also has GitBook or mdBook in /b (contentRoot "b"). To show');
  });

  it("do not include a plain Markdown repository in which only a list in a folder looks like GitBook", async () => {
    const files = {
      "README.md": "# Home",
      "guide.md": "# Guide",
      "book/SUMMARY.md": "* [One](one.md)",
      "book/one.md": "# One",
    };
    expect([...(await load(files)).pages.keys()]).toContain("/guide");
    expect([...(await load(files, { contentRoot: "book" })).pages.keys()]).toEqual(["/one"]);
  });

  it("are shown by their contentRoot, and come after a tool with a configuration", async () => {
    expect(outline((await load(SPACES, { contentRoot: "b" })).navigation)).toBe("B(/)");
    expect((await load(SPACES, { contentRoot: "a" })).assets.has("/.gitbook/assets/p.svg")).toBe(true);
    const files = { ...SPACES, "z/site/mkdocs.yml": "site_name: Z", "z/site/docs/index.md": "# Z" };
    expect((await load(files)).config.name).toBe("Z");
  });
});

describe("a .gitbook.yaml without its summary", () => {
  const LEFT = { ".gitbook.yaml": "structure:\n  summary: docs/README.md\n" };

  it("comes after the site of another tool", async () => {
    const files = { ...LEFT, "site/mkdocs.yml": "site_name: Z", "site/docs/index.md": "# Z" };
    expect((await load(files)).config.name).toBe("Z");
  });

  it("comes after the spaces in folders", async () => {
    const files = { ...LEFT, "a/SUMMARY.md": "* [A](README.md)", "a/README.md": "# A", "a/.gitbook/assets/p.svg": "x" };
    expect((await load(files)).contentRoot).toBe("a");
  });

  it("shows the folders of a repository with nothing else, and the pictures of each", async () => {
    const docs = await load({ ...LEFT, "README.md": "# Home", "a/b.md": "# B", "a/.gitbook/assets/p.svg": "<svg/>" });
    expect(outline(docs.navigation)).toBe("Home(/) A[B(/a/b)]");
    expect(docs.assets.get("/a/.gitbook/assets/p.svg")?.path).toBe("a/.gitbook/assets/p.svg");
  });
});

describe("a book of mdBook", () => {
  it("has the chapters of its summary, and no other page", async () => {
    const docs = await load({
      "book.toml":
        '[book]\ntitle = "Rails"\nsrc = "text"\n[output.html]\ngit-repository-url = "https://code.example"\n[output.html.redirect]\n"/old.html" = "first/index.html"\n',
      "text/SUMMARY.md":
        "# Summary\n\n[Preface](preface.md)\n\n# Part one\n\n- [First](first/README.md)\n    - [Inner](first/inner.md)\n- [Draft]()\n",
      "text/preface.md": "# Preface",
      "text/first/README.md": "# First",
      "text/first/inner.md": "# Inner",
      "text/notes.md": "# Notes",
      "README.md": "# The repository",
    });
    expect(outline(docs.navigation)).toBe("Preface(/preface) Part one[First(/first)[Inner(/first/inner)]]");
    expect([...docs.pages.keys()].toSorted()).toEqual(["/first", "/first/inner", "/preface"]);
    expect(docs.config).toMatchObject({ name: "Rails", navbar: { links: [{ href: "https://code.example" }] } });
    expect(docs.redirects.match("/old")?.location).toBe("/first");
  });

  it("redirects from the folder of the old page, and has the language and the icon of its configuration", async () => {
    const docs = await load({
      "book.toml":
        '[book]\nlanguage = "de"\n[output.html]\nsite-url = "/rails/"\n[output.html.redirect]\n"/format/config.html" = "setup/index.html#keys"\n"/format/config.html#old" = "setup/index.html"\n',
      "theme/favicon.svg": "<svg/>",
      "src/SUMMARY.md": "# Summary\n\n# Part\n\n- [Setup](format/setup/README.md)\n\n---\n\n[Authors](authors.md)\n",
      "src/format/setup/README.md": "# Setup",
      "src/authors.md": "# Authors",
    });
    expect(outline(docs.navigation)).toBe("Part[Setup(/format/setup)] Authors(/authors)");
    expect(docs.redirects.match("/format/config")?.location).toBe("/format/setup#keys");
    expect(docs.config).toMatchObject({ language: "de", favicon: "/theme/favicon.svg" });
    expect(docs.assets.has("/theme/favicon.svg")).toBe(true);
    expect(docs.bases).toContain("/rails");
  });
});
