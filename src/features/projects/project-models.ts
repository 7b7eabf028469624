import { AppError } from "#lib/app-error.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import type { ModelCatalogue } from "#models/model.ts";
import { readModelSettings } from "#models/settings.ts";
import type { Project } from "./project.ts";

/** Binds a sealed key to its project and name, so that it cannot be opened elsewhere. */
const purposeOf = (project: Pick<Project, "id">, name: string) => `project ${project.id} key ${name}`;

export function sealProjectKey(
  vault: KeyVault,
  project: Pick<Project, "id">,
  key: { name: string; value: Secret },
): string {
  return vault.seal(key.value, purposeOf(project, key.name));
}

/**
 * The decrypted keys of a project's model providers, for redaction. Keys that cannot be opened, because their key file
 * was lost, are skipped: no model can be called with them either.
 */
export function openProjectKeys(vault: KeyVault, project: Pick<Project, "id" | "settings">): Secret[] {
  return Object.entries(project.settings.sealedKeys ?? {}).flatMap(([name, sealed]) => {
    try {
      return [vault.open(sealed, purposeOf(project, name))];
    } catch (error) {
      if (error instanceof AppError && error.code === "invalid") return [];
      throw error;
    }
  });
}

/**
 * A project's own providers with their keys, and the models it allows. Throws `AppError invalid` for invalid settings.
 */
export function readProjectModels(
  vault: KeyVault,
  project: Pick<Project, "id" | "settings">,
): ReturnType<typeof readModelSettings> {
  const { models, sealedKeys = {} } = project.settings;
  const keys = Object.entries(sealedKeys).map(([name, sealed]) => [
    name,
    vault.open(sealed, purposeOf(project, name)).reveal(),
  ]);
  return readModelSettings(
    models === undefined ? null : JSON.stringify(models),
    Object.fromEntries(keys) as Record<string, string>,
  );
}

/** The models for a project's jobs: those of the instance, and its own providers, which take precedence. */
export function projectCatalogue(
  { models, vault }: { models: ModelCatalogue; vault: KeyVault },
  project: Pick<Project, "id" | "settings">,
): ModelCatalogue {
  const { models: own, sealedKeys } = project.settings;
  return own === undefined && sealedKeys === undefined ? models : models.forProject(readProjectModels(vault, project));
}
