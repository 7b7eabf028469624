import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { callApi } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";

const DOCS = path.join(import.meta.dirname, "../../docs");
/** Enough of jq for the pages, which not every machine has. */
const JQ = `#!/usr/bin/env node
const [, name] = process.argv.slice(2).join(" ").match(/^-r \\.(\\w+)$/);
let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => console.log(JSON.parse(text)[name]));
`;

it("the calls of a page run in their order as they are printed: interface/conditional-requests.md", async () => {
  const environment = { DOCENT_WEBHOOK_ALLOW: "127.0.0.1/32" };
  await using server = await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n" }, environment });
  const { project, key } = server.instance;
  const body = { url: "http://127.0.0.1:9/hook", events: ["job.completed"] };
  const webhook = await callApi(server.baseUrl, server.instance, { path: "/webhooks", body });
  expect(webhook.status).toBe(201);
  await using tools = await createTestDirectory();
  await writeFile(path.join(tools.path, "jq"), JQ);
  await chmod(path.join(tools.path, "jq"), 0o755);
  const page = await readFile(path.join(DOCS, "interface/conditional-requests.md"), "utf8");
  const blocks = [...page.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, block = ""]) =>
    block.replace(/^export .*\n/, ""),
  );
  expect(blocks.length).toBeGreaterThan(2);
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", blocks.join("\necho\n")], {
    env: {
      ...process.env,
      PATH: `${tools.path}:${path.dirname(process.execPath)}:${process.env["PATH"]}`,
      DOCENT: server.baseUrl,
      PROJECT: project.id,
      KEY: key,
      WEBHOOK: webhook.body.id,
    },
  });
  expect(stdout).toMatch(/^HTTP\/1\.1 304/);
  expect(stdout).toContain('"description":"Release notes"');
  expect(stdout).toContain('"instructions":"Write short sentences."');
  expect(stdout).not.toContain('"code"');
});
