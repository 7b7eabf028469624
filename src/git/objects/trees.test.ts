import { execFile } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDirectory, git } from "#testing/repositories.ts";
import { createObjectReader, type ObjectReader } from "./object-reader.ts";
import { EMPTY_TREE } from "./objects.ts";
import { DEFAULT_GIT_ENVIRONMENT } from "#git/process/runner.ts";
import { TREE_LIMITS } from "./tree-walk.ts";
import { createTrees } from "./trees.ts";

let directory: string;
let reader: ObjectReader;
let blob: string;
const made = new AsyncDisposableStack();

beforeAll(async () => {
  const root = made.use(await createTestDirectory());
  directory = path.join(root.path, "bare.git");
  await git(root.path, "init", "--bare", "-q", directory);
  reader = createObjectReader({ directory, environment: DEFAULT_GIT_ENVIRONMENT });
  made.defer(() => reader.close());
  blob = await stored(["hash-object", "-w", "--stdin"], "# Page\n");
});
afterAll(() => made.disposeAsync());

/** Output of a git command that stores an object. */
function stored(args: string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, GIT_DIR: directory };
    const child = execFile("git", args, { cwd: directory, env: environment }, (error, stdout) =>
      error ? reject(error as Error) : resolve(stdout.trim()),
    );
    child.stdin?.end(input);
  });
}

type Content = { [name: string]: Content | "file" };
const treeOf = async (content: Content): Promise<string> => {
  const lines = [];
  for (const [name, node] of Object.entries(content)) {
    lines.push(node === "file" ? `100644 blob ${blob}\t${name}\n` : `040000 tree ${await treeOf(node)}\t${name}\n`);
  }
  return stored(["mktree"], lines.join(""));
};

/** Each level contains the level below ten times. */
const stackOf = async (levels: number, bottom: string): Promise<string> => {
  let tree = bottom;
  for (let level = 0; level < levels; level++) {
    tree = await stored(
      ["mktree"],
      Array.from({ length: 10 }, (_, index) => `040000 tree ${tree}\td${index}\n`).join(""),
    );
  }
  return tree;
};

const listing = (tree: string, limits: Partial<typeof TREE_LIMITS> = {}) =>
  createTrees({ ...TREE_LIMITS, ...limits }).list(reader, tree);
const isListed = (tree: string, limits: Partial<typeof TREE_LIMITS>): Promise<boolean | string> =>
  listing(tree, limits).then(
    () => true,
    (error: { code: string }) => error.code,
  );

describe("a listing", () => {
  it("is limited in folders, even without any file: twelve levels of ten folders over the empty tree", async () => {
    await stored(["hash-object", "-t", "tree", "-w", "--stdin"], "");
    await expect(listing(await stackOf(12, EMPTY_TREE))).rejects.toMatchObject({
      code: "too_large",
      message: "The repository has more than 50,000 folders. Docent reads no repository like that.",
    });
  });

  it("is limited in files: six levels of ten", async () => {
    const ten = await treeOf(Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`p${index}.md`, "file"])));
    await expect(listing(await stackOf(5, ten), { folders: 1e9 })).rejects.toMatchObject({
      code: "too_large",
      message: "The repository has more than 100,000 files. Docent reads no repository like that.",
    });
  });

  it("is accepted at exactly its limits and refused beyond them", async () => {
    const tree = await treeOf({ a: { b: { "one.md": "file", "two.md": "file" } }, c: { "three.md": "file" } });
    const paths = ["a", "a/b", "a/b/one.md", "a/b/two.md", "c", "c/three.md"];
    const characters = paths.join("").length;
    const sizes = await Promise.all(
      [tree, ...["a", "a/b", "c"].map((below) => `${tree}:${below}`)].map((name) =>
        git(directory, "cat-file", "-s", name),
      ),
    );
    const bytes = sizes.reduce((sum, size) => sum + Number(size), 0);
    expect(await isListed(tree, { files: 3, folders: 3, depth: 2, treeBytes: bytes, pathCharacters: characters })).toBe(
      true,
    );
    expect(await isListed(tree, { files: 2 })).toBe("too_large");
    expect(await isListed(tree, { folders: 2 })).toBe("too_large");
    expect(await isListed(tree, { depth: 1 })).toBe("too_large");
    expect(await isListed(tree, { treeBytes: bytes - 1 })).toBe("too_large");
    expect(await isListed(tree, { pathCharacters: characters - 1 })).toBe("too_large");
  });

  it("counts a folder that occurs in several places each time", async () => {
    const same = { "one.md": "file" } as const;
    expect(await isListed(await treeOf({ a: same, b: same, c: same }), { folders: 3 })).toBe(true);
    expect(await isListed(await treeOf({ a: same, b: same, c: same }), { folders: 2 })).toBe("too_large");
    expect(await isListed(await treeOf({ a: { b: { c: same } }, d: same }), { depth: 3 })).toBe(true);
    expect(await isListed(await treeOf({ a: { b: { c: same } }, d: same }), { depth: 2 })).toBe("too_large");
  });

  it("that was refused is refused again without reading anything", async () => {
    const trees = createTrees({ ...TREE_LIMITS, files: 1 });
    const tree = await treeOf({ "one.md": "file", "two.md": "file" });
    const refusal: unknown = await trees.list(reader, tree).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "too_large" });
    const unreadable: ObjectReader = {
      headers: () => Promise.reject(new Error("read")),
      objects: () => Promise.reject(new Error("read")),
      closed: false,
      close: () => Promise.resolve(),
    };
    // The same error object: the tree was not walked again either.
    await expect(trees.list(unreadable, tree)).rejects.toBe(refusal);
  });
});
