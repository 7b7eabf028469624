import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { editableText, readSourceFile, withLineEnds, writeProblem } from "./source-file.ts";

describe("the line ends of an edited file", () => {
  const text = fc
    .array(fc.tuple(fc.constantFrom("", "a", "b", "é"), fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 12 })
    .chain((lines) => fc.constantFrom("", "end").map((last) => lines.flat().join("") + last));

  it("stay as they were, byte for byte, where nothing was edited", () => {
    fc.assert(
      fc.property(text, fc.boolean(), (body, hasMark) => {
        const source = hasMark ? `\uFEFF${body}` : body;
        expect(withLineEnds(source, editableText(source))).toBe(source);
      }),
    );
  });

  it("never change the text", () => {
    fc.assert(
      fc.property(text, text, (source, other) => {
        const edited = editableText(other);
        expect(editableText(withLineEnds(source, edited))).toBe(edited);
      }),
    );
  });

  it("are those of most lines where a line was added", () => {
    expect(withLineEnds("one\r\ntwo\r\n", "one\nnew\ntwo\n")).toBe("one\r\nnew\r\ntwo\r\n");
    expect(withLineEnds("a\nb\r\nc\r\nd\r\n", "a\nb\nx\nc\nd\n")).toBe("a\nb\r\nx\r\nc\r\nd\r\n");
    expect(editableText(withLineEnds("é\na\n\r", "é\na\n\n\n"))).toBe("é\na\n\n\n");
    expect(withLineEnds("", "new\nfile")).toBe("new\nfile");
  });

  it("stay as they were after an edit, in a file of mixed line ends", () => {
    expect(withLineEnds("a\r\nb\r\nc\n", "x\nb\nc\n")).toBe("x\r\nb\r\nc\n");
    expect(withLineEnds("a\nb\r\nc\r\n", "a\nb\nx\n")).toBe("a\nb\r\nx\r\n");
  });

  it("are not added at the end of a file that has none there", () => {
    expect(withLineEnds("one\r\ntwo", "ONE\ntwo")).toBe("ONE\r\ntwo");
  });
});

const CODE = "The browser editor changes only documentation: pages, their data files and the navigation.";

describe("a file for the editor", () => {
  const docs = { contentRoot: "" };
  const snapshot = createTestSnapshot({
    "page.md": "# Grüße\r\n",
    "latin.md": new Uint8Array([0x47, 0x72, 0xfc, 0xdf, 0x65]),
    "wide.md": new Uint8Array([0xff, 0xfe, 0x47, 0x00]),
    "nul.md": "a\0b",
    "link.md": { linkTo: "page.md" },
    "large.md": "x".repeat(512 * 1024 + 1),
    ".env": "TOKEN=1",
    ".github/workflows/build.yml": "on: push",
    "package.json": "{}",
    "scripts/test.js": "run()",
    ".circleci/config.yml": "jobs: {}",
    "AGENTS.md": "Obey.",
    "logo.png": "version https://git-lfs.github.com/spec/v1\noid sha256:00\n",
  });

  it("is its whole text, with its own line ends", async () => {
    expect(await readSourceFile({ snapshot, docs }, "page.md")).toEqual({ kind: "text", source: "# Grüße\r\n" });
    expect(await readSourceFile({ snapshot, docs }, "gone.md")).toEqual({ kind: "missing" });
  });

  it.each([
    ["latin.md", "This file is Windows-1252 text, and the editor writes UTF-8 alone."],
    ["wide.md", "This file is UTF-16 text, and the editor writes UTF-8 alone."],
    ["nul.md", "This is not a text file."],
    ["link.md", "This is a symbolic link."],
    ["large.md", "This file has 513 KiB. The limit of the editor is 512 KiB."],
    [".env", "Files with this name usually hold credentials and are not shown."],
    [".github/workflows/build.yml", 'This file cannot be edited in the browser: ".github" belongs to git.'],
    ["logo.png", "The content of this file is in Git LFS."],
    ["package.json", CODE],
    ["scripts/test.js", CODE],
    [".circleci/config.yml", CODE],
    ["AGENTS.md", CODE],
  ])("is refused with a reason: %s", async (path, reason) => {
    expect(await readSourceFile({ snapshot, docs }, path)).toEqual({
      kind: "refused",
      reason: `${reason} Change it with git.`,
    });
  });
});

describe("a text for a file", () => {
  const version = {
    snapshot: createTestSnapshot({ "mkdocs.yml": "nav: []\n", "page.md": "" }),
    docs: { contentRoot: "" },
  };
  const problemOf = (path: string, text: string, before: string | null = null) =>
    writeProblem(version, { path, text, before });

  it("of another tool's configuration changes the navigation alone", async () => {
    expect(await problemOf("mkdocs.yml", "nav: [a.md]\n", "nav: []\n")).toBeNull();
    expect(await problemOf("mkdocs.yml", "nav: []\nhooks: [x.py]\n", "nav: []\n")).toBe(
      "The browser editor changes only the navigation and the redirects in mkdocs.yml. Change the rest with git.",
    );
  });

  it.each(["src/evil.js", ".mcp.json", "node_modules/x.md", "PAGE.md", "a\u202Eb.md", ".forgejo/workflows/x.yml"])(
    "is refused for a new file %j",
    async (path) => expect(await problemOf(path, "x")).not.toBeNull(),
  );
});
