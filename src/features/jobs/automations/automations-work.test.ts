import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { isAutomationsWork } from "./automations-work.ts";

/** Adds commits with these messages to the project's branch. */
function commitAll({ repoStore, project }: TestApp, messages: readonly string[]): void {
  const commits = messages.map(
    (message) =>
      `commit refs/heads/main\ncommitter Ada Writer <ada@example.com> 1767323045 +0000\ndata ${Buffer.byteLength(message)}\n${message}\n`,
  );
  const [first = "", ...others] = commits;
  const input = [`${first}from refs/heads/main^0\n`, ...others, "done\n"].join("");
  execFileSync("git", ["fast-import", "--quiet", "--done"], { cwd: repoStore.directory(project.id), input });
}

it("a person's commit is not missed when more commits of automations follow it than the limit", async () => {
  await using app = await createTestApp("sqlite");
  const body = { name: "Links", prompt: "Fix the links.", trigger: { kind: "api" } };
  const automation = await app.call("POST", "/automations", { body });
  const { json: job } = await app.call("POST", `/automation/${automation.json.id}/run`);
  const tip = () => app.repoStore.resolve(app.project.id, "refs/heads/main");
  const own = Array<string>(150).fill(`Fix links\n\nDocent-Job: ${job.id}\n`);
  const isOwn = async (base: string | null) =>
    isAutomationsWork(app.automations, app.project.id, { base, head: (await tip())! });

  const start = await tip();
  commitAll(app, ["Edit by hand\n", ...own]);
  const middle = await tip();
  commitAll(app, own);
  expect([await isOwn(middle), await isOwn(start)]).toEqual([true, false]);
});
