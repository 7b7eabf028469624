import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { addProject, callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";

const files = {
  "docs.json": '{ "navigation": { "pages": ["index", "other", "third"] } }',
  "index.md": "# Start\n\nHarbor Cloud.\n",
  "other.md": "# Other\n\nHarbor Cloud, too.\n",
  "third.md": "# Third\n\nNothing.\n",
};
const REPLACE = 'Replace "Harbor Cloud" with "Harbor Platform".';

type Server = Awaited<ReturnType<typeof startTestServer>>;

async function say({ baseUrl, instance }: Server, jobId: string | null, prompt: string) {
  const path = jobId === null ? "/job" : `/job/${jobId}/message`;
  const { body } = await callApi(baseUrl, instance, { path, body: { prompt } });
  return waitForJob(baseUrl, instance, body.id);
}

/** What stands on the branch of a job, of the pages that the jobs here change. */
async function pagesOf({ instance }: Server, branch: string | null): Promise<Record<string, string>> {
  const { repoStore, project } = instance;
  const commit = await repoStore.resolve(project.id, `refs/heads/${branch}`);
  const entries = (await repoStore.tree(project.id, commit!)).filter(({ path }) => path !== "docs.json");
  const texts = await repoStore.readBlobs(project.id, entries.map(({ oid }) => oid)); // oxfmt-ignore
  return Object.fromEntries(entries.map(({ path }, at) => [path, texts[at]!.toString()]));
}

/** Somebody else's commit on the branch of a job. */
async function pushTo({ instance }: Server, branch: string, path: string, content: string): Promise<void> {
  const { repoStore, project } = instance;
  const tip = await repoStore.resolve(project.id, `refs/heads/${branch}`);
  const tree = await repoStore.snapshot(project.id, { base: tip!, edits: [{ path, content: Buffer.from(content) }] });
  const author = { name: "Anna", email: "anna@example.com" };
  const commit = await repoStore.commit(project.id, { tree, parents: [tip!], message: "Mine", author, at: new Date() });
  expect(await repoStore.updateRef(project.id, { ref: `refs/heads/${branch}`, expected: tip!, to: commit })).toBe(true);
}

describe.each(ENGINES)("a follow-up that corrects its job, on %s", (engine) => {
  let shared: Server;
  beforeAll(async () => {
    shared = await startTestServer({ engine, files, environment: { DOCENT_JOBS_AT_ONCE: "6" } });
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  /** The server as it is for a project of its own. */
  let projects = 0;
  async function newProject(given = files): Promise<Server> {
    const added = await addProject(shared.instance, { name: `Docs ${++projects}`, files: given });
    return { ...shared, instance: { ...shared.instance, ...added } };
  }

  it.concurrent("undoes the last change, one page of it, or all", async () => {
    const server = await newProject();
    const first = await say(server, null, REPLACE);
    const { ref } = first.source;
    const done = await pagesOf(server, ref);
    expect(done).toMatchObject({ "index.md": "# Start\n\nHarbor Platform.\n" });

    const page = await say(server, first.id, "Leave the page other alone.");
    expect(page).toMatchObject({ status: "completed", prLink: first.prLink, lastMessage: { error: null } });
    expect(await pagesOf(server, ref)).toEqual({ ...done, "other.md": files["other.md"] });

    const { "docs.json": _configuration, ...pages } = files;
    const again = await say(server, first.id, "Undo that");
    expect(again.lastMessage.error).toBeNull();
    expect(await pagesOf(server, ref)).toEqual(pages);

    await say(server, first.id, REPLACE);
    await say(server, first.id, 'Replace "Nothing" with "Something".');
    const all = await say(server, first.id, "Please undo everything.");
    expect(all).toMatchObject({ prLink: first.prLink, lastMessage: { seq: 6, error: null } });
    expect(all.summary).toContain("Put 3 files back to how they were before this job");
    expect(await pagesOf(server, ref)).toEqual(pages);
  });

  it.concurrent("restores links that were broken before the job, and breaks no others", async () => {
    const broken = { ...files, "index.md": "# Start\n\n[Second](/Other) and [none](/gone).\n" };
    const server = await newProject(broken);
    const first = await say(server, null, "Fix the broken links.");
    expect((await pagesOf(server, first.source.ref))["index.md"]).toContain("(/other)");
    const undone = await say(server, first.id, "Undo that");
    expect(undone).toMatchObject({ status: "completed", lastMessage: { error: null } });
    expect((await pagesOf(server, first.source.ref))["index.md"]).toBe(broken["index.md"]);
  });

  it.concurrent("undoes one change after another, and never redoes one", async () => {
    const server = await newProject();
    const first = await say(server, null, REPLACE);
    const { ref } = first.source;
    const done = await pagesOf(server, ref);
    const { "docs.json": _configuration, ...pages } = files;
    await say(server, first.id, 'Replace "too" with "as well" on the page other.');
    await say(server, first.id, "Never mind.");
    await say(server, first.id, "Undo that");
    expect(await pagesOf(server, ref)).toEqual(done);
    await say(server, first.id, "Undo that");
    expect(await pagesOf(server, ref)).toEqual(pages);
    const third = await say(server, first.id, "Undo that");
    expect(third.lastMessage.error?.message).toContain("undone already");
    expect(await pagesOf(server, ref)).toEqual(pages);
    const other = await say(server, first.id, REPLACE);
    expect(other.lastMessage.error).toBeNull();
    const part = await say(server, first.id, 'Replace "Start" with "Begin" on the page index.');
    expect(part.lastMessage.error).toBeNull();
    const held = await say(server, first.id, "Undo that on the page index");
    expect(held.lastMessage.error).toBeNull();
    expect(await pagesOf(server, ref)).toEqual(done);
  });

  it.concurrent("replaces its earlier replacement with another word", async () => {
    const server = await newProject();
    const first = await say(server, null, REPLACE);
    const other = await say(server, first.id, 'No, use "Harbor One" instead.');
    expect(other).toMatchObject({ status: "completed", prLink: first.prLink, lastMessage: { error: null } });
    expect(await pagesOf(server, first.source.ref)).toMatchObject({
      "index.md": "# Start\n\nHarbor One.\n",
      "other.md": "# Other\n\nHarbor One, too.\n",
    });
    const left = await say(server, first.id, "Never mind.");
    expect(left).toMatchObject({ status: "completed", lastMessage: { error: null } });
    expect(await pagesOf(server, first.source.ref)).toMatchObject({ "index.md": "# Start\n\nHarbor One.\n" });
  });

  it.concurrent("refuses to undo what others changed since, what changed nothing, and what did not happen", async () => {
    const server = await newProject();
    const first = await say(server, null, REPLACE);
    const ref = first.source.ref!;
    await pushTo(server, ref, "other.md", "# Other\n\nHarbor Platform, by Anna.\n");
    const before = await pagesOf(server, ref);
    const refused = await say(server, first.id, "Undo that");
    expect(refused).toMatchObject({ status: "completed", lastMessage: { error: { code: "impossible" } } });
    expect(refused.lastMessage.error?.message).toContain("other.md is not as this job left it");
    const part = await say(server, first.id, "Undo the changes on the page third");
    expect(part.lastMessage.error?.message).toContain("Nothing on third is changed by this job");
    expect(await pagesOf(server, ref)).toEqual(before);
    const own = await say(server, first.id, "Undo the changes on the page index");
    expect(own.lastMessage.error).toBeNull();
    expect(await pagesOf(server, ref)).toEqual({ ...before, "index.md": files["index.md"] });

    await say(server, first.id, "Check links.");
    const idle = await say(server, first.id, "Undo that");
    expect(idle.lastMessage.error).toMatchObject({ code: "impossible" });
    expect(await pagesOf(server, ref)).toEqual({ ...before, "index.md": files["index.md"] });
    const none = await say(server, null, "Undo that");
    expect(none).toMatchObject({ status: "failed", error: { code: "not_understood" } });
  });

  it.concurrent("undoes a move only as a whole, with its links and redirect", async () => {
    const server = await newProject();
    const first = await say(server, null, "Move the page other to guides/other.");
    const half = await say(server, first.id, "Undo the changes on the page guides/other");
    expect(half.lastMessage.error).toMatchObject({ code: "impossible", hint: "Undo everything" });
    const whole = await say(server, first.id, "Undo everything");
    expect(whole.lastMessage.error).toBeNull();
    const { "docs.json": _configuration, ...pages } = files;
    expect(await pagesOf(server, first.source.ref)).toEqual(pages);
  });
});
