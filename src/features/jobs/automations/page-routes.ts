import type { Hono } from "hono";
import { isAgentBranch } from "#features/jobs/branch-name.ts";
import { formPages } from "#kit/pages/form-pages.ts";
import type { Member, ProjectAccess, SentForm } from "#features/keys/page-access.ts";
import type { Project } from "#features/projects/project.ts";
import { listSources } from "#hosts/sources/sources.ts";
import { formKey, onlyOnce } from "#kit/http/request-outcomes.ts";
import { AppError } from "#lib/app-error.ts";
import { newId } from "#lib/ids.ts";
import { positiveInteger } from "#lib/positive-integer.ts";
import { askedSettings } from "./asked-settings.ts";
import { enteredAutomation } from "./automation-form.ts";
import { waitingRetries } from "./automation-retries.ts";
import { jobsOfRuns, listRuns, runAutomation } from "./automation-runs.ts";
import {
  type Automation,
  createAutomation,
  deleteAutomation,
  findAutomation,
  listAutomations,
  requireAutomation,
  updateAutomation,
} from "./automations.ts";
import { automationPage, automationsPage, EXAMPLES } from "./automations-page.ts";
import { NewAutomationBody } from "./bodies.ts";
import type { AutomationRoutesDeps } from "./routes.ts";

export interface AutomationPagesDeps {
  access: ProjectAccess;
  /** The dependencies of the automation routes of the API, which do the same work. */
  automations: AutomationRoutesDeps;
  listModels(project: Project): string[];
  listBranches(project: Project): Promise<string[]>;
}

const ID = ":id{aut_[0-9a-z]{26}}";
const MAX_AUTOMATIONS = 50;
const MAX_RUNS = 30;
/** How many branches are suggested. A repository may have thousands. */
const MAX_BRANCHES = 100;

