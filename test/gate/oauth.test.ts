import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { promisify } from "node:util";
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { listAudit } from "#features/accounts/audit.ts";
import { actionsOf } from "#features/people/audit-sentences.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOwner } from "#features/accounts/people.ts";
import { systemClock } from "#lib/clock.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const owner = { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse" };
const DOCENT = path.join(import.meta.dirname, "..", "..", "bin", "docent");
const CALLBACK = "http://127.0.0.1:53123/callback";
let server: TestServer;
let cookie = "";
/** How far the clock of the server is ahead. */
let aheadMs = 0;

beforeAll(async () => {
  server = await startTestServer({
    engine: "sqlite",
    files: { "index.md": "# Start\n" },
    server: { clock: { now: () => new Date(Date.now() + aheadMs) } },
  });
  await createOwner({ database: server.instance.database, clock: systemClock }, owner);
  const body = new URLSearchParams({ email: owner.email, password: owner.password });
  const signedIn = await fetch(`${server.baseUrl}/sign-in`, { method: "POST", body, redirect: "manual" });
  cookie = signedIn.headers.getSetCookie()[0]!.split(";")[0]!;
});
afterAll(() => server[Symbol.asyncDispose]());

type Saved = Partial<Record<"clientInformation" | "tokens" | "codeVerifier", unknown>>;

/** A program that keeps what it is given, and a person whose browser it opens. */
function program(answer: "allow" | "deny", level = "read") {
  const saved: Saved = {};
  const seen: { page?: Response; html?: string; back?: URL } = {};
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: "Editor", redirect_uris: [CALLBACK] },
    clientInformation: () => saved.clientInformation,
    saveClientInformation: (value: unknown) => void (saved.clientInformation = value),
    tokens: () => saved.tokens,
    saveTokens: (value: unknown) => void (saved.tokens = value),
    codeVerifier: () => saved.codeVerifier,
    saveCodeVerifier: (value: unknown) => void (saved.codeVerifier = value),
    state: () => "state-of-the-program",
    async redirectToAuthorization(url: URL) {
      seen.page = await fetch(url, { headers: { cookie, accept: "text/html" } });
      seen.html = await seen.page.text();
      const fields = [...seen.html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const body = new URLSearchParams();
      for (const [, field = "", value = ""] of fields) body.set(field, value.replaceAll("&amp;", "&"));
      body.set("answer", answer);
      body.set("level", level);
      const sent = await fetch(new URL("/-/oauth/authorize", server.baseUrl), { method: "POST", body, headers: { cookie }, redirect: "manual" }); // oxfmt-ignore
      seen.back = new URL(sent.headers.get("location") ?? "about:blank");
    },
  } as unknown as OAuthClientProvider;
  return { provider, saved, seen };
}
const address = () => new URL(`/mcp?project=${server.instance.project.id}`, server.baseUrl);

it("authorizes a stock MCP client after consent, with a personal token that the person can revoke", async () => {
  const { provider, saved, seen } = program("allow");
  const transport = new StreamableHTTPClientTransport(address(), { authProvider: provider });
  await expect(new Client({ name: "test", version: "1" }).connect(transport)).rejects.toThrow(/Unauthorized/i);
  expect(seen.html).toContain("It calls itself “Editor”");
  expect(seen.page!.headers.get("content-security-policy")).toContain("form-action 'self' http://127.0.0.1:53123");
  expect(seen.back!.origin + seen.back!.pathname).toBe(CALLBACK);
  expect(seen.back!.searchParams.get("state")).toBe("state-of-the-program");
  await transport.finishAuth(seen.back!.searchParams);
  const { access_token: token, scope } = saved.tokens as { access_token: string; scope: string };
  expect(scope).toBe("read");
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(address(), { authProvider: provider }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("list_jobs");
  await client.close();
  const account = await (
    await fetch(`${server.baseUrl}/-/account`, { headers: { cookie, accept: "text/html" } })
  ).text();
  expect(account).toContain("Editor");
  const granted = { projectId: null, filter: { actions: actionsOf("API keys") }, before: null, limit: 1 };
  expect(await listAudit(server.instance.database.kysely, granted)).toMatchObject([{ action: "oauth/allow", subject: "Editor (read)" }]); // oxfmt-ignore
  const create = await fetch(`${server.baseUrl}/v2/agent/${server.instance.project.id}/job`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ prompt: "Fix the broken links." }),
  });
  expect(create.status).toBe(403);
  const { client_id: clientId } = saved.clientInformation as { client_id: string };
  const again = { code: seen.back!.searchParams.get("code")!, client_id: clientId, redirect_uri: CALLBACK, code_verifier: saved.codeVerifier as string }; // oxfmt-ignore
  expect(await redeem(again)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
});

/** Exchanges a code for a token. */
async function redeem(given: Record<string, string>) {
  const body = new URLSearchParams({ grant_type: "authorization_code", ...given });
  const answer = await fetch(`${server.baseUrl}/-/oauth/token`, { method: "POST", body });
  return { status: answer.status, json: (await answer.json()) as object };
}

