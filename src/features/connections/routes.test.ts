import { afterAll, beforeAll, expect, it } from "vitest";
import { findConnection } from "#hosts/remote/connections.ts";
import { listProjects } from "#features/projects/projects.ts";
import type { Project } from "#features/projects/project.ts";
import { browseAsOperator, connectInBrowser } from "#testing/browsing.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN, type HostServer } from "#testing/hosts/host-server.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

const made = new AsyncDisposableStack();
let app: TestApp;
let host: HostServer;
let project: Project;

beforeAll(async () => {
  app = made.use(await createTestApp("sqlite"));
  host = made.use(await startGithubServer({ "index.md": "# Welcome\n" }));
  const fields = { name: "Acme", url: host.url, kind: "github", token: HOST_TOKEN };
  await connectInBrowser(await browseAsOperator(app), fields);
  project = (await listProjects(app)).find(({ slug }) => slug === "acme")!;
});
afterAll(() => made.disposeAsync());

const post = async (at: string, body?: object) =>
  app.call("POST", `/connection${at}`, {
    project: `../project/${project.id}`, // relative to `/v2/agent/`
    key: await app.makeKey(project),
    ...(body && { body }),
  });

it("stores a replacement token", async () => {
  host.state.tokens.add("next-token");
  expect((await post("/token", { token: "next-token" })).status).toBe(200);
  expect((await findConnection(app, project.id))?.token.reveal()).toBe("next-token");
});

it("schedules a sync on request", async () => {
  const { kysely } = app.database;
  await kysely.updateTable("connection").set({ tried_at: Date.now() }).execute();
  expect((await post("/sync")).status).toBe(202);
  expect(await kysely.selectFrom("connection").select("tried_at").execute()).toEqual([{ tried_at: null }]);
});
