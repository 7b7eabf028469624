import { expect, it } from "vitest";
import { openKeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { sealProjectKey } from "#features/projects/project-models.ts";
import { saveSettings } from "#features/projects/projects.ts";
import { secretsFile } from "#app/instance/secrets-file.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { call, finish, MODEL_KEY, startModels } from "#test/support/models.ts";
import type { TurnInput } from "#testing/model-server/script.ts";
import { startTestServer } from "#test/support/server.ts";

/** A server whose project has its own provider `own`, with `MODEL_KEY`. */
async function startWithOwnKey(prompt: string, turns: TurnInput[]) {
  await using stack = new AsyncDisposableStack();
  const { models } = await startModels({ conversations: [{ marker: prompt, turns, afterwards: "repeat" }] });
  stack.use(models);
  const server = stack.use(await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n" } }));
  const { database, data, project } = server.instance;
  const vault = await openKeyVault(secretsFile(data));
  const key = { name: "OWN_KEY", value: new Secret(MODEL_KEY) };
  const provider = { kind: "anthropic", baseUrl: `${models.url}/v1`, apiKeyEnv: key.name };
  const sealedKeys = { [key.name]: sealProjectKey(vault, project, key) };
  await saveSettings({ database }, project, { models: { providers: { own: provider } }, sealedKeys });
  const owned = stack.move();
  return { ...server, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

it("does not let a model write the project's own provider key into the docs, the transcript or the job", async () => {
  const turns = [
    call("write_file", { path: "keys.md", content: "# Keys\n\nOurs is `{{apiKey}}`.\n" }),
    finish("Add {{apiKey}}", "It is {{apiKey}}."),
  ];
  const prompt = "Write down the key";
  await using server = await startWithOwnKey(prompt, turns);
  const { baseUrl, instance } = server;
  const { database, project, repoStore } = instance;

  const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt, model: "own/m" } });
  const job = await waitForJob(baseUrl, instance, body.id);
  expect(job).toMatchObject({ status: "failed", prLink: null, error: { code: "validation_failed" } });
  expect(job.error!.message).toMatch(/^A configured secret would be published/);
  const events = await database.kysely.selectFrom("job_event").selectAll().execute();
  expect(events.some((event) => event.type === "tool.started" && event.data.includes("[redacted]"))).toBe(true);
  expect(JSON.stringify([job, events])).not.toContain(MODEL_KEY);
  expect((await repoStore.branches(project.id)).map(({ name }) => name)).toEqual(["main"]);
});

it("redacts such a key in a message: in the transcript, the branch name and the pull request", async () => {
  const turns = [call("write_file", { path: "keys.md", content: "# Keys\n" }), finish()];
  await using server = await startWithOwnKey("Write a page", turns);
  const { baseUrl, instance } = server;
  const prompt = `${MODEL_KEY} is our key. Write a page.`;
  const { body } = await callApi(baseUrl, instance, {
    path: "/job",
    body: { prompt, model: "own/m", title: MODEL_KEY },
  });
  const job = await waitForJob(baseUrl, instance, body.id);
  expect(job).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
  await callApi(baseUrl, instance, { path: `/job/${job.id}/message`, body: { prompt: `Not ${MODEL_KEY}!` } });
  await waitForJob(baseUrl, instance, job.id);
  const { body: transcript } = await callApi(baseUrl, instance, { path: `/job/${job.id}/events?limit=500` });
  const headers = { authorization: `Bearer ${instance.key}` };
  const page = await (await fetch(`${baseUrl}/${instance.project.slug}/pull/1`, { headers })).text();
  const branches = await instance.repoStore.branches(instance.project.id);
  expect(page).toContain("is our key");
  expect(JSON.stringify(transcript)).toContain("[redacted] is our key. Write a page.");
  expect(JSON.stringify([transcript, branches, page])).not.toContain(MODEL_KEY);
});
