import fc from "fast-check";
import { expect, test } from "vitest";
import { type ServerSentEvent, readEvents } from "./server-sent-events.ts";

async function read(...chunks: Uint8Array[]): Promise<ServerSentEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(body, () => undefined)) events.push(event);
  return events;
}
const bytes = (text: string) => new TextEncoder().encode(text);

const sample =
  ": comment\r\nretry: 50\r\nid: 1\r\nevent: message\r\ndata: é\r\ndata:two\r\n\r\nevent: usage\ndata: {}\n\nid: 3\ndata\r\revent: lost\ndata: x";
const expected: ServerSentEvent[] = [
  { type: "message", data: "é\ntwo", id: "1", retryMs: 50 },
  { type: "usage", data: "{}", id: "1", retryMs: 50 },
  { type: "message", data: "", id: "3", retryMs: 50 },
];

test("fields, comments, every kind of line end, and a cut-off last message", async () => {
  expect(await read(bytes(sample))).toEqual(expected);
});

test("it does not matter how the stream is cut into chunks", async () => {
  const whole = bytes(sample);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 8 }), async (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const chunks = edges.slice(1).map((edge, index) => whole.slice(edges[index], edge));
      expect(await read(...chunks)).toEqual(expected);
    }),
  );
});

test("a message without data is none", async () => {
  expect(await read(bytes("event: ping\n\nid: 4\n\n"))).toEqual([]);
});

test("a line without an end is refused", async () => {
  const endless = Array.from({ length: 50 }, () => bytes("x".repeat(100_000)));
  await expect(read(...endless)).rejects.toThrow("too long");
});
