import { execFileSync } from "node:child_process";
import { expect, it, onTestFinished, vi } from "vitest";
import { canMount } from "#test/support/can-mount.ts";
import { startTestServer } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const mount = (...options: string[]) => execFileSync("mount", options, { stdio: "ignore" });

it.runIf(canMount())("/ready reports a read-only folder of repositories until it is writable", async () => {
  await using server = await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n" } });
  using site = createSiteClient(server);
  const now = performance.now.bind(performance);
  let ahead = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + ahead);
  onTestFinished(() => void vi.restoreAllMocks());
  /** After the seconds that a look at the folder counts for. */
  const ready = async () => {
    ahead += 6_000;
    const answer = await fetch(`${server.baseUrl}/ready`);
    return [answer.status, await answer.json()];
  };
  await expect.poll(ready).toEqual([200, { status: "ready" }]);
  const folder = `${server.instance.data}/repositories`;
  await using mounted = new AsyncDisposableStack();
  mount("--bind", folder, folder);
  mounted.defer(() => void execFileSync("umount", ["--lazy", folder]));
  mount("-o", "remount,ro,bind", folder);
  const reasons = ["The folder of the repositories cannot be written."];
  await expect.poll(ready, { timeout: 30_000 }).toEqual([503, { status: "unavailable", reasons }]);
  expect((await site.send("/")).status).toBe(200);
  expect((await fetch(`${server.baseUrl}/health`)).status).toBe(200);
  mount("-o", "remount,rw,bind", folder);
  await expect.poll(ready, { timeout: 30_000 }).toEqual([200, { status: "ready" }]);
});
