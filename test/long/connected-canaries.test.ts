import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { filesWith, watchCommandLines } from "#test/support/canaries.ts";
import { spawnDocent } from "#test/support/commands.ts";
import { startProcess } from "#test/support/processes.ts";

const ENVIRONMENT = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32" };
// No other test has them: those that run meanwhile may give theirs to git as they like.
const FIRST_TOKEN = "first-canary-1029384756";
const NEXT_TOKEN = "next-canary-9876543210";
const WRONG_TOKEN = "wrong-canary-5555555555";

it.skipIf(process.platform !== "linux")(
  "no token is in an argument, an output or a file",
  { timeout: 120_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const commandLines = stack.use(watchCommandLines());
    const host = stack.use(await startGithubServer({ "index.md": "# Welcome\n\nHarbor Cloud is here.\n" }));
    for (const token of [FIRST_TOKEN, NEXT_TOKEN]) host.state.tokens.add(token);
    const directory = stack.use(await createTestDirectory()).path;
    const data = path.join(directory, "data");
    const printed: string[] = [];
    const docent = async (token: string, ...args: string[]) => {
      const file = path.join(directory, "token.txt");
      await writeFile(file, token);
      const where = args[0] === "projects" ? ["--token-file", file] : [];
      const { exitCode, stdout, stderr } = await spawnDocent([...args, ...where, "--data", data], {
        environment: ENVIRONMENT,
      });
      printed.push(stdout, stderr);
      return exitCode;
    };
    const create = ["projects", "create", "Acme", "--repo", host.url, "--host", "github"];
    expect(await docent(WRONG_TOKEN, ...create)).not.toBe(0);
    expect(await docent(FIRST_TOKEN, ...create)).toBe(0);
    const serve = ["serve", "--port", "0", "--json", "--data", data];
    const server = await startProcess("src/cli/main.ts", serve, ENVIRONMENT);
    stack.defer(() => server.kill("SIGKILL"));
    await expect.poll(() => host.state.notices.webhooks).toHaveLength(1);
    const renamed = 'Replace "Harbor Cloud" with "Harbor Platform".';
    expect(await docent("", "jobs", "create", "acme", renamed, "--wait")).toBe(0);
    expect(await docent(WRONG_TOKEN, "projects", "token", "acme")).not.toBe(0);
    expect(await docent(NEXT_TOKEN, "projects", "token", "acme")).toBe(0);
    expect(
      await docent("", "jobs", "create", "acme", 'Add a page titled "Notes" with the text "Read me."', "--wait"),
    ).toBe(0);
    host.state.tokens.clear();
    await docent("", "jobs", "create", "acme", 'Add a page titled "More" with the text "Read on."', "--wait");
    await server.kill("SIGTERM");

    const lines = [...commandLines.seen].join("\n");
    // Git was seen at its work with the host, so a token would have been.
    expect(lines).toMatch(/git[ -]remote-http/);
    const output = [...printed, server.log()].join("\n");
    const tokens = [FIRST_TOKEN, NEXT_TOKEN, WRONG_TOKEN];
    const credentials = tokens.map((token) => Buffer.from(`x-access-token:${token}`).toString("base64"));
    for (const text of [...tokens, ...credentials, host.state.notices.webhooks[0]!.secret]) {
      expect([lines.includes(text), output.includes(text), await filesWith(data, text)]).toEqual([false, false, []]);
    }
  },
);
