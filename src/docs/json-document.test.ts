import { expect, test } from "vitest";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { readJsonDocument } from "./json-document.ts";
import { createProblemList } from "./problems.ts";

test("a file that holds credentials is not even read for a $ref", async () => {
  const snapshot = createTestSnapshot({
    "docs.json": '{ "logo": { "$ref": "logo.json" }, "key": { "$ref": "guides/credentials.json" } }',
    "logo.json": '{ "light": "/logo.svg" }',
    "guides/credentials.json": '{ "key": "plainvalue" }',
  });
  const document = await readJsonDocument(snapshot, "docs.json", createProblemList());
  expect(document.value).toMatchObject({ logo: { light: "/logo.svg" } });
  expect([...snapshot.reads.keys()]).toEqual(["docs.json", "logo.json"]);
});

test("the files of a document have the names that they have in the repository", async () => {
  const part = "größe.json".normalize("NFD");
  const snapshot = createTestSnapshot({ "docs.json": '{ "logo": { "$ref": "größe.json" } }', [part]: "{}" });
  expect((await readJsonDocument(snapshot, "docs.json", createProblemList())).files).toEqual(["docs.json", part]);
});
