import { afterAll, beforeAll, expect, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createTestRepository, git } from "#testing/repositories.ts";
import { type BombedServer, startBombedServer } from "#test/support/bombed-server.ts";

// A regular expression cannot be interrupted: one of polynomial cost on a long line stopped the server for hours.

let server: BombedServer;
beforeAll(async () => {
  server = await startBombedServer({ "index.md": "# Before\n" });
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

const blanks = " ".repeat(30_000);
const slashes = "/".repeat(400_000);
const group = { group: "A", pages: ["index"] };

const BOMBS: [string, Record<string, string>][] = [
  ["a heading of blanks", { "index.md": `Shown\n\n# a${blanks}x\u2028y\n` }],
  [
    "front matter that no parser reads, of blanks",
    { "index.md": `---\na: [\nb: ${" ".repeat(12_000)}x\u2028y\n---\nShown\n` },
  ],
  [
    "an older configuration's address of slashes",
    {
      "index.md": "# A\n\nShown\n",
      "mint.json": JSON.stringify({ name: "A", navigation: [group], tabs: [{ name: "T", url: `x${slashes}x` }] }),
    },
  ],
  ["a link of slashes", { "index.md": `# A\n\nShown [a](/x${slashes}x#y) and [b](/x${slashes}x)\n` }],
];

// `patterns.test.ts` looks at every pattern; the gate shows of one how it is served.
it.each(LONG_TESTS ? BOMBS : BOMBS.slice(0, 1))("%s, pushed, holds up nobody", async (_name, files) => {
  await using work = await createTestRepository(files);
  const { instance, other, remote, site, get } = server;
  await git(work.path, "push", "-q", "--force", remote, "HEAD:refs/heads/main");
  await expect.poll(async () => (await site(instance.project)).body, { timeout: 10_000 }).toContain("Shown");
  expect((await site(other)).body).toContain("Calm");
  expect((await get("/health")).status).toBe(200);
});