/** `/{slug}/automations`: editors see and run them, admins change them. */
export function createAutomationPages(deps: AutomationPagesDeps): Hono {
  const { automations } = deps;
  const store = { ...automations.submit, repoStore: automations.repoStore };
  const { database } = store;
  const nameOf = ({ project, param }: Pick<SentForm, "project" | "param">) => ({
    projectId: project.id,
    automationId: param("id"),
  });

  async function add(sent: SentForm, asked: ReturnType<typeof enteredAutomation>): Promise<null> {
    const key = formKey(sent.project.id, sent.field("once"), asked);
    await onlyOnce<Automation>(store, key, {
      carryOut: async () => {
        const settings = askedSettings(automations, sent.project, asked);
        return createAutomation(store, { projectId: sent.project.id, settings }, key);
      },
      repeat: (automationId) => findAutomation(store, { projectId: sent.project.id, automationId }),
    });
    return null;
  }
  const enable = (enabled: boolean) => async (sent: SentForm) => {
    await updateAutomation(store, nameOf(sent), { enabled });
    return null;
  };

  return formPages<Member, never>({
    access: deps.access,
    pages: { automations: "agent", [`automations/${ID}`]: "agent" },
    actions: {
      "automations/add": {
        needs: "admin",
        notice: "The automation is added.",
        run: async (sent) => add(sent, enteredAutomation(sent.field)),
      },
      "automations/example": {
        needs: "admin",
        notice: "The automation is added. Open it to change when it runs.",
        async run(sent) {
          const example = EXAMPLES[sent.field("example")];
          if (!example) throw new AppError("invalid", "Choose an example from the list.");
          return add(sent, NewAutomationBody.parse(example));
        },
      },
      [`automations/${ID}/run`]: {
        needs: "agent",
        async run(sent) {
          const automation = await requireAutomation(store, nameOf(sent));
          const outcome = await runAutomation(automations, automation, { by: "api", dueAt: null });
          if (outcome.outcome !== "started") throw new AppError("conflict", "The automation could not be run.");
          return { to: `/${sent.place.slug}/jobs/${outcome.job.id}` };
        },
      },
      [`automations/${ID}/change`]: {
        needs: "admin",
        notice: "The automation is changed.",
        async run(sent) {
          const before = await requireAutomation(store, nameOf(sent));
          const { enabled: _enabled, ...asked } = enteredAutomation(sent.field);
          const { trigger, ...settings } = askedSettings(automations, sent.project, {
            ...asked,
            enabled: before.enabled,
          });
          // Setting the same trigger again would lose the last commit that it has seen.
          const isMoved = JSON.stringify(trigger) !== JSON.stringify(before.trigger);
          await updateAutomation(store, nameOf(sent), { ...settings, ...(isMoved && { trigger }) }, (current) => {
            if (current.updatedAt.toISOString() === sent.field("loaded")) return;
            throw new AppError(
              "precondition_failed",
              `Someone changed this automation while you edited. Its name is now “${current.name}” and its instruction “${current.prompt.slice(0, 300)}”. Your entries are still below: save again to use them.`,
            );
          });
          return null;
        },
      },
      [`automations/${ID}/pause`]: { needs: "admin", notice: "The automation is paused.", run: enable(false) },
      [`automations/${ID}/resume`]: { needs: "admin", notice: "The automation runs again.", run: enable(true) },
      [`automations/${ID}/delete`]: {
        needs: "admin",
        notice: "The automation is deleted.",
        async run(sent) {
          await deleteAutomation(store, nameOf(sent));
          return { to: `/${sent.place.slug}/automations?done=delete` };
        },
      },
    },
    async show({ project, place, session }, { notice, refused }, c) {
      const projectId = project.id;
      const { csrfToken } = session;
      const shared = { place, csrfToken, notice, refused };
      const choices = {
        csrfToken,
        project,
        sources: (await listSources(database, projectId)).map(({ name }) => name),
        branches: (await deps.listBranches(project)).filter((name) => !isAgentBranch(name)).slice(0, MAX_BRANCHES),
        models: listedModels(deps, project),
      };
      const refusedBy = (action: string) => (refused?.action === action ? refused : null);
      const id = c.req.param("id");
      if (id !== undefined) {
        const automation = await requireAutomation(store, { projectId, automationId: id });
        const before = positiveInteger(c.req.query("before"));
        const { runs, hasMore } = await listRuns(store, { automationId: id, before, limit: MAX_RUNS });
        const [retry] = await waitingRetries(database, { automationId: id });
        const form = {
          ...choices,
          action: `/${place.slug}/automations/${id}/change`,
          button: "Save",
          hidden: { loaded: automation.updatedAt.toISOString() },
          automation,
          refused: refusedBy("change"),
        };
        return automationPage({
          ...shared,
          automation,
          runs,
          jobs: await jobsOfRuns(database, runs),
          olderHref: hasMore ? `/${place.slug}/automations/${id}?before=${runs.at(-1)!.number}` : null,
          isOlder: before !== null,
          retryAt: retry?.dueAt ?? null,
          form,
        });
      }
      const { items } = await listAutomations(store, { projectId, limit: MAX_AUTOMATIONS, cursor: null });
      const reading = items.map(async (automation) => {
        const { runs } = await listRuns(store, { automationId: automation.id, before: null, limit: 1 });
        return { automation, lastRun: runs[0] ?? null };
      });
      const listed = await Promise.all(reading);
      const jobs = await jobsOfRuns(
        database,
        listed.flatMap(({ lastRun }) => lastRun ?? []),
      );
      const form = {
        ...choices,
        action: `/${place.slug}/automations/add`,
        button: "Add automation",
        hidden: { once: newId("req") },
        automation: null,
        refused: refusedBy("add"),
      };
      return automationsPage({ ...shared, automations: listed, jobs, form });
    },
  });
}

/** Empty when the project's model settings are invalid. The error is shown when the form is sent. */
function listedModels({ listModels }: AutomationPagesDeps, project: Project): string[] {
  try {
    return listModels(project);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [];
  }
}
