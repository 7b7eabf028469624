import { expect, it } from "vitest";
import { forgejoApi } from "#hosts/gitea/gitea-api.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { gitlabApi } from "#hosts/gitlab/gitlab-api.ts";
import { openPushedBranch } from "#testing/hosts/pushed-branch.ts";
import { rename } from "#testing/hosts/renamed-repository.ts";
import { findConnectionState } from "./connections.ts";
import type { HostApi } from "./host-api.ts";

const NEW = "other-team/handbook";

/** The stored address of a project's repository. */
async function stored({ database, repository, server }: Awaited<ReturnType<typeof openPushedBranch>>) {
  const connection = await findConnectionState({ database }, repository.projectId);
  const project = await database.kysely
    .selectFrom("project")
    .select("source_url")
    .where("id", "=", repository.projectId)
    .executeTakeFirstOrThrow();
  const path = (url: string | null) => url?.replace(`${server.origin}/`, "");
  return { connection: path(connection!.url), project: path(project.source_url), remarks: connection!.remarks };
}

it.each([githubApi, gitlabApi, forgejoApi])("$name's repository is followed to its new name", async (api: HostApi) => {
  await using run = await openPushedBranch(api);
  rename(run.server.state, NEW);
  expect(await run.host.fetchBranch(run.repository, "main")).toBe(run.main);
  expect(await stored(run)).toEqual({
    connection: NEW,
    project: NEW,
    remarks: [
      `${api.name} has the repository under a new name: it was acme/docs and is ${NEW}. Docent uses the new one.`,
    ],
  });
  expect(await run.push(await run.commit(run.head, "three\n"), run.head)).toEqual({ outcome: "pushed" });
  expect(await run.ensure()).toMatchObject({ outcome: "created" });
});

it("a rename between the steps of a job interrupts none of them", async () => {
  await using run = await openPushedBranch(githubApi);
  const { state } = run.server;
  rename(state, "acme/one");
  expect(await run.push(await run.commit(run.head, "three\n"), run.head)).toEqual({ outcome: "pushed" });
  rename(state, "acme/two");
  expect(await run.ensure()).toMatchObject({ outcome: "created", pullRequest: { number: 1 } });
  rename(state, "acme/three");
  expect(await run.host.mergePullRequest(run.repository, 1, { expectedHead: null })).toMatchObject({ ok: true });
  expect((await stored(run)).connection).toBe("acme/three");
});

it("another repository under the old name is not mistaken for the connected one", async () => {
  await using run = await openPushedBranch(githubApi);
  const { name } = run.server.state;
  const { parts } = run.server;
  const moved = { ref: "refs/heads/main", to: run.head, expected: run.main };
  await parts.repoStore.updateRef(parts.repository.projectId, moved);
  name.squatter = 815;
  name.isDeleted = true;
  const main = await run.host.fetchBranch(run.repository, "main").catch((error: unknown) => error);
  expect(main).toMatchObject({
    code: "forbidden",
    message: `${run.server.url} is another repository now than the one that was connected, which GitHub does not have any more, or does not show to the token. To use the new one, connect it as a project of its own.`,
  });
  expect((await stored(run)).connection).toBe("acme/docs");
  expect(await run.repoStore.resolve(run.repository.projectId, "refs/heads/main")).toBe(run.main);
  // When the connected one exists elsewhere, that one is used.
  name.isDeleted = false;
  rename(run.server.state, NEW);
  expect(await run.host.fetchBranch(run.repository, "main")).toBe(run.head);
  expect((await stored(run)).connection).toBe(NEW);
});

it("an address on another host is not stored, so the token stays with its own", async () => {
  await using run = await openPushedBranch(githubApi);
  rename(run.server.state, NEW);
  run.break(async (request, answer) => {
    if (!request.url.endsWith("/repos/acme/docs")) return null; // asked by its id
    const text = await (await answer()).text();
    return Response.json(JSON.parse(text.replaceAll(run.server.origin, "https://evil.example")));
  });
  const main = await run.host.fetchBranch(run.repository, "main").catch((error: unknown) => error);
  expect(main).toMatchObject({ code: "forbidden" });
  expect((await stored(run)).connection).toBe("acme/docs");
});

it("a redirect is never followed with the token, wherever it points", async () => {
  await using run = await openPushedBranch(githubApi);
  run.break(() => new Response(null, { status: 301, headers: { location: "http://127.0.0.1:9/repos/acme/docs" } }));
  await expect(run.host.fetchBranch(run.repository, "main")).rejects.toMatchObject({
    code: "forbidden",
    message: "GitHub sends elsewhere: the repository was moved. Connect its new address.",
  });
  expect((await stored(run)).connection).toBe("acme/docs");
});
