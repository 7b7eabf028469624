import type { Hono } from "hono";
import { noteSubject } from "#kit/http/context.ts";
import { AppError } from "#lib/app-error.ts";
import { noteDoer } from "#features/keys/actor.ts";
import { type FormAction, formPages } from "#kit/pages/form-pages.ts";
import { isInstanceAdmin } from "#features/keys/holder.ts";
import type { Member, ProjectAccess } from "#features/keys/page-access.ts";
import type { Project } from "#features/projects/project.ts";
import type { QuotaUse } from "#features/projects/quotas.ts";
import { type ProjectRoutesDeps, refuseOtherName } from "#features/projects/routes.ts";
import { changesOf, inWordsOfFields, changesInWords, refuseOverwriting, settingFields } from "./settings-forms.ts";
import type { SettingsFormName } from "./setting-fields.ts";
import { LOADED, settingsPage } from "./settings-page.ts";

export interface SettingsRoutesDeps {
  access: ProjectAccess;
  /** Project operations of the API. */
  projects: Pick<ProjectRoutesDeps, "findProject" | "change" | "remove">;
  quotas: { useOf(project: Project): Promise<QuotaUse[]> };
  repositoryUrl(project: Project): string;
  listBranches(project: Project): Promise<string[]>;
}

/** Maximum number of suggestions; a repository may have thousands. */
const MAX_BRANCHES = 100;

/** `/{slug}/settings`: settings of a project, archiving and deleting it, for its admins. */
export function createSettingsRoutes(deps: SettingsRoutesDeps): Hono {
  const { access, projects } = deps;

  const save = (form: SettingsFormName): FormAction<Member, never> => ({
    needs: "admin",
    async run({ project, session, field }, c) {
      const loaded = (path: string) => field(LOADED + path);
      // Unchanged fields are not saved, so that two people can change different settings at once.
      const fields = settingFields(form, project).filter(({ path }) => field(path).trim() !== loaded(path).trim());
      const changed = await projects
        .change(project, changesOf(fields, field), {
          isOfInstance: isInstanceAdmin(session),
          check: (current) => refuseOverwriting(fields, { loaded, entered: field, current }),
        })
        .catch((error: unknown) => {
          throw inWordsOfFields(fields, error);
        });
      if (changed.slug !== project.slug) {
        noteDoer(c, { doer: session, projectId: project.id, action: "settings/change-address" });
        const further = fields.filter(({ path }) => path !== "slug");
        const also = further.length === 0 ? "" : `, and ${changesInWords(further, project, changed)}`;
        noteSubject(c, `${project.slug} to ${changed.slug}${also}`);
      } else if (fields.length > 0) noteSubject(c, changesInWords(fields, project, changed));
      return null;
    },
    notice: "The settings are saved.",
  });

  const archive = (archived: boolean): FormAction<Member, never> => ({
    needs: "admin",
    async run({ project, session }) {
      await projects.change(project, { archived }, { isOfInstance: isInstanceAdmin(session), check: () => undefined });
      return null;
    },
    notice: archived ? "The project is archived." : "The project is unarchived.",
  });

  return formPages<Member, never>({
    access,
    pages: { settings: "admin" },
    actions: {
      "settings/general": save("general"),
      "settings/agent": save("agent"),
      "settings/visitors": save("visitors"),
      "settings/quotas": save("quotas"),
      "settings/instruction": {
        needs: "admin",
        async run({ project, place, session, field }) {
          const rule = field("rule").replaceAll(/\s+/g, " ").trim();
          if (rule === "") throw new AppError("invalid", "Enter an instruction.");
          const { instructions } = project.settings;
          const text = [instructions?.trimEnd(), `- ${rule}`].filter(Boolean).join("\n");
          const fields = settingFields("agent", project).filter(({ path }) => path === "settings.instructions");
          await projects.change(
            project,
            changesOf(fields, () => text),
            {
              isOfInstance: isInstanceAdmin(session),
              check(current) {
                if (current.settings.instructions !== instructions)
                  throw new AppError("precondition_failed", "Someone changed the instructions meanwhile. Try again.");
              },
            },
          );
          const job = /^job_[0-9a-z]{26}$/.exec(field("job"))?.[0];
          return job === undefined ? null : { to: `/${place.slug}/jobs/${job}#rules` };
        },
        notice: "The instruction is added.",
      },
      "settings/archive": archive(true),
      "settings/unarchive": archive(false),
      "settings/delete": {
        needs: "admin",
        async run({ project, session, field }, c) {
          refuseOtherName(project, field("name").trim());
          await projects.remove(project, () => undefined);
          noteDoer(c, { doer: session, projectId: null, action: "deleteProject" });
          noteSubject(c, project.name);
          return { to: "/" };
        },
      },
    },
    async show({ project: opened, place, session }, { notice, refused }) {
      const project = (await projects.findProject(opened.id)) ?? opened; // may have changed since a form was rejected
      return settingsPage({
        place,
        csrfToken: session.csrfToken,
        project,
        repositoryUrl: deps.repositoryUrl(project),
        branches: (await deps.listBranches(project)).slice(0, MAX_BRANCHES),
        quotas: await deps.quotas.useOf(project),
        isInstanceAdmin: isInstanceAdmin(session),
        notice,
        refused,
      });
    },
  });
}
