import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sql } from "kysely";
import { TOTP } from "otpauth";
import { listAudit } from "#features/accounts/audit.ts";
import type { Person } from "#features/accounts/people.ts";
import { openBrowser } from "#testing/browsing.ts";
import { ENGINES } from "#testing/databases.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { browseAs, makePerson, PASSWORD } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { testVault } from "#testing/vault.ts";

const PATH = "/-/account/two-factor";
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp("sqlite");
  app.time.now = new Date("2026-11-27T12:00:00Z");
});
// The attempts of an address are limited by the minute.
beforeEach(() => later(app, 60));
afterAll(() => app[Symbol.asyncDispose]());

const later = (on: TestApp, seconds: number) =>
  void (on.time.now = new Date(on.clock.now().getTime() + seconds * 1_000));

/** Enables two-factor codes; returns functions for the app's current code, and the recovery codes. */
async function turnOn(on: TestApp, person: Person) {
  const browser = await browseAs(on, person);
  const { text } = await browser.get(PATH);
  const sealed = /name="sealed" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const secret = /id="secret">(\w+)</.exec(text)?.[1] ?? "";
  const code = () => new TOTP({ secret }).generate({ timestamp: on.clock.now().getTime() });
  const intruder = await browser.post(`${PATH}/on`, { password: "not the password", sealed, code: code() });
  expect([intruder.status, intruder.text]).toEqual([400, expect.stringContaining("The password is wrong.")]);
  const wrong = await browser.post(`${PATH}/on`, { password: PASSWORD, sealed, code: "000000" });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining(secret)]);
  const done = await browser.post(`${PATH}/on`, { password: PASSWORD, sealed, code: code() });
  expect([done.status, done.headers.get("cache-control")]).toEqual([201, "no-store"]);
  return { browser, code, recovery: done.text.match(/\b[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}\b/g)!.slice(0, 10) };
}

/** Signs in up to the second step. */
async function atSecondStep(on: TestApp, { email }: Person, password = PASSWORD) {
  const browser = openBrowser(on);
  const { status, text, headers } = await browser.post("/sign-in", { email, password, to: "/harbor-docs" });
  const attempt = /name="attempt" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const send = (code: string) => browser.post("/sign-in/code", { attempt, code, to: "/harbor-docs" });
  return { status, text, cookie: headers.get("set-cookie"), browser, send };
}

it.each(ENGINES)(
  "asks for a code after the password, and accepts each code and recovery code once, on %s",
  async (engine) => {
    await using own = await createTestApp(engine);
    own.time.now = new Date("2026-11-27T12:00:00Z");
    const ada = await makePerson(own, { role: "admin" });
    const { code, recovery } = await turnOn(own, ada);
    const first = await atSecondStep(own, ada);
    expect([first.status, first.cookie]).toEqual([200, null]);
    expect((await first.browser.get("/-/account")).location).toContain("/sign-in");
    // The code that enabled two-factor, within its time window.
    expect((await first.send(code())).status).toBe(401);
    later(own, 30);
    const answers = await Promise.all([first.send(code()), (await atSecondStep(own, ada)).send(code())]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 401]));
    expect(answers.find(({ status }) => status === 303)?.location).toBe("/harbor-docs");
    const spare = ` ${recovery[3]!.toUpperCase().replaceAll("-", "")} `;
    expect((await (await atSecondStep(own, ada)).send(spare)).status).toBe(303);
    expect((await (await atSecondStep(own, ada)).send(spare)).status).toBe(401);
    expect((await (await browseAs(own, ada)).get(PATH)).text).toContain("9 of 10 recovery codes are left");
  },
);

it("rejects a code without the password, after five minutes, and from another site", async () => {
  const ada = await makePerson(app, {});
  const { code } = await turnOn(app, ada);
  expect((await atSecondStep(app, ada, "not the password")).status).toBe(401);
  const forged = await openBrowser(app).post("/sign-in/code", { attempt: "v1.0.AAAA", code: code() });
  expect([forged.status, forged.text]).toEqual([401, expect.stringContaining("Sign in again with your password")]);
  const step = await atSecondStep(app, ada);
  later(app, 301);
  expect((await step.send(code())).status).toBe(401);
  const elsewhere = await openBrowser(app).post("/sign-in/code", {}, { origin: "https://evil.example" });
  expect(elsewhere.status).toBe(403);
});

