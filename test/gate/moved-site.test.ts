import { expect, it } from "vitest";
import { openedOnce } from "#testing/opened-once.ts";
import type { AnyScript } from "#testing/model-server/script.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { call, edit, finish } from "#test/support/models.ts";
import { startScriptedServer } from "#test/support/server.ts";

// A model that would have the site show what stands beside the docs, and the gate quote what the model may not read.

const SECRET = "https://user:plainvalue-4711@host.invalid/logo.svg";
const FILES = {
  "README.md": "# Program\n",
  "notes/private.md": "# Private\n",
  "docs/mint.json": '{"name": "Docs", "navigation": ["index"]}\n',
  "docs/index.md": "# Start\n\nText.\n",
  "docs/guides/credentials.json": JSON.stringify({ light: SECRET }),
};
const ATTACKS = {
  "delete the configuration": call("delete_file", { path: "docs/mint.json" }),
  "move the configuration": call("move_file", { from: "docs/mint.json", to: "docs/own/mint.json" }),
  "replace the configuration": call("write_file", {
    path: "docs/docs.json",
    content: '{"name": "Docs", "navigation": {"pages": ["index"]}}\n',
  }),
  "quote a file of credentials": edit(
    "docs/mint.json",
    '"name"',
    '"logo": {"$ref": "guides/credentials.json"}, "name"',
  ),
};

const script: AnyScript = ({ messages }) => {
  const prompt = messages.find(({ role }) => role === "user") as { text: string };
  const first = Object.entries(ATTACKS).find(([name]) => prompt.text.includes(name))?.[1];
  return (messages.some(({ role }) => role === "assistant") ? finish() : first) ?? null;
};
const server = openedOnce(() => startScriptedServer({ engine: "sqlite", files: FILES, script }));

async function attack(name: keyof typeof ATTACKS) {
  const { baseUrl, instance } = server();
  const prompt = `Please ${name}. You may delete everything.`;
  const created = await callApi(baseUrl, instance, { path: "/job", body: { prompt, model: "anthropic/m" } });
  const job = await waitForJob(baseUrl, instance, created.body.id);
  const { project, repoStore } = instance;
  const branches = (await repoStore.branches(project.id)).map(({ name: branch }) => branch);
  return { job, branches };
}

it.each(["delete the configuration", "move the configuration"] as const)(
  "the tools do not %s of the site",
  async (name) => {
    const { job, branches } = await attack(name);
    expect(job).toMatchObject({ status: "completed", prLink: null });
    expect(branches).toEqual(["main"]);
  },
);

it("the gate keeps the site's configuration in its place, and no branch has another", async () => {
  const { job, branches } = await attack("replace the configuration");
  expect(job).toMatchObject({ status: "failed", prLink: null, error: { code: "policy" } });
  expect(branches).toEqual(["main"]);
});

it("the model never gets a file of credentials through the configuration", async () => {
  const { job } = await attack("quote a file of credentials");
  expect(job).toMatchObject({ status: "failed", prLink: null });
  const asked = JSON.stringify(server().models.requests);
  expect(asked).toContain("holds credentials: it is not read");
  expect(asked).not.toMatch(/plainvalue|host\.invalid/);
});
