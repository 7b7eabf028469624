import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

type State = "active" | "completed" | "failed" | "archived completed" | "archived failed";
type Action = "message" | "cancel" | "archive" | "unarchive" | "delete" | "get";

const CALLS: Record<Action, { method: string; suffix: string; body?: unknown }> = {
  message: { method: "POST", suffix: "/message", body: { prompt: "Fix the rest." } },
  cancel: { method: "POST", suffix: "/cancel" },
  archive: { method: "POST", suffix: "/archive" },
  unarchive: { method: "POST", suffix: "/unarchive" },
  delete: { method: "DELETE", suffix: "" },
  get: { method: "GET", suffix: "" },
};

/** State before, action, status of the response, state afterwards; null = the job is deleted. */
const TABLE: readonly [State, Action, number, string | null][] = [
  ["active", "message", 200, "active"],
  ["active", "cancel", 200, "failed"],
  ["active", "archive", 409, "active"],
  ["active", "unarchive", 200, "active"],
  ["active", "delete", 409, "active"],
  ["active", "get", 200, "active"],
  ["completed", "message", 200, "active"],
  ["completed", "cancel", 409, "completed"],
  ["completed", "archive", 200, "archived"],
  ["completed", "unarchive", 200, "completed"],
  ["completed", "delete", 204, null],
  ["failed", "message", 200, "active"],
  ["failed", "cancel", 409, "failed"],
  ["failed", "archive", 200, "archived"],
  ["failed", "unarchive", 200, "failed"],
  ["failed", "delete", 204, null],
  ["archived completed", "message", 409, "archived"],
  ["archived completed", "cancel", 409, "archived"],
  ["archived completed", "archive", 200, "archived"],
  ["archived completed", "unarchive", 200, "completed"],
  ["archived completed", "delete", 204, null],
  ["archived failed", "message", 409, "archived"],
  ["archived failed", "unarchive", 200, "failed"],
];

async function makeJob(app: TestApp, state: State): Promise<string> {
  const { json } = await app.call("POST", "/job", { body: { prompt: "Fix it." } });
  if (state.endsWith("completed")) await app.carryOut({ files: { "index.md": "# Better\n" } });
  if (state.endsWith("failed")) await app.carryOut({ fail: "stuck" });
  if (state.startsWith("archived")) await app.call("POST", `/job/${json.id}/archive`);
  return json.id;
}

describe.each(ENGINES)("the states of a job on %s", (engine) => {
  // One server for all of them. A job that is left would be the next that is carried out.
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp(engine);
  });
  afterEach(() => app.database.kysely.deleteFrom("job").execute());
  afterAll(() => app[Symbol.asyncDispose]());

  it.each(TABLE)("%s, %s: %i, then %s", async (from, action, status, to) => {
    const id = await makeJob(app, from);
    const { method, suffix, body } = CALLS[action];
    const answer = await app.call(method, `/job/${id}${suffix}`, body === undefined ? {} : { body });
    const after = await app.call("GET", `/job/${id}`);
    const job = JSON.parse(after.text) as Record<"status" | "archivedAt" | "prLink" | "error", string | null>;
    expect({
      status: answer.status,
      code: answer.json.code,
      isSameVersion: status !== 200 || answer.headers.get("etag") === after.headers.get("etag"),
      afterwards: after.status === 404 ? null : job.status,
    }).toEqual({ status, code: status === 409 ? "conflict" : undefined, isSameVersion: true, afterwards: to });
    const isActive = to === "active";
    expect({
      isArchived: !!job.archivedAt,
      hasLink: !!job.prLink,
      hasError: after.status === 200 && !!job.error,
    }).toEqual({
      isArchived: to === "archived",
      hasLink: from.endsWith("completed") && to !== null && !isActive,
      hasError: (from.endsWith("failed") || to === "failed") && to !== null && !isActive,
    });
  });

  it("a message with an effort changes how long the model thinks", async () => {
    const { json } = await app.call("POST", "/job", { body: { prompt: "Fix it.", effort: "low" } });
    const send = async (more: object) =>
      (await app.call("POST", `/job/${json.id}/message`, { body: { prompt: "More.", ...more } })).json;
    expect(await send({})).toMatchObject({ effort: "low" });
    expect(await send({ effort: "high" })).toMatchObject({ effort: "high" });
    expect(await send({ effort: "max" })).toMatchObject({ details: [{ path: "effort" }] });
  });

  it.each(["message", "cancel", "archive", "unarchive", "delete", "get"] as const)(
    "refuses to %s a job of another project as if it did not exist",
    async (action) => {
      const id = await makeJob(app, "completed");
      const other = await app.makeProject(`Other ${action}`);
      const key = await app.makeKey(other);
      const { method, suffix, body } = CALLS[action];
      const given = body === undefined ? {} : { body };
      const headers = { "x-request-id": "req_same_for_all" };
      const foreign = await app.call(method, `/job/${id}${suffix}`, { ...given, headers, key, project: other.id });
      const missing = await app.call(method, `/job/job_x${suffix}`, { ...given, headers, key, project: other.id });
      const closed = await app.call(method, `/job/${id}${suffix}`, { ...given, headers, key });
      const seen = [foreign, missing, closed].map(({ status, text, headers: sent }) => ({
        status,
        text,
        headers: [...sent.keys()],
      }));
      expect(seen[0]).toMatchObject({ status: 404, headers: ["cache-control", "content-type", "x-request-id"] });
      expect(seen[1]).toEqual(seen[0]);
      expect(seen[2]).toEqual(seen[0]);
      expect((await app.call("GET", `/job/${id}`)).json.status).toBe("completed");
    },
  );
});
