import { beforeAll, afterAll, expect, it } from "vitest";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { edit, finish, startModels } from "#test/support/models.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import type { ModelServer } from "#testing/model-server/server.ts";

// Images that come with instructions, from the request to the model and to the transcript.

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const png = { mediaType: "image/png", data: PNG.toString("base64") };
/** A PNG by its first bytes, of this size. */
const large = (bytes: number) => ({
  mediaType: "image/png",
  data: Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]).toString("base64"),
});
const turn = (from: string, to: string) => [edit("index.md", from, to), finish()];

let models: ModelServer;
let server: TestServer;
beforeAll(async () => {
  const script = {
    conversations: [
      { marker: "Look at it", turns: turn("Start", "Begin") },
      { marker: "Look again", turns: turn("Begin", "First") },
      { marker: "Blind", turns: turn("Here.", "There.") },
      { marker: "Fail first", turns: [{ text: "", faults: [{ kind: "invalid" as const, times: "always" as const }] }] },
    ],
  };
  const started = await startModels(script);
  models = started.models;
  const { environment } = started;
  server = await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n\nHere.\n" }, environment });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const send = (path: string, body: object) => callApi(server.baseUrl, server.instance, { path, body });
const job = async (body: object) => {
  const { body: made } = await send("/job", body);
  return waitForJob(server.baseUrl, server.instance, made.id);
};
const eventsOf = async (id: string) => {
  const { body } = await callApi(server.baseUrl, server.instance, { path: `/job/${id}/events?limit=500` });
  return (body as unknown as { events: { type: string; data: Record<string, unknown> }[] }).events;
};
const toldIn = (at: number) => models.requests.at(at)!.conversation!.messages.flatMap((m) => ("text" in m ? [m.text] : [])).join("\n"); // oxfmt-ignore

it("sends a model the images of the first message and of a follow-up in each step", async () => {
  const { id } = await job({ prompt: "Look at it.", model: "anthropic/m", attachments: [png] });
  expect(toldIn(0)).toContain("Look at it.\n[image/png, 70 bytes]");
  expect(toldIn(-1)).toContain("[image/png, 70 bytes]");
  const misnamed = { ...png, mediaType: "image/gif" };
  await send(`/job/${id}/message`, { prompt: "Look again.", attachments: [png, misnamed] });
  expect(await waitForJob(server.baseUrl, server.instance, id)).toMatchObject({ status: "completed", changed: true });
  expect(toldIn(-1)).toMatch(/Look again\.\n\[image\/png, 70 bytes\]\n\[image\/png, 70 bytes\]/);
  const kept = { mediaType: "image/png", sizeBytes: 70 };
  const received = (await eventsOf(id)).filter(({ type }) => type === "message.received");
  expect(received.map(({ data }) => data["attachments"])).toEqual([[kept], [kept, kept]]);
  const steps = await server.instance.database.kysely.selectFrom("job_step").select("messages").execute();
  expect(steps.map(({ messages }) => messages).join()).not.toContain(png.data);
});

it("reports in the transcript and to the model that a model without vision does not get images", async () => {
  const { id } = await job({ prompt: "Blind.", model: "openai-compatible/m", attachments: [png, png] });
  expect(toldIn(-1)).toContain("(An image came with this message. You cannot see it.)");
  const notices = (await eventsOf(id)).filter(({ data }) => data["code"] === "images_left_out");
  expect(notices.map(({ data }) => data["text"])).toEqual([
    'openai-compatible/m is not set up to see images. If it can, check "The model can see images" for it on the Models page, or set "images": true for it in the settings of models.',
  ].map((why) => `2 images were left out: ${why}`)); // oxfmt-ignore
  const ruled = await job({ prompt: "Fix the broken links.", attachments: [png] });
  expect((await eventsOf(ruled.id)).map(({ data }) => data["text"])).toContain(
    "1 image was left out: the built-in rules do not read images.",
  );
});

it("sends the images again with a retry", async () => {
  const failed = await job({ prompt: "Fail first.", model: "openai/m", attachments: [png] });
  expect(failed.status).toBe("failed");
  await send(`/job/${failed.id}/retry`, {});
  await waitForJob(server.baseUrl, server.instance, failed.id);
  const received = (await eventsOf(failed.id)).filter(({ type }) => type === "message.received");
  expect(received.map(({ data }) => data["attachments"])).toEqual([[expect.anything()], [expect.anything()]]);
});

it.each<[name: string, attachments: unknown, status: number, words: string]>([
  ["no list", "x", 400, "`attachments` must be a list."],
  ["another type", [{ ...png, mediaType: "image/svg+xml" }], 400, "must be image/png, image/jpeg, image/webp or image/gif"],
  ["a data: address", [{ ...png, data: `data:image/png;base64,${png.data}` }], 400, "must be base64, without a data: prefix"],
  ["no image", [{ ...png, data: Buffer.from("plain text").toString("base64") }], 400, "`attachments.0.data` is not a PNG, JPEG"],
  ["six", Array(6).fill(png), 400, "`attachments` must have at most 5 images."],
  ["one that is too large", [large(3 * 1024 * 1024 + 1)], 400, "must have images of at most 3 MB"],
  ["too much together", Array(3).fill(large(2 * 1024 * 1024 + 1)), 400, "must have at most 6 MB together"],
  ["more than is read", Array(4).fill(large(2 * 1024 * 1024)), 413, "at most 256 KiB, not counting images of up to 6 MB"],
])("refuses %s", async (_, attachments, status, words) => {
  const answer = await send("/job", { prompt: "Look.", attachments });
expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { error: expect.stringContaining(words) as unknown } });
}); // oxfmt-ignore

it("accepts 6 MB of images, and keeps the old limit for everything else", async () => {
  const images = Array.from({ length: 2 }, () => large(3 * 1024 * 1024));
  const made = await send("/job", { prompt: "Fix the broken links.", attachments: images });
  expect(made.status).toBe(201);
  const stuffed = await send("/job", { prompt: "x".repeat(257 * 1024), attachments: [large(1024 * 1024)] });
  expect(stuffed.status).toBe(413);
});
