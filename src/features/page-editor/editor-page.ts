import type { Problem } from "#docs/problems.ts";
import { editHref } from "#features/projects/edit-address.ts";
import { renderedHref } from "#features/sites/entrance/rendered-commit.ts";
import type { CommitInfo, ObjectId } from "#git/repo-store.ts";
import { dashboardDocument, mayEdit, type ShownProject, time } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { csrfField, problemNote } from "#kit/pages/post-form.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { counted } from "#lib/counted.ts";
import { liveHref } from "./list-page.ts";

/** What a person has entered, or what an editor begins with. */
export interface Entered {
  text: string;
  title: string;
  description: string;
  isForNavigation: boolean;
}

/** A change by others that the person has not seen. */
export interface OthersChange {
  /** The newest commit, whose version of the file is shown beside the person's text. */
  seen: ObjectId;
  commit: CommitInfo | null;
  diff: Html | null;
  /** Both changes fit together. */
  canCombine: boolean;
}

/** How a new page gets into the navigation: added to a list, by its folder, or by people where code makes the navigation. */
export type PageListing = "listed" | "folders" | { madeIn: string };

export interface EditorPage {
  place: ShownProject;
  csrfToken: string;
  path: string;
  /** Title of the page. */
  name: string;
  /** The branch that the file is read from. */
  branch: string;
  /** The open pull request that the edit goes to; null: it opens one. */
  pull: number | null;
  /** The commit that was read. */
  base: ObjectId;
  isNew: boolean;
  /** Address on the site; null if it has none. */
  route: string | null;
  /** Why the file cannot be edited here; null if it can. */
  refusal: string | null;
  entered: Entered;
  /** Differs from the file: what a refused form had. */
  isUnsaved: boolean;
  navigation: PageListing;
  line: number | null;
  problem: string | null;
  others: OthersChange | null;
  /** The text has both changes now. */
  isCombined: boolean;
  /** The configuration of the site, which is previewed by the start page. */
  isConfiguration: boolean;
  /** Other open pull requests that change the file. */
  otherPulls: readonly { number: number; title: string }[];
}

/** The editor of one file; for readers without the right to edit, its source. */
export function editorPage(page: EditorPage): Html {
  const { place, path, name, isNew, route, pull, branch, refusal } = page;
  const title = isNew ? "New page" : mayEdit(place) && refusal === null ? `Edit “${name}”` : name;
  return dashboardDocument({
    title: `${title} · ${place.name}`,
    place,
    reader: "member",
    section: "pages",
    body: html`<div class="heading editor-heading">
        <h1>${raw(visibleHtml(title))}</h1>
        <p>
          <a href="/${place.slug}/pages">Pages</a> <span class="slash" aria-hidden="true">/</span> <code>${raw(visibleHtml(path))}</code>
          <span>${pull === null ? html`on <code>${branch}</code>` : html`in <a href="/${place.slug}/pull/${pull}">pull request #${pull}</a>`}</span>
          ${route !== null && !isNew && html`<a href="${pull === null ? liveHref(place, route) : `/${place.slug}/pull/${pull}/preview?path=${encodeURIComponent(route)}`}">${pull === null ? "View on the site" : "View in the pull request’s preview"} <span aria-hidden="true">↗</span></a>`}
        </p>
      </div>
      ${refusal === null ? editor(page) : html`<p class="problem">${refusal}</p>`}`,
  });
}

function editor(page: EditorPage): Html {
  const { place, path, pull, isNew, base, entered, line } = page;
  const isEditable = mayEdit(place);
  const action = `${editHref(place.slug, { path, pull })}${isNew ? "&new=yes" : ""}`;
  // Browsers that fill a form in again after a reload would put the old text on the newest commit.
  return html`<form class="form editor" method="post" action="${action}" enctype="multipart/form-data" autocomplete="off"
      ${isEditable && html`data-editor="${place.slug} ${pull ?? ""} ${path}"`} ${page.isUnsaved && raw("data-unsaved")} ${line !== null && html`data-line="${line}"`}>
    ${csrfField(page.csrfToken)}
    <input type="hidden" name="base" value="${base}" />
    <input type="hidden" name="draft" />
    ${isEditable && FIRST_BUTTON}
    ${page.isCombined && html`<p class="done-note" role="status">Both changes are in your text. Read it, then propose it.</p>`}
    ${problemNote(page.problem)} ${page.others && othersNote(page, page.others)} ${otherPullsNote(page)}
    <p class="kept" role="status" hidden><span></span> <button class="button" type="button" name="restore">Restore</button> <button class="quiet" type="button" name="discard">Discard</button></p>
    <p class="not-kept problem" role="status" hidden>This browser cannot store drafts. If you close the page, your text is lost.</p>
    <div class="switch editor-tabs" role="radiogroup" aria-label="Show">
      <label><input type="radio" name="pane" value="source" class="to-source" checked />Source</label><label><input type="radio" name="pane" value="preview" class="to-preview" />Preview</label>
    </div>
    <div class="panes">
      <textarea name="text" aria-label="Source of ${path}" spellcheck="true" autocapitalize="off" ${isNew && raw("autofocus")} ${isEditable ? "" : raw("readonly")}>
${entered.text}</textarea>
      <div class="seen">${preview(page)}<p class="preview-state" role="status" hidden></p></div>
    </div>
    <div class="draft-problems" role="status"></div>
    ${isEditable ? change(page) : html`<p class="muted">${place.isArchived ? "An archived project takes no changes." : "Editors and admins of the project can propose a change of this page."}</p>`}
  </form>`;
}

/** Enter in a field presses the first button of a form, and in the note above the text that would be another one. */
const FIRST_BUTTON = html`<button hidden name="do" value="propose"></button>`;

/** The page as it is; the script shows the draft in its place. */
function preview({ place, path, base, isNew, isUnsaved, isConfiguration }: EditorPage): Html {
  const src = renderedHref(place.slug, base, isConfiguration ? null : path);
  return html`${isConfiguration && html`<p class="muted">This file is no page of its own: the start page is shown.</p>`}
    <iframe name="preview" title="Preview of ${path}" sandbox="allow-same-origin" ${!isNew && !isUnsaved && html`src="${src}"`}></iframe>`;
}

function otherPullsNote({ place, path, otherPulls }: EditorPage): Html | null {
  if (otherPulls.length === 0 || !mayEdit(place)) return null;
  const links = otherPulls.map(({ number, title }, at) => {
    const href = editHref(place.slug, { path, pull: number });
    return html`${at > 0 && ", "}<a href="/${place.slug}/pull/${number}" title="${title}">#${number}</a> (<a href="${href}">add to it</a>)`;
  });
  const isOne = otherPulls.length === 1;
  return html`<p class="other-pulls">${isOne ? "An open pull request changes" : "Open pull requests change"} this page too: ${links}.</p>`;
}

