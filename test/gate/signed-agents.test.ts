import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { Day } from "#features/visitors/day.ts";
import { reportAgents } from "#features/visitors/reports/reports.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { signedHeaders, TEST_KEY } from "#testing/signed-requests.ts";
import { userAgents } from "#testing/views.ts";
import { startTestServer } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const CLAUDE = "Claude-User/1.0";
const CLAUDE_CODE = "Claude-User (claude-code/2.1; +https://support.anthropic.com/)";
const AGENT = '"https://agents.example"';

test("over HTTP a signature verifies an agent, a wrong one refutes it, and without one the address decides", async () => {
  await using folder = await createTestDirectory();
  const keys = path.join(folder.path, "agents.json");
  const directories = [{ host: "agents.example", operator: "Anthropic", keys: [TEST_KEY] }];
  await writeFile(keys, JSON.stringify({ directories }));
  await using server = await startTestServer({
    engine: "sqlite",
    files: { "index.md": "# Start\n" },
    environment: { DOCENT_AGENT_KEYS: keys },
  });
  const { project, database, data } = server.instance;
  const today = new Date().toISOString().slice(0, 10);
  const list = { date: today, networks: { "ChatGPT-User": ["192.0.2.0/24"] } };
  await writeFile(path.join(data, "agents.json"), JSON.stringify(list));
  using site = createSiteClient(server);
  const { host } = site;
  const now = Math.floor(Date.now() / 1_000);

  const get = async (userAgent: string, headers: Record<string, string> = {}) => {
    const answer = await site.send("/", { headers: { accept: "text/markdown", "user-agent": userAgent, ...headers } });
    expect(answer.status).toBe(200);
  };
  const sign = (authority: string, given: { created?: number } = {}) => ({
    ...signedHeaders({
      lines: [`"@authority": ${authority}`, '"@path": /', `"signature-agent": ${AGENT}`],
      created: now,
      ...given,
    }),
    "Signature-Agent": AGENT,
  });

  await get(CLAUDE, sign(host));
  await get(CLAUDE, sign(host));
  await get(CLAUDE, sign("other.example"));
  await get(CLAUDE, sign(host, { created: now - 3_600 }));
  await get(CLAUDE, { ...sign(host), "Signature-Agent": '"https://unknown.example"' });
  await get(CLAUDE, { "Signature-Input": "web-bot-auth", Signature: "?" });
  await get(CLAUDE);
  await get(CLAUDE_CODE);
  await get(CLAUDE_CODE, sign(host));
  await get(userAgents.chatGpt); // not an address that its operator publishes
  await get(userAgents.chatGpt, sign(host)); // another operator's key

  const report = async () =>
    (await reportAgents({ database }, { projectId: project.id, from: 1 as Day, to: 60_000 as Day })).map(
      ({ name, ai, other, verified, spoofed }) => ({ name, ai, other, verified, spoofed }),
    );
  await expect.poll(report).toEqual([
    { name: "Claude-User", ai: 5, other: 2, verified: 2, spoofed: 2 },
    { name: "ChatGPT-User", ai: 0, other: 2, verified: 0, spoofed: 2 },
    { name: "Claude Code", ai: 2, other: 0, verified: 1, spoofed: 0 },
  ]);
});
