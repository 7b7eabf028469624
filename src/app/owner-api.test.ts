import { expect, onTestFinished, test } from "vitest";
import { AppError } from "#lib/app-error.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createContext } from "./context.ts";
import { loadConfig } from "./instance/config.ts";
import { composeOwnerApi } from "./owner-api.ts";
import { composeStore } from "./store.ts";

async function openApi() {
  const made = new AsyncDisposableStack();
  onTestFinished(() => made.disposeAsync());
  const { path } = made.use(await createTestDirectory());
  const context = createContext(loadConfig({ data: path }, {}), { logger: silentLogger });
  const store = made.use(await composeStore(context, { adopt: false }));
  const api = made.use(composeOwnerApi(context, { store, say: () => undefined, onProgress: () => undefined }));
  const ask = (at: string, key = api.key, init: RequestInit = {}) =>
    api.fetch(
      new Request(`http://localhost:4000${at}`, {
        ...init,
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      }),
    );
  return { ask };
}

test("the owner creates and reads projects with the key of this process; other keys are rejected", async () => {
  const { ask } = await openApi();
  const body = JSON.stringify({ name: "Harbor docs" });
  const made = await ask("/v2/projects", undefined, { method: "POST", body });
  expect(made.status).toBe(201);
  const listed = (await (await ask("/v2/projects")).json()) as { projects: { slug: string }[] };
  expect(listed.projects.map(({ slug }) => slug)).toEqual(["harbor-docs"]);
  await expect(ask("/v2/projects", "docent_other")).rejects.toThrow("This API key is not valid");
});

test("errors are thrown unchanged, without the wording for remote callers", async () => {
  const { ask } = await openApi();
  const made = await ask("/v2/projects", undefined, { method: "POST", body: JSON.stringify({ name: "Docs" }) });
  const { id } = (await made.json()) as { id: string };
  const webhook = ask(`/v2/agent/${id}/webhooks/whk_none`, undefined, { method: "DELETE" });
  await expect(webhook).rejects.toThrow(AppError);
  await expect(webhook).rejects.toThrow("no such webhook");
});
