import { describe, expect, test } from "vitest";
import { judge, type TestFiles } from "#testing/judged-change.ts";

const CONFIG = JSON.stringify({ name: "Docs", navigation: { pages: ["index"] } });
const BASE: TestFiles = {
  "README.md": "# Program\n",
  "notes/private.md": "# Private\n",
  "src/prices.json": '{"password": "plainvalue"}\n',
  "docs/docs.json": CONFIG,
  "docs/index.md": "# Start\n",
  "docs/_drafts/next.md": "# Next\n",
};

async function policyOf(base: TestFiles, change: TestFiles, removed: string[] = []): Promise<string[]> {
  const after = Object.fromEntries(Object.entries({ ...base, ...change }).filter(([path]) => !removed.includes(path)));
  const { errors } = await judge(base, after, { prompts: ["Delete docs/docs.json, move the site."] });
  return errors.filter(({ check }) => check === "policy").map(({ message }) => message);
}

describe("the site stays in its folder regardless of instructions", () => {
  test.each<[string, TestFiles, string[], RegExp]>([
    ["its configuration is deleted", {}, ["docs/docs.json"], /would be gone/],
    ["its configuration moves down", { "docs/own/docs.json": CONFIG }, ["docs/docs.json"], /would give way/],
    ["its configuration moves up", { "docs.json": CONFIG }, [], /would give way/],
  ])("%s", async (_name, change, removed, message) => {
    expect(await policyOf(BASE, change, removed)).toContainEqual(expect.stringMatching(message));
  });

  test("even if another configuration replaces its own", async () => {
    const base: TestFiles = { ...BASE, "docs/docs.json": "", "docs/mint.json": CONFIG };
    expect(await policyOf(base, { "docs/docs.json": CONFIG })).toContainEqual(expect.stringMatching(/would give way/));
  });

  test("a first configuration must not publish files that were not on the site", async () => {
    const base: TestFiles = { "README.md": "# Program\n", "src/a.js": "id()\n" };
    const found = await policyOf(base, { "docs.json": JSON.stringify({ navigation: { pages: ["README"] } }) });
    expect(found).toContainEqual(expect.stringMatching(/would be published: src\/a\.js/));
  });
});

describe("the chore that moves a site to a docs.json", () => {
  const base: TestFiles = {
    "mkdocs.yml": "site_name: T\n",
    "docs/index.md": "# A\n",
    "docs/b.txt": "b",
    "lib/c.js": "c()",
  };
  const moved = async (movesSite: boolean, change: TestFiles) => {
    const { errors } = await judge(base, { ...base, ...change }, { movesSite });
    return errors.map(({ message }) => message).join("\n");
  };

  test("may choose another tool and a folder within that of the site", async () => {
    expect(await moved(false, { "docs/docs.json": CONFIG })).toMatch(/only people choose another tool/);
    expect(await moved(true, { "docs/docs.json": CONFIG })).toBe("");
  });

  test("must not publish other files", async () => {
    expect(await moved(true, { "docs.json": CONFIG })).toMatch(/would be published: lib\/c\.js/);
  });
});

describe("newly published files", () => {
  test("publishing an existing page is shown to the reviewer", async () => {
    const navigation = JSON.stringify({ name: "Docs", navigation: { pages: ["index", "_drafts/next"] } });
    const { warnings } = await judge(BASE, { ...BASE, "docs/docs.json": navigation });
    expect(warnings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/would be published: docs\/_drafts\/next\.md/),
    );
  });

  test("a file outside the docs must not be included by $ref, unless it already was", async () => {
    const taking = (name: string) =>
      JSON.stringify({ ...JSON.parse(CONFIG), name, variables: { $ref: "/src/prices.json" } });
    expect(await policyOf(BASE, { "docs/docs.json": taking("Docs") })).toContainEqual(
      expect.stringMatching(/outside of the docs/),
    );
    expect(await policyOf({ ...BASE, "docs/docs.json": taking("Docs") }, { "docs/docs.json": taking("New") })).toEqual(
      [],
    );
  });
});

test("a file with credentials must not be included by $ref, and is not quoted", async () => {
  const base = { ...BASE, "docs/guides/credentials.json": '{"light": "https://user:plainvalue@host.invalid/x"}\n' };
  const config = JSON.stringify({ ...JSON.parse(CONFIG), logo: { $ref: "guides/credentials.json" } });
  const { errors } = await judge(base, { ...base, "docs/docs.json": config });
  expect(errors.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/holds credentials: it is not read/),
  );
  expect(JSON.stringify(errors)).not.toMatch(/plainvalue|host\.invalid/);
});
