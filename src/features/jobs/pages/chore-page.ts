import { CHORE_FACTS } from "#agent/toolbox/tools.ts";
import type { Job } from "#features/jobs/job.ts";
import type { Trial, TriedFile } from "#features/jobs/chores/try-chores.ts";
import { dashboardDocument, type ShownProject } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { csrfField, selectOptions } from "#kit/pages/post-form.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import type { ChoreInput } from "./chore-form.ts";

export interface ChorePage {
  place: ShownProject;
  csrfToken: string;
  /** Identifies this form, so that sending it twice creates one job. */
  once: string;
  chore: string;
  ref: string;
  /** The job that it is a follow-up to; null for a new one. */
  job: Job | null;
  /** The submitted values, by input. */
  given: Readonly<Record<string, string>>;
  inputs: readonly ChoreInput[];
  /** The result of the trial; null before it was tried. */
  trial: Trial | { problem: string } | null;
}

/** Chores whose name alone does not say what they do. */
const TITLES: Readonly<Record<string, string>> = {
  audit: "Audit the docs",
  changelog_from_history: "Add changelog entry from history",
  move_to_docs_json: "Move the site to docs.json",
  openapi_pages: "Add API reference pages",
  orphan_report: "List pages outside the navigation",
  report_missing_alt: "List images without alt text",
};

/**
 * The chores that fix what the audit found, by the name of the kind in its report. One that needs an input opens as a
 * form; the others show at once what they would change.
 */
const FIXING_CHORES: Readonly<Record<string, { words: string; query: Readonly<Record<string, string>> }>> = {
  "Broken links": { words: "Fix broken links", query: { chore: "fix_links", try: "yes" } },
  "Pages without a description": {
    words: "Add missing descriptions",
    query: { chore: "add_missing_descriptions", try: "yes" },
  },
  "Images without alt text": { words: "Set an alt text", query: { chore: "set_alt_text" } },
  "Pages outside the navigation": {
    words: "Add them to the navigation",
    query: { chore: "repair_navigation", addOrphans: "yes", try: "yes" },
  },
  "Navigation entries without a page": {
    words: "Repair the navigation",
    query: { chore: "repair_navigation", try: "yes" },
  },
  "Titles used more than once": { words: "Change a title", query: { chore: "set_front_matter", key: "title" } },
};

export const choreTitle = (name: string): string =>
  TITLES[name] ?? name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());

/** One chore as a form: a GET fills it in, and tries it with `try=yes`. */
export function chorePage(page: ChorePage): Html {
  const { place, chore, job, csrfToken, once, ref, inputs, given } = page;
  const path = `/${place.slug}/jobs/chores`;
  const { description = "", mutates = true } = CHORE_FACTS.find(({ name }) => name === chore) ?? {};
  const fieldOf = (input: ChoreInput) => inputField(input, given[input.name] ?? "");
  const inJob = job && html`<input type="hidden" name="job" value="${job.id}" />`;
  const needed = inputs.filter(({ isRequired }) => isRequired);
  const optional = inputs.filter(({ isRequired }) => !isRequired);
  const titles = Object.fromEntries(CHORE_FACTS.map(({ name }) => [name, choreTitle(name)]));
  return dashboardDocument({
    title: `${choreTitle(chore)} · ${place.name}`,
    place,
    reader: "member",
    section: "jobs",
    live: {},
    body: html`<div class="heading"><h1>Chores</h1></div>
      <p class="note">Exact edits without a language model. ${job ? html`A follow-up to <a href="/${place.slug}/jobs/${job.id}">${raw(visibleHtml(job.title ?? "a job"))}</a>.` : "A dry run shows what would change; nothing changes until you open a pull request."}</p>
      <form class="form panel" method="get" action="${path}" data-choose>
        ${inJob}
        <div class="row">
          <label class="choice">Chore <select name="chore">${selectOptions(titles, chore)}</select></label>
          <button class="button">Choose</button>
        </div>
      </form>
      <form class="form panel" method="post" action="${path}" data-trial="${path}">
        <p class="hint note-line">${description}</p>
        ${csrfField(csrfToken)}
        <input type="hidden" name="once" value="${once}" />
        <input type="hidden" name="chore" value="${chore}" />
        ${inJob}
        ${needed.map(fieldOf)}
        ${
          optional.length > 0 &&
          html`<details${(needed.length === 0 || optional.some(({ name }) => (given[name] ?? "") !== "")) && html` open`}>
            <summary>Options</summary>
            <div class="form">${optional.map(fieldOf)}</div>
          </details>`
        }
        <div class="row">
          ${!job && html`<label>Base branch <input name="ref" value="${ref}" maxlength="200" placeholder="The project's" autocomplete="off" spellcheck="false" /></label>`}
          <button class="button${!mutates && " primary"}" name="do" value="try">${mutates ? "Dry run" : "Show the report"}</button>
          ${mutates && html`<button class="button primary">${job ? "Send as a follow-up" : "Open a pull request"}</button>`}
        </div>
      </form>
      <section id="trial" data-live aria-live="polite">${page.trial && trialView(page.trial, { slug: place.slug, mutates })}</section>`,
  });
}

