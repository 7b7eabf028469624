import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { expect, it } from "vitest";
import { listen } from "#testing/listen.ts";
import { createSpanSender } from "./span-sender.ts";

/** Sends a batch to a collector that answers with these statuses, the last one again and again. */
async function send(statuses: readonly number[], headers: Record<string, string> = {}) {
  const paths: (string | undefined)[] = [];
  await using collector = await listen((request, response) => {
    paths.push(request.url);
    response.writeHead(statuses[Math.min(paths.length, statuses.length) - 1]!, headers).end();
  });
  const url = `${collector.url}/v1/traces`;
  const settings = { url, headers: {}, timeoutMs: 5_000, compression: "none" as const, resource: {}, ratio: 1, delayMs: 1, queueSize: 1 }; // oxfmt-ignore
  const result = await new Promise<ExportResult>((resolve) => createSpanSender(settings).export([], resolve));
  return { isTaken: result.code === ExportResultCode.SUCCESS, paths };
}

it.each([
  ["sends a batch again that a busy collector did not take", [503, 200], { isTaken: true, count: 2 }],
  ["sends a batch once that the collector refuses", [401], { isTaken: false, count: 1 }],
])("%s", async (_, statuses, { isTaken, count }) => {
  const sent = await send(statuses);
  expect([sent.isTaken, sent.paths.length]).toEqual([isTaken, count]);
});

it("follows no redirect with what it sends", async () => {
  expect(await send([307, 200], { Location: "/elsewhere" })).toEqual({ isTaken: false, paths: ["/v1/traces"] });
});
