import { afterAll, beforeAll, expect, it } from "vitest";
import { githubApi } from "#hosts/github/github-api.ts";
import type { ProjectId } from "#lib/ids.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { type ConnectedHost, openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { recordRemark } from "./connection-remarks.ts";
import { findConnection, findConnectionState, recordRefusal, replaceToken } from "./connections.ts";

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
