import { exec } from "node:child_process";
import { chmod, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { git } from "#testing/repositories.ts";
import { runDocent } from "#test/support/commands.ts";
import { createTestInstance, type TestInstance } from "#test/support/instance.ts";
import { loggedServer } from "#test/support/logged-server.ts";

// Long enough to be read in several pieces.
const LONG = Array.from({ length: 2_000 }, (_, line) => `Line ${line} of the guide.`).join("\n");
const FILES = {
  "docs.json": JSON.stringify({ name: "Docs", navigation: { pages: ["index", "guide", "other"] } }),
  "index.md": "# Start\n\n[Guide](guide.md)\n",
  "guide.md": `# Guide\n\n${LONG}\n`,
  "other.md": "# Other\n\nStill here.\n",
};

/** Stores the object of a file on its own, and returns where. */
async function objectOf({ repoStore, project }: TestInstance, file: string): Promise<string> {
  const repository = repoStore.directory(project.id);
  const packs = path.join(repository, "objects", "pack");
  for (const name of (await readdir(packs)).filter((each) => each.endsWith(".pack"))) {
    await rename(path.join(packs, name), path.join(repository, "whole.pack"));
    await rm(path.join(packs, name.replace(/pack$/, "idx")));
    await promisify(exec)("git unpack-objects -q < whole.pack", { cwd: repository });
  }
  const oid = (await git(repository, "rev-parse", `main:${file}`)).trim();
  const object = path.join(repository, "objects", oid.slice(0, 2), oid.slice(2));
  await chmod(object, 0o600);
  return object;
}

const setContentRoot = ({ data, project }: TestInstance, folder: string) =>
  runDocent(["projects", "set", project.slug, "contentRoot", folder, "--data", data]);

const doctor = async ({ data }: TestInstance) => (await runDocent(["doctor", "--data", data])).stdout;
const UNREADABLE = "guide.md cannot be read: its content is missing from the repository, or damaged.";

it.each<[name: string, damage: (object: string) => Promise<void>]>([
  ["is missing", (object) => rm(object)],
  ["is empty", (object) => writeFile(object, "")],
  ["is cut", async (object) => writeFile(object, (await readFile(object)).subarray(0, 300))],
  ["has other bytes", async (object) => writeFile(object, (await readFile(object)).fill(0x58, 1_000, 1_010))],
])(
  "a page whose object %s is named, and the other pages are served",
  async (_, damage) => {
    await using instance = await createTestInstance("sqlite", FILES);
    const object = await objectOf(instance, "guide.md");
    const whole = await readFile(object);
    await damage(object);
    expect(await doctor(instance)).toMatch(/1 file of its site cannot be read: guide\.md/);
    await using served = await loggedServer(instance);
    const pages = await Promise.all(["/", "/guide", "/other", "/guide", "/guide.md"].map(served.page));
    expect(pages.map(({ status }) => status)).toEqual([200, 503, 200, 503, 503]);
    expect(pages[1]!.body).toContain(UNREADABLE);
    expect(await served.dashboard("")).toContain(UNREADABLE);
    expect(served.log()).toContain('"files":"guide.md"');
    await expect.poll(() => served.dashboard("/deployments/1"), { timeout: 20_000 }).toContain(UNREADABLE);
    await writeFile(object, whole);
    expect((await served.page("/guide")).status).toBe(200);
    expect(await served.dashboard("")).not.toContain("cannot be read");
  },
  60_000,
);

it("a site whose configuration is damaged is not called live, and the file is named", async () => {
  await using instance = await createTestInstance("sqlite", FILES);
  await writeFile(await objectOf(instance, "docs.json"), "");
  await using served = await loggedServer(instance);
  expect(await served.page("/")).toMatchObject({
    status: 503,
    body: expect.stringContaining("docs.json cannot be read") as unknown,
  });
  const overview = await served.dashboard("");
  expect(overview).toContain(
    "Readers get no page of this site. The site cannot be read at the moment. docs.json cannot",
  );
  expect(overview).toContain("<dt>Live</dt> <dd>no: the site cannot be shown</dd>");
  expect(await doctor(instance)).toMatch(/problem.*docs\.json/);
});

it("a folder for the pages that does not exist is named where an owner looks", async () => {
  await using instance = await createTestInstance("sqlite", FILES);
  await using served = await loggedServer(instance);
  expect((await served.page("/other")).status).toBe(200);
  await setContentRoot(instance, "nowhere");
  // Another process wrote it: the server reads it a moment later.
  await expect.poll(async () => (await served.page("/other")).status).toBe(404);
  const overview = await served.dashboard("");
  expect(overview).toContain("Readers get no page of this site. The folder &quot;nowhere&quot; has no pages.");
  expect(overview).toContain("<dt>Live</dt> <dd>no: the site cannot be shown</dd>");
  expect(await doctor(instance)).toMatch(/problem.*has no folder nowhere on main, which its setting contentRoot names/);
  await setContentRoot(instance, "../other");
  expect(await doctor(instance)).toMatch(/problem.*has no folder \.\.\/other on main/);
});

it("a folder for the pages that is written with slashes around it is found", async () => {
  await using instance = await createTestInstance("sqlite", { "guides/a.md": "# A\n" });
  await setContentRoot(instance, "/guides/");
  await using served = await loggedServer(instance);
  expect((await served.page("/a")).status).toBe(200);
  expect(await doctor(instance)).not.toMatch(/has no folder|problem +repositories/);
});
