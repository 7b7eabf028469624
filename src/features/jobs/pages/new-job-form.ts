import { MAX_TITLE_CHARACTERS } from "#features/jobs/text-rules.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import type { ShownProject } from "#kit/pages/document.ts";

/** What a form offers for one of its fields. */
export interface Choice {
  /** What is taken when nothing is said; null when nothing can be. */
  usual: string | null;
  options: readonly string[];
  /** Whether there are no others. */
  isComplete: boolean;
}

export interface NewJobForm {
  place: ShownProject;
  csrfToken: string;
  /** Names this form: sent twice, it makes one job. */
  once: string;
  models: Choice;
  /** Branches to start from, and to open the pull request against. */
  branches: Choice;
  /** What was sent and not taken, with the reason. */
  refused: { prompt: string; title: string; model: string; ref: string; problem: string } | null;
}

export function newJobForm({ place, csrfToken, once, models, branches, refused }: NewJobForm): Html {
  return html`<form class="form panel" method="post" action="/${place.slug}/jobs">
    <input type="hidden" name="csrf" value="${csrfToken}" />
    <input type="hidden" name="once" value="${once}" />
    ${refused && html`<p class="problem" role="alert">${refused.problem}</p>`}
    <label>
      What should change in the docs?
      <textarea name="prompt" required rows="3" placeholder="Fix the broken links, and add the missing descriptions.">${refused?.prompt ?? ""}</textarea>
    </label>
    <div class="row">
      <label>Title <input name="title" maxlength="${MAX_TITLE_CHARACTERS}" placeholder="Optional" value="${refused?.title ?? ""}" autocomplete="off" /></label>
      <label class="choice">Model ${field("model", models, refused?.model ?? "")}</label>
      <label class="choice">Base branch ${field("ref", branches, refused?.ref ?? "")}</label>
      <button class="button" name="dryRun" value="yes">Dry run</button>
      <button class="button primary">Create job</button>
    </div>
    <p class="hint note-line">
      The agent starts from the base branch and opens a pull request against it. Nothing is published before you merge. A dry
      run tells what would change and opens none.
    </p>
  </form>`;
}

/** A list to choose from, or a line with suggestions where a list would not hold everything. */
function field(name: "model" | "ref", { usual, options, isComplete }: Choice, given: string): Html {
  const chosen = given === "" ? usual : given;
  if (isComplete && usual !== null && (chosen === null || options.includes(chosen))) {
    return html`<select name="${name}">
      ${options.map((option) => html`<option value="${option}"${option === chosen && html` selected`}>${option}</option>`)}
    </select>`;
  }
  return html`<input name="${name}" value="${given}" placeholder="${usual ?? ""}" list="${name}-options" maxlength="200" autocomplete="off" spellcheck="false" />
    <datalist id="${name}-options">${options.map((option) => html`<option value="${option}"></option>`)}</datalist>`;
}
