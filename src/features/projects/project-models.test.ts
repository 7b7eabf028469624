import path from "node:path";
import { expect, it } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { openKeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { openProjectKeys, sealProjectKey } from "./project-models.ts";

it("opens a project's sealed keys, and skips those of another key file or project", async () => {
  await using directory = await createTestDirectory();
  const vault = await openKeyVault(path.join(directory.path, "secrets.key"));
  const former = await openKeyVault(path.join(directory.path, "former.key"));
  const project = { id: newProjectId() };
  const key = { name: "ONE", value: new Secret("the-key-of-one") };
  const sealedKeys = {
    ONE: sealProjectKey(vault, project, key),
    LOST: sealProjectKey(former, project, { ...key, name: "LOST" }),
    FOREIGN: sealProjectKey(vault, { id: newProjectId() }, { ...key, name: "FOREIGN" }),
  };
  const keys = openProjectKeys(vault, { ...project, settings: { sealedKeys } });
  expect(keys.map((secret) => secret.reveal())).toEqual(["the-key-of-one"]);
  expect(openProjectKeys(vault, { ...project, settings: {} })).toEqual([]);
});
