import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "#lib/clock.ts";
import { resetPassword } from "#features/accounts/people.ts";
import { changeProject } from "#features/projects/change-project.ts";
import { readSiteAccess } from "#features/projects/site-access.ts";
import { memberOfEntry, readMember } from "#features/sites/entrance/entries.ts";
import type { Browsing } from "#testing/browsing.ts";
import { BOTH_ENGINES } from "#testing/databases.ts";
import { browseAs, makePerson, PASSWORD } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { isMemberSignedIn } from "./site-members.ts";

describe.each(BOTH_ENGINES)("what a person enters a private site with, on %s", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp(engine);
    await changeProject({ ...app, admitDomain: async () => undefined }, app.project, { access: { mode: "dashboard" } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** Enters the site; returns whether the cookie still opens it. */
  async function enter(browser: Browsing) {
    const { text } = await browser.get(`/open-site?project=${app.project.id}&path=/`);
    const token = /access=(entry\.[^"]+)"/.exec(text)?.[1] ?? "";
    const { version } = await readSiteAccess(app.database.kysely, app.project.id);
    const entry = app.siteTokens.read({ id: app.project.id, version }, token, ["entry"])!;
    const member = readMember(memberOfEntry(entry));
    const seen = { projectId: app.project.id, from: "127.0.0.1" };
    return () => isMemberSignedIn(app, member, seen);
  }
  async function two() {
    const person = await makePerson(app, { role: "reader" });
    const [one, other] = [await browseAs(app, person), await browseAs(app, person)];
    return { person, one, isIn: await enter(one), isOtherIn: await enter(other) };
  }

  it("ends in other browsers with a new password", async () => {
    const { one, isIn, isOtherIn } = await two();
    expect([await isIn(), await isOtherIn()]).toEqual([true, true]);
    const changed = await one.post("/-/account/password", { current: PASSWORD, password: "quiet harbor light" });
    expect(changed.location).toBe("/-/account?done=password");
    expect([await isIn(), await isOtherIn()]).toEqual([true, false]);
  });

  it("ends in other browsers with the button that ends their sessions", async () => {
    const { one, isIn, isOtherIn } = await two();
    await one.post("/-/account/sessions", { session: "" });
    expect([await isIn(), await isOtherIn()]).toEqual([true, false]);
  });

  it("ends everywhere when the password is reset", async () => {
    const { person, isIn, isOtherIn } = await two();
    await resetPassword(app, person, "quiet harbor light");
    expect([await isIn(), await isOtherIn()]).toEqual([false, false]);
  });

  it("ends with a sign-out", async () => {
    const { one, isIn, isOtherIn } = await two();
    await one.post("/sign-out", {});
    expect([await isIn(), await isOtherIn()]).toEqual([false, true]);
  });

  it("ends when the session expires, after 30 days", async () => {
    const { isIn } = await two();
    app.time.now = new Date(Date.now() + 30 * DAY_MS);
    expect(await isIn()).toBe(false);
    app.time.now = null;
  });

  it("opens nothing if it is from an earlier version, which named no session", async () => {
    const { person } = await two();
    const seen = { projectId: app.project.id, from: "127.0.0.1" };
    expect(await isMemberSignedIn(app, readMember(person.id), seen)).toBe(false);
  });
});
