import type { Hono } from "hono";
import { formPages } from "#kit/pages/form-pages.ts";
import { isInstanceAdmin } from "#features/keys/holder.ts";
import type { Member, ProjectAccess, SentForm } from "#features/keys/page-access.ts";
import { changedSettings, type ProjectChanges } from "#features/projects/change-project.ts";
import type { Project } from "#features/projects/project.ts";
import type { ProjectRoutesDeps } from "#features/projects/routes.ts";
import { noteSubject } from "#kit/http/context.ts";
import { changeWords } from "#lib/change-words.ts";
import { AppError } from "#lib/app-error.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { LocalModels } from "#models/local-servers.ts";
import type { ModelCatalogue } from "#models/model.ts";
import { addedModel, ownProviders, withoutProvider } from "./model-providers.ts";
import { tryModel } from "./model-trial.ts";
import { modelsPage, type ModelsPage } from "./models-page.ts";

export interface ModelsRoutesDeps {
  access: ProjectAccess;
  vault: KeyVault;
  /** Project operations of the API. */
  projects: Pick<ProjectRoutesDeps, "findProject" | "change">;
  /** The models for a project's jobs. */
  catalogueOf(project: Project): ModelCatalogue;
  /** The model of jobs if neither they nor their project set one. */
  defaultModel: string;
  /** Model servers on this machine. */
  findLocalModels: LocalModels["look"];
  /** Counts a test call of a model as one agent call of the project. `AppError rate_limited`. */
  countTrial(projectId: Project["id"]): Promise<unknown>;
}

/** `/{slug}/models`: the model of a project's jobs, and its own providers, for its admins. */
export function createModelsRoutes(deps: ModelsRoutesDeps): Hono {
  const { projects, vault, catalogueOf } = deps;

  /**
   * `tried`: the model that must respond before the changes are saved. Fails if the settings changed after that test.
   */
  async function change({ project, session }: SentForm, changes: ProjectChanges, tried: string | null): Promise<null> {
    const isOfInstance = isInstanceAdmin(session);
    if (changes.settings && "models" in changes.settings && !isOfInstance) {
      throw new AppError(
        "forbidden",
        "Only owners of the server change providers at an address, because this server calls them.",
      );
    }
    if (tried !== null) {
      const settings = await changedSettings({ vault }, project, changes);
      await deps.countTrial(project.id);
      await tryModel(catalogueOf({ ...project, settings }), tried);
    }
    const seen = JSON.stringify([project.settings.model, project.settings.models]);
    await projects.change(project, changes, {
      isOfInstance,
      check({ settings }) {
        if (JSON.stringify([settings.model, settings.models]) === seen) return;
        throw new AppError(
          "precondition_failed",
          "Someone changed the models meanwhile. Look at them below, and send the form again.",
        );
      },
    });
    return null;
  }

  return formPages<Member, never>({
    access: deps.access,
    pages: { models: "admin" },
    actions: {
      "models/choose": {
        needs: "admin",
        notice: "The model is saved. New jobs use it.",
        run: (sent, c) => {
          const model = sent.field("model").trim();
          noteSubject(c, changeWords("model", sent.project.settings.model ?? "", model));
          return change(sent, { settings: { model: model || null } }, model || null);
        },
      },
      "models/add": {
        needs: "admin",
        notice: "The model answered, and new jobs use it.",
        async run(sent) {
          const line = (name: string) => sent.field(name).trim();
          const entered = {
            choice: line("provider"),
            model: line("model"),
            key: line("key"),
            address: line("address"),
            seesImages: sent.field("images") === "yes",
          };
          const { name, changes } = addedModel(sent.project, entered);
          return change(sent, changes, name);
        },
      },
      "models/remove": {
        needs: "admin",
        notice: "The provider is removed. Jobs that would use it use the server's default.",
        run: async (sent) => change(sent, withoutProvider(sent.project, sent.field("provider")), null),
      },
    },
    async show({ project: opened, place, session }, { notice, refused }) {
      const project = (await projects.findProject(opened.id)) ?? opened;
      return modelsPage({
        place,
        csrfToken: session.csrfToken,
        ...usableModels(deps, project),
        own: project.settings.model ?? null,
        serverDefault: deps.defaultModel,
        providers: ownProviders(project),
        found: isInstanceAdmin(session) ? await deps.findLocalModels() : [],
        isOwner: isInstanceAdmin(session),
        notice,
        refused,
      });
    },
  });
}

function usableModels(
  { catalogueOf, defaultModel }: ModelsRoutesDeps,
  project: Project,
): Pick<ModelsPage, "usual" | "usable" | "fallback"> {
  let usable: string[] = [];
  let fallback: readonly string[] = [];
  try {
    const catalogue = catalogueOf(project);
    usable = catalogue.list();
    fallback = catalogue.fallback;
    return { usable, fallback, usual: { name: catalogue.resolve(project.settings.model ?? defaultModel).name } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { usable, fallback, usual: { problem: error.message } };
  }
}
