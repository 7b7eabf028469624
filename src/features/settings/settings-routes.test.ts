import { afterAll, beforeAll, expect, it } from "vitest";
import { listAudit } from "#features/accounts/audit.ts";
import { changeProject } from "#features/projects/change-project.ts";
import { findProject, saveSettings } from "#features/projects/projects.ts";
import { browse, type BrowsedPage, type Browsing } from "#testing/browsing.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let ada: Browsing;
let ben: Browsing;

beforeAll(async () => {
  app = await createTestApp("sqlite");
  ada = await browseAs(app, await makePerson(app, { role: "admin" }));
  ben = await browseAs(app, await makePerson(app, { role: "admin" }));
});
afterAll(() => app[Symbol.asyncDispose]());

const project = async () => (await findProject(app, app.project.id))!;
const unescaped = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** The fields of a form, as a browser would submit them. */
function fieldsOf({ text }: BrowsedPage, form: string): Record<string, string> {
  const [, markup = ""] = new RegExp(`action="/harbor-docs/settings/${form}">(.*?)</form>`).exec(text) ?? [];
  const fields: Record<string, string> = {};
  for (const [tag] of markup.matchAll(/<input [^>]*>/g)) {
    const [, name = ""] = /name="([^"]+)"/.exec(tag) ?? [];
    if (tag.includes('type="checkbox"') && !tag.includes("checked")) continue;
    fields[name] = unescaped(/value="([^"]*)"/.exec(tag)?.[1] ?? "");
  }
  for (const [, name = "", value = ""] of markup.matchAll(/<textarea name="([^"]+)"[^>]*>([^<]*)<\/textarea>/g))
    fields[name] = unescaped(value.trim());
  for (const [, name = "", options = ""] of markup.matchAll(/<select name="([^"]+)">(.*?)<\/select>/g))
    fields[name] = /value="([^"]*)" selected/.exec(options)?.[1] ?? "";
  return fields;
}

const edit = async (who: Browsing, form: string, changes: Record<string, string>) => {
  const fields = { ...fieldsOf(await who.get("/harbor-docs/settings"), form), ...changes };
  return () => who.post(`/harbor-docs/settings/${form}`, fields);
};

it("accepts hosts separated by lines or commas, and names the field and entry of an invalid one", async () => {
  const refused = await (await edit(ada, "agent", { "settings.webHosts": "blog.example.com\nnicht ok" }))();
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("Web pages, entry 2: must be a host such as api.example.com");
  await (await edit(ada, "agent", { "settings.webHosts": "blog.example.com, localhost:8471\r\n *.example.org " }))(); // oxfmt-ignore
  expect((await project()).settings.webHosts).toEqual(["blog.example.com", "localhost:8471", "*.example.org"]);
});

it("records what a setting was and is now, and how much of a long text changed", async () => {
  await (
    await edit(ada, "visitors", { "settings.analytics.retentionDays": "400" })
  )();
  const { text } = await ada.get("/harbor-docs/audit");
  expect(text).toContain("changed how visitors are counted: Retention in days from empty to “400”");
  await (
    await edit(ada, "agent", { "settings.instructions": "Be brief.\nBe kind.\n", "settings.effort": "low" })
  )();
  expect((await ada.get("/harbor-docs/audit")).text).toMatch(
    /the settings of the agent: Instructions \(2 lines changed\), Effort from “As the model.{1,5}s settings say” to “Low”/,
  );
  await (
    await edit(ada, "agent", { "settings.instructions": "", "settings.effort": "" })
  )();
});

it("records the old and the new address", async () => {
  await (
    await edit(ada, "general", { slug: "handbook" })
  )();
  await ada.get("/handbook/settings");
  expect((await ada.get("/handbook/audit")).text).toContain("changed the address from harbor-docs to handbook");
  await changeProject({ ...app, admitDomain: async () => undefined }, app.project, { slug: "harbor-docs" });
});

