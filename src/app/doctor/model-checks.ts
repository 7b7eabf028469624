import { createSecretKey, randomBytes } from "node:crypto";
import { composeModels } from "#app/models.ts";
import { checkVaultKey } from "#app/instance/store-vault.ts";
import { fromRow } from "#features/jobs/automations/automations.ts";
import { projectCatalogue } from "#features/projects/project-models.ts";
import { listProjects } from "#features/projects/projects.ts";
import { createKeyVault } from "#lib/secrets/key-vault.ts";
import { AppError } from "#lib/app-error.ts";
import type { ModelCatalogue } from "#models/model.ts";
import { type Diagnosis, type DoctorInput, diagnose, firstOf } from "./diagnosis.ts";

const CHECK = "models";
const ADVICE =
  "Set up the provider, or choose another model. If the server has the provider's key, run this command with the server's environment.";

/** Checks whether jobs of projects and automations would be refused because of their model. Calls no provider. */
export async function checkModels({ database, config }: Pick<DoctorInput, "database" | "config">) {
  const models = composeModels(config);
  const { defaultModel } = config.jobs;
  const ofServer = refusalOf(models, defaultModel);
  if (ofServer !== null) {
    const advice = "Correct DOCENT_DEFAULT_MODEL, or set up its provider. A server does not start until then.";
    return [diagnose.problem(CHECK, `The default model cannot be used: ${ofServer}`, advice)];
  }
  const key = await checkVaultKey({ database, config });
  const automations = await enabledAutomations({ database });
  const vault = key.state === "opens" ? key.vault : createKeyVault(createSecretKey(randomBytes(32))); // opens nothing
  const found: Diagnosis[] = [];
  const look = (catalogue: ModelCatalogue, model: string, owner: string) => {
    const refusal = refusalOf(catalogue, model);
    if (refusal !== null) found.push(diagnose.warning(CHECK, `Jobs of ${owner} are refused: ${refusal}`, ADVICE));
  };
  for (const project of await listProjects({ database })) {
    if (project.archivedAt !== null) continue;
    const { sealedKeys = {}, model } = project.settings;
    if (Object.values(sealedKeys).some((sealed) => !vault.hasSealed(sealed))) continue; // the check of the key says so
    const catalogue = projectCatalogue({ models, vault }, project);
    look(catalogue, model ?? defaultModel, `the project ${project.slug}`);
    for (const automation of automations.filter(({ projectId }) => projectId === project.id)) {
      if (automation.model === null) continue; // that of the project
      look(catalogue, automation.model, `the automation "${automation.name}" of ${project.slug}`);
    }
  }
  return found.length > 0
    ? firstOf(found)
    : [diagnose.ok(CHECK, "No project or automation has a model that is not set up.")];
}

async function enabledAutomations({ database }: Pick<DoctorInput, "database">) {
  const rows = await database.kysely.selectFrom("automation").selectAll().where("enabled", "=", 1).execute();
  return rows.map(fromRow);
}

function refusalOf(catalogue: ModelCatalogue, model: string): string | null {
  try {
    catalogue.resolve(model);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
