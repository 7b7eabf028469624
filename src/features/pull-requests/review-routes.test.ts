import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "#agent/gate/gate.ts";
import { appendEvents, type JobEventData, validationEvent } from "#features/jobs/events.ts";
import { browse, type Browsing } from "#testing/browsing.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let member: Browsing;
let job: string;

const FILES = {
  "docs.json":
    '{"name": "Harbor", "navigation": {"pages": ["index", "ports"]}, "redirects": [{"source": "/away", "destination": "https://elsewhere.example/x"}]}\n',
  "index.md": "# Welcome\n\nHarbor Cloud.\n",
  "long.md": "---\ntitle: Long\n---\n\n# First\n\nText.\n\n## The ports\n\nOpen 80.\n\n## Last\n\nText.\n",
  "run.js": "alert(1)\n",
  "picture.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
};
const CHANGED = {
  "long.md": FILES["long.md"].replace("## Last", "Close 81.\n\n## At last"),
  "index.md": "# Welcome\n\nHarbor, with <Foo>.\n",
  "ports.md": "# Ports\n\nOpen 443.\n",
};
const finding = (path: string, line: number | null, message: string): Finding => ({
  check: "pages",
  path,
  line,
  message,
});
const EVENTS: JobEventData[] = [
  { type: "plan.updated", steps: [{ text: "Explain <ports>", state: "done" }] },
  { type: "tool.finished", id: "1", tool: "read_file", ok: true, summary: "Read it.", durationMs: 1 },
  { type: "tool.finished", id: "2", tool: "docs_show", ok: false, summary: "It failed.", reason: "No tag v9.", durationMs: 1 }, // oxfmt-ignore
  {
    type: "validation",
    errors: [],
    warnings: [finding("index.md", 3, "Foo is no component."), finding("ports.md", null, "It has no description.")],
    newHosts: ["docs.example"],
  },
  {
    type: "turn.finished",
    ok: true,
    summary: "Done.",
    files: [{ path: "ports.md", why: "Ports <b>were</b> missing." }],
  },
];

/** Appends events to the transcript of the only job. */
const append = (events: readonly JobEventData[]) =>
  app.database.transaction(async (transaction) => {
    const row = await transaction.selectFrom("job").selectAll().executeTakeFirstOrThrow();
    const redact = (text: string) => text;
    const seq = await appendEvents(transaction, { jobId: row.id, lastSeq: row.event_seq, turn: 1, at: 0, events, redact }); // oxfmt-ignore
    await transaction.updateTable("job").set({ event_seq: seq }).execute();
  });

beforeAll(async () => {
  app = await createTestApp("sqlite", { files: FILES });
  member = await browse(app, app.key);
  const made = await app.call("POST", "/job", { body: { prompt: "Explain the ports." } });
  job = made.json.id;
  await app.carryOut({ files: CHANGED, summary: "- Explained the ports.\n- Left the rest." });
  await append(EVENTS);
});
afterAll(() => app[Symbol.asyncDispose]());

describe("the page of a pull request that a job created", () => {
  it("shows the work and the request, with the plan, checks and failed calls", async () => {
    const { text: files } = await member.get("/harbor-docs/pull/1/files");
    expect(files).toContain("<p>Explained the ports.</p>");
    expect(files).toContain("Asked for: Explain the ports.");
    const { text } = await member.get("/harbor-docs/pull/1");
    expect(text).toContain("Explain &lt;ports&gt;");
    expect(text).toContain("2 warnings, 1 new host");
    expect(text).toContain("1 call failed");
    expect(text).toContain("No tag v9.");
    expect(text).not.toContain("Read it.");
  });

  it("shows each file with the agent's reason, and findings at their lines", async () => {
    const { text } = await member.get("/harbor-docs/pull/1/files");
    expect(text).toContain('<p class="why">Ports &lt;b&gt;were&lt;/b&gt; missing.</p>');
    expect(text).toMatch(/Harbor.{0,80}&lt;Foo&gt;.*?<tr class="finding">.*?Foo is no component\./);
    expect(text).toMatch(/<ul class="file-findings">.*?It has no description\./);
  });

  it("shows the pages as readers see them before and after, in frames without scripts", async () => {
    const { text, headers } = await member.get("/harbor-docs/pull/1/files");
    expect(headers.get("content-security-policy")).toContain("frame-src 'self'");
    const frames = [...text.matchAll(/<iframe src="([^"]+)"[^>]*sandbox="allow-same-origin"/g)].map(([, src]) => src!);
    const [before, after, longBefore, longAfter, added] = frames.map((src) => src.replaceAll("&amp;", "&"));
    expect(frames).toHaveLength(5);
    expect(text).toContain("The page is new.");
    const shown = async (src: string) => member.get((await member.get(src)).location!);
    expect((await shown(before!)).text).toContain("Harbor Cloud.");
    expect((await shown(added!)).text).toContain("Open 443.");
    expect((await member.get(longBefore!)).location).toMatch(/\/long#last$/);
    expect((await member.get(longAfter!)).location).toMatch(/\/long#the-ports$/);
    const page = await shown(after!);
    expect(page.text).not.toContain("Harbor Cloud.");
    expect(page.text).toMatch(/href="\/harbor-docs\/rendered\/[0-9a-f]{40}\/ports"/);
    expect(page.headers.get("content-security-policy")).toMatch(/^sandbox allow-same-origin; default-src 'none';/);
    expect(page.headers.get("content-security-policy")).not.toContain("script-src");
  });

  it("does not show its rendered commits to a reader without a session", async () => {
    const { text } = await member.get("/harbor-docs/pull/1/files");
    const [, href] = /<iframe src="([^"]+)"/.exec(text)!;
    const stranger = await browse(app, null);
    expect(await stranger.get(href!)).toMatchObject({ status: 303 });
  });
});

