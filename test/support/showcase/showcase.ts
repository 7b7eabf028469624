import { setRole } from "#features/accounts/members.ts";
import { addPerson, createOwner } from "#features/accounts/people.ts";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { createApiKey } from "#features/keys/api-keys.ts";
import { systemClock } from "#lib/clock.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { createProject } from "#features/projects/projects.ts";
import { setSiteAccess } from "#features/projects/site-access.ts";
import { createTestRepository } from "#testing/repositories.ts";
import { callApi, type Caller, waitForJob } from "#test/support/instance.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";
import { seedReaders } from "./readers.ts";

const DOCS = path.join(import.meta.dirname, "docs");

export interface Showcase extends AsyncDisposable {
  server: TestServer;
  /** Owns the server. */
  account: { name: string; email: string; password: string };
  /** The project with the docs of this folder: its id and key. */
  owner: Caller;
  /** Origins of its site, of a private one, and of one without pages. */
  site: string;
  privateSite: string;
  emptySite: string;
  /** The link of the preview of its open pull request. */
  preview: string;
  /** Paths of the dashboard, of a job that made a pull request and of one that failed. */
  job: string;
  failedJob: string;
}

/** A server with everything that there is to see: a site of every component, jobs, a pull request, readers, feedback. */
export async function startShowcase(): Promise<Showcase> {
  await using stack = new AsyncDisposableStack();
  const handbook = { "index.md": "# Team handbook\n\nFor the team.\n" };
  const environment = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32", DOCENT_WEBHOOK_ALLOW: "127.0.0.1/32" };
  const server = stack.use(await startTestServer({ engine: "sqlite", files: handbook, environment }));
  const { instance, baseUrl, port } = server;
  const deps = { database: instance.database, repoStore: instance.repoStore, clock: systemClock };
  const access = { mode: "password", password: new Secret("a long enough password") } as const;
  await setSiteAccess(deps, instance.project.id, access);
  await createProject(deps, { name: "Empty", source: null, branch: null });
  await using source = await createTestRepository(await readDocs(), { message: "Describe Harbor 2" });
  const project = await createProject(deps, { name: "Harbor", source: source.path, branch: null });
  const made = { projectId: project.id, name: "Release pipeline", expiresInDays: 90 };
  const owner = { project, key: (await createApiKey({ ...deps, keysPerHour: 100 }, made)).key };
  const account = { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse" };
  await createOwner(deps, account);
  for (const [name, email, role] of [
    ["Grace Hopper", "grace@example.com", "editor"],
    ["Alan Turing", "alan@example.com", "viewer"],
  ] as const) {
    await deps.database.transaction(async (transaction) => {
      const wish = { name, email, isOwner: false, passwordHash: null, at: deps.clock.now() };
      const person = await addPerson(transaction, wish);
      await setRole(
        { ...deps, database: { kysely: transaction } },
        { projectId: project.id, personId: person.id, role },
      );
    });
  }
  const origin = (slug: string) => `http://${slug}.localhost:${port}`;

  const run = async (prompt: string) => {
    const { body } = await callApi(baseUrl, owner, { path: "/job", body: { prompt } });
    return waitForJob(baseUrl, owner, body.id);
  };
  const failed = await run("Rewrite everything in a friendlier tone.");
  const done = await run('Replace "given up" with "abandoned" everywhere and fix the broken links.');
  using client = createSiteClient({ instance: { project }, port });
  await seedReaders({ data: instance.data, slug: project.slug, client });
  const owned = stack.move();
  return {
    server,
    owner,
    account,
    site: origin("harbor"),
    privateSite: origin("test-docs"),
    emptySite: origin("empty"),
    preview: done.previewLink ?? "",
    job: `/harbor/jobs/${done.id}`,
    failedJob: `/harbor/jobs/${failed.id}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function readDocs(): Promise<Record<string, string>> {
  const entries = await readdir(DOCS, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const read = files.map(async (file) => [path.relative(DOCS, file), await readFile(file, "utf8")] as const);
  return Object.fromEntries(await Promise.all(read));
}
