import { invitationLink } from "./invitations-panel.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { issueOperatorPass } from "#features/keys/operator-pass.ts";
import { findByEmail, readyPassword } from "#features/accounts/people.ts";
import { listMembers } from "#features/accounts/members.ts";
import { ENGINES } from "#testing/databases.ts";
import { browseAsOperator, type Browsing, openBrowser } from "#testing/browsing.ts";
import { createModelServer } from "#testing/model-server/server.ts";
import { browseAs, makePerson, makeToken, PASSWORD } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let owner: Browsing;
const linkIn = (text: string) => /\/-\/join\/[\w-]{43}/.exec(text)?.[0] ?? "";
const NEW = { name: "Grace Hopper", password: "amazing grace" };

beforeAll(async () => {
  app = await createTestApp("sqlite");
  owner = await browseAs(app, await makePerson(app, { isOwner: true }));
});
afterAll(() => app[Symbol.asyncDispose]());

/** Invites an address to the project; returns the path of the link. */
async function inviteTo(email: string, role: string): Promise<string> {
  await owner.get("/harbor-docs/members");
  return linkIn((await owner.post("/harbor-docs/members/invite", { email, role })).text);
}

describe.each(ENGINES)("a fresh instance on %s", (engine) => {
  it("gets its owner by the operator's link, and then a member by an invitation", async () => {
    await using fresh = await createTestApp(engine);
    expect((await openBrowser(fresh).get("/sign-in")).text).toContain("Nobody has an account yet");
    const operator = await browseAsOperator(fresh);
    expect((await operator.get("/-/setup")).text).toContain("Create the first account");
    const account = { name: "Ada", email: " Ada@Example.com ", password: " correct horse " };
    expect(await operator.post("/-/setup", account)).toMatchObject({ status: 303, location: "/" });
    const again = openBrowser(fresh);
    expect((await again.post("/sign-in", { email: "ada@example.com", password: " correct horse " })).status).toBe(303);
    await operator.post("/sign-out", {});
    expect((await operator.get("/-/setup")).status).toBe(401);
    await operator.post("/sign-in", { email: "ada@example.com", password: " correct horse " });
    expect((await operator.get("/")).text).toContain("Harbor docs");
    await operator.get("/harbor-docs/members");
    const invited = await operator.post("/harbor-docs/members/invite", { email: "grace@example.com", role: "editor" });
    const grace = openBrowser(fresh);
    const link = linkIn(invited.text);
    expect((await grace.get(link)).text).toContain(
      "Ada invites you to <b>Harbor docs</b> as editor (sees jobs, pull requests and visitors, comments on pull requests, and runs jobs, merges, rolls the site back)",
    );
    expect(await grace.post(link, NEW)).toMatchObject({ status: 303, location: "/harbor-docs" });
    expect((await grace.get("/harbor-docs")).text).toContain("Grace Hopper");
    expect((await grace.get(link)).status).toBe(404);
    expect(await listMembers(fresh.database.kysely, fresh.project.id, { limit: 10 })).toMatchObject([
      { name: "Grace Hopper", email: "grace@example.com", role: "editor", isOwner: false },
    ]);
  });
});

it("names local models on the page that creates the first account", async () => {
  const models = ["llama3.2", "qwen3:8b"];
  await using ollama = await createModelServer({ script: { conversations: [] }, local: "ollama", models });
  await using fresh = await createTestApp("sqlite", { localPorts: { ollama: Number(new URL(ollama.url).port) } });
  const { text } = await (await browseAsOperator(fresh)).get("/-/setup");
  expect(text).toContain("Found on this machine: Ollama with llama3.2 and qwen3:8b.");
});

