import { describe, expect, it } from "vitest";
import { startOutbox } from "#features/webhooks/webhook-worker.ts";
import { browse } from "#testing/browsing.ts";
import { ENGINES } from "#testing/databases.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { createWebhookReceiver } from "#testing/webhook-receiver.ts";

async function makeJob(app: TestApp, page: string) {
  const { json } = await app.call("POST", "/job", { body: { prompt: "Add a page." } });
  await app.carryOut({ files: { [page]: "# Page\n" } });
  return json.id;
}

const stateOf = async (app: TestApp, id: string) =>
  ((await app.call("GET", `/job/${id}`)).json as unknown as { pullRequest: { state: string } }).pullRequest.state;
const told = async (app: TestApp, id: string) =>
  (await app.call("GET", `/job/${id}/events`)).json.events.map(({ type }) => type).filter((type) => /merged|closed/.test(type)); // oxfmt-ignore

describe.each(ENGINES)("the pull request of a job on %s", (engine) => {
  it("is merged with the head that the caller reviewed, with a single webhook event", async () => {
    await using app = await createTestApp(engine);
    const id = await makeJob(app, "new.md");
    const other = "0".repeat(40);
    const refused = await app.call("POST", `/job/${id}/merge`, { body: { head: other } });
    expect([refused.status, refused.json.code]).toEqual([409, "conflict"]);
    expect(refused.json.error).toContain(`not ${other}`);
    const { head } = (await app.call("GET", `/job/${id}/diff`, { headers: { Accept: "application/json" } }))
      .json as unknown as { head: string };
    const merged = await app.call("POST", `/job/${id}/merge`, { body: { head } });
    expect(merged.json).toMatchObject({ status: "completed", pullRequest: { state: "merged" } });
    expect(await stateOf(app, id)).toBe("merged");
    const main = await app.repoStore.resolve(app.project.id, "refs/heads/main");
    expect((await app.repoStore.tree(app.project.id, main!)).map(({ path }) => path)).toContain("new.md");

    expect((await app.call("POST", `/job/${id}/merge`)).status).toBe(200);
    expect((await app.call("POST", `/job/${id}/close`)).status).toBe(409);
    expect(await told(app, id)).toEqual(["pull_request.merged"]);
  });

  it("rejects an Idempotency-Key of a merge for a merge with another head", async () => {
    await using app = await createTestApp(engine);
    const id = await makeJob(app, "new.md");
    const { head } = (await app.call("GET", `/job/${id}/diff`, { headers: { Accept: "application/json" } }))
      .json as unknown as { head: string };
    const merge = (of: string) =>
      app.call("POST", `/job/${id}/merge`, { body: { head: of }, headers: { "Idempotency-Key": "merge" } });
    expect((await merge(head)).status).toBe(200);
    expect((await merge("0".repeat(40))).json).toMatchObject({ code: "idempotency_mismatch" });
  });

  it("is closed without being merged", async () => {
    await using app = await createTestApp(engine);
    const id = await makeJob(app, "new.md");
    expect((await app.call("POST", `/job/${id}/close`)).json).toMatchObject({ pullRequest: { state: "closed" } });
    expect(await stateOf(app, id)).toBe("closed");
    expect((await app.call("POST", `/job/${id}/close`)).status).toBe(200);
    expect((await app.call("POST", `/job/${id}/merge`)).status).toBe(409);
    expect(await told(app, id)).toEqual(["pull_request.closed"]);
    const main = await app.repoStore.resolve(app.project.id, "refs/heads/main");
    expect((await app.repoStore.tree(app.project.id, main!)).map(({ path }) => path)).not.toContain("new.md");
  });

  it("is neither merged nor closed while its job works on a further message", async () => {
    await using app = await createTestApp(engine);
    const id = await makeJob(app, "new.md");
    await app.call("POST", `/job/${id}/message`, { body: { prompt: "Say more." } });
    for (const verb of ["merge", "close"]) {
      const { status, json } = await app.call("POST", `/job/${id}/${verb}`);
      expect([verb, status, json.error]).toEqual([verb, 409, expect.stringContaining("The job is active")]);
    }
    expect(await stateOf(app, id)).toBe("open");
  });

  it("notifies its webhooks at once of a merge or close in the dashboard, or a merge with git", async () => {
    await using app = await createTestApp(engine);
    await using receiver = await createWebhookReceiver();
    const events = ["pull_request.merged", "pull_request.closed"];
    await app.call("POST", "/webhooks", { body: { url: receiver.url, events } });
    await using _outbox = startOutbox(app.outbox);
    const owner = await browseAs(app, await makePerson(app, { isOwner: true }));
    const editor = await browseAs(app, await makePerson(app, { role: "editor" }));
    const key = await browse(app, app.key);
    const end = async (number: number, by: typeof owner, verb: string) => {
      const id = await makeJob(app, `page-${number}.md`);
      await by.get(`/harbor-docs/pull/${number}`);
      expect((await by.post(`/harbor-docs/pull/${number}/${verb}`, {})).status).toBe(303);
      await receiver.arrived(number);
      expect(await told(app, id)).toEqual([receiver.received.at(-1)!.type]);
      return id;
    };
    const ids = [await end(1, owner, "merge"), await end(2, editor, "close"), await end(3, key, "merge")];

    ids.push(await makeJob(app, "page-4.md"));
    const { projectId } = app.repository;
    const main = (await app.repoStore.resolve(projectId, "refs/heads/main"))!;
    const { head } = (await app.codeHost.getPullRequest(app.repository, 4))!;
    await app.repoStore.updateRef(projectId, { ref: "refs/heads/main", to: head.commit, expected: main });
    await app.codeHost.recordPush(app.repository, { branch: "main", before: main, after: head.commit });
    await receiver.arrived(4);
    expect(receiver.received.map(({ type, data }) => [type, data.id])).toEqual([
      ["pull_request.merged", ids[0]],
      ["pull_request.closed", ids[1]],
      ["pull_request.merged", ids[2]],
      ["pull_request.merged", ids[3]],
    ]);
  });

  it("is not changed while the job is active, without a pull request, by another project's key or by an invalid body", async () => {
    await using app = await createTestApp(engine);
    const { json } = await app.call("POST", "/job", { body: { prompt: "Fix links." } });
    expect((await app.call("POST", `/job/${json.id}/merge`)).json).toMatchObject({ code: "conflict" });
    await app.carryOut({});
    expect((await app.call("POST", `/job/${json.id}/merge`)).json.error).toContain("no pull request");
    const id = await makeJob(app, "new.md");
    await app.call("POST", `/job/${id}/message`, { body: { prompt: "More." } });
    for (const verb of ["merge", "close"]) {
      expect((await app.call("POST", `/job/${id}/${verb}`)).json.error).toContain("The job is active");
      expect((await app.call("POST", `/job/job_none/${verb}`)).status).toBe(404);
      const key = await app.makeKey(await app.makeProject(`Other ${verb}`));
      expect((await app.call("POST", `/job/${id}/${verb}`, { key })).status).toBe(404);
      for (const body of [{ head: "main" }, { head: 1 }, { Head: "0".repeat(40) }]) {
        expect((await app.call("POST", `/job/${id}/${verb}`, { body })).status).toBe(400);
      }
    }
    expect(await stateOf(app, id)).toBe("open");
  });
});
