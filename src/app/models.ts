import type { Config } from "./instance/config.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { createBuiltinRules } from "#rules/builtin-rules.ts";
import { createModelCatalogue, type ModelCatalogue } from "#models/model.ts";
import { createProviderConnector } from "#models/providers.ts";
import { createProjectSecrets, type ProjectSecrets } from "#features/projects/project-secrets.ts";

/** The models that jobs on this instance may use. */
export function composeModels({ models }: Pick<Config, "models">): ModelCatalogue {
  return createModelCatalogue({
    builtin: createBuiltinRules(),
    ...models,
    connect: createProviderConnector({ fetch: globalThis.fetch }),
  });
}

/** What must not be shown: the keys of the instance's own model providers, and those of projects. */
export const composeSecrets = ({ models }: Pick<Config, "models">, vault: KeyVault): ProjectSecrets =>
  createProjectSecrets(
    vault,
    models.providers.flatMap(({ apiKey }) => (apiKey ? [apiKey] : [])),
  );
