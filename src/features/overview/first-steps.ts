import type { Database } from "#db/database.ts";
import type { OfferedWork } from "#features/jobs/chores/offered-work.ts";
import { AUDIT_PATH, statusIcon } from "#features/jobs/pages/job-list.ts";
import type { Project } from "#features/projects/project.ts";
import { may, mayStartWork, type ShownProject } from "#kit/pages/document.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { formStart } from "#kit/pages/post-form.ts";

/** How far a project is, from its upload to a team that works on it. */
export interface ProjectProgress {
  isDismissed: boolean;
  isLive: boolean;
  /** The repository has no commits yet. */
  isEmpty: boolean;
  audit: OfferedWork;
  hasModel: boolean;
  hasJob: boolean;
  hasMerged: boolean;
  hasTeam: boolean;
}

/** The part of the progress that is stored. */
export async function readSteps(
  { kysely }: Pick<Database, "kysely">,
  { id }: Pick<Project, "id">,
): Promise<Pick<ProjectProgress, "isDismissed" | "hasJob" | "hasMerged">> {
  const project = kysely.selectFrom("project").select("steps_dismissed_at").where("id", "=", id);
  const job = kysely.selectFrom("job").select("id").where("project_id", "=", id).limit(1);
  const merged = job.where("pull_request", "like", '%"state":"merged"%');
  const row = await project.executeTakeFirst();
  if (row?.steps_dismissed_at != null) return { isDismissed: true, hasJob: true, hasMerged: true };
  const hasMerged = (await merged.executeTakeFirst()) !== undefined;
  return { isDismissed: false, hasJob: hasMerged || (await job.executeTakeFirst()) !== undefined, hasMerged };
}

export async function dismissSteps(
  { kysely }: Pick<Database, "kysely">,
  { id }: Pick<Project, "id">,
  at: Date,
): Promise<void> {
  await kysely.updateTable("project").set({ steps_dismissed_at: at.getTime() }).where("id", "=", id).execute();
}

interface Step {
  isDone: boolean;
  title: string;
  /** What to do, or what was found. */
  next: Html | string;
}

/** The first steps of a project, until all are done or an admin dismisses them. The same for every way to create it. */
export function firstSteps(place: ShownProject, csrfToken: string, progress: ProjectProgress): Html | null {
  const steps = stepsFor(place, progress);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (progress.isDismissed || !mayStartWork(place) || done === steps.length) return null;
  const isAdmin = may(place, "admin");
  return html`<section class="panel first-steps" id="first-steps" data-live>
    <div class="block-head"><h2>First steps</h2><span class="muted">${done} of ${steps.length} done</span></div>
    <ol>
      ${steps.map(
        ({ isDone, title, next }) => html`<li class="${isDone ? "done" : "todo"}">
          <span title="${isDone ? "done" : "to do"}">${isDone ? statusIcon("completed") : TO_DO}</span>
          <span><b>${title}</b> <span class="muted">${next}</span></span>
        </li>`,
      )}
    </ol>
    ${
      isAdmin &&
      html`${formStart(`/${place.slug}/first-steps/dismiss`, csrfToken, "")}<button class="quiet">Do not show this list again</button>
      </form>`
    }
  </section>`;
}

const TO_DO = html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><circle cx="8" cy="8" r="6.2" /></svg>`;

function stepsFor(place: ShownProject, progress: ProjectProgress): Step[] {
  const { slug } = place;
  const { isLive, isEmpty, hasModel, hasJob, hasMerged, hasTeam } = progress;
  const forAdmins: Step[] = [
    {
      isDone: hasModel,
      title: "Choose a language model",
      next: hasModel
        ? "Jobs use it."
        : html`<a href="/${slug}/models#add">Add one</a>, or keep to the built-in rules, which need none.`,
    },
    {
      isDone: hasTeam,
      title: "Invite your team",
      next: html`<a href="/${slug}/members">Members</a> are viewers, editors or admins.`,
    },
  ];
  const [model, team] = may(place, "admin") ? forAdmins : [];
  return [
    {
      isDone: isLive,
      title: "Publish the site",
      next: isLive
        ? html`<a href="${place.siteUrl}">Open the site</a>${may(place, "write") && html`, or <a href="/${slug}/pages">edit its pages</a> in the browser`}.`
        : isEmpty
          ? "Push the docs, as shown below."
          : "The first commit is being loaded.",
    },
    auditStep(slug, progress),
    ...(model ? [model] : []),
    {
      isDone: hasMerged,
      title: "Run a job and merge its pull request",
      next: hasMerged
        ? "The change is on the site."
        : hasJob
          ? html`<a href="/${slug}/jobs">See the job</a>, and merge its pull request.`
          : "Describe a change below, or take one that is offered there.",
    },
    ...(team ? [team] : []),
  ];
}

function auditStep(slug: string, { audit, hasJob }: ProjectProgress): Step {
  const isClean = audit.kind === "ready" && audit.offers.length === 0;
  return {
    // People act on the audit by a job.
    isDone: isClean || hasJob,
    title: "Audit the docs",
    next: html`${audit.kind === "ready" && `${audit.audit}. `}${audit.kind === "looking" ? "Looking over all pages…" : html`<a href="/${slug}/${AUDIT_PATH}">Show the report</a>`}`,
  };
}
