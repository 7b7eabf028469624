import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { operationsAt } from "./server.ts";

it("reports slow responses, and why a request is retried", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const http = createHttpServer((_request, response) => {
    asked += 1;
    if (asked === 1) return response.writeHead(503, { "retry-after": "0.1" }).end();
    vi.advanceTimersByTime(3_000);
    return response.writeHead(200).end("{}");
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const server = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const said: string[] = [];
  const say = (words: string) => said.push(words);
  const listener = { signal: new AbortController().signal, say, reassure: say, progress: () => {} };
  try {
    await operationsAt({ server, project: null, name: null, key: "docent_1" }, listener).call("listProjects");
  } finally {
    http.closeAllConnections();
    http.close();
  }
  expect(said).toEqual([expect.stringContaining(`Asking ${server} again in 1 s …`), `Waiting for ${server} …`]);
});