it("accepts the startup link until there is an owner, and links of `docent admin` afterwards too", async () => {
  await using fresh = await createTestApp("sqlite");
  const enter = async (pass: string) =>
    (await openBrowser(fresh).get(`/admin?pass=${encodeURIComponent(pass)}`)).status;
  const [printed, asked] = [issueOperatorPass(fresh, { isForFirst: true }), issueOperatorPass(fresh)];
  expect([await enter(printed), await enter(asked)]).toEqual([303, 303]);
  await makePerson(fresh, { isOwner: true });
  expect([await enter(printed), await enter(asked)]).toEqual([401, 303]);
});

describe("signing in with a password", () => {
  it("returns the same error for a wrong password and an unknown address", async () => {
    const { email } = await makePerson(app, {});
    const answers = await Promise.all(
      [email, "nobody@example.com"].map((each) =>
        openBrowser(app).post("/sign-in", { email: each, password: "not the password" }),
      ),
    );
    const texts = answers.map(({ text }) => text.replace(/value="[^"]*@[^"]*"/, ""));
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(texts[0]).toBe(texts[1]);
  });

  it("does not accept a personal access token as a key", async () => {
    const token = await makeToken(app, await makePerson(app, { role: "admin" }));
    expect((await openBrowser(app).post("/sign-in", { key: token })).status).toBe(403);
  });
});

