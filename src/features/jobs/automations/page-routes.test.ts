import { afterAll, beforeAll, expect, it } from "vitest";
import { listJobs } from "#features/jobs/list.ts";
import { browse, type Browsing } from "#testing/browsing.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { understand } from "#rules/understanding.ts";
import { listAutomations } from "./automations.ts";
import { EXAMPLES } from "./automations-page.ts";
import { triggerWords } from "./trigger-words.ts";

let app: TestApp;
let admin: Browsing;

beforeAll(async () => {
  app = await createTestApp("sqlite");
  admin = await browse(app, app.key);
});
afterAll(() => app[Symbol.asyncDispose]());

const PAGE = "/harbor-docs/automations";
const all = async () => (await listAutomations(app, { projectId: app.project.id, limit: 50, cursor: null })).items;
const once = (text: string) => /name="once" value="([^"]+)"/.exec(text)?.[1] ?? "";
const NEW = { name: "Morning check", prompt: "Fix the broken links.", kind: "schedule", cron: "30 8 * * 1-5" };

it("offers examples that the built-in rules understand, each in one click", async () => {
  const { text } = await admin.get(PAGE);
  const tools = createAgentTools().map(({ name }) => name);
  for (const [example, { name, prompt }] of Object.entries(EXAMPLES)) {
    expect(text).toContain(name);
    expect(understand(prompt, tools)).toMatchObject({ refused: [], calls: [{}] });
    expect((await admin.post(`${PAGE}/example`, { example })).location).toBe(`${PAGE}?done=example`);
  }
  expect((await all()).map(({ model }) => model)).toEqual(Array(3).fill("docent/builtin-rules"));
  expect((await all()).map(({ trigger }) => triggerWords(trigger)).sort()).toEqual([
    "At 06:00, on day 1 of the month (UTC)",
    "At 06:00, only on Monday (UTC)",
    "On each push to main",
  ]);
  expect((await admin.get(PAGE)).text).not.toContain("Start with one of these");
});

it("adds one automation when its form is sent twice, names invalid fields and keeps the entered values", async () => {
  const before = (await all()).length;
  const form = { ...NEW, once: once((await admin.get(PAGE)).text), timeZone: "Europe/Berlin" };
  for (let times = 0; times < 2; times++) expect((await admin.post(`${PAGE}/add`, form)).status).toBe(303);
  const [made] = await all();
  expect([(await all()).length, made]).toMatchObject([
    before + 1,
    { name: "Morning check", trigger: { cron: "30 8 * * 1-5", timeZone: "Europe/Berlin" }, enabled: true },
  ]);
  for (const [wrong, problem] of [
    [{ cron: "soon" }, "five fields"],
    [{ timeZone: "Mars/Olympus" }, "There is no time zone"],
    [{ prompt: " " }, "Instruction: "],
    [{ kind: "never" }, "Runs: "],
    [{ model: "nobody/model" }, "No provider"],
    [{ kind: "push", branch: "docent/x" }, "start no automation"],
  ] as const) {
    const answer = await admin.post(`${PAGE}/add`, { ...NEW, ...wrong, name: "Kept name" });
    expect([problem, answer.status]).toEqual([problem, 400]);
    expect(answer.text).toContain(problem);
    expect(answer.text).toContain('value="Kept name"');
  }
});

it("lets an editor run an automation and see its runs, but not change or delete it", async () => {
  const editor = await browseAs(app, await makePerson(app, { role: "editor" }));
  const [automation] = await all();
  const page = `${PAGE}/${automation!.id}`;
  expect((await editor.get(PAGE)).text).not.toContain("Add automation");
  const { location } = await editor.post(`${page}/run`, {});
  const { items: jobs } = await listJobs(app, { projectId: app.project.id, statuses: [], limit: 1, cursor: null });
  expect(location).toBe(`/harbor-docs/jobs/${jobs[0]!.id}`);
  const { text } = await editor.get(page);
  expect(text).toContain("Run by hand or over HTTP");
  expect(text).not.toContain("Delete automation");
  const outcome = new RegExp(`<a href="${location}">Running</a>`);
  expect(text).toMatch(outcome);
  expect((await editor.get(PAGE)).text).toMatch(outcome);
});

it("shows the outcome of each run, with a link to its job", async () => {
  const [automation] = await all();
  const page = `${PAGE}/${automation!.id}`;
  const shown = async () =>
    [PAGE, page].map(async (at) => /lamp (\w*)"[^>]*><\/span> <a href="[^"]*\/jobs\/job_\w+">([^<]+)</.exec((await admin.get(at)).text)?.slice(1)); // oxfmt-ignore
  await app.carryOut({ fail: "stuck" });
  expect(await Promise.all(await shown())).toEqual(Array(2).fill(["bad", "Failed"]));
  await admin.post(`${page}/run`, {});
  await app.carryOut({ files: { "links.md": "# Links\n" } });
  expect(await Promise.all(await shown())).toEqual(Array(2).fill(["good", "Completed"]));
  expect((await admin.get(page)).text).toMatch(/Completed<\/a> <span class="muted">· #1 open/);
});

it("changes, pauses and deletes an automation, and refuses a change to an outdated version", async () => {
  const [automation] = await all();
  const page = `${PAGE}/${automation!.id}`;
  const loaded = automation!.updatedAt.toISOString();
  const form = { ...NEW, loaded, kind: "api", name: "By hand" };
  expect((await admin.post(`${page}/change`, form)).location).toBe(`${page}?done=change`);
  const second = await admin.post(`${page}/change`, { ...form, name: "By nobody" });
  expect([second.status, second.text]).toEqual([409, expect.stringContaining("Its name is now “By hand”")]);
  await admin.post(`${page}/pause`, {});
  expect((await all())[0]).toMatchObject({ name: "By hand", trigger: { kind: "api" }, enabled: false, dueAt: null });
  await admin.post(`${page}/resume`, {});
  expect((await admin.post(`${page}/delete`, {})).location).toBe(`${PAGE}?done=delete`);
  expect((await admin.get(page)).status).toBe(404);
});
