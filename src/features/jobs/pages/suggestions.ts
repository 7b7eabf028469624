import { counted } from "#lib/counted.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { formStart } from "#kit/pages/post-form.ts";
import { mayStartWork, type ShownProject } from "#kit/pages/document.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import type { OfferedWork } from "#features/jobs/chores/offered-work.ts";
import type { ChoreSuggestion, Job } from "#features/jobs/job.ts";
import { choreInputs } from "./chore-form.ts";
import { isChore } from "./chore-page.ts";

interface Place {
  job: Job;
  place: ShownProject;
  csrfToken: string;
}

/** Chores that work instead of an instruction that was not understood, each with one click. */
export function suggestionsView({ job, place, csrfToken }: Place): Html | string {
  const { suggestions = [] } = job.refusal ?? job.error ?? {};
  const known = suggestions.filter(({ chore }) => Object.keys(chore).every(isChore));
  if (known.length === 0 || job.status === "active" || job.status === "archived" || !mayStartWork(place)) return "";
  return html`<section class="panel" id="suggestions">
    <h2>What works without a language model</h2>
    <div class="form">${known.map((suggestion) => suggestionView(suggestion, { job, place, csrfToken }))}</div>
  </section>`;
}

function suggestionView({ chore, title, files, places }: ChoreSuggestion, { job, place, csrfToken }: Place): Html {
  const path = `/${place.slug}/jobs/chores`;
  const fields = [["chore", Object.keys(chore)[0] ?? ""], ["job", job.id], ...filledIn(chore)] as [string, string][];
  const query = new URLSearchParams([...fields, ["try", "yes"]]).toString();
  return html`${formStart(path, csrfToken, "send")}
      ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <span><b>${raw(visibleHtml(title))}</b><br /><span class="muted">${counted(files, "file")}, ${counted(places, "line")}. <a href="${path}?${query}">Show the change</a></span></span>
      <button class="button" aria-label="Run: ${title}">Run</button>
    </form>`;
}

/** Links that try the chores which would change something in these docs. They appear when the search is done. */
export function offeredWork({ slug }: Pick<ShownProject, "slug">, work: OfferedWork): Html {
  const isFound = work.kind === "ready" && work.offers.length > 0;
  return html`<div id="offered" class="offered" data-live>${
    work.kind === "looking"
      ? html`<p class="hint note-line">Looking for what could be fixed in the docs…</p>`
      : isFound &&
        html`<p class="hint note-line">Found in the docs, each with a dry run first:</p>
          <p class="actions">${work.offers.map(
            ({ chore, title, files }) =>
              html`<a class="button" href="/${slug}/jobs/chores?${new URLSearchParams([
                ["chore", Object.keys(chore)[0] ?? ""],
                ["try", "yes"],
              ]).toString()}">${title} <span class="muted">${counted(files, "file")}</span></a> `,
          )}</p>`
  }</div>`;
}

/** The inputs as fields of the chore's form. */
function filledIn(chore: ChoreSuggestion["chore"]): [string, string][] {
  return Object.entries(chore).flatMap(([name, input]) =>
    choreInputs(name).flatMap(({ name: field }): [string, string][] => {
      const value = input[field];
      if (value === undefined) return [];
      if (Array.isArray(value)) return [[field, value.join("\n")]];
      if (typeof value === "boolean") return [[field, value ? "yes" : "no"]];
      return [[field, typeof value === "string" ? value : JSON.stringify(value)]];
    }),
  );
}
