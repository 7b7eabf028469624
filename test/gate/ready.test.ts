import { expect, it } from "vitest";
import { createContentProcess } from "#docs/render/process/content-process.ts";
import { silentLogger } from "#lib/logger.ts";
import { startTestServer } from "#test/support/server.ts";

it("a server whose render processes do not start is not ready, says why, and recovers once they do", async () => {
  const node = process.execPath;
  await using content = createContentProcess({ logger: silentLogger, isWarmedUp: false });
  // What runs them is away, as when packages are being installed.
  process.execPath = `${node}-away`;
  await using _ = { [Symbol.asyncDispose]: async () => void (process.execPath = node) };
  await using server = await startTestServer({
    engine: "sqlite",
    files: { "index.md": "# Start\n" },
    server: { content },
  });
  const ready = async () => {
    const answer = await fetch(`${server.baseUrl}/ready`);
    return [answer.status, await answer.json()];
  };
  const reasons = ["Pages cannot be rendered; the log says why."];
  await expect.poll(ready).toEqual([503, { status: "unavailable", reasons }]);
  expect((await fetch(`${server.baseUrl}/health`)).status).toBe(200);
  process.execPath = node;
  await expect.poll(ready).toEqual([200, { status: "ready" }]);
});
