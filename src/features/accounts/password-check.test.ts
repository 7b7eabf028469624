import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "#lib/secrets/password.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { createPasswordCheck } from "./password-check.ts";
import { addPerson } from "./people.ts";

const NOW = new Date("2026-11-27T12:00:00Z");
const EMAIL = "ada@example.com";
let opened: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  opened = await openTestDatabase("sqlite");
  const passwordHash = await hashPassword("correct horse");
  await opened.database.transaction((transaction) =>
    addPerson(transaction, { name: "Ada", email: EMAIL, isOwner: true, passwordHash, at: NOW }),
  );
});
afterAll(() => opened[Symbol.asyncDispose]());

/** A check with limits per address and account, for a person who is signed in at `home`. */
function start({ byAddress = 100, byAccount = 100 }) {
  const guard = (limit: number) => {
    const tries = new Map<string, number>();
    return { admits: (key: string) => tries.set(key, (tries.get(key) ?? 0) + 1).get(key)! <= limit };
  };
  const check = createPasswordCheck({
    database: opened.database,
    clock: { now: () => NOW },
    householdOf: (address) => address,
    byAddress: guard(byAddress),
    byAccount: guard(byAccount),
    isKnownAddress: async (_id, address) => address === "home",
  });
  return (address: string, password = "wrong horse", email = EMAIL) =>
    check({ email, password, address }).then(
      (person) => person?.name ?? null,
      (error: unknown) => (error as { code: string }).code,
    );
}

it("accepts a person's address, in any case, only with their password", async () => {
  const check = start({});
  expect(await check("a", "correct horse", " Ada@Example.COM ")).toBe("Ada");
  expect(await check("a", "Correct horse")).toBeNull();
  expect(await check("a", "correct horse", "eve@example.com")).toBeNull();
  expect(await check("a", "", "")).toBeNull();
  expect(await check("a", "x".repeat(100_000))).toBeNull();
});

it("rejects accounts without a password", async () => {
  const newPerson = { name: "Grace", email: "grace@example.com", isOwner: false, passwordHash: null, at: NOW };
  await opened.database.transaction((transaction) => addPerson(transaction, newPerson));
  for (const password of ["", "null", "nobody's"]) expect(await start({})("a", password, newPerson.email)).toBeNull();
});

it("limits guesses from one address, for all accounts together", async () => {
  const check = start({ byAddress: 2 });
  expect([await check("a"), await check("a", "x", "eve@example.com"), await check("a")]).toEqual([null, null, "rate_limited"]); // oxfmt-ignore
  expect(await check("b", "correct horse")).toBe("Ada");
});

it("limits guesses for an account from many addresses, and still admits its person where they are signed in", async () => {
  const check = start({ byAccount: 2 });
  expect([await check("a"), await check("b"), await check("c")]).toEqual([null, null, "rate_limited"]);
  expect(await check("d", "correct horse")).toBe("rate_limited");
  expect(await check("home", "correct horse")).toBe("Ada");
});
