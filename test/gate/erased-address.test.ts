import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { userAgents } from "#testing/views.ts";
import { runDocent } from "#test/support/commands.ts";
import { createTestInstance } from "#test/support/instance.ts";
import { startProcess } from "#test/support/processes.ts";
import { ENGINES } from "#testing/databases.ts";

const ADDRESS = "198.51.100.77";

async function bytesIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "latin1").catch(() => "")))).join("\n");
}

test.concurrent.each(ENGINES)(
  "an address is erased next to a running server, including views that its journal had not folded, on %s",
  async (engine) => {
    await using instance = await createTestInstance(
      engine,
      { "index.md": "# Start\n" },
      { DOCENT_JOURNAL_SECONDS: "2" },
    );
    const { data, environment, key, project } = instance;
    const server = await startProcess("test/support/crashing-server.ts", ["never", data], environment);
    try {
      const base = `${server.started.baseUrl}/v1/analytics/${project.id}`;
      const authorization = `Bearer ${key}`;
      const view = (address: string, at: string) => ({
        event_id: `${address} ${at}`,
        path: at,
        address,
        userAgent: userAgents.chrome,
      });
      const sent = await fetch(`${base}/views`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ views: [view(ADDRESS, "/"), view(ADDRESS, "/theirs"), view("192.0.2.1", "/")] }),
      });
      expect(sent.ok).toBe(true);
      expect(await bytesIn(path.join(data, "journal"))).toContain(ADDRESS);
      const args = ["analytics", "erase", project.slug, "--address", ADDRESS, "--yes", "--json", "--data", data];
      const erased = await runDocent(args, { environment });
      expect([erased.exitCode, erased.stderr]).toEqual([0, ""]);
      expect(JSON.parse(erased.stdout)).toMatchObject({ address: ADDRESS, visitors: 1, views: 2, days: 1 });
      const visitors = await fetch(`${base}/visitors`, { headers: { authorization } });
      expect(await visitors.json()).toMatchObject({ totals: { human: 1, ai: 0, total: 1 } });
      const bytes = await bytesIn(data);
      for (const word of [ADDRESS, "/theirs"]) expect(bytes).not.toContain(word);
    } finally {
      await server.kill("SIGTERM");
    }
  },
  240_000,
);
