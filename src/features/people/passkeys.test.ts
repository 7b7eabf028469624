import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Person } from "#features/accounts/people.ts";
import { claimMail } from "#features/mail/mail-queue.ts";
import { type Browsing, openBrowser } from "#testing/browsing.ts";
import { browseAs, makePerson, PASSWORD } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let owner: Browsing;

beforeAll(async () => {
  app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  app.time.now = new Date("2026-11-27T12:00:00Z");
  owner = await browseAs(app, await makePerson(app, { isOwner: true }));
});
// A challenge is newer than the one before.
beforeEach(() => void (app.time.now = new Date(app.clock.now().getTime() + 60_000)));
afterAll(() => app[Symbol.asyncDispose]());

const digest = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();
const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** A device with a P-256 key (WebAuthn Level 3). Like one that copies its passkeys to others, it counts no signatures. */
function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  const hex = (text: string) => Buffer.from(text, "hex");
  // COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const coordinates = [Buffer.from(x, "base64url"), hex("225820"), Buffer.from(y, "base64url")];
  const key = Buffer.concat([hex("a5010203262001215820"), ...coordinates]);
  const about = (flags: number) => Buffer.concat([digest("localhost"), Buffer.from([flags]), Buffer.alloc(4)]);
  const answer = (type: string, challenge: string, rest: (client: Buffer) => Record<string, Buffer>) => {
    const clientDataJSON = Buffer.from(JSON.stringify({ type, challenge, origin: "http://localhost:4000" }));
    const parts = Object.entries({ clientDataJSON, ...rest(clientDataJSON) });
    const response = Object.fromEntries(parts.map(([name, bytes]) => [name, bytes.toString("base64url")]));
    const name = id.toString("base64url");
    return JSON.stringify({ id: name, rawId: name, type: "public-key", clientExtensionResults: {}, response });
  };
  return {
    id: id.toString("base64url"),
    create: (challenge: string) =>
      answer("webauthn.create", challenge, () => {
        const attested = [Buffer.alloc(16), Buffer.from([0, id.length]), id, key];
        const data = Buffer.concat([about(PRESENT | VERIFIED | ATTESTED), ...attested]);
        // CBOR: {"fmt": "none", "attStmt": {}, "authData": …}
        const head = hex("a363666d74646e6f6e656761747453746d74a068617574684461746158");
        return { attestationObject: Buffer.concat([head, Buffer.from([data.length]), data]) };
      }),
    get: (challenge: string) =>
      answer("webauthn.get", challenge, (client) => {
        const authenticatorData = about(PRESENT | VERIFIED);
        const signature = sign("sha256", Buffer.concat([authenticatorData, digest(client)]), privateKey);
        return { authenticatorData, signature };
      }),
  };
}

interface Asked {
  attempt: string;
  options: { challenge: string };
}

/** A person who added a passkey named “Laptop” a minute ago, and a sign-in that nobody sent yet. */
async function withPasskey() {
  const person = await makePerson(app, {});
  const browser = await browseAs(app, person);
  const device = createAuthenticator();
  const asked = await browser.post("/-/account/passkey-options", { password: PASSWORD });
  const { attempt, options } = JSON.parse(asked.text) as Asked;
  const credential = device.create(options.challenge);
  const added = await browser.post("/-/account/passkey-add", { name: "Laptop", attempt, credential });
  expect(added.location).toBe("/-/account?done=passkey-add");
  app.time.now = new Date(app.clock.now().getTime() + 60_000);
  const entered = JSON.parse((await openBrowser(app).post("/sign-in/passkey/options", {})).text) as Asked;
  const answer = { attempt: entered.attempt, credential: device.get(entered.options.challenge) };
  return { person, browser, id: device.id, answer };
}

async function signIn(answer: Record<string, string>, headers: Record<string, string> = {}) {
  const { status, headers: given } = await openBrowser(app).post("/sign-in/passkey", answer, headers);
  return { status, hasSession: given.has("set-cookie") };
}
const OPENED = { status: 303, hasSession: true };

it("an answer of a passkey opens one session, even if the device counts no signatures", async () => {
  const { answer } = await withPasskey();
  expect(await signIn(answer)).toEqual(OPENED);
  expect(await signIn(answer)).toEqual({ status: 401, hasSession: false });
});

it("an answer of a passkey that another site sends opens no session", async () => {
  const { answer } = await withPasskey();
  expect(await signIn(answer, { origin: "https://evil.example" })).toEqual({ status: 403, hasSession: false });
  expect(await signIn(answer)).toEqual(OPENED);
});

it("nobody else removes or renames a passkey", async () => {
  const { id, answer, browser } = await withPasskey();
  const other = await browseAs(app, await makePerson(app, {}));
  await other.post("/-/account/passkey-rename", { passkey: id, name: "Mine" });
  await other.post("/-/account/passkey-remove", { passkey: id });
  expect((await browser.get("/-/account")).text).toContain('value="Laptop"');
  expect(await signIn(answer)).toEqual(OPENED);
});

async function resetByLink({ email }: Person): Promise<number> {
  const stranger = openBrowser(app);
  await stranger.post("/-/forgot", { email });
  let text = "";
  await expect
    .poll(async () => {
      const mail = await claimMail(app);
      if (mail?.content && "text" in mail.content) ({ text } = mail.content);
      return text;
    })
    .toContain("/-/reset?token=");
  const token = new URLSearchParams(/reset\?(\S+)/.exec(text)![1]).get("token")!;
  return (await stranger.post("/-/reset", { token, password: "a new password" })).status;
}

it.each([
  ["by an owner", async ({ id }: Person) => (await owner.post(`/-/people/${id}/password`, { password: "a new password" })).status], // oxfmt-ignore
  ["by a link", resetByLink],
])("a password set %s removes the passkeys of the account", async (_, reset) => {
  const { person, answer } = await withPasskey();
  expect(await reset(person)).toBe(303);
  expect(await signIn(answer)).toEqual({ status: 401, hasSession: false });
});
