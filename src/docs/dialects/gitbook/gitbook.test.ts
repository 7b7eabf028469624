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
  it("serves pictures of its hidden folder and leads on from old addresses", async () => {
    const { assets, redirects } = await load(FILES);
    expect(assets.get("/.gitbook/assets/door.png")?.path).toBe(".gitbook/assets/door.png");
    expect(redirects.match("/old/page")?.location).toBe("/guides");
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

describe("a book of mdBook", () => {
  it("has the chapters of its summary, and no page besides", async () => {
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
});