describe("a code of the authorization endpoint", () => {
  const OTHER = "http://127.0.0.1:53123/other";
  const metadata = { client_name: "Editor", redirect_uris: [CALLBACK, OTHER] };
  const proof = () => randomBytes(32).toString("base64url");

  /** What a client sends for the token, with a code that the person has just allowed. */
  async function allowed() {
    const { client_id } = (await register(metadata)).json;
    const code_verifier = proof();
    const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
    const asked = { response_type: "code", client_id, redirect_uri: CALLBACK, code_challenge, code_challenge_method: "S256" }; // oxfmt-ignore
    const { provider, seen } = program("allow");
    await provider.redirectToAuthorization(new URL(`/-/oauth/authorize?${String(new URLSearchParams(asked))}`, server.baseUrl)); // oxfmt-ignore
    return { code: seen.back!.searchParams.get("code")!, client_id, redirect_uri: CALLBACK, code_verifier };
  }

  it.each([
    ["another proof", async () => ({ code_verifier: proof() }), "code_verifier is wrong."],
    [
      "the ID of another client",
      async () => ({ client_id: (await register(metadata)).json.client_id }),
      "This code is for another client or redirect address.",
    ],
    [
      "another redirect address of the same client",
      async () => ({ redirect_uri: OTHER }),
      "This code is for another client or redirect address.",
    ],
  ])("is rejected with %s, and then accepted from its own client", async (_, change, error_description) => {
    const own = await allowed();
    const stolen = await redeem({ ...own, ...(await change()) });
    expect(stolen).toEqual({ status: 400, json: { error: "invalid_grant", error_description } });
    expect(await redeem(own)).toMatchObject({ status: 200, json: { token_type: "Bearer" } });
  });

  it("is rejected once it is a minute old", async () => {
    const own = await allowed();
    aheadMs = 60_000;
    const late = await redeem(own).finally(() => (aheadMs = 0));
    expect(late.json).toEqual({ error: "invalid_grant", error_description: "This code is more than a minute old." });
    expect((await redeem(own)).status).toBe(200);
  });
});

it("rejects a code from before a new password", async () => {
  const { provider, seen } = program("allow");
  const transport = new StreamableHTTPClientTransport(address(), { authProvider: provider });
  await expect(new Client({ name: "test", version: "1" }).connect(transport)).rejects.toThrow(/Unauthorized/i);
  const { kysely } = server.instance.database;
  const { password_hash } = await kysely.selectFrom("person").select("password_hash").executeTakeFirstOrThrow();
  await kysely.updateTable("person").set({ password_hash: "another" }).execute();
  await expect(transport.finishAuth(seen.back!.searchParams)).rejects.toThrow(/new password/);
  await kysely.updateTable("person").set({ password_hash }).execute();
});

it("redirects to the program with an error if the person declines", async () => {
  const { provider, seen } = program("deny");
  const transport = new StreamableHTTPClientTransport(address(), { authProvider: provider });
  await expect(new Client({ name: "test", version: "1" }).connect(transport)).rejects.toThrow(/Unauthorized/i);
  expect(seen.back!.searchParams.get("error")).toBe("access_denied");
  expect(seen.back!.searchParams.get("code")).toBeNull();
});

const register = async (metadata: object) => {
  const answer = await fetch(`${server.baseUrl}/-/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(metadata),
  });
  return {
    status: answer.status,
    json: (await answer.json()) as { client_id: string; client_name: string; error: string },
  };
};

it.each([
  "javascript:alert(1)",
  "http://evil.example/",
  "data:text/html,x",
  "https://a.example/#x",
  "not an address",
  "mailto:a@b.example",
  "evilapp://claude.ai/cb",
  "https://harbor.localhost/back",
])("registers no client that would be answered at %s", async (uri) => {
  expect((await register({ redirect_uris: [uri] })).json.error).toBe("invalid_redirect_uri");
});

it("shows no consent page and does not redirect for an unknown client or redirect address", async () => {
  const { json } = await register({ client_name: "<b>Evil</b>\u202e", redirect_uris: ["https://app.example/back"] });
  expect(json.client_name).toBe("bEvilb");
  const ask = async (given: Record<string, string>) => {
    const query = new URLSearchParams({ response_type: "code", client_id: json.client_id, redirect_uri: "https://app.example/back", code_challenge: "x".repeat(43), code_challenge_method: "S256", ...given }); // oxfmt-ignore
    const headers = { cookie, accept: "text/html" };
    const answer = await fetch(`${server.baseUrl}/-/oauth/authorize?${query.toString()}`, {
      headers,
      redirect: "manual",
    });
    return { status: answer.status, location: answer.headers.get("location") };
  };
  expect(await ask({})).toEqual({ status: 200, location: null });
  expect(await ask({ client_id: `${json.client_id}x` })).toEqual({ status: 400, location: null });
  expect(await ask({ redirect_uri: "https://evil.example/" })).toEqual({ status: 400, location: null });
  expect(await ask({ code_challenge_method: "plain" })).toEqual({ status: 400, location: null });
  expect(await ask({ resource: "https://other.example/mcp" })).toEqual({ status: 400, location: null });
});

it("signs the command line in through the browser", async () => {
  await using config = await createTestDirectory();
  const env = { ...process.env, XDG_CONFIG_HOME: config.path };
  const command = spawn(process.execPath, [DOCENT, "login", "--browser", "--server", server.baseUrl], { env });
  let said = "";
  command.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  await expect.poll(() => said, { timeout: 20_000 }).toContain("code_challenge_method=S256\n");
  const { provider, seen } = program("allow", "admin");
  await provider.redirectToAuthorization(new URL(/http\S+/.exec(said)![0]));
  expect(await (await fetch(seen.back!)).text()).toContain("The command line is signed in.");
  const [status] = (await once(command, "close")) as [number];
  expect([status, said.split("\n").at(-2)]).toEqual([0, ""]);
  const { stdout } = await promisify(execFile)(process.execPath, [DOCENT, "projects", "list", "--json"], { env, cwd: config.path }); // oxfmt-ignore
  expect(stdout).toContain(server.instance.project.id);
});
