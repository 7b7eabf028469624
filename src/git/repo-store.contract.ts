import { execFile } from "node:child_process";
import { mkdir, readdir, rename, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newProjectId, type ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { commitFiles, createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";
import { createRepoStore } from "./directory-repo-store.ts";
import { EMPTY_TREE } from "./objects/objects.ts";
import type { RepoStore } from "./repo-store.ts";

const author = { name: "Docent", email: "docent@example.com" };
const at = new Date("2026-03-04T05:06:07Z");
const text = (content: string) => Buffer.from(content);

/** Runs git with standard input; an absolute path as the last argument is the index file. */
async function gitWithInput(directory: string, input: string, ...args: string[]): Promise<string> {
  const index = args.at(-1)?.startsWith("/") ? args.pop() : undefined;
  const running = promisify(execFile)("git", args, {
    cwd: directory,
    env: { ...process.env, GIT_DIR: directory, ...(index ? { GIT_INDEX_FILE: index } : {}) },
  });
  running.child.stdin?.on("error", () => undefined).end(input);
  return (await running).stdout;
}

/** The contract of every repository store; `open` creates one whose directory is `root`. */
export function describeRepoStore(open: (root: string) => Promise<RepoStore>): void {
  let root: Awaited<ReturnType<typeof createTestDirectory>>;
  let store: RepoStore;

  beforeAll(async () => {
    root = await createTestDirectory();
    store = await open(path.join(root.path, "repositories"));
  });
  afterAll(async () => {
    await store[Symbol.asyncDispose]();
    await root.dispose();
  });

  async function importFiles(
    files: Parameters<typeof createTestRepository>[0],
  ): Promise<{ project: ProjectId; main: string }> {
    await using source = await createTestRepository(files);
    const project = newProjectId();
    await store.import(project, { source: source.path, branch: null });
    return { project, main: (await store.resolve(project, "refs/heads/main"))! };
  }

  const fsck = (project: ProjectId) => git(store.directory(project), "fsck", "--strict", "--full");
  const gitTree = async (project: ProjectId, id: string) =>
    (await git(store.directory(project), "ls-tree", "-r", "-z", id)).split("\0").filter(Boolean);

  describe("reading", () => {
    it("lists and reads files with hostile names", async () => {
      const names = [
        "a b.md",
        "ünïcödé.md",
        'quote"d.md',
        "tab\there.md",
        "new\nline.md",
        "-option.md",
        "ключ/页面.md",
      ];
      const { project, main } = await importFiles(Object.fromEntries(names.map((name) => [name, `# ${name}`])));
      const files = await store.tree(project, main);
      expect(files.map((file) => file.path).sort()).toEqual([...names].sort());
      const contents = await store.readBlobs(
        project,
        files.map((file) => file.oid),
      );
      expect(contents.map(String)).toEqual(files.map((file) => `# ${file.path}`));
    });

    it("lists in git's own order", async () => {
      const { project, main } = await importFiles({
        "a/x.md": "1",
        "a.md": "2",
        "a-b.md": "3",
        a0: "4",
        Z: "5",
        é: "6",
      });
      const expected = (await gitTree(project, main)).map((line) => line.split("\t")[1]);
      expect((await store.tree(project, main)).map((file) => file.path)).toEqual(expected);
    });

    it("resolves a name that is not a commit to null", async () => {
      const { project, main } = await importFiles({ "index.md": "x" });
      const [file] = await store.tree(project, main);
      const odd = [
        "",
        "main",
        "refs/heads/none",
        "refs/heads/a b",
        "refs/heads/x\ny",
        "HEAD~1",
        "f".repeat(40),
        file!.oid,
      ];
      for (const revision of odd) expect(await store.resolve(project, revision)).toBeNull();
    });

    it("refuses to read an object that is missing, not a blob, or too large", async () => {
      const { project, main } = await importFiles({ "index.md": "0123456789" });
      const [file] = await store.tree(project, main);
      await expect(store.readBlob(project, "f".repeat(40))).rejects.toMatchObject({ code: "not_found" });
      await expect(store.readBlob(project, main)).rejects.toMatchObject({ code: "not_found" });
      await expect(store.readBlob(project, "x\ncontents y")).rejects.toMatchObject({ code: "not_found" });
      await expect(store.readBlob(project, file!.oid, { maxBytes: 9 })).rejects.toMatchObject({ code: "too_large" });
      expect(await store.readBlob(project, file!.oid, { maxBytes: 10 })).toHaveLength(10);
    });

    it("refuses a tree that expands to a trillion paths", async () => {
      const { project, main } = await importFiles({ "index.md": "x" });
      const [file] = await store.tree(project, main);
      const directory = store.directory(project);
      const lines = path.join(root.path, "lines");
      let oid = file!.oid;
      for (let level = 0; level < 12; level++) {
        const kind = level === 0 ? "100644 blob" : "040000 tree";
        await writeFile(lines, Array.from({ length: 10 }, (_, index) => `${kind} ${oid}\td${index}\n`).join(""));
        oid = (
          await promisify(execFile)("sh", ["-c", `git mktree < '${lines}'`], {
            cwd: directory,
            env: { ...process.env, GIT_DIR: directory },
          })
        ).stdout.trim();
      }
      await expect(store.tree(project, oid)).rejects.toMatchObject({ code: "too_large" });
    });

    it("reads 5 MB pages", async () => {
      const page = "# Big\n".repeat(900_000);
      const { project, main } = await importFiles({ "big.md": page });
      const [file] = await store.tree(project, main);
      expect((await store.readBlob(project, file!.oid)).toString()).toBe(page);
    });

    it("serves many concurrent readers of many repositories", async () => {
      const repositories = await Promise.all(
        Array.from({ length: 6 }, (_, index) => importFiles({ "index.md": `page ${index}` })),
      );
      const reads = Array.from({ length: 300 }, async (_, index) => {
        const { project, main } = repositories[index % 6]!;
        const [file] = await store.tree(project, main);
        return (await store.readBlob(project, file!.oid)).toString();
      });
      expect(await Promise.all(reads)).toEqual(Array.from({ length: 300 }, (_, index) => `page ${index % 6}`));
    });
  });

  describe("writing", () => {
    it("creates the same tree and commit as git", async () => {
      await using source = await createTestRepository({
        "a.md": "a",
        "d/b.md": "b",
        "d/e/c.md": "c",
        "run.sh": "echo",
      });
      await git(source.path, "update-index", "--chmod=+x", "run.sh");
      await git(source.path, "commit", "-q", "-m", "Make it executable");
      const project = newProjectId();
      await store.import(project, { source: source.path, branch: null });
      const main = (await store.resolve(project, "refs/heads/main"))!;
      const tree = await store.snapshot(project, {
        base: main,
        edits: [
          { path: "d/e/c.md", content: null },
          { path: "d/new page.md", content: text("new") },
          { path: "run.sh", content: text("echo 2") },
          { path: "x/y/z.md", content: text("z") },
          { path: "gone.md", content: null },
        ],
      });
      expect((await gitTree(project, tree)).map((line) => line.replace(/ [0-9a-f]{40}\t/, " "))).toEqual([
        "100644 blob a.md",
        "100644 blob d/b.md",
        "100644 blob d/new page.md",
        "100755 blob run.sh",
        "100644 blob x/y/z.md",
      ]);
      const write = () =>
        store.commit(project, { tree, parents: [main], message: "Edit\n\nWhy.\n\nJob: 1\n", author, at });
      const commit = await write();
      expect(await write()).toBe(commit);
      const shown = await git(store.directory(project), "show", "-s", "--format=%an|%ae|%cn|%aI|%s|%b", commit);
      expect(shown.trim()).toBe("Docent|docent@example.com|Docent|2026-03-04T05:06:07+00:00|Edit|Why.\n\nJob: 1");
      expect(await fsck(project)).not.toMatch(/error|missing|warning/);
    });

    it.each(LONG_TESTS ? [1, 24, 25, 400] : [1, 24, 25])("stores %i files that pass git fsck", async (count) => {
      const { project, main } = await importFiles({ "index.md": "x" });
      const edits = Array.from({ length: count }, (_, index) => ({
        path: `pages/${index % 7}/${index}.md`,
        content: text(`${index} `.repeat(index * index)),
      }));
      const tree = await store.snapshot(project, { base: main, edits });
      expect(await store.snapshot(project, { base: main, edits })).toBe(tree);
      const commit = await store.commit(project, { tree, parents: [main], message: "Many", author, at });
      await store.updateRef(project, { ref: "refs/heads/many", to: commit, expected: null });
      expect(await fsck(project)).not.toMatch(/error|missing|corrupt|warning/);
      const files = (await store.tree(project, commit)).filter((file) => file.path !== "index.md");
      expect(files).toHaveLength(count);
      const contents = await store.readBlobs(
        project,
        files.map((file) => file.oid),
      );
      const byPath = new Map(edits.map((edit) => [edit.path, edit.content]));
      expect(files.every((file, index) => contents[index]?.equals(byPath.get(file.path)!))).toBe(true);
      const packs = await readdir(path.join(store.directory(project), "objects/pack"));
      for (const pack of packs.filter((name) => name.endsWith(".idx"))) {
        await git(store.directory(project), "verify-pack", `objects/pack/${pack}`);
      }
    });

    it("builds the first commit of an empty repository", async () => {
      const project = newProjectId();
      await store.create(project, { branch: "main" });
      const tree = await store.snapshot(project, {
        base: EMPTY_TREE,
        edits: [{ path: "index.md", content: text("x") }],
      });
      const commit = await store.commit(project, { tree, parents: [], message: "Start", author, at });
      expect(await store.updateRef(project, { ref: "refs/heads/main", to: commit, expected: null })).toBe(true);
      expect(await store.resolve(project, "HEAD")).toBe(commit);
      const empty = await store.snapshot(project, { base: commit, edits: [{ path: "index.md", content: null }] });
      expect(empty).toBe(EMPTY_TREE);
      expect(await store.tree(project, empty)).toEqual([]);
    });

    it("replaces a folder by a file, and a file by a folder, if the edits remove the old one", async () => {
      const { project, main } = await importFiles({ "a/x.md": "1", b: "2" });
      const tree = await store.snapshot(project, {
        base: main,
        edits: [
          { path: "a/x.md", content: null },
          { path: "a", content: text("file") },
          { path: "b", content: null },
          { path: "b/y.md", content: text("page") },
        ],
      });
      expect((await store.tree(project, tree)).map((file) => file.path)).toEqual(["a", "b/y.md"]);
    });

    describe("forbidden paths", () => {
      let project: ProjectId;
      let main: string;
      beforeAll(async () => {
        await using source = await createTestRepository({
          "index.md": "x",
          "folder/page.md": "y",
          link: { linkTo: "/etc" },
        });
        const commit = (await git(source.path, "rev-parse", "HEAD")).trim();
        await git(source.path, "update-index", "--add", "--cacheinfo", `160000,${commit},module`);
        await git(source.path, "commit", "-q", "-m", "Add a module");
        project = newProjectId();
        await store.import(project, { source: source.path, branch: null });
        main = (await store.resolve(project, "refs/heads/main"))!;
      });

      it.each([
        ["../x", "out of the tree"],
        ["a/../../x", "out of the tree"],
        ["/etc/passwd", "absolute"],
        [".git/config", "git's own"],
        [".GIT/config", "git's own on another system"],
        [".g\u200cit/config", "git's own on another system"],
        ["git~1/config", "git's own by its short name"],
        [".git::$INDEX_ALLOCATION/config", "git's own as a stream"],
        ["docs/.gitmodules", "triggers git"],
        [".github/workflows/x.yml", "triggers the code host"],
        ["a//b", "empty part"],
        ["", "empty"],
        ["a\0b", "NUL"],
        ["con.md", "reserved"],
        ["page .", "trailing dot"],
        ["new\nline.md", "control character"],
        ["e\u0301.md", "not normalised"],
        ["a".repeat(401), "too long"],
        ["link", "a link is there"],
        ["link/x.md", "through a link"],
        ["module", "a submodule is there"],
        ["index.md/x", "through a file"],
        ["folder", "a folder remains"],
      ])("refuses to write %j (%s)", async (name) => {
        const edits = [{ path: name, content: text("x") }];
        await expect(store.snapshot(project, { base: main, edits })).rejects.toMatchObject({ code: "invalid" });
      });
    });

    it("edits an existing file whose name is forbidden for new files", async () => {
      const { project, main } = await importFiles({ 'what?/"why".md': "old", "e\u0301.md": "old" });
      const tree = await store.snapshot(project, {
        base: main,
        edits: [
          { path: 'what?/"why".md', content: text("new") },
          { path: "e\u0301.md", content: text("new") },
        ],
      });
      const files = await store.tree(project, tree);
      expect(
        (
          await store.readBlobs(
            project,
            files.map((file) => file.oid),
          )
        ).map(String),
      ).toEqual(["new", "new"]);
    });

    it("preserves names that are not UTF-8", async () => {
      await using source = await createTestRepository({ "index.md": "x" });
      const script = `printf 'bad' > "$(printf 'caf\\351.md')" && git add -A && git commit -q -m Bad`;
      const env = {
        ...process.env,
        GIT_AUTHOR_NAME: "A",
        GIT_AUTHOR_EMAIL: "a@b",
        GIT_COMMITTER_NAME: "A",
        GIT_COMMITTER_EMAIL: "a@b",
      };
      await promisify(execFile)("sh", ["-c", script], { cwd: source.path, env });
      const project = newProjectId();
      await store.import(project, { source: source.path, branch: null });
      const main = (await store.resolve(project, "refs/heads/main"))!;
      const tree = await store.snapshot(project, { base: main, edits: [{ path: "index.md", content: text("y") }] });
      const changed = await git(store.directory(project), "diff-tree", "-r", "--name-only", main, tree);
      expect(changed).toBe("index.md\n");
    });

    it("produces the same tree as git for any edits", async () => {
      const { project, main } = await importFiles({ "a/b.md": "1", "a/c/d.md": "2", "e.md": "3", "f/g.md": "4" });
      const directory = store.directory(project);
      const names = fc.constantFrom(
        "a/b.md",
        "a/c/d.md",
        "a/c/n.md",
        "e.md",
        "f/g.md",
        "f/h/i.md",
        "a.md",
        "a-b.md",
        "z/é.md",
      );
      const edit = fc.record({ path: names, content: fc.option(fc.string(), { nil: null }) });
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(edit, { selector: (item) => item.path, maxLength: 6 }), async (edits) => {
          const tree = await store.snapshot(project, {
            base: main,
            edits: edits.map(({ path: name, content }) => ({
              path: name,
              content: content === null ? null : text(content),
            })),
          });
          const blobs = new Map(
            (await gitTree(project, main)).map((line) => [line.split("\t")[1]!, line.split(/[ \t]/)[2]!]),
          );
          for (const { path: name, content } of edits) {
            if (content === null) blobs.delete(name);
            else blobs.set(name, (await gitWithInput(directory, content, "hash-object", "-w", "--stdin")).trim());
          }
          const index = [...blobs].map(([name, oid]) => `100644 ${oid}\t${name}\0`).join("");
          const indexFile = path.join(root.path, `index-${newProjectId()}`);
          await gitWithInput(directory, index, "update-index", "-z", "--index-info", indexFile);
          expect(tree).toBe((await gitWithInput(directory, "", "write-tree", indexFile)).trim());
        }),
        { numRuns: LONG_TESTS ? 15 : 5 },
      );
    });
  });

  describe("references", () => {
    it("moves a reference only from its expected value", async () => {
      const { project, main } = await importFiles({ "index.md": "x" });
      const other = await store.commit(project, { tree: EMPTY_TREE, parents: [main], message: "Other", author, at });
      const ref = "refs/heads/agent/one";
      expect(await store.updateRef(project, { ref, to: main, expected: other })).toBe(false);
      expect(await store.updateRef(project, { ref, to: main, expected: null })).toBe(true);
      expect(await store.updateRef(project, { ref, to: other, expected: null })).toBe(false);
      expect(await store.updateRef(project, { ref, to: other, expected: main })).toBe(true);
      expect(await store.updateRef(project, { ref, to: null, expected: main })).toBe(false);
      expect(await store.updateRef(project, { ref, to: null, expected: other })).toBe(true);
      expect(await store.resolve(project, ref)).toBeNull();
    });

    it("lets one of many concurrent writers win", async () => {
      const { project, main } = await importFiles({ "index.md": "x" });
      const commits = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          store.commit(project, { tree: EMPTY_TREE, parents: [main], message: `Commit ${index}`, author, at }),
        ),
      );
      const outcomes = await Promise.all(
        commits.map((to) => store.updateRef(project, { ref: "refs/heads/main", to, expected: main })),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await store.resolve(project, "refs/heads/main")).toBe(commits[outcomes.indexOf(true)]);
    });

    it("moves several references or none", async () => {
      const { project, main } = await importFiles({ "index.md": "x" });
      const one = { ref: "refs/heads/one", to: main, expected: null };
      const two = { ref: "refs/heads/two", to: main, expected: main };
      expect(await store.updateRefs(project, [one, two])).toBe(false);
      expect(await store.resolve(project, one.ref)).toBeNull();
      expect(await store.updateRefs(project, [one, { ...two, expected: null }])).toBe(true);
    });

    it("throws conflict if another branch prevents the name", async () => {
      const { project, main } = await importFiles({ "index.md": "x" });
      const update = { ref: "refs/heads/main/sub", to: main, expected: null };
      await expect(store.updateRef(project, update)).rejects.toMatchObject({ code: "conflict" });
    });

    it("removes the lock of a git process that died", async () => {
      const { project, main } = await importFiles({ "index.md": "x" });
      const lock = path.join(store.directory(project), "refs/heads/stuck.lock");
      await writeFile(lock, "");
      await utimes(lock, new Date(0), new Date(0));
      expect(await store.updateRef(project, { ref: "refs/heads/stuck", to: main, expected: null })).toBe(true);
    });

    it("refuses a name that git rejects", async () => {
      const { project, main } = await importFiles({ "index.md": "x" });
      for (const ref of ["refs/heads/a..b", "main", "../HEAD"]) {
        const update = store.updateRef(project, { ref, to: main, expected: null });
        await expect(update).rejects.toMatchObject({ code: "invalid" });
      }
    });
  });

  describe("comparing", () => {
    it("distinguishes added, modified, removed, renamed and binary files", async () => {
      await using source = await createTestRepository({
        "same name.md": "one\ntwo\nthree\n",
        "old.md": "a long enough text\nto be recognised\nafter a move\n",
        "gone.md": "x\n",
      });
      const base = (await git(source.path, "rev-parse", "HEAD")).trim();
      const head = await commitFiles(
        source.path,
        {
          "same name.md": "one\n2\nthree\nfour\n",
          "old.md": null,
          "dir/new\nplace.md": "a long enough text\nto be recognised\nafter a move\n",
          "gone.md": null,
          "logo.png": new Uint8Array([0, 1, 2, 0]),
        },
        "Change",
      );
      const project = newProjectId();
      await store.import(project, { source: source.path, branch: null });
      expect(await store.changes(project, base, head)).toEqual([
        { status: "renamed", path: "dir/new\nplace.md", oldPath: "old.md", additions: 0, deletions: 0 },
        { status: "removed", path: "gone.md", oldPath: null, additions: 0, deletions: 1 },
        { status: "added", path: "logo.png", oldPath: null, additions: null, deletions: null },
        { status: "modified", path: "same name.md", oldPath: null, additions: 2, deletions: 1 },
      ]);
      const patch = await store.patch(project, { base, head, paths: ["same name.md"] });
      expect(patch).toContain("-two\n+2\n");
      expect(patch).not.toContain("gone.md");
      await expect(store.patch(project, { base, head, maxBytes: 20 })).rejects.toMatchObject({ code: "too_large" });
    });

    it("puts the heading above a change into the hunk's header", async () => {
      const page = `# Guide\n\n## Set up\n\n${"Some text here.\n".repeat(9)}last\n`;
      const { project, main } = await importFiles({ "guide.mdx": page });
      const edits = [{ path: "guide.mdx", content: text(page.replace("last", "end")) }];
      const head = await store.snapshot(project, { base: main, edits });
      expect(await store.patch(project, { base: main, head })).toMatch(/^@@ .* @@ ## Set up$/m);
    });

    it("finds the merge base and the commits since, in linear histories and across merges", async () => {
      await using source = await createTestRepository({ "index.md": "1" });
      const base = (await git(source.path, "rev-parse", "HEAD")).trim();
      await git(source.path, "checkout", "-q", "-b", "side");
      const side = await commitFiles(source.path, { "side.md": "s" }, "Side\n\nBody text.\n\nReviewed-by: Ada\nJob: 7");
      await git(source.path, "checkout", "-q", "main");
      const main = await commitFiles(source.path, { "main.md": "m" }, "Main");
      await git(source.path, "merge", "-q", "--no-ff", "-m", "Merge", "side");
      const merged = (await git(source.path, "rev-parse", "HEAD")).trim();
      const project = newProjectId();
      await store.import(project, { source: source.path, branch: null });
      expect(await store.mergeBase(project, base, side)).toBe(base);
      expect(await store.mergeBase(project, side, base)).toBe(base);
      expect(await store.mergeBase(project, side, main)).toBe(base);
      expect(await store.mergeBase(project, side, merged)).toBe(side);
      expect(await store.log(project, { base, head: side, limit: 5 })).toEqual([
        {
          id: side,
          tree: (await git(source.path, "rev-parse", `${side}^{tree}`)).trim(),
          parents: [base],
          subject: "Side",
          body: "Body text.",
          trailers: { "Reviewed-by": "Ada", Job: "7" },
          author: { name: "Ada Writer", email: "ada@example.com" },
          authoredAt: new Date("2026-01-02T03:04:05Z"),
        },
      ]);
      const all = await store.log(project, { base: null, head: merged, limit: 10 });
      expect(all.map((commit) => commit.subject).sort()).toEqual(["Initial content", "Main", "Merge", "Side"]);
      expect(await store.log(project, { base: null, head: merged, limit: 1 })).toHaveLength(1);
    });

    it("merges commits, or lists the files that conflict", async () => {
      const { project, main } = await importFiles({ "a.md": "1\n2\n3\n", "b.md": "b\n" });
      const change = async (edits: Record<string, string>) => {
        const tree = await store.snapshot(project, {
          base: main,
          edits: Object.entries(edits).map(([name, content]) => ({ path: name, content: text(content) })),
        });
        return store.commit(project, { tree, parents: [main], message: "Change", author, at });
      };
      const ours = await change({ "a.md": "1\n2\nours\n" });
      const apart = await change({ "b.md": "theirs\n" });
      const clash = await change({ "a.md": "1\n2\ntheirs\n" });
      const merged = await store.mergeTrees(project, { ours, theirs: apart });
      expect(merged.ok && (await store.tree(project, merged.tree)).length).toBe(2);
      expect(await store.mergeTrees(project, { ours, theirs: clash })).toEqual({ ok: false, conflicts: ["a.md"] });
    });
  });

  it("finishes an interrupted removal of a repository, and leaves other repositories alone", async () => {
    const folder = path.join(root.path, "repositories");
    const [project, other] = [newProjectId(), newProjectId()];
    for (const id of [project, other]) {
      await store.create(id, { branch: "main" });
      const aside = path.join(folder, `.aside-${id}`);
      await mkdir(aside);
      const [name] = (await readdir(folder)).filter((one) => one.startsWith(id));
      await rename(path.join(folder, name!), path.join(aside, name!));
    }
    await store.remove(project);
    const names = await readdir(folder);
    expect([names.includes(`.aside-${project}`), names.includes(`.aside-${other}`)]).toEqual([false, true]);
  });

  it("removes a repository, and a new one for the same project starts empty", async () => {
    const { project, main } = await importFiles({ "index.md": "x" });
    await store.remove(project);
    expect(await store.exists(project)).toBe(false);
    await store.create(project, { branch: "main" });
    expect(await store.resolve(project, main)).toBeNull();
  });

  it("packs accumulated objects and loses none, not even unreachable ones", async () => {
    const { project, main } = await importFiles({ "index.md": "x" });
    expect(await store.maintain(project)).toBe(false);
    const loose = await store.snapshot(project, { base: main, edits: [{ path: "loose.md", content: text("loose") }] });
    let packed = "";
    for (let round = 0; round < 41; round++) {
      const edits = Array.from({ length: 25 }, (_, index) => ({
        path: `${index}.md`,
        content: text(`${round} ${index}`),
      }));
      packed = await store.snapshot(project, { base: main, edits });
    }
    expect(await store.maintain(project)).toBe(true);
    expect(await store.maintain(project)).toBe(false);
    await using fresh = createRepoStore({ root: path.dirname(store.directory(project)), logger: silentLogger });
    for (const tree of [loose, packed]) {
      const files = await fresh.tree(project, tree);
      const oids = files.map((file) => file.oid);
      expect(await fresh.readBlobs(project, oids)).toHaveLength(files.length);
    }
    expect(await store.updateRef(project, { ref: "refs/heads/main", to: null, expected: main })).toBe(true);
  });

  it("accepts no project id that leads out of its folder", () => {
    expect(() => store.directory("../x" as ProjectId)).toThrow("not a project id");
  });

  it("does not follow a symbolic link in a repository", async () => {
    await using source = await createTestRepository({ "index.md": "x" });
    await symlink("/etc/passwd", path.join(source.path, "passwd.md"));
    await git(source.path, "add", "-A");
    await git(source.path, "commit", "-q", "-m", "Link");
    const project = newProjectId();
    await store.import(project, { source: source.path, branch: null });
    const files = await store.tree(project, (await store.resolve(project, "refs/heads/main"))!);
    expect(files.find((file) => file.path === "passwd.md")?.mode).toBe("120000");
  });
}
