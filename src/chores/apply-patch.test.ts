import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();
const files = {
  "docs.json": '{ "navigation": { "pages": ["index", "old"] } }\n',
  "index.md": "# Start\n\nFirst line.\n\nLast line.\n",
  "old.md": "# Old\r\n\r\nText.\r\n",
  ".github/workflows/ci.yml": "on: push\n",
};

async function run(patch: string) {
  const bench = createAgentBench(tools, files);
  const result = await bench.run("apply_patch", { patch });
  const { ...after } = await bench.contents();
  return { after, said: result.ok ? result.summary : result.message };
}

describe("apply_patch", () => {
  it("changes, adds, moves and removes files as git would", async () => {
    const { after, said } = await run(`diff --git a/index.md b/index.md
index 1111111..2222222 100644
--- a/index.md
+++ b/index.md
@@ -3,3 +3,3 @@
 First line.
 
-Last line.
+The last line.
diff --git a/new.md b/new.md
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/new.md
@@ -0,0 +1 @@
+# New
diff --git a/old.md b/guides/old.md
similarity index 80%
rename from old.md
rename to guides/old.md
--- a/old.md
+++ b/guides/old.md
@@ -3 +3 @@
-Text.
+Other text.
`);
    expect(said).toBe("Applied a patch to 3 files");
    expect(after).toEqual({
      "docs.json": files["docs.json"],
      ".github/workflows/ci.yml": files[".github/workflows/ci.yml"],
      "index.md": "# Start\n\nFirst line.\n\nThe last line.\n",
      "new.md": "# New\n",
      "guides/old.md": "# Old\r\n\r\nOther text.\r\n",
    });
    const removed = await run(
      "--- a/index.md\n+++ /dev/null\n@@ -1,5 +0,0 @@\n-# Start\n-\n-First line.\n-\n-Last line.\n",
    );
    expect(Object.keys(removed.after)).not.toContain("index.md");
  });

  const change = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -0,0 +1 @@\n+text\n`;
  const create = (path: string) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+text\n`;
  it.each([
    ["Please fix the docs.", "That is not a patch"],
    ["--- a/index.md\n+++ b/index.md\n@@ -1 +1 @@\n-# Begin\n+# Other\n", "does not fit"],
    ["--- a/index.md\n+++ b/index.md\n@@ -1,9 +1 @@\n-# Start\n", "cannot be read"],
    [create("index.md"), "exists already"],
    [change("none.md"), "There is no"],
    [create("../escape.md"), ""],
    [create("/etc/passwd.md"), ""],
    [create(".git/config"), ""],
    [create("run.sh"), ""],
    ["--- a/.github/workflows/ci.yml\n+++ b/.github/workflows/ci.yml\n@@ -1 +1 @@\n-on: push\n+on: all\n", ""],
    ["diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n", "binary"],
  ])("refuses %j and changes nothing", async (patch, message) => {
    const { after, said } = await run(patch);
    expect(said).not.toContain("Applied");
    expect(said).toContain(message);
    expect(after).toEqual(files);
  });
});

it.each([
  ["a line far outside", "@@ -1000000000000,1 +1,1 @@\n-zzz\n+yyy\n"],
  ["more lines than there are", "@@ -110000000,0 +110000000,1 @@\n+yyy\n"],
  ["a line behind the end", "@@ -40,0 +41,1 @@\n+New last line.\n"],
  ["another place, without context", "@@ -1 +0,0 @@\n-Last line.\n"],
])("refuses a hunk at %s", async (_name, hunk) => {
  const { after, said } = await run(`--- a/index.md\n+++ b/index.md\n${hunk}`);
  expect(said).toMatch(/does not fit|cannot be read/);
  expect(after["index.md"]).toBe(files["index.md"]);
});

it("applies hunks without context at exactly the stated lines", async () => {
  const { after } = await run("--- a/index.md\n+++ b/index.md\n@@ -5 +5 @@\n-Last line.\n+The end.\n");
  expect(after["index.md"]).toBe("# Start\n\nFirst line.\n\nThe end.\n");
  const added = await run("--- a/index.md\n+++ b/index.md\n@@ -5,0 +6 @@\n+More.\n");
  expect(added.after["index.md"]).toBe(`${files["index.md"]}More.\n`);
});

it("creates no symbolic link", async () => {
  const patch =
    "diff --git a/link.md b/link.md\nnew file mode 120000\n--- /dev/null\n+++ b/link.md\n@@ -0,0 +1 @@\n+index.md\n";
  expect((await run(patch)).said).toContain("symbolic link");
});
