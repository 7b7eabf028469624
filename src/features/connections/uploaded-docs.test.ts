import { zipSync } from "fflate";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findProjectBySlug } from "#features/projects/projects.ts";
import { browse, type Browsing } from "#testing/browsing.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { filesOfZip } from "./uploaded-docs.ts";

let app: TestApp;
let owner: Browsing;

beforeAll(async () => {
  app = await createTestApp("sqlite");
  owner = await browseAs(app, await makePerson(app, { isOwner: true }));
});
beforeEach(async () => {
  await owner.get("/-/new");
});
afterAll(() => app[Symbol.asyncDispose]());

const bytes = (content: string) => new TextEncoder().encode(content);
const zip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, content]) => [path, bytes(content)])));
const LINK = { os: 3, attrs: 0o120777 * 2 ** 16 };
const upload = (name: string, content: Uint8Array) =>
  owner.upload("/-/new/upload", { name, file: new File([new Uint8Array(content)], "docs.zip") });

/** Paths in the newest commit of a project. */
async function pathsOf(slug: string): Promise<string[]> {
  const project = (await findProjectBySlug(app, slug))!;
  const commit = (await app.repoStore.resolve(project.id, `refs/heads/${project.branch}`))!;
  return (await app.repoStore.tree(project.id, commit)).map(({ path }) => path);
}

describe("a new project", () => {
  it("contains the files of a ZIP, without its top folder, system files and files that change the behavior of git", async () => {
    const left = Object.fromEntries([".git/config", ".gitmodules", "guides/.gitattributes", ".DS_Store"].map((name) => [`acme/${name}`, "x"])); // oxfmt-ignore
    const content = zip({ "acme/index.mdx": "# Acme", "acme/guides/a.mdx": "# A", ...left });
    expect(await upload("Acme docs", content)).toMatchObject({ status: 303, location: "/acme-docs" });
    expect(await pathsOf("acme-docs")).toEqual(["guides/a.mdx", "index.mdx"]);
  });

  it("shows an error in the form if an upload is too large", async () => {
    const { status, text } = await upload("Large docs", new Uint8Array(65 * 1024 * 1024));
    expect(status).toBe(413);
    expect(text).toContain("The upload is too large: the files may have at most 64 MB together.");
    expect(text).toContain('name="file"');
  });

  it("contains the example, or nothing", async () => {
    expect((await owner.post("/-/new/example", { name: "Example" })).location).toBe("/example");
    expect(await pathsOf("example")).toContain("docs.json");
    await owner.get("/-/new");
    expect((await owner.post("/-/new/empty", { name: "Empty" })).location).toBe("/empty");
    expect((await owner.get("/empty")).status).toBe(200);
  });

  it.each([
    ["no ZIP file", "No zip", bytes("PK or not"), "not a ZIP file"],
    ["an empty ZIP file", "No files", zipSync({}), "holds no files"],
    ["a path that leaves the folder", "Outside", zip({ "../evil.mdx": "x", "b.mdx": "y" }), "must not contain"],
    ["a name that is taken", "Harbor docs", zip({ "index.mdx": "x" }), "harbor-docs"],
    [
      "a symbolic link",
      "Linked",
      zipSync({ "index.mdx": bytes("x"), "CLAUDE.md": [bytes("AGENTS.md"), LINK] }),
      "cannot keep: CLAUDE.md.",
    ],
    ["no name", " ", zip({ "index.mdx": "x" }), "name"],
  ])("is refused for %s, and nothing is left behind", async (_name, name, content, problem) => {
    const before = await app.database.kysely.selectFrom("project").select("slug").execute();
    const answer = await upload(name, content);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).toContain(problem);
    expect(await app.database.kysely.selectFrom("project").select("slug").execute()).toEqual(before);
  });

  it("can be copied only from an https URL that this server may access", async () => {
    for (const url of ["http://example.com/a.git", "file:///etc", "https://127.0.0.1/a.git", "/etc"]) {
      const answer = await owner.post("/-/new/git", { name: "Copied", url });
      expect([url, answer.status]).toEqual([url, 400]);
      await owner.get("/-/new");
    }
  });

  it("rejects forms without permission or from another site", async () => {
    const stranger = await browse(app, null);
    expect((await stranger.post("/-/new/empty", { name: "Mine" })).status).toBe(401);
    expect((await owner.post("/-/new/empty", { name: "Mine", csrf: "wrong" })).status).toBe(403);
  });
});

it("limits a file in a ZIP to its declared size, and rejects files that declare too much", () => {
  const honest = zip({ "a.mdx": "x".repeat(1_000_000) });
  const lying = Uint8Array.from(honest);
  const view = new DataView(lying.buffer);
  // Offset of the size in the central directory, after its signature PK\x01\x02.
  const at = lying.findIndex((_, index) => view.byteLength - index >= 4 && view.getUint32(index, true) === 0x02014b50);
  view.setUint32(at + 24, 10, true);
  const sizeOf = () => [...filesOfZip(lying).values()].reduce((sum, file) => sum + file.length, 0);
  expect(sizeOf()).toBe(10);
  view.setUint32(at + 24, 300 * 1024 * 1024, true);
  expect(() => filesOfZip(lying)).toThrow("more than 256 MiB");
});
