import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { listMembers, setRole } from "#features/accounts/members.ts";
import { findByEmail } from "#features/accounts/people.ts";
import { type Browsing, openBrowser } from "#testing/browsing.ts";
import { type Claims, startIdentityProvider } from "#testing/identity-provider.ts";
import { browseAs, makePerson, makeToken, PASSWORD } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

const CALLBACK = "http://localhost:4000/sign-in/provider/callback";
const ADA: Claims = { sub: "ada-1", email: "ada@example.com", email_verified: true, name: "Ada Lovelace" };
type Provider = Awaited<ReturnType<typeof startIdentityProvider>>;

const settingsFor = ({ issuer, clientId, clientSecret }: Provider, more: object = {}) => ({
  oidc: { name: "Acme ID", issuer, clientId, clientSecret, scope: "openid email profile groups", ...more },
});
const pathOf = (url: string) => url.slice("http://localhost:4000".length);

let provider: Provider;
let app: TestApp;
beforeAll(async () => {
  provider = await startIdentityProvider(CALLBACK);
  const groups = { writers: { "harbor-docs": "editor" }, leads: { "harbor-docs": "admin", gone: "admin" }, "*": { handbook: "reader" } }; // oxfmt-ignore
  app = await createTestApp("sqlite", settingsFor(provider, { domains: ["example.com"], groups }));
});
beforeEach(() => {
  provider.state.claims = ADA;
  provider.state.refuses = false;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** Goes to the provider and back; returns the response to the callback. */
async function signIn(claims: Claims, browser: Browsing = openBrowser(app), to = "/") {
  provider.state.claims = claims;
  const begun = await browser.get(`/sign-in/provider?to=${encodeURIComponent(to)}`);
  return await browser.get(pathOf(await provider.visit(begun.location!)));
}

describe("sign-in with an identity provider", () => {
  it("creates an account, recognizes it later, and redirects to the requested page", async () => {
    const browser = openBrowser(app);
    expect((await browser.get("/sign-in")).text).toContain("Sign in with Acme ID");
    expect(await signIn(ADA, browser, "/harbor-docs")).toMatchObject({ status: 303, location: "/harbor-docs" });
    expect((await browser.get("/-/account")).text).toContain('value="Ada Lovelace"');
    // The provider changes the claims; the account stays the same.
    const again = openBrowser(app);
    await signIn({ ...ADA, email: "lovelace@example.com", email_verified: false }, again);
    expect((await again.get("/-/account")).text).toContain('value="ada@example.com"');
  });

  it("never redirects to another site", async () => {
    expect((await signIn(ADA, openBrowser(app), "//evil.example/")).location).toBe("/");
  });

  it("links an existing account only if the address is verified", async () => {
    const person = await makePerson(app, { isOwner: true });
    const { email, id } = person;
    const [token, there] = [await makeToken(app, person), await browseAs(app, person)];
    const refused = await signIn({ sub: "eve-1", email, email_verified: false, name: "Eve" });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain(`Acme ID has not verified the address ${email}`);
    const browser = openBrowser(app);
    expect((await signIn({ sub: "them-1", email: email.toUpperCase(), email_verified: true }, browser)).status).toBe(
      303,
    );
    expect((await browser.get("/-/people")).text).toContain(`/-/people/${id}`);
    // Anyone with the invitation link may have created the account, so its earlier credentials no longer work.
    expect((await openBrowser(app).post("/sign-in", { email, password: PASSWORD })).status).toBe(401);
    expect((await app.open("GET", "/jobs", { key: token })).status).toBe(401);
    expect((await there.get("/-/account")).status).toBe(303);
  });

  it("is rejected for another domain, without an email address, and if the provider denies it", async () => {
    const other = await signIn({ sub: "m-1", email: "mallory@evil.example", email_verified: true });
    expect([other.status, other.text.includes("may not sign in")]).toEqual([403, true]);
    expect((await signIn({ sub: "n-1" })).text).toContain("gave no email address");
    provider.state.refuses = true;
    const denied = await signIn(ADA);
    expect([denied.status, denied.text.includes("access_denied")]).toEqual([403, true]);
    expect(await findByEmail(app.database.kysely, "mallory@evil.example")).toBeNull();
  });

  const rolesOf = async (email: string) => (await listMembers(app.database.kysely, app.project.id, { limit: 100 })).filter((each) => each.email === email).map(({ role }) => role); // oxfmt-ignore

  it("keeps a role that an admin set in place of a group's, whatever the person's groups are later", async () => {
    const alan = { sub: "alan-1", email: "alan@example.com", email_verified: true, name: "Alan" };
    await signIn({ ...alan, groups: ["writers"] });
    const { person } = (await findByEmail(app.database.kysely, alan.email))!;
    await setRole(app, { projectId: app.project.id, personId: person.id, role: "viewer" });
    await signIn({ ...alan, groups: ["leads"] });
    expect(await rolesOf(alan.email)).toEqual(["viewer"]);
  });

  it("grants the roles of the person's groups, and revokes them when the person leaves the groups", async () => {
    const grace = { sub: "grace-1", email: "grace@example.com", email_verified: true, name: "Grace" };
    await signIn({ ...grace, groups: ["writers", "leads", "others", "__proto__"] });
    expect(await rolesOf(grace.email)).toEqual(["admin"]);
    await signIn({ ...grace, groups: ["writers"] });
    expect(await rolesOf(grace.email)).toEqual(["editor"]);
    await signIn(grace); // many providers omit an empty list
    expect(await rolesOf(grace.email)).toEqual([]);
  });

  it("grants the roles of the group * to everyone", async () => {
    const handbook = await app.makeProject("Handbook");
    await signIn({ sub: "edsger-1", email: "edsger@example.com", email_verified: true, name: "Edsger" });
    const members = await listMembers(app.database.kysely, handbook.id, { limit: 100 });
    expect(members.map(({ email, role }) => [email, role])).toEqual([["edsger@example.com", "reader"]]);
  });
});

describe("the callback", () => {
  const back = async (browser: Browsing, change: (url: URL) => void) => {
    const begun = await browser.get("/sign-in/provider");
    const url = new URL(await provider.visit(begun.location!));
    change(url);
    return await browser.get(pathOf(url.href));
  };

  it("rejects another state, issuer, code or browser, a second use, and an attempt after ten minutes", async () => {
    for (const change of [
      (url: URL) => url.searchParams.set("state", "other"),
      (url: URL) => url.searchParams.set("iss", "https://evil.example"),
      (url: URL) => url.searchParams.set("code", "other"),
      (url: URL) => url.searchParams.delete("code"),
    ]) {
      const answer = await back(openBrowser(app), change);
      expect([answer.status, answer.text.includes("does not hold")]).toEqual([400, true]);
    }
    const browser = openBrowser(app);
    const begun = await browser.get("/sign-in/provider");
    const returned = pathOf(await provider.visit(begun.location!));
    expect((await openBrowser(app).get(returned)).text).toContain("began in another browser");
    expect((await browser.get(returned)).status).toBe(303);
    expect((await browser.get(returned)).status).toBe(400);
    const late = await browser.get("/sign-in/provider");
    app.time.now = new Date(Date.now() + 11 * 60_000);
    const answer = await browser.get(pathOf(await provider.visit(late.location!)));
    app.time.now = null;
    expect(answer.text).toContain("took too long");
  });
});

it("reports an unavailable provider, and password sign-in still works", async () => {
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const { port } = gone.address() as AddressInfo;
  gone.close();
  const issuer = `http://localhost:${port}`;
  await using own = await createTestApp("sqlite", { oidc: { issuer, clientId: "docent", clientSecret: "x" } });
  const answer = await openBrowser(own).get("/sign-in/provider");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
  expect(answer.text).toContain("does not answer");
  expect((await openBrowser(own).get("/sign-in")).text).toContain("Password");
});

it("a wrong client secret is reported to the operator, not to the person", async () => {
  await using own = await createTestApp("sqlite", settingsFor(provider, { clientSecret: "changed" }));
  const browser = openBrowser(own);
  const begun = await browser.get("/sign-in/provider");
  const answer = await browser.get(pathOf(await provider.visit(begun.location!)));
  expect([answer.status, answer.text.includes("has to check DOCENT_OIDC")]).toEqual([503, true]);
});

it("creates no accounts if the settings disable that", async () => {
  await using own = await createTestApp("sqlite", settingsFor(provider, { signUp: false }));
  const browser = openBrowser(own);
  const begun = await browser.get("/sign-in/provider");
  const answer = await browser.get(pathOf(await provider.visit(begun.location!)));
  expect([answer.status, answer.text.includes("There is no account for ada@example.com")]).toEqual([403, true]);
});
