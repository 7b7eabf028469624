import type { Config } from "./instance/config.ts";
import type { Logger } from "#lib/logger.ts";
import type { Context } from "./context.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { createBuiltinRules } from "#rules/builtin-rules.ts";
import { createLocalModels, LOCAL_SERVERS, type LocalModels } from "#models/local-servers.ts";
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

/** Finds model servers on this machine, which the dashboard offers. */
export function composeLocalModels({ config, clock }: Pick<Context, "config" | "clock">): LocalModels {
  const ports = Object.fromEntries(Object.entries(LOCAL_SERVERS).map(([name, { port }]) => [name, port]));
  return createLocalModels({ fetch: globalThis.fetch, clock }, config.findsLocalModels ? ports : {});
}

/** Logs the model servers that it finds. The start does not wait for it. */
export async function tellLocalModels({ look }: Pick<LocalModels, "look">, logger: Logger): Promise<void> {
  for (const { name, address, models } of await look()) {
    logger.info(
      { server: LOCAL_SERVERS[name].label, address, models: models.slice(0, 20) },
      "a program on this machine serves models",
    );
  }
}

/** Secrets to redact: the keys of the instance's own model providers, and those of projects. */
export const composeSecrets = ({ models }: Pick<Config, "models">, vault: KeyVault): ProjectSecrets =>
  createProjectSecrets(
    vault,
    models.providers.flatMap(({ apiKey }) => (apiKey ? [apiKey] : [])),
  );
