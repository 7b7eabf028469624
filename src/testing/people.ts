import { setRole } from "#features/accounts/members.ts";
import { addPerson, type Person } from "#features/accounts/people.ts";
import { createApiKey } from "#features/keys/api-keys.ts";
import type { Project } from "#features/projects/project.ts";
import type { KeyScope, Role } from "#kit/levels.ts";
import { hashPassword } from "#lib/secrets/password.ts";
import { type Browsing, openBrowser } from "./browsing.ts";
import type { TestApp } from "./test-app.ts";

export const PASSWORD = "correct horse battery";
let hash: Promise<string> | undefined;
let made = 0;

/** A person with an account whose password is `PASSWORD`, with a role in the app's project or another one. */
export async function makePerson(
  app: Pick<TestApp, "database" | "clock" | "project">,
  { role = null, isOwner = false, project = app.project }: { role?: Role | null; isOwner?: boolean; project?: Project },
): Promise<Person> {
  const passwordHash = await (hash ??= hashPassword(PASSWORD));
  made += 1;
  const newPerson = {
    name: `Person ${made}`,
    email: `person${made}@example.com`,
    isOwner,
    passwordHash,
    at: app.clock.now(),
  };
  const person = await app.database.transaction((transaction) => addPerson(transaction, newPerson));
  if (role !== null) await setRole(app, { projectId: project.id, personId: person.id, role });
  return person;
}

/** A personal access token. */
export const makeToken = async (
  { database, clock }: Pick<TestApp, "database" | "clock">,
  person: Person,
  scope: KeyScope = "admin",
): Promise<string> =>
  (
    await createApiKey(
      { database, clock, keysPerHour: 100 },
      { projectId: null, personId: person.id, name: "token", expiresInDays: null, scope },
    )
  ).key;

/** A browser that is signed in as a person; `byForm` with their password. */
export async function browseAs(
  app: Pick<TestApp, "app" | "signIn">,
  { id: personId, email }: Person,
  { byForm = false } = {},
): Promise<Browsing> {
  const cookie = byForm ? "" : await app.signIn({ personId, address: "127.0.0.1", browser: "test" });
  const browsing = openBrowser(app, cookie);
  if (byForm) await browsing.post("/sign-in", { email, password: PASSWORD });
  await browsing.get("/-/account"); // for the CSRF token of its forms
  return browsing;
}
