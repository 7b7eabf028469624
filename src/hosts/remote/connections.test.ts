import { afterAll, beforeAll, expect, it } from "vitest";
import { githubApi } from "#hosts/github/github-api.ts";
import type { ProjectId } from "#lib/ids.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { type ConnectedHost, openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { recordRemark } from "./connection-remarks.ts";
import { findConnectedBy, findConnection, findConnectionState, recordRefusal, replaceToken } from "./connections.ts";

let connected: ConnectedHost;
let acme: ProjectId;
let other: ProjectId;

beforeAll(async () => {
  const server = startGithubServer({ "index.md": "one\n" });
  connected = await openConnectedHost({ kind: "github", api: githubApi, server });
  acme = connected.repository.projectId;
  other = await connected.connectAnother("other");
});
afterAll(() => connected[Symbol.asyncDispose]());

it("replacing the token of one project leaves the token of another unchanged", async () => {
  const token = async (projectId: ProjectId) => (await findConnection(connected, projectId))?.token.reveal();
  await replaceToken(connected, acme, new Secret("next-token"));
  expect([await token(acme), await token(other)]).toEqual(["next-token", HOST_TOKEN]);
});

it("a refused change is shown as trouble of its own project only", async () => {
  const trouble = async (projectId: ProjectId) => (await findConnectionState(connected, projectId))?.trouble;
  await recordRefusal(connected, acme, "A rule protects this branch.");
  expect(await trouble(acme)).toBe("The last change was refused. A rule protects this branch.");
  expect(await trouble(other)).toBeNull();
});

it("a remark is shown for its own project only", async () => {
  const remarks = async (projectId: ProjectId) => (await findConnectionState(connected, projectId))?.remarks;
  await recordRemark(connected, acme, "webhook", "No webhook was made.");
  expect([await remarks(acme), await remarks(other)]).toEqual([["No webhook was made."], []]);
});

it("a message of an app is about the projects that this app connects, and about no other", async () => {
  const { kysely } = connected.database;
  const connect = async (projectId: ProjectId, id: string) => {
    const app = { id, origin: "https://github.com", number: "1", slug: id, name: id, owner: "acme" };
    const sealed = { sealed_private_key: "", sealed_webhook_secret: null, created_at: 0 };
    await kysely
      .insertInto("github_app")
      .values({ ...app, ...sealed })
      .execute();
    await kysely.updateTable("connection").set({ app_id: id }).where("project_id", "=", projectId).execute();
  };
  await connect(acme, "app_acme");
  await connect(other, "app_other");
  const about = { remoteId: "4711", installationId: null };
  expect(await findConnectedBy(connected, "app_acme", about)).toEqual([acme]);
});