describe("an invitation", () => {
  it("names an address that only the server itself can open", () => {
    const invitation = { id: "inv_1", email: "ada@example.com", offer: { projectId: null, isOwner: false }, invitedBy: "Ada" } as const; // oxfmt-ignore
    const link = (openedAt: string, url = "http://localhost:4000/-/join/x") =>
      String(invitationLink({ ...invitation, url, expiresAt: new Date(), isSent: false, openedAt }));
    expect(link("docs.example.com")).toContain("The link leads to http://localhost:4000, but you opened this page at");
    expect(link("127.0.0.1:4000")).not.toContain("DOCENT_BASE_URL");
    expect(link("10.0.0.7:4000", "https://docs.example.com/-/join/x")).not.toContain("DOCENT_BASE_URL");
  });

  it("is valid only for its address, even for others with the link", async () => {
    const link = await inviteTo("new1@example.com", "viewer");
    const somebody = await browseAs(app, await makePerson(app, {}));
    expect((await somebody.get(link)).text).toContain("you are signed in with another address");
    expect((await somebody.post(link, NEW)).status).toBe(403);
    expect((await openBrowser(app).post(link, { ...NEW, email: "evil@example.com" })).status).toBe(303);
    expect(await findByEmail(app.database.kysely, "evil@example.com")).toBeNull();
    expect(await findByEmail(app.database.kysely, "new1@example.com")).not.toBeNull();
  });

  it("cannot be accepted from another site", async () => {
    const link = await inviteTo("new5@example.com", "viewer");
    const answer = await openBrowser(app).post(link, NEW, { origin: "https://evil.example" });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([403, null]);
  });

  it("is accepted for a signed-in person only with the token of their form", async () => {
    const link = await inviteTo("new6@example.com", "viewer");
    const person = { ...(await makePerson(app, {})), email: "new6@example.com" };
    await app.database.kysely.updateTable("person").set({ email: person.email }).where("id", "=", person.id).execute();
    const signedIn = await browseAs(app, person);
    expect((await signedIn.post(link, { csrf: "wrong" })).status).toBe(403);
    expect((await signedIn.get(link)).status).toBe(200);
  });

  it("creates one account for two concurrent submissions", async () => {
    const link = await inviteTo("new2@example.com", "viewer");
    const answers = await Promise.all([1, 2].map(() => openBrowser(app).post(link, NEW)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it("for an address with an account asks the person to sign in, and cannot set a password", async () => {
    await owner.get("/-/people");
    const link = linkIn((await owner.post("/-/people/invite", { email: "new3@example.com", as: "owner" })).text);
    const person = await makePerson(app, {});
    await app.database.kysely.updateTable("person").set({ email: "new3@example.com" }).where("id", "=", person.id).execute(); // oxfmt-ignore
    const stranger = openBrowser(app);
    expect((await stranger.get(link)).text).toContain("There is an account for new3@example.com");
    expect((await stranger.post(link, NEW)).status).toBe(409);
    const signedIn = await browseAs(app, { ...person, email: "new3@example.com" });
    await signedIn.get(link);
    expect((await signedIn.post(link, {})).status).toBe(303);
    expect((await signedIn.get("/-/people")).status).toBe(200);
  });

  it("adds a person with an account at once, and ends when it is withdrawn, replaced or a week old", async () => {
    const { email, name } = await makePerson(app, {});
    await owner.get("/harbor-docs/members");
    expect((await owner.post("/harbor-docs/members/invite", { email, role: "viewer" })).text).toContain(`${name} is viewer now`); // oxfmt-ignore
    const first = await inviteTo("new4@example.com", "viewer");
    const second = await inviteTo("new4@example.com", "admin");
    const opened = async (link: string) => (await openBrowser(app).get(link)).status;
    expect([await opened(first), await opened(second)]).toEqual([404, 200]);
    const id = /new4@example\.com.*?name="id" value="(inv_\w+)"/.exec((await owner.get("/harbor-docs/members")).text)![1]!; // oxfmt-ignore
    await owner.post("/harbor-docs/members/withdraw", { id });
    expect(await opened(second)).toBe(404);
  });

  it("is sent again with one button, and its new link replaces the one before", async () => {
    const first = await inviteTo("new5@example.com", "viewer");
    const { text } = await owner.get("/harbor-docs/members");
    const row = text.slice(text.indexOf("<td>new5@example.com"));
    const [, email = "", role = ""] = /name="email" value="([^"]+)" \/> <input type="hidden" name="role" value="(\w+)"/.exec(row) ?? []; // oxfmt-ignore
    const again = await owner.post("/harbor-docs/members/invite", { email, role });
    const link = /\/-\/join\/[\w-]{43}/.exec(again.text)![0];
    const opened = async (at: string) => (await openBrowser(app).get(at)).status;
    expect([email, role, await opened(first), await opened(link)]).toEqual(["new5@example.com", "viewer", 404, 200]);
  });

  it.each(["", "ada", "ada@", "a b@example.com", "ada@exämple.com", `${"x".repeat(300)}@example.com`])(
    "is rejected for the address %j",
    async (email) => {
      await owner.get("/-/people");
      const answer = await owner.post("/-/people/invite", { email, as: "member" });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("Enter an email address");
    },
  );
});

it("removes a member by a button that asks first, and no role of the list does", async () => {
  const person = await makePerson(app, { role: "viewer" });
  const { text } = await owner.get("/harbor-docs/members");
  expect(text).not.toContain('<option value="none"');
  expect(text).toContain(`${person.name} loses access to the project at once.`);
  const removed = await owner.post("/harbor-docs/members/role", { person: person.id, role: "none" });
  expect(removed.text).toContain(`${person.name} is no longer a member.`);
  await owner.post("/harbor-docs/members/invite", { email: person.email, role: "viewer" });
  await owner.post("/harbor-docs/members/role", { person: person.id, role: "editor" });
  expect((await owner.get("/harbor-docs/audit")).text).toContain(`${person.name} from viewer to editor`);
});

describe("an account", () => {
  it("changes its password with the current one, which ends its other sessions", async () => {
    const person = await makePerson(app, {});
    const [here, there] = [await browseAs(app, person), await browseAs(app, person)];
    expect((await here.post("/-/account/password", { current: "wrong one", password: "a new password" })).status).toBe(400); // oxfmt-ignore
    expect((await here.post("/-/account/password", { current: PASSWORD, password: "short" })).status).toBe(400);
    expect((await here.post("/-/account/password", { current: PASSWORD, password: "a new password" })).status).toBe(303); // oxfmt-ignore
    expect((await here.get("/-/account")).status).toBe(200);
    expect((await there.get("/-/account")).status).toBe(303);
    expect((await openBrowser(app).post("/sign-in", { email: person.email, password: PASSWORD })).status).toBe(401);
  });

  it("does not take a common password, or one that its address tells", async () => {
    const person = await makePerson(app, {});
    const here = await browseAs(app, person);
    const answerTo = async (password: string) =>
      (await here.post("/-/account/password", { current: PASSWORD, password })).text;
    expect(await answerTo("Password")).toContain("among the most common ones");
    expect(await answerTo("letmein1")).toContain("among the most common ones");
    expect(await answerTo(person.email.toUpperCase())).toContain("not your email address or a part of it");
    await expect(readyPassword("ada lovelace", "ada.lovelace@example.com")).rejects.toThrow("a part of it");
  });

  it("lists and ends its sessions and revokes its tokens, but not those of others", async () => {
    const person = await makePerson(app, { role: "viewer" });
    const other = await makePerson(app, { role: "viewer" });
    const [here, there] = [await browseAs(app, person), await browseAs(app, person)];
    const theirs = await browseAs(app, other);
    const hash = /name="session" value="(\w+)"/.exec((await here.get("/-/account")).text)![1]!;
    await theirs.post("/-/account/sessions", { session: hash });
    expect((await there.get("/-/account")).status).toBe(200);
    await here.post("/-/account/sessions", { session: hash });
    expect((await there.get("/-/account")).status).toBe(303);
    const made = await here.post("/-/account/tokens", { name: "laptop", lifetime: "7", scope: "read" });
    const key = /docent_[0-9A-Za-z]{38}/.exec(made.text)![0];
    const use = async () => (await app.open("GET", "/jobs", { key })).status;
    expect(await use()).toBe(200);
    const token = /name="token" value="(key_\w+)"/.exec((await here.get("/-/account")).text)![1]!;
    await theirs.post("/-/account/revoke", { token });
    expect(await use()).toBe(200);
    await here.post("/-/account/revoke", { token });
    expect(await use()).toBe(401);
  });

  it("shows a hostile name as text, and rejects one with invisible characters", async () => {
    const browser = await browseAs(app, await makePerson(app, {}));
    await browser.post("/-/account/name", { name: `<img src=x onerror=alert(1)>` });
    expect((await browser.get("/-/account")).text).toContain("&lt;img src=x onerror=alert(1)&gt;");
    for (const name of ["", " ", "x".repeat(101), "abc\u202Edef"]) {
      expect((await browser.post("/-/account/name", { name })).status).toBe(400);
    }
  });

  it("rejects a name that mail programs would make a link of, and says what to change", async () => {
    const browser = await browseAs(app, await makePerson(app, {}));
    for (const name of [
      "https://evil.example/login Docent",
      "Sign in at evil.example",
      "Dr.Evil.Example",
      "dr.evil",
      "ada@example.com",
    ]) {
      const { status, text } = await browser.post("/-/account/name", { name });
      expect([name, status, text.includes("Enter a name without the address of a site or of mail.")]).toEqual([
        name,
        400,
        true,
      ]);
    }
    for (const name of ["J.R.R. Tolkien", "Dr.Who", "Prof.Dr.Ærø", "Dr. Grace O’Hara-Müller", "李 小龙"])
      expect((await browser.post("/-/account/name", { name })).status).toBe(303);
  });

  it("accepts any visible name for a passkey, which no mail contains", async () => {
    const person = await makePerson(app, {});
    const browser = await browseAs(app, person);
    await app.database.kysely.insertInto("passkey").values({ id: "one", person_id: person.id, name: "Old", public_key: "x", counter: 0, challenged_at: 0, last_used_at: null, created_at: 0 }).execute(); // oxfmt-ignore
    await browser.get("/-/account");
    expect((await browser.post("/-/account/passkey-rename", { passkey: "one", name: "laptop@home" })).status).toBe(303);
    expect((await browser.get("/-/account")).text).toContain('value="laptop@home"');
  });
});

it("is shown as the author of a job from a browser or token; a key is not", async () => {
  const person = await makePerson(app, { role: "editor" });
  const browser = await browseAs(app, person);
  await browser.get("/harbor-docs/jobs");
  const made = await browser.post("/harbor-docs/jobs", { prompt: "Fix the broken links." });
  expect((await browser.get(made.location!)).text).toContain(`<b>Instruction</b> <span>by ${person.name},`);
  const askedBy = async (key: string) => {
    const { json } = await app.open("POST", "/job", { key, body: { prompt: "Fix the broken links." } }).then(async (answer) => ({ json: (await answer.json()) as { id: string } })); // oxfmt-ignore
    const events = (await (await app.open("GET", `/job/${json.id}/events`, { key })).json()) as { events: { type: string; data: { by?: string } }[] }; // oxfmt-ignore
    return events.events.find(({ type }) => type === "message.received")?.data.by;
  };
  expect(await askedBy(await makeToken(app, person))).toBe(person.name);
  expect(await askedBy(app.key)).toBeUndefined();
});

describe("people of the instance", () => {
  it("always include an owner", async () => {
    await using own = await createTestApp("sqlite");
    const [first, second] = [await makePerson(own, { isOwner: true }), await makePerson(own, { isOwner: true })];
    const browser = await browseAs(own, first);
    await browser.get(`/-/people/${second.id}`);
    expect((await browser.post(`/-/people/${second.id}/delete`, { confirm: "somebody" })).status).toBe(400);
    expect((await browser.post(`/-/people/${second.id}/delete`, { confirm: second.email })).status).toBe(303);
    expect((await browser.post(`/-/people/${first.id}/member`, {})).status).toBe(409);
    expect((await browser.post(`/-/people/${first.id}/delete`, { confirm: first.email })).status).toBe(409);
    expect((await browser.get("/-/people")).status).toBe(200);
  });

  it("lose their sessions and tokens when an owner sets a new password", async () => {
    const person = await makePerson(app, { role: "admin" });
    const [browser, key] = [await browseAs(app, person), await makeToken(app, person)];
    await owner.get(`/-/people/${person.id}`);
    expect((await owner.post(`/-/people/${person.id}/password`, { password: "a new password" })).status).toBe(303);
    expect((await app.open("GET", "/jobs", { key })).status).toBe(401);
    expect((await browser.get("/-/account")).status).toBe(303);
    expect((await openBrowser(app).post("/sign-in", { email: person.email, password: "a new password" })).status).toBe(
      303,
    );
  });

  it("change their own password on their account page alone, which asks for the current one", async () => {
    const person = await makePerson(app, { isOwner: true });
    const own = await browseAs(app, person);
    const refused = await own.post(`/-/people/${person.id}/password`, { password: "a new password" });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("Change your own password on your account page.")]); // oxfmt-ignore
    const signIn = { email: person.email, password: PASSWORD };
    expect((await openBrowser(app).post("/sign-in", signIn)).status).toBe(303);
  });

  it("lose their sessions and tokens with their account", async () => {
    const person = await makePerson(app, { role: "admin" });
    const [browser, key] = [await browseAs(app, person), await makeToken(app, person)];
    expect((await app.open("GET", "/jobs", { key })).status).toBe(200);
    await owner.get(`/-/people/${person.id}`);
    await owner.post(`/-/people/${person.id}/delete`, { confirm: person.email });
    expect((await app.open("GET", "/jobs", { key })).status).toBe(401);
    expect((await browser.get("/harbor-docs")).status).toBe(303);
  });

  it("are found by a part of their name or address, as literal text", async () => {
    const { name } = await makePerson(app, {});
    const found = async (search: string) => (await owner.get(`/-/people?search=${encodeURIComponent(search)}`)).text;
    expect(await found(name.toUpperCase())).toContain(`${name} <`);
    expect(await found("%")).toContain("Nobody matches");
  });
});
