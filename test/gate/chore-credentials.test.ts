import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { JobId } from "#lib/ids.ts";
import { callApi, createTestInstance, type TestInstance, waitForJob } from "#test/support/instance.ts";
import { finish, startModels } from "#test/support/models.ts";
import { serveInstance, startTestServer } from "#test/support/server.ts";

// What a chore is given to write is written as it is, or refused: never with "[redacted]" in place of a credential.

// Put together here, so that this file holds none.
const ADDRESS = ["postgres://admin", "s3cretPass99@db.acme.dev:5432/app"].join(":");
const LINE = `Connect to ${ADDRESS} first.`;
const FILES = {
  "index.md": "# Start\n\nText.\n",
  "leak.md": `# Leak\n\nIntro.\n\n${LINE}\n\nThen wait.\n`,
};

const patchOf = (file: string, hunk: string) => `--- a/${file}\n+++ b/${file}\n${hunk}`;
const leakPatch = (lines: readonly string[]) =>
  patchOf("leak.md", `@@ -3,5 +3,5 @@\n Intro.\n \n${lines.join("\n")}\n`);

async function storedIn({ data }: TestInstance, text: string): Promise<boolean> {
  const names = (await readdir(data)).filter((name) => name.startsWith("docent.sqlite"));
  return Buffer.concat(await Promise.all(names.map((name) => readFile(path.join(data, name))))).includes(text);
}

it("a chore that would write a credential is refused by the request, with its place", async () => {
  await using server = await startTestServer({ engine: "sqlite", files: FILES });
  const { instance, baseUrl } = server;
  const text = `Use ${ADDRESS} here.`;
  const cases: [chore: Record<string, object>, path: string, says: string][] = [
    [{ add_page: { title: "New", path: "new-page", text } }, "add_page.text", "holds a credential"],
    [{ add_section: { page: "index", title: "Use", text } }, "add_section.text", "holds a credential"],
    [{ replace_section: { page: "index", title: "Start", text } }, "replace_section.text", "holds a credential"],
    [{ set_front_matter: { page: "index", key: "tags", value: ["a", text] } }, "set_front_matter.value.1", "holds a credential"], // oxfmt-ignore
    [{ add_callout: { page: "index", kind: "note", text } }, "add_callout.text", "holds a credential"],
    [
      { apply_patch: { patch: patchOf("index.md", `@@ -3 +3,2 @@\n Text.\n+${text}\n`) } },
      "apply_patch.patch",
      "adds a credential in line 5",
    ],
  ];
  for (const [chore, place, says] of cases) {
    const { status, body } = await callApi(baseUrl, instance, { path: "/job", body: { chores: [chore] } });
    expect([place, status, body]).toMatchObject([
      place,
      400,
      { details: [{ path: `chores.0.${place}`, message: expect.stringContaining(says) as string }] },
    ]);
  }
});

it.each([
  ["removes a credential", [`-${LINE}`, "+Connect to the database first.", " ", " Then wait."], false],
  ["changes a line next to one", [` ${LINE}`, " ", "-Then wait.", "+Then go."], true],
  ["moves one", [`-${LINE}`, "-", "-Then wait.", "+Then wait.", "+", `+${LINE}`], true],
])("a patch that %s is applied as sent, and is stored without it", async (_name, lines, isLeft) => {
  const conversations = [{ marker: "Go on", turns: [finish("Leave it", "All is well.")] }];
  const started = await startModels({ conversations });
  await using models = started.models;
  await using server = await startTestServer({ engine: "sqlite", files: FILES, environment: started.environment });
  const { instance, baseUrl } = server;
  const body = { chores: [{ apply_patch: { patch: leakPatch(lines) } }], model: "anthropic/m" };
  const { id } = (await callApi(baseUrl, instance, { path: "/job", body })).body;
  const job = await waitForJob(baseUrl, instance, id);
  expect(job).toMatchObject({ status: "completed", changed: true });
  const { repoStore, project } = instance;
  const branch = await repoStore.resolve(project.id, `refs/heads/${job.source.ref}`);
  const file = (await repoStore.tree(project.id, branch!)).find(({ path: name }) => name === "leak.md");
  const text = new TextDecoder().decode((await repoStore.readBlob(project.id, file!.oid))!);
  expect([text.includes("[redacted]"), text.includes(LINE)]).toEqual([false, isLeft]);
  // A language model that continues the job does not see it either.
  await callApi(baseUrl, instance, { path: `/job/${id}/message`, body: { prompt: "Go on" } });
  await waitForJob(baseUrl, instance, id);
  expect(JSON.stringify(models.requests.at(-1)?.body)).toContain("apply_patch");
  expect(JSON.stringify(models.requests.at(-1)?.body)).not.toContain("s3cretPass99");
  expect(await storedIn(instance, "s3cretPass99")).toBe(false);
});

it("a sentence with a credential writes nothing, and the reason names it", async () => {
  await using server = await startTestServer({ engine: "sqlite", files: FILES });
  const { instance, baseUrl } = server;
  const prompt = `Add a section "Use" to index.md that says "Connect to ${ADDRESS} first."`;
  const { id } = (await callApi(baseUrl, instance, { path: "/job", body: { prompt } })).body;
  const job = await waitForJob(baseUrl, instance, id);
  expect([job.changed, (job.lastMessage?.error ?? job.error)?.message]).toEqual([
    false,
    expect.stringContaining("The words hold a credential"),
  ]);
});

it("chores that an earlier version stored with a mask are refused with the reason, and not tried again", async () => {
  await using instance = await createTestInstance("sqlite", FILES);
  const environment = { ...instance.environment, DOCENT_JOBS_AT_ONCE: "0" };
  const patch = patchOf("index.md", "@@ -3 +3,2 @@\n Text.\n+Use [redacted] here.\n");
  const body = { chores: [{ apply_patch: { patch } }] };
  const accept = async () => {
    await using server = await serveInstance({ ...instance, environment });
    return (await callApi(server.baseUrl, instance, { path: "/job", body })).body.id;
  };
  const [id, sentNow] = [(await accept()) as JobId, await accept()]; // accepted, and not run yet
  const { kysely } = instance.database;
  const { chores } = await kysely
    .selectFrom("job_message")
    .select("chores")
    .where("job_id", "=", id)
    .executeTakeFirstOrThrow();
  const asBefore = JSON.stringify((JSON.parse(chores!) as { sent: unknown }).sent);
  await kysely.updateTable("job_message").set({ chores: asBefore }).where("job_id", "=", id).execute();
  await using server = await serveInstance(instance);
  const job = await waitForJob(server.baseUrl, instance, id);
  const reason = expect.stringContaining("in place of a credential, and would write that. Send them again.") as string;
  expect([job.changed, job.lastMessage?.error?.message]).toEqual([false, reason]);
  const retried = await callApi(server.baseUrl, instance, { method: "POST", path: `/job/${id}/retry` });
  expect(retried).toMatchObject({ status: 409, body: { error: reason } });
  // The documentation about the word itself, sent as a patch to this version.
  expect(await waitForJob(server.baseUrl, instance, sentNow)).toMatchObject({ status: "completed", changed: true });
});
