import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApiKey } from "#features/keys/api-keys.ts";
import { projects } from "#cli/projects/projects.ts";
import { DAY_MS, systemClock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { SIGN_IN_PATH } from "#features/sites/entrance/gate.ts";
import { createCommandIo } from "#testing/command-io.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createPerson } from "#test/support/person.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const made = new AsyncDisposableStack();
let server: TestServer;
const newPerson = async () => createPerson(made.use(await createTestDirectory()).path);
type Person = Awaited<ReturnType<typeof newPerson>>;
interface Shown {
  id: string;
  slug: string;
  siteUrl: string;
  settings: Record<string, unknown>;
}

/** Somebody who has nothing but a key of the instance, made beside its data directory. */
async function operator(): Promise<Person> {
  const person = await newPerson();
  const { data } = server.instance;
  const create = ["keys", "create", "--instance", "--name", "laptop", "--allow", "127.0.0.0/8", "--allow", "::1"];
  const { stdout } = await person.docent([...create, "--data", data]);
  const login = await person.docent(["login", "--server", server.baseUrl], { input: stdout });
  expect(login.stdout).toContain("Commands work on all projects at");
  return person;
}

beforeAll(async () => {
  server = made.use(await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n" } }));
});
afterAll(() => made.disposeAsync());

it("projects can be created, changed, listed and deleted from another machine with only an instance key", async () => {
  const person = await operator();
  const { slug: own } = server.instance.project;
  const created = await person.json<Shown>("projects", "create", "Harbor handbook");
  expect(created).toMatchObject({ slug: "harbor-handbook", branch: "main", codeHost: "embedded" });
  expect((await person.json<Shown[]>("projects", "list")).map(({ slug }) => slug)).toEqual(
    ["harbor-handbook", own].sort(),
  );
  const set = await person.json<Shown>("projects", "set", "harbor-handbook", "draftOnFindings", "true");
  expect(set.settings).toEqual({ draftOnFindings: true, keys: [] });
  const effort = await person.json<Shown>("projects", "set", "harbor-handbook", "effort", "low");
  expect(effort.settings).toMatchObject({ effort: "low" });
  await person.docent(["projects", "set", "harbor-handbook", "effort"]);
  const secret = ["projects", "secret", "harbor-handbook", "ANTHROPIC_API_KEY", "--json"];
  const sealed = await person.docent(secret, { input: "sk-very-secret" });
  expect(sealed.stdout).not.toContain("very-secret");
  expect((JSON.parse(sealed.stdout) as Shown).settings["keys"]).toEqual(["ANTHROPIC_API_KEY"]);
  await person.docent(["projects", "domain", "add", created.id, "docs.example.com"]);
  await person.docent(["projects", "domain", "add", created.id, "b.example.com"]);
  expect(await person.json("projects", "domain", "main", created.id, "b.example.com")).toEqual([
    { domain: "b.example.com", isMain: true },
    { domain: "docs.example.com", isMain: false },
  ]);
  expect((await person.docent(["projects", "domain", "remove", created.id, "x.example.com"])).stderr).toContain(
    "does not have the domain",
  );
  const access = ["projects", "access", created.id, "password"];
  expect((await person.docent(access, { input: "short" })).exitCode).toBe(1);
  expect((await person.docent(access, { input: "long enough\n" })).stdout).toContain("it opens by its password");
  // Beside the data directory the same is to be seen.
  const beside = await person.json<Shown>("projects", "show", created.id, "--data", server.instance.data);
  expect(beside).toEqual(await person.json("projects", "show", created.id));
  expect(beside).toMatchObject({ name: "Harbor handbook", branch: "main" });
  const lines = `Name             Harbor handbook
Id               ${created.id}
Site             ${beside.siteUrl}
Access           password
Domains          b.example.com, docs.example.com
Repository       ${server.baseUrl}/git/harbor-handbook.git
Branch           main
Model            the server's default
Keys             ANTHROPIC_API_KEY
draftOnFindings  true
`;
  for (const more of [[], ["--data", server.instance.data]])
    expect(await person.docent(["projects", "show", created.id, ...more])).toMatchObject({ stdout: lines, stderr: "" });
  const model = ["projects", "set", created.id, "model"];
  expect((await person.docent([...model, "docent/builtin-rules"])).stdout).toBe(
    "harbor-handbook: model is docent/builtin-rules.\n",
  );
  expect((await person.docent([...model, "nosuch/model"])).stderr).toContain('No provider "nosuch" is set up.');
  expect((await person.docent(model)).stdout).toBe("harbor-handbook: model is not set.\n");
  expect((await person.docent(secret.slice(0, -1))).stdout).toBe(
    "harbor-handbook has no ANTHROPIC_API_KEY any more.\n",
  );
  expect(
    (await person.docent(["projects", "token", created.id, "--token-file", "-"], { input: "x" })).stderr,
  ).toContain("not connected to a code host");
  expect((await person.docent(["projects", "delete", "harbor-handbook"])).stderr).toContain("Nothing was deleted.");
  expect(await person.json("projects", "delete", "harbor-handbook", "--yes")).toMatchObject({ deleted: true });
  expect((await person.docent(["projects", "show", "harbor-handbook"])).stderr).toContain("There is no project");
  expect(await readdir(person.folder)).toEqual([]);
});

it("projects have keys that can be created, listed and revoked remotely, and used in other commands by slug", async () => {
  const person = await operator();
  const { slug, id } = server.instance.project;
  const made = await person.json<{ id: string; key: string; projectId: string }>(
    "keys",
    "create",
    slug,
    "--scope",
    "read",
  );
  expect(made.projectId).toBe(id);
  const listed = await person.json<{ id: string; scope: string }[]>("keys", "list", slug);
  expect(listed.find((key) => key.id === made.id)?.scope).toBe("read");
  expect((await person.docent(["keys", "revoke", slug, made.id])).stdout).toContain(`Revoked ${made.id}`);
  const wide = await person.json<{ id: string; allow: string[] }[]>("keys", "list", "--instance");
  expect(wide.map(({ allow }) => allow)).toContainEqual(["127.0.0.0/8", "::1"]);
  expect((await person.docent(["keys", "list"])).stderr).toContain("Give a PROJECT, or --instance");
  expect(await person.json("jobs", "list", slug)).toEqual([]);
  expect((await person.docent(["jobs", "list", "no-such"])).stderr).toContain('There is no project "no-such"');
  expect((await person.docent(["keys", "create", slug, "--allow", "10.0.0.0/40"])).stderr).toContain(
    "is no address or range",
  );
});

it("projects have keys that expire after 90 days by default", async () => {
  const person = await operator();
  const made = await person.json<{ createdAt: string; expiresAt: string | null }>("keys", "create", "--instance");
  expect(Date.parse(made.expiresAt ?? "") - Date.parse(made.createdAt)).toBe(90 * DAY_MS);
});

it("projects have keys that are shown as revoked", async () => {
  const person = await operator();
  const { slug } = server.instance.project;
  const { id } = await person.json<Shown>("keys", "create", slug);
  await person.docent(["keys", "revoke", slug, id]);
  expect((await person.docent(["keys", "list", slug])).stdout).toMatch(new RegExp(`^${id} .* revoked$`, "m"));
});

it("projects have all their keys listed, although a server returns a hundred at once", async () => {
  const person = await operator();
  const { id: projectId } = await person.json<Shown>("projects", "create", "Many keys");
  const deps = { database: server.instance.database, clock: systemClock, keysPerHour: 1_000 };
  for (let count = 0; count < 101; count += 1) {
    await createApiKey(deps, { projectId: projectId as ProjectId, name: `key ${count}`, expiresInDays: 7 });
  }
  expect(await person.json("keys", "list", projectId)).toHaveLength(101);
});

it("keep their main domain when another is added", async () => {
  const person = await operator();
  const { id } = await person.json<Shown>("projects", "create", "Two domains");
  await person.docent(["projects", "domain", "add", id, "main.example.com"]);
  expect(await person.json("projects", "domain", "add", id, "further.example.com")).toEqual([
    { domain: "main.example.com", isMain: true },
    { domain: "further.example.com", isMain: false },
  ]);
});

it("projects open with a password that was read from a line of standard input", async () => {
  const person = await operator();
  const { id, slug } = await person.json<Shown>("projects", "create", "Behind a password");
  await person.docent(["projects", "access", id, "password"], { input: "long enough\n" });
  using site = createSiteClient({ instance: { project: { slug } }, port: server.port });
  const signedIn = await site.send(SIGN_IN_PATH, { method: "POST", body: "password=long+enough" });
  expect(signedIn.status).toBe(303);
});

it("projects are kept if the user declines the confirmation", async () => {
  const person = await operator();
  const { id } = await person.json<Shown>("projects", "create", "To be kept");
  const { io, said } = createCommandIo({ isTerminal: true, confirm: async () => false });
  await projects.run(["delete", id, "--data", server.instance.data], io);
  expect(said).toEqual({ stdout: "", stderr: "Nothing was deleted.\n" });
  expect(await person.json("projects", "show", id)).toMatchObject({ id });
});

it("projects can be managed with their own key, except model providers and unproven domains", async () => {
  const person = await newPerson();
  const { project, key } = server.instance;
  await person.docent(["login", "--server", server.baseUrl, "--project", project.id, "--name", "own"], { input: key });
  expect(await person.json("projects", "show", "own")).toMatchObject({ id: project.id });
  expect(await person.json("projects", "set", "own", "instructions", "Short.")).toMatchObject({
    settings: { instructions: "Short." },
  });
  expect((await person.docent(["projects", "set", "own", "models", "{}"])).stderr).toContain(
    "with a key of the instance",
  );
  const added = await person.docent(["projects", "domain", "add", "own", "mine.localhost.example"]);
  expect([added.exitCode, added.stderr]).toEqual([1, expect.stringMatching(/TXT record|DNS/)]);
  const tried = await person.docent(["login", "--server", server.baseUrl], { input: key });
  expect([tried.exitCode, tried.stderr]).toEqual([1, expect.stringContaining("This is a key of one project")]);
});
