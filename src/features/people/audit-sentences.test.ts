import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { auditSentence } from "./audit-sentences.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp("sqlite");
});
afterAll(() => app[Symbol.asyncDispose]());

/** Dashboard forms under their names in the audit log, with each alternative of `:name{one|other}`. */
function formActions(): string[] {
  const ours = /^\/(?:-|:slug)\//;
  return app.app.routes
    .filter(({ method, path }) => method === "POST" && ours.test(path))
    .flatMap(({ path }) =>
      path
        .split("/")
        .slice(2)
        .reduce<string[]>(
          (actions, part) => {
            const [, alternatives] = /^:\w+\{([a-z|-]+)\}$/.exec(part) ?? [];
            if (part.startsWith(":") && alternatives === undefined) return actions;
            return actions.flatMap((action) => (alternatives ?? part).split("|").map((one) => [...action.split("/").filter(Boolean), one].join("/"))); // oxfmt-ignore
          },
          [""],
        ),
    );
}

it("covers every operation and form that changes something", () => {
  const { paths } = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const operations = Object.values(paths).flatMap(
    (item) =>
    Object.entries(item).flatMap(([method, { operationId }]) => (method === "get" || operationId === undefined ? [] : [operationId])), // oxfmt-ignore
  );
  // Requesting the options of a passkey is not recorded; adding one is.
  // OAuth records the answer of the person, `oauth/allow` or `oauth/deny`; programs register and redeem codes on their own.
  const notRecorded = ["account/passkey-options", "oauth/authorize", "oauth/register", "oauth/token"];
  const isRecorded = (action: string) => !notRecorded.includes(action);
  const actions = [...new Set([...operations, ...formActions()])].filter(isRecorded);
  expect(actions.length).toBeGreaterThan(100);
  expect(actions.filter((action) => auditSentence({ action, target: "", subject: null }) === action)).toEqual([]);
});

it.each([
  [{ action: "pull/merge", target: "/harbor/pull/12/merge", subject: null }, "merged pull request #12"],
  [{ action: "keys", target: "/harbor/keys", subject: "ci" }, "created an API key named ci"],
  [{ action: "keys", target: "/harbor/keys", subject: null }, "created an API key"],
  [{ action: "keys", target: "/harbor/keys", subject: "$& {number}" }, "created an API key named $& {number}"],
  [
    { action: "oauth/allow My editor (agent)", target: "", subject: null },
    "let a program act for them: My editor (agent)",
  ],
  [{ action: "people/two-factor", target: "", subject: "ada@example.com" }, "turned off the two-factor codes of ada@example.com"], // oxfmt-ignore
  [{ action: "createProject", target: "/v2/project", subject: "Harbor docs" }, "created the project Harbor docs"],
  [{ action: "ofALaterVersion", target: "", subject: null }, "ofALaterVersion"],
])("%j is %s", (event, sentence) => {
  expect(auditSentence(event)).toBe(sentence);
});
