import { expect, test } from "vitest";
import { createSecretScanner } from "#lib/secrets/secret-scan.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { judge, type TestFiles } from "#testing/judged-change.ts";

// Built at run time, so that no file of this repository contains text that looks like a credential.
const OLD = `AKIA${"Q3EGXW2N7R5TZ4YH"}`;
const NEW = `AKIA${"V7LMKD4P2S5WXB6C"}`;
const OURS = "sk-proj-q7Zt2mXw9KpR4vLc8NbY3sHd6JfG1aEuT5oQ";
const { findSecrets } = createSecretScanner([new Secret(OURS)]);

async function secretsIn(before: TestFiles, after: TestFiles): Promise<string[]> {
  const { errors } = await judge(before, after, { findSecrets });
  return errors.filter(({ check }) => check === "secrets").map(({ path, line }) => `${path}:${line}`);
}

const page = (...lines: string[]) => `# Keys\n\n${lines.join("\n")}\n`;
const hundred = Array.from({ length: 120 }, () => OLD).join("\n");

test.each<[string, string, string]>([
  ["another one next to an existing one", page(OLD), page(OLD, NEW)],
  ["another one replacing an existing one", page(OLD), page(NEW)],
  ["one of ours in the place of another", page(OLD), page(OURS)],
  ["one more copy of an old one", page(OLD), page(OLD, OLD)],
  ["one in base64 beside itself", page(OURS), page(OURS, Buffer.from(OURS).toString("base64"))],
  ["one behind a hundred old ones", page(hundred), page(hundred, NEW)],
  ["two on one line where one was", page(OLD), page(`${OLD} ${NEW}`)],
  ["the first in a new file", "", page(NEW)],
])("a credential is found: %s", async (_name, before, after) => {
  expect(await secretsIn({ "a.md": before }, { "a.md": after })).toHaveLength(1);
});

test("an existing credential may stay, move within and between files, and be encoded differently", async () => {
  expect(await secretsIn({ "a.md": page(OLD) }, { "a.md": page("Text.", OLD) })).toEqual([]);
  expect(await secretsIn({ "a.md": page(OLD), "b.md": page() }, { "a.md": page(), "b.md": page(OLD) })).toEqual([]);
  expect(await secretsIn({ "a.md": page(OLD) }, { "b.md": page(OLD) })).toEqual([]);
  expect(await secretsIn({ "a.md": page(OLD) }, { "a.md": page(encodeURIComponent(OLD)) })).toEqual([]);
});

test("a copy in a second file counts as a new credential", async () => {
  expect(await secretsIn({ "a.md": page(OLD) }, { "a.md": page("x", OLD), "b.md": page(OLD) })).toEqual(["b.md:3"]);
});

test("a credential in a file name is found, and the finding does not show it", async () => {
  const report = await judge({}, { [`guides/${NEW}.md`]: page() }, { findSecrets });
  expect(report.errors.map(({ check }) => check)).toContain("secrets");
  expect(JSON.stringify(report.errors.filter(({ check }) => check === "secrets"))).not.toContain(NEW);
});

test("a file with a credential in its name may be edited and moved", async () => {
  const path = `guides/${OLD.toLowerCase()}-${OLD}.md`;
  expect(await secretsIn({ [path]: page() }, { [path]: page("x") })).toEqual([]);
  expect(await secretsIn({ [path]: page() }, { [`old-${OLD}.md`]: page() })).toEqual([]);
});