it("accepts only recovery codes after the server's key was replaced, and says so", async () => {
  const ada = await makePerson(app, {});
  const { code, recovery } = await turnOn(app, ada);
  const secret = testVault.seal(new Secret("of another key"), "codes");
  await sql`update person_two_factor set secret = ${secret} where person_id = ${ada.id}`.execute(app.database.kysely);
  const step = await atSecondStep(app, ada);
  const refused = await step.send(code());
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("Enter a recovery code")]);
  expect((await step.send(recovery[0]!)).status).toBe(303);
});

it("does not add a passkey without the password", async () => {
  const browser = await browseAs(app, await makePerson(app, {}));
  const wrong = await browser.post("/-/account/passkey-options", { password: "wrong" });
  expect([wrong.status, wrong.text]).toEqual([400, '{"problem":"The password is wrong."}']);
  expect((await browser.post("/-/account/passkey-options", { password: PASSWORD })).status).toBe(200);
});

it("limits guesses per account, even for a signed-in person", async () => {
  const ada = await makePerson(app, {});
  await turnOn(app, ada);
  const step = await atSecondStep(app, ada);
  const statuses = [];
  for (let tries = 0; tries < 31; tries++) statuses.push((await step.send("123456")).status);
  expect(statuses.slice(-2)).toEqual([401, 429]);
});

it("can be turned off with the password and a code, and can replace its recovery codes", async () => {
  const ada = await makePerson(app, {});
  const { browser, code, recovery } = await turnOn(app, ada);
  const wrong = await browser.post(`${PATH}/off`, { password: "wrong", code: recovery[0]! });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("The password is wrong.")]);
  expect((await browser.post(`${PATH}/codes`, { code: recovery[0]! })).status).toBe(201);
  expect((await browser.post(`${PATH}/off`, { password: PASSWORD, code: recovery[1]! })).status).toBe(400);
  later(app, 30);
  const off = await browser.post(`${PATH}/off`, { password: PASSWORD, code: code() });
  expect(off.location).toBe("/-/account?done=two-factor");
  expect((await atSecondStep(app, ada)).status).toBe(303);
});

it("takes nobody else's recovery code, and leaves it to its owner", async () => {
  const [ada, grace] = [await makePerson(app, {}), await makePerson(app, {})];
  await turnOn(app, ada);
  const { recovery } = await turnOn(app, grace);
  expect((await (await atSecondStep(app, ada)).send(recovery[0]!)).status).toBe(401);
  expect((await (await atSecondStep(app, grace)).send(recovery[0]!)).status).toBe(303);
});

it("can be turned off for an owner on their account page alone, which asks for the password and a code", async () => {
  const owner = await makePerson(app, { isOwner: true });
  const { browser } = await turnOn(app, owner);
  const refused = await browser.post(`/-/people/${owner.id}/two-factor`, {});
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("Turn off your own codes on your account page.")]); // oxfmt-ignore
  expect((await atSecondStep(app, owner)).cookie).toBeNull();
});

it("can be turned off for a member by an owner, which is recorded", async () => {
  const [owner, ada] = [await makePerson(app, { isOwner: true }), await makePerson(app, {})];
  const { browser: member } = await turnOn(app, ada);
  expect((await member.post(`/-/people/${ada.id}/two-factor`, {})).status).toBe(403);
  const browser = await browseAs(app, owner);
  expect((await browser.get(`/-/people/${ada.id}`)).text).toContain("Turn off two-factor codes");
  expect((await browser.post(`/-/people/${ada.id}/two-factor`, {})).status).toBe(303);
  expect((await atSecondStep(app, ada)).status).toBe(303);
  const filter = { actor: owner.name, action: "people" };
  const events = await listAudit(app.database.kysely, { projectId: null, filter, before: null, limit: 1 });
  expect(events).toMatchObject([
    { action: "people/two-factor", subject: ada.email, target: `/-/people/${ada.id}/two-factor` },
  ]);
});
