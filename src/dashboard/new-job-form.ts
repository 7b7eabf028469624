import { MAX_TITLE_CHARACTERS } from "#jobs/text-rules.ts";
import { html, type Html } from "#sites/theme/markup.ts";
import type { Place } from "./document.ts";

export interface NewJobForm {
  place: Place;
  csrfToken: string;
  /** Names this form: sent twice, it makes one job. */
  once: string;
  /** The model that will work on it; null when none can be chosen. */
  model: string | null;
  branch: string;
  /** What was sent and not taken, with the reason. */
  refused: { prompt: string; title: string; problem: string } | null;
}

export function newJobForm({ place, csrfToken, once, model, branch, refused }: NewJobForm): Html {
  return html`<form class="form panel" method="post" action="/${place.slug}/jobs">
    <input type="hidden" name="csrf" value="${csrfToken}" />
    <input type="hidden" name="once" value="${once}" />
    ${refused && html`<p class="problem" role="alert">${refused.problem}</p>`}
    <label>
      What should change in the docs?
      <textarea name="prompt" required rows="3" placeholder="Replace &quot;Harbor Cloud&quot; with &quot;Harbor Platform&quot; everywhere and fix the broken links.">${refused?.prompt ?? ""}</textarea>
    </label>
    <div class="row">
      <label>Title <input name="title" maxlength="${MAX_TITLE_CHARACTERS}" placeholder="Optional" value="${refused?.title ?? ""}" autocomplete="off" /></label>
      <button class="button primary">Create job</button>
    </div>
    <p class="hint note-line">
      ${model === null ? "" : html`<code>${model}</code> works on it`} from <code>${branch}</code> and opens a pull request. Nothing is published before you merge.
    </p>
  </form>`;
}
