import type { Queryable } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { createSecretScanner, type Redact, type SecretScanner } from "#lib/secrets/secret-scan.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { type Project, ProjectSettings } from "./project.ts";
import { openProjectKeys } from "./project-models.ts";

/** Redacts secrets: credentials in well-known formats, the keys of this instance, those of a project. */
export interface ProjectSecrets {
  /** Without the keys of any project. */
  instance: SecretScanner;
  scannerOf(project: Pick<Project, "id" | "settings">): SecretScanner;
  /** Redacts texts of a project with its stored settings. Works inside a transaction. */
  redactFor(queryable: Queryable, id: ProjectId): Promise<Redact>;
}

export function createProjectSecrets(vault: KeyVault, instanceKeys: readonly Secret[]): ProjectSecrets {
  const instance = createSecretScanner(instanceKeys);
  const scannerOf = (project: Pick<Project, "id" | "settings">) =>
    project.settings.sealedKeys === undefined
      ? instance
      : createSecretScanner([...instanceKeys, ...openProjectKeys(vault, project)]);
  return {
    instance,
    scannerOf,
    async redactFor(queryable, id) {
      const row = await queryable.selectFrom("project").select("settings").where("id", "=", id).executeTakeFirst();
      return row
        ? scannerOf({ id, settings: ProjectSettings.parse(JSON.parse(row.settings)) }).redact
        : instance.redact;
    },
  };
}
