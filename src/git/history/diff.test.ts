import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import { type DiffLine, type FileDiff, parsePatch } from "./diff.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";

const change = { status: "modified", path: "a.md", oldPath: null, additions: 0, deletions: 0 } as const;
const show = (file: FileDiff | undefined) => file?.hunks.map((hunk) => hunk.lines.map(showLine));
const showLine = (line: DiffLine) => {
  const sign = { context: " ", added: "+", removed: "-" }[line.kind];
  const text = line.segments.map((part) => (part.isChanged ? `[${part.text}]` : part.text)).join("");
  return `${line.oldNumber ?? "."} ${line.newNumber ?? "."} ${sign}${text}${line.isUnterminated ? "¬" : ""}`;
};

describe("parsePatch", () => {
  it("numbers the lines and marks changed words", () => {
    const patch = [
      "diff --git a/a.md b/a.md",
      "--- a/a.md",
      "+++ b/a.md",
      "@@ -3,4 +3,5 @@ ## Install",
      " before",
      "-Run the old command now.",
      "+Run the new command now.",
      "+Another line.",
      " after",
      "-last",
      "\\ No newline at end of file",
      "+last",
      "",
    ].join("\n");
    const [file] = parsePatch(patch, [change]);
    expect(file?.hunks[0]?.heading).toBe("## Install");
    expect(show(file)).toEqual([
      [
        "3 3  before",
        "4 . -Run the old command now.",
        ". 4 +Run the new command now.",
        ". 5 +Another line.",
        "5 6  after",
        "6 . -last¬",
        ". 7 +last",
      ],
    ]);
  });

  it("compares equally long blocks line by line, and marks no words in lines with little in common", () => {
    const pair = (removed: string, added: string) =>
      show(parsePatch(`diff --git a/a b/a\n@@ -1 +1 @@\n-${removed}\n+${added}\n`, [change])[0]);
    expect(pair("See the old page.", "See the new page.")).toEqual([
      ["1 . -See the [old] page.", ". 1 +See the [new] page."],
    ]);
    expect(pair("alpha beta", "gamma delta")).toEqual([["1 . -alpha beta", ". 1 +gamma delta"]]);
  });

  it("reads content that looks like a diff as content", () => {
    const patch = "diff --git a/a b/a\n@@ -1,3 +1,2 @@\n--- a/evil\n-diff --git a/x b/x\n-@@ -1 +1 @@\n+++ b/evil\n+\n";
    expect(show(parsePatch(patch, [change])[0])).toEqual([
      ["1 . --- a/evil", "2 . -diff --git a/x b/x", "3 . -@@ -1 +1 @@", ". 1 +++ b/evil", ". 2 +"],
    ]);
  });

  it("rebuilds both sides of any change that git reports", async () => {
    await using source = await createTestRepository({ 'we"ird\nname.md': "x" });
    await using root = await createTestDirectory();
    await using store = createRepoStore({ root: root.path, logger: silentLogger });
    const project = newProjectId();
    await store.import(project, { source: source.path, branch: null });
    const main = (await store.resolve(project, "HEAD"))!;
    const word = fc.constantFrom("a", "b", "--- a", "+++ b", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline", "");
    const content = fc.array(word, { maxLength: 12 }).map((lines) => lines.join("\n"));
    await fc.assert(
      fc.asyncProperty(content, content, async (before, after) => {
        const tree = (text: string) =>
          store.snapshot(project, {
            base: main,
            edits: [{ path: 'we"ird\nname.md', content: Buffer.from(text) }],
          });
        const [base, head] = [await tree(before), await tree(after)];
        const changes = await store.changes(project, base, head);
        const files = parsePatch(await store.patch(project, { base, head }), changes);
        const lines = files.flatMap((file) => file.hunks).flatMap((hunk) => hunk.lines);
        const side = (kind: "added" | "removed") =>
          lines
            .filter((line) => line.kind === "context" || line.kind === kind)
            .map((line) => line.segments.map((part) => part.text).join("") + (line.isUnterminated ? "" : "\n"))
            .join("");
        // Any change has three lines of context, so a file of up to three lines is shown whole.
        const isWhole = before !== after && before.split("\n").length < 4;
        expect(isWhole ? [side("removed"), side("added")] : []).toEqual(isWhole ? [before, after] : []);
        expect(lines.filter((line) => line.kind === "added")).toHaveLength(changes[0]?.additions ?? 0);
        expect(lines.filter((line) => line.kind === "removed")).toHaveLength(changes[0]?.deletions ?? 0);
      }),
      { numRuns: 25 },
    );
  });

  it("combines both sections of a file that became a link", () => {
    const [file, ...rest] = parsePatch(
      "diff --git a/a.md b/a.md\ndeleted file mode 100644\n@@ -1 +0,0 @@\n-text\n" +
        "diff --git a/a.md b/a.md\nnew file mode 120000\n@@ -0,0 +1 @@\n+b.md\n\\ No newline at end of file\n" +
        "diff --git a/b.md b/b.md\n@@ -1 +1 @@\n-b\n+c\n",
      [change, { ...change, path: "b.md" }],
    );
    expect(show(file)).toEqual([["1 . -text"], [". 1 +b.md¬"]]);
    expect(show(rest[0])).toEqual([["1 . -b", ". 1 +c"]]);
  });
});
