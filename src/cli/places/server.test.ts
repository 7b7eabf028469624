import { expect, it, onTestFinished, vi } from "vitest";
import { listen } from "#testing/listen.ts";
import { operationsAt } from "./server.ts";

it("reports slow responses, and why a request is retried", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  await using http = await listen((_request, response) => {
    asked += 1;
    if (asked === 1) return void response.writeHead(503, { "retry-after": "0.1" }).end();
    vi.advanceTimersByTime(3_000);
    response.writeHead(200).end("{}");
  });
  const server = http.url;
  const said: string[] = [];
  const say = (words: string) => said.push(words);
  const listener = { signal: new AbortController().signal, say, reassure: say, progress: () => {} };
  await operationsAt({ server, project: null, name: null, key: "docent_1" }, listener).call("listProjects");
  expect(said).toEqual([expect.stringContaining(`Asking ${server} again in 1 s …`), `Waiting for ${server} …`]);
});
