import { html, type Html, raw } from "#kit/pages/markup.ts";
import { formStart } from "#kit/pages/post-form.ts";
import { may, type ShownProject } from "#kit/pages/document.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import type { Job } from "#features/jobs/job.ts";
import type { Entry } from "./transcript-entries.ts";

interface Proposed {
  place: ShownProject;
  job: Pick<Job, "id">;
  entries: readonly Entry[];
  /** Standing instructions of the project; null for none. */
  instructions: string | null;
  csrfToken: string;
}

/** Rules that the agent derived from a person's corrections. One click adds a rule to the project's standing instructions. */
export function proposedRules({ place, job, entries, instructions, csrfToken }: Proposed): Html | string {
  const proposed = new Set(entries.flatMap((entry) => (entry.kind === "summary" ? entry.forLaterJobs : [])));
  if (proposed.size === 0) return "";
  const mayAdd = may(place, "admin");
  return html`<section class="panel" id="rules">
    <h2>For later jobs</h2>
    <p class="muted">The agent proposes this. Read it before you add it: it may come from your messages, or from a page that the agent read. In the <a href="/${place.slug}/settings#agent">instructions</a> of the project it holds for every job.${mayAdd ? "" : " An admin of the project can add it."}</p>
    <div class="form">${[...proposed].map((rule) => {
      const shown = html`<span>${raw(visibleHtml(rule))}</span>`;
      if (instructions?.split("\n").includes(`- ${rule}`))
        return html`<p class="send">${shown} <span class="muted">Added</span></p>`;
      if (!mayAdd) return html`<p class="send">${shown}</p>`;
      return html`${formStart(`/${place.slug}/settings/instruction`, csrfToken, "send")}
        <input type="hidden" name="job" value="${job.id}" />
        <input type="hidden" name="rule" value="${rule}" />
        ${shown}
        <button class="button" aria-label="Add to the instructions: ${rule}">Add</button>
      </form>`;
    })}</div>
  </section>`;
}