function change({ place, pull, isNew, entered, navigation }: EditorPage): Html {
  return html`<div class="change">
    <div class="row">
      <label>${pull === null ? "Title of the change" : "Commit message"} <input name="title" value="${entered.title}" required maxlength="200" autocomplete="off" aria-keyshortcuts="Control+Enter Meta+Enter" title="Ctrl+Enter in the text moves to this field" /></label>
      <label><span>Description <span class="hint">optional</span></span> <textarea name="description" rows="1" maxlength="10000" placeholder="Why this change">
${entered.description}</textarea></label>
      <button class="button primary">${pull === null ? "Propose changes" : "Commit to this pull request"}</button>
      <button class="button" name="do" value="preview" formtarget="preview" formnovalidate>Preview</button>
    </div>
    ${isNew && navigationChoice(navigation, entered)}
    <p class="muted">${pull === null ? "Opens a pull request. The site shows the change when it is merged." : html`Adds a commit to <a href="/${place.slug}/pull/${pull}">pull request #${pull}</a>.`}</p>
  </div>`;
}

function navigationChoice(navigation: PageListing, { isForNavigation }: Entered): Html {
  if (navigation === "listed")
    return html`<label class="check"><span><input type="checkbox" name="navigation" value="yes" ${isForNavigation && raw("checked")} />Add it to the navigation</span> <span class="hint">The page is not in the navigation yet. It is added to the group that lists the most pages from the same folder.</span></label>`;
  return navigation === "folders"
    ? html`<p class="muted">The navigation follows the folders of the docs, so it lists the page by itself.</p>`
    : html`<p class="muted">The navigation is made in <code>${navigation.madeIn}</code>, which the editor does not change. If it does not list the page by itself, add it there.</p>`;
}

function othersNote({ path, branch }: EditorPage, { seen, commit, diff, canCombine }: OthersChange): Html {
  const who =
    commit &&
    html`<b>${raw(visibleHtml(commit.author.name))}</b> changed it ${time(commit.authoredAt)}: “${raw(visibleHtml(commit.subject))}”.`;
  return html`<section class="others" role="alert">
    <input type="hidden" name="seen" value="${seen}" />
    <p><b>This file changed on ${branch} since you opened it.</b> ${who} Your text is below, and nothing was overwritten.</p>
    ${diff ?? html`<p><code>${raw(visibleHtml(path))}</code> was removed or moved.</p>`}
    ${
      canCombine
        ? html`<p>The changes are in different places. <button class="button" name="do" value="combine" formnovalidate>Combine both</button></p>`
        : html`<p>Both changed the same place. Copy what you want to keep into your text, then propose it in place of this version. <button class="button" name="do" value="replace">Replace this version</button></p>`
    }
  </section>`;
}

/** What the script shows below the preview. */
export function problemsPart(problems: readonly Problem[]): Html {
  if (problems.length === 0) return html`<p class="muted">No problems on this page.</p>`;
  const shown = problems.slice(0, MAX_PROBLEMS);
  return html`<ul>
      ${shown.map(
        ({ severity, line, message, path }) => html`<li>
          <span class="badge ${severity}">${severity}</span>
          ${line !== null && html`<button class="quiet" type="button" data-line="${line}" data-path="${path}">Line ${line}</button>`}
          <span>${raw(visibleHtml(message))}</span>
        </li>`,
      )}
    </ul>
    ${problems.length > MAX_PROBLEMS && html`<p class="muted">${counted(problems.length - MAX_PROBLEMS, "more problem")} on this page.</p>`}`;
}

const MAX_PROBLEMS = 50;
