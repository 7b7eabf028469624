import { describe, expect, it } from "vitest";
import { startForgejoServer, startGiteaServer } from "./gitea-server.ts";
import { gitlabCheck } from "./gitlab-description.ts";
import { startGithubServer } from "./github-server.ts";
import { descriptionCheck, type DescriptionCheck } from "./host-description.ts";
import { HOST_TOKEN } from "./host-server.ts";

const HOST = "http://127.0.0.1";
const ask = (check: DescriptionCheck, request: string, body?: unknown) => {
  const [method = "", path = ""] = request.split(" ");
  return check.request({ method, url: new URL(path, HOST), body: body === undefined ? "" : JSON.stringify(body) });
};
const answer = (check: DescriptionCheck, request: string, status: number, body: unknown) => {
  const [method = "", path = ""] = request.split(" ");
  return check.answer({ method, url: new URL(path, HOST) }, { status, body: JSON.stringify(body) });
};

describe("a request to GitHub", () => {
  const check = descriptionCheck("github", "/api/v3");
  const PULLS = "/api/v3/repos/acme/docs/pulls";
  const wanted = { title: "x", head: "acme:y", base: "main", body: "", draft: false };

  it.each([
    [`POST ${PULLS}`, wanted],
    [`GET ${PULLS}?state=all&per_page=100&head=acme:y`],
    [`GET ${PULLS}/7`],
    ["GET /api/v3/repos/acme/docs/"],
    ["DELETE /api/v3/repos/acme/docs/git/refs/heads/docent/one"],
    ["POST /api/v3/repos/acme/docs/statuses/4711", { state: "success", target_url: HOST, context: "docent" }],
    ["POST /api/v3/repos/acme/docs/issues/7/comments", { body: "x" }],
    ["POST /api/v3/repos/acme/docs/pulls/7/comments/8/replies", { body: "x" }],
    ["GET /api/v3/repos/acme/docs/collaborators/ada/permission"],
    ["POST /api/v3/app/installations/9/access_tokens", { repositories: ["docs"], permissions: { contents: "write" } }],
    ["POST /api/v3/app-manifests/code/conversions"],
    // Not part of the REST API.
    ["POST /api/graphql", { query: "x" }],
  ])("passes as %s", (request, body?: unknown) => {
    expect(ask(check, request, body)).toBe(null);
  });

  it.each([
    [`POST ${PULLS}`, { ...wanted, labels: ["x"] }, /labels/],
    [`POST ${PULLS}`, { ...wanted, draft: "no" }, /\/draft must be boolean/],
    [`POST ${PULLS}`, { title: "x", head: "y" }, /must have required property 'base'/],
    [`POST ${PULLS}`, undefined, /it needs a body/],
    [`GET ${PULLS}?state=merged`, undefined, /\/state must be equal to one of the allowed values/],
    [`GET ${PULLS}?source=x`, undefined, /must NOT have additional properties/],
    [`GET ${PULLS}/one`, undefined, /has no such request/],
    [`PUT ${PULLS}/7`, {}, /has no such request/],
    [`GET /api/v3/repos/acme/docs/merge_requests`, undefined, /has no such request/],
  ])("is refused as %s %j", (request, body, expected) => {
    expect(ask(check, request, body)).toMatch(expected);
  });

  it("gets a response with GitHub's fields and types", () => {
    const one = `GET ${PULLS}/7`;
    expect(answer(check, one, 200, { number: 7, merged_at: null, head: { ref: "x" } })).toBe(null);
    expect(answer(check, one, 404, { message: "Not Found" })).toBe(null);
    expect(answer(check, one, 200, { number: "7" })).toMatch(/\/number must be integer/);
    expect(answer(check, one, 200, { iid: 7 })).toMatch(/"iid"/);
  });
});

describe.each(["gitea", "forgejo"] as const)("a request to %s", (name) => {
  const check = descriptionCheck(name, "/api/v1");
  const PULLS = "/api/v1/repos/acme/docs/pulls";

  it("passes when it follows the Swagger document", () => {
    expect(ask(check, `POST ${PULLS}`, { title: "x", head: "y", base: "main", body: "" })).toBe(null);
    expect(ask(check, `POST ${PULLS}/7/merge`, { Do: "squash", head_commit_id: "x" })).toBe(null);
    expect(ask(check, "GET /api/v1/repos/acme/docs/compare/main...docent%2Fone")).toBe(null);
    expect(answer(check, `GET ${PULLS}/7`, 200, { number: 7, merge_commit_sha: null })).toBe(null);
  });

  it("is refused otherwise", () => {
    expect(ask(check, `POST ${PULLS}`, { title: "x", draft: true })).toMatch(/"draft"/);
    expect(ask(check, `POST ${PULLS}/7/merge`, { head_commit_id: "x" })).toMatch(/required property 'Do'/);
    expect(ask(check, `GET ${PULLS}?sort=newest`)).toMatch(/\/sort must be equal to one of/);
    expect(answer(check, `GET ${PULLS}/7`, 200, { iid: 7 })).toMatch(/"iid"/);
  });
});

describe("a request to GitLab", () => {
  const MERGE_REQUESTS = "/api/v4/projects/acme%2Fdocs/merge_requests";
  const wanted = { source_branch: "x", target_branch: "main", title: "x" };

  it("passes when it matches gitbeaker's types", () => {
    expect(ask(gitlabCheck, `POST ${MERGE_REQUESTS}`, { ...wanted, description: "x", squash: true })).toBe(null);
    expect(ask(gitlabCheck, `PUT ${MERGE_REQUESTS}/7`, { state_event: "close" })).toBe(null);
    expect(ask(gitlabCheck, `GET ${MERGE_REQUESTS}?state=all&per_page=100`)).toBe(null);
    expect(ask(gitlabCheck, "GET /api/v4/user")).toBe(null);
  });

  it("is refused otherwise", () => {
    expect(ask(gitlabCheck, `POST ${MERGE_REQUESTS}`, { ...wanted, draft: true })).toMatch(/"draft"/);
    expect(ask(gitlabCheck, `POST ${MERGE_REQUESTS}`, { title: "x" })).toMatch(
      /source_branch, target_branch is missing/,
    );
    expect(ask(gitlabCheck, `PUT ${MERGE_REQUESTS}/7`, { state_event: "closed" })).toMatch(/state_event/);
    expect(ask(gitlabCheck, `GET ${MERGE_REQUESTS}?state=open`)).toMatch(/state/);
  });
});

it.each([
  [startGithubServer, "/api/v3"],
  [startGiteaServer, "/api/v1"],
  [startForgejoServer, "/api/v1"],
])("a host that got an undocumented request fails with an error that names it", async (start, prefix) => {
  const server = await start({ "index.md": "one\n" });
  const headers = { authorization: `Bearer ${HOST_TOKEN}` };
  const answered = await fetch(`${server.origin}${prefix}/repos/acme/docs/pulls?sort=best`, { headers });
  expect(answered.status).toBe(599);
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow(/pulls\?sort=best: \/sort must be equal to one of/);
});