it("saves edited settings, and removes those that are set to the default", async () => {
  const send = await edit(ada, "general", { name: "Harbor handbook", "settings.contentRoot": "docs" });
  expect((await send()).location).toBe("/harbor-docs/settings?done=general");
  expect(await project()).toMatchObject({ name: "Harbor handbook", settings: { contentRoot: "docs" } });
  const visitors = {
    "settings.analytics.retentionDays": "30",
    "settings.analytics.excludedNetworks": "10.0.0.0/8, ::1",
  };
  const sent = await edit(ada, "visitors", visitors);
  await sent();
  await (
    await edit(ada, "visitors", { "settings.analytics.collect": "" })
  )();
  const off = fieldsOf(await ada.get("/harbor-docs/settings"), "visitors");
  expect(off).not.toHaveProperty(["settings.analytics.collect"]);
  expect((await project()).settings.analytics).toEqual({
    collect: false,
    retentionDays: 30,
    excludedNetworks: ["10.0.0.0/8", "::1"],
  });
  const usual = { "settings.analytics.collect": "yes", "settings.analytics.retentionDays": "" };
  await (
    await edit(ada, "visitors", { ...usual, "settings.analytics.excludedNetworks": "" })
  )();
  expect((await project()).settings.analytics).toEqual({});
  const audit = await listAudit(app.database.kysely, {
    projectId: app.project.id,
    filter: { actor: "person", action: "settings" },
    before: null,
    limit: 10,
  });
  expect(audit.map(({ action }) => action)).toContain("settings/visitors");
});

it("rejects a form without the token of its own page", async () => {
  const before = await project();
  for (const form of ["general", "agent", "visitors", "delete"]) {
    const fields = { csrf: "wrong", name: before.name, "settings.instructions": "Shout." };
    expect([form, (await ada.post(`/harbor-docs/settings/${form}`, fields)).status]).toEqual([form, 403]);
  }
  expect(await project()).toEqual(before);
  await ada.get("/harbor-docs/settings");
});

it("names the field of an error, and keeps the entered values", async () => {
  const refusals: [form: string, changes: Record<string, string>, problem: string][] = [
    ["general", { name: " " }, "Project name: must not be empty"],
    ["general", { branch: "two words" }, "two words"],
    ["general", { branch: "nowhere" }, "nowhere"],
    ["visitors", { "settings.analytics.retentionDays": "0" }, "Retention in days: must be at least 1"],
    ["visitors", { "settings.analytics.excludedNetworks": "everybody" }, "is no address or range"],
    ["agent", { "settings.instructions": "é".repeat(16_385) }, "Instructions: may have at most 16384 characters"],
  ];
  for (const [form, changes, problem] of refusals) {
    const answer = await (await edit(ada, form, changes))();
    expect([problem, answer.status]).toEqual([problem, 400]);
    expect(answer.text).toContain(problem);
    const [name, entered] = Object.entries(changes)[0]!;
    expect(fieldsOf(answer, form)[name]).toBe(entered);
  }
});

it("shows the second of two editors of one setting the conflict, and lets them save again", async () => {
  const first = await edit(ada, "agent", { "settings.instructions": "Say “sign in”." });
  const second = await edit(ben, "agent", { "settings.instructions": "Say “log in”." });
  const beside = await edit(ben, "agent", { "settings.draftOnFindings": "yes" });
  expect((await first()).status).toBe(303);
  const refused = await second();
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("Instructions was empty and is now “Say “sign in”.”");
  expect(refused.text).toContain("Say “log in”.</textarea>");
  expect((await beside()).status).toBe(303);
  expect((await project()).settings).toMatchObject({ instructions: "Say “sign in”.", draftOnFindings: true });
  expect((await ben.post("/harbor-docs/settings/agent", fieldsOf(refused, "agent"))).status).toBe(303);
  expect((await project()).settings.instructions).toBe("Say “log in”.");
});

it("offers code host settings only for connected repositories", async () => {
  expect((await ada.get("/harbor-docs/settings")).text).not.toContain("As a commit status");
});

it("deletes a project only if its name is entered", async () => {
  const old = await app.makeProject("Old docs");
  await saveSettings(app, old, { contentRoot: "docs" });
  const member = await browse(app, await app.makeKey(old));
  await member.get("/old-docs/settings");
  const refused = await member.post("/old-docs/settings/delete", { name: "Old" });
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("not the project&#39;s name")]);
  const answer = await member.post("/old-docs/settings/delete", { name: "Old docs" });
  expect([answer.status, answer.location]).toEqual([303, "/"]);
  expect(await findProject(app, old.id)).toBeNull();
  const filter = { action: "deleteProject" };
  const audit = await listAudit(app.database.kysely, { projectId: null, filter, before: null, limit: 1 });
  expect(audit).toMatchObject([{ projectId: null, target: "/old-docs/settings/delete" }]);
});