function inputField({ name, label, schema, isRequired }: ChoreInput, value: string): Html {
  const hint = schema.description === undefined ? "" : html`<span class="hint">${schema.description}</span>`;
  if (schema.type === "boolean") {
    const isOn = value === "" ? schema.default === true : value === "yes";
    return html`<label class="choice">${label} ${hint}<select name="${name}">${selectOptions({ no: "No", yes: "Yes" }, isOn ? "yes" : "no")}</select></label>`;
  }
  if (schema.enum) {
    const unset = ["", typeof schema.default === "string" ? `Default (${schema.default})` : "–"] as const;
    return html`<label class="choice">${label} ${hint}<select name="${name}">${selectOptions([...(isRequired ? [] : [unset]), ...schema.enum.map(String)], value)}</select></label>`;
  }
  const required = isRequired && (schema.minLength ?? 0) > 0 ? html` required` : "";
  const isLong = schema.type === "array" || (schema.maxLength ?? 0) > 2_000;
  const words = schema.type === "array" ? html`${hint} <span class="hint">One a line.</span>` : hint;
  if (isLong)
    return html`<label>${label} ${words}<textarea name="${name}" rows="2"${required}>${value}</textarea></label>`;
  const usual = typeof schema.default === "string" ? schema.default : "";
  return html`<label>${label} ${words}<input name="${name}" value="${value}" placeholder="${usual}" autocomplete="off"${required} /></label>`;
}

/** A line of Markdown whose only markup is code between backticks. */
const withCode = (line: string) =>
  line.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

/** A note of the audit, with a button that leads to the chore that fixes that kind. */
function noteView(note: string, slug: string): Html {
  const fix = FIXING_CHORES[/^(.*?) \(\d+\): /.exec(note)?.[1] ?? ""];
  const query = new URLSearchParams(fix?.query).toString();
  return html`<li>${withCode(note)}${fix && html`<br /><a class="button" href="/${slug}/jobs/chores?${query}">${fix.words}</a>`}</li>`;
}

function trialView(trial: Trial | { problem: string }, { slug, mutates }: { slug: string; mutates: boolean }): Html {
  if ("problem" in trial) return html`<p class="problem" role="alert">${trial.problem}</p>`;
  const { chores, files, moreFiles, findings, ok } = trial;
  const places = files.reduce((sum, { additions, deletions }) => sum + Math.max(additions ?? 0, deletions ?? 0), 0);
  return html`<h2>${ok ? (files.length === 0 ? (mutates ? "Nothing would change" : "Report") : `${files.length + moreFiles} ${files.length + moreFiles === 1 ? "file" : "files"}, ${places} ${places === 1 ? "line" : "lines"}`) : "This cannot be done"}</h2>
    ${chores.map(
      (each) => html`<p class="${each.ok ? "note" : "problem"}">${each.summary}${each.hint && html` ${each.hint}`}</p>
        ${each.notes.length > 0 && html`<ul class="report">${each.notes.map((note) => (each.chore === "audit" ? noteView(note, slug) : html`<li>${withCode(note)}</li>`))}</ul>`}`,
    )}
    ${findings.errors.map(({ path, message }) => html`<p class="problem">${path && html`<code>${path}</code> `}${message}</p>`)}
    ${findings.warnings.map(({ path, message }) => html`<p class="note">${path && html`<code>${path}</code> `}${message}</p>`)}
    ${findings.leftOut > 0 && html`<p class="note">… and ${findings.leftOut} more findings.</p>`}
    <div class="files">${files.map(fileView)}</div>
    ${moreFiles > 0 && html`<p class="note">… and ${moreFiles} more files.</p>`}`;
}

function fileView({ path, oldPath, status, additions, deletions, places, morePlaces }: TriedFile): Html {
  return html`<details class="file" open>
    <summary>
      <span class="file-name">${oldPath && html`<span class="old-name">${oldPath} → </span>`}${path}</span>
      <span class="file-status ${status}">${status}</span>
      <span class="counts">+${additions ?? 0} −${deletions ?? 0}</span>
    </summary>
    <table class="diff">
      <colgroup><col class="number" /><col /></colgroup>
      ${places.map(
        ({ line, before, after }) =>
          html`${before !== null && html`<tr class="removed"><td data-n="${line}"></td><td>${before}</td></tr>`}${after !== null && html`<tr class="added"><td data-n="${line}"></td><td>${after}</td></tr>`}`,
      )}
    </table>
    ${morePlaces > 0 && html`<p class="note">… and ${morePlaces} more lines.</p>`}
    ${places.length === 0 && html`<p class="note">Its lines are not shown: the change is too large, or the file is only renamed.</p>`}
  </details>`;
}

/** Whether a chore has this name. */
export const isChore = (name: string): boolean => CHORE_FACTS.some((each) => each.name === name);
