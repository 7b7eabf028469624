import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { browse, type Browsing, dangerousMarkup } from "#testing/browsing.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let member: Browsing;

beforeEach(async () => {
  app = await createTestApp("sqlite");
  member = await browse(app, app.key);
});
afterEach(() => app[Symbol.asyncDispose]());

const JOB = "/harbor-docs/jobs/job_00000000000000000000000000";

it.each<[string, (browsing: Browsing) => ReturnType<Browsing["get"]>, number, string]>([
  ["no such project", (from) => from.get("/no-such-project"), 404, "There is no such page"],
  ["no such page of a project", (from) => from.get("/harbor-docs/nothing"), 404, "There is no such page"],
  ["no such job", (from) => from.get(JOB), 404, "There is no such page"],
  ["a name that nothing can have", (from) => from.get("/harbor%00docs/jobs"), 404, "There is no such page"],
  ["a form of another page", (from) => from.post("/harbor-docs/keys", { csrf: "x" }), 403, "This was not done"],
  ["a form without an end", (from) => from.post("/harbor-docs/keys", { name: "x".repeat(5_000) }), 413, "too much"],
  ["a form's address, opened", (from) => from.get(`${JOB}/cancel`), 405, "This address is for a form"],
])("says on a page what went wrong and what to do: %s", async (_name, ask, status, title) => {
  const { headers, text, ...answer } = await ask(member);
  expect(answer.status).toBe(status);
  expect(headers.get("content-type")).toBe("text/html; charset=UTF-8");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(text).toContain(title);
  expect(text).toContain(`Request id <code>${headers.get("x-request-id")}</code>, for your administrator`);
  expect(dangerousMarkup(text)).toEqual([]);
});

it("shows for an internal error only the request's id in the log", async () => {
  await sql`alter table job rename to hidden_job`.execute(app.database.kysely);
  const answers = [
    await member.get("/harbor-docs/jobs"),
    await member.get("/harbor-docs"),
    await member.post("/harbor-docs/jobs", { prompt: "Fix the broken links." }),
  ];
  for (const { status, headers, text } of answers) {
    expect(status).toBe(500);
    expect(headers.get("content-type")).toBe("text/html; charset=UTF-8");
    expect(text).toContain("<h1>Something went wrong on our side</h1>");
    expect(text).toContain("send the request id below to your administrator");
    expect(text).toContain(`<code>${headers.get("x-request-id")}</code>`);
    expect(text).not.toMatch(/sql|table/i);
  }
});

it("answers programs with JSON on all their paths", async () => {
  for (const path of ["/v2/agent/x/nothing", "/v2/nothing", "/v1/x", "/v1"]) {
    const { status, headers } = await member.get(path);
    expect([status, headers.get("content-type")]).toEqual([
      path.startsWith("/v2/agent") ? 401 : 404,
      "application/json",
    ]);
  }
});