describe("a review with more findings than are stored", () => {
  it("says how many there were, and how many of them are listed", async () => {
    const found = (count: number, message: string) =>
      Array.from({ length: count }, (_, line) => finding("index.md", line + 1, message));
    const failed: JobEventData = { type: "tool.finished", id: "3", tool: "read_file", ok: false, summary: "No.", durationMs: 1 }; // oxfmt-ignore
    const long = "x".repeat(400);
    await append([
      ...Array.from({ length: 101 }, () => failed),
      validationEvent({ errors: found(150, long), warnings: found(30, long), newHosts: [] }),
    ]);
    const { text } = await member.get("/harbor-docs/pull/1");
    expect(text).toContain("150 errors, 30 warnings");
    expect(text).toContain("Only 40 of these are stored, the first of each kind.");
    expect(text).toContain("More than 100 calls failed");
    await append([validationEvent({ errors: found(200, "No."), warnings: [], newHosts: [] })]);
    const { text: whole } = await member.get("/harbor-docs/pull/1");
    expect(whole).toContain("200 errors");
    expect(whole).not.toContain("are stored");
    expect((await member.get(`/harbor-docs/jobs/${job}`)).text).toContain("Checked: 150 errors, 30 warnings");
  });
});

describe("the pages of a commit", () => {
  it("include files of the site, but no scripts on the dashboard's origin", async () => {
    const tip = await app.repoStore.resolve(app.project.id, "refs/heads/main");
    const base = `/harbor-docs/rendered/${tip}`;
    expect((await member.get(`${base}/picture.svg`)).status).toBe(200);
    expect((await member.get(`${base}/run.js`)).status).toBe(404);
    expect(await member.get(`${base}?file=run.js`)).toMatchObject({ status: 404 });
    expect(await member.get(`${base}/away`)).toMatchObject({ status: 404, location: null });
    expect(await member.get(`/harbor-docs/rendered/${"0".repeat(40)}`)).toMatchObject({ status: 404 });
  });
});

it("a page of a commit is kept by no cache that others share", async () => {
  const tip = await app.repoStore.resolve(app.project.id, "refs/heads/main");
  const { status, headers } = await member.get(`/harbor-docs/rendered/${tip}/long`);
  expect([status, headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
});

describe("the review of a job", () => {
  it("redirects to the page of a pull request on the embedded host", async () => {
    const answer = await member.get(`/harbor-docs/jobs/${job}/review`);
    expect(answer).toMatchObject({ status: 303, location: "/harbor-docs/pull/1" });
  });

  it("says that a job changed nothing, and what to do", async () => {
    const made = await app.call("POST", "/job", { body: { prompt: "Look at the ports." } });
    const waiting = await member.get(`/harbor-docs/jobs/${made.json.id}/review`);
    expect(waiting.text).toContain("The job has published nothing yet.");
    await app.carryOut();
    const { text } = await member.get(`/harbor-docs/jobs/${made.json.id}/review`);
    expect(text).toContain("The job changed nothing.");
    expect(text).toContain("The agent made no plan.");
    expect(text).toContain("Nothing was checked yet.");
    expect(text).toContain("No tool call failed.");
  });
});

it("names the last follow-up beside the request", async () => {
  for (const prompt of ["Explain hosts.", "Explain names."]) {
    await app.call("POST", `/job/${job}/message`, { body: { prompt } });
    await app.carryOut({ files: { "hosts.md": `# ${prompt}\n` }, summary: "Explained it." });
  }
  const { text } = await member.get("/harbor-docs/pull/1/files");
  expect(text).toContain("<p>Explained it.</p>");
  expect(text).toContain("Asked for: Explain the ports.</p>");
  expect(text).toContain("Last of 2 follow-ups: Explain names.</p>");
});
