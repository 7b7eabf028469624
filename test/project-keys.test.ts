import { expect, it } from "vitest";
import { openKeyVault } from "#lib/key-vault.ts";
import { Secret } from "#lib/secret.ts";
import { sealProjectKey } from "#projects/project-models.ts";
import { saveSettings } from "#projects/projects.ts";
import { secretsFile } from "#secrets-file.ts";
import { callApi, waitForJob } from "./support/instance.ts";
import { call, finish, MODEL_KEY, startModels } from "./support/models.ts";
import { startTestServer } from "./support/server.ts";

it("does not let a model write the project's own provider key into the docs, the transcript or the job", async () => {
  const turns = [
    call("write_file", { path: "keys.md", content: "# Keys\n\nOurs is `{{apiKey}}`.\n" }),
    finish("Add {{apiKey}}", "It is {{apiKey}}."),
  ];
  const prompt = "Write down the key";
  const started = await startModels({ conversations: [{ marker: prompt, turns, afterwards: "repeat" }] });
  await using models = started.models;
  await using server = await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n" } });
  const { baseUrl, instance } = server;
  const { database, data, project, repoStore } = instance;
  const vault = await openKeyVault(secretsFile(data));
  const key = { name: "OWN_KEY", value: new Secret(MODEL_KEY) };
  const provider = { kind: "anthropic", baseUrl: `${models.url}/v1`, apiKeyEnv: key.name };
  const sealedKeys = { [key.name]: sealProjectKey(vault, project, key) };
  await saveSettings({ database }, project, { models: { providers: { own: provider } }, sealedKeys });

  const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt, model: "own/m" } });
  const job = await waitForJob(baseUrl, instance, body.id);
  expect(job).toMatchObject({ status: "failed", prLink: null, error: { code: "validation_failed" } });
  expect(job.error!.message).toMatch(/^A configured secret would be published/);
  const events = await database.kysely.selectFrom("job_event").selectAll().execute();
  expect(events.some((event) => event.type === "tool.started" && event.data.includes("[redacted]"))).toBe(true);
  expect(JSON.stringify([job, events])).not.toContain(MODEL_KEY);
  expect((await repoStore.branches(project.id)).map(({ name }) => name)).toEqual(["main"]);
});
