import { HOST_NAMES } from "#hosts/host-names.ts";
import type { SourceRepository } from "#hosts/sources/sources.ts";
import { doneNote, formStart, problemNote, type Refused, selectOptions } from "#kit/pages/post-form.ts";
import { dashboardDocument, type ShownProject, time } from "#kit/pages/document.ts";
import { html, type Html } from "#kit/pages/markup.ts";

export interface SourcesPage {
  place: ShownProject;
  csrfToken: string;
  sources: readonly SourceRepository[];
  notice: string | null;
  refused: Refused | null;
}

/** Additional repositories that a project's agent reads, and the state of their sync. */
export function sourcesPage(page: SourcesPage): Html {
  const { place, sources, notice, refused } = page;
  return dashboardDocument({
    title: `Sources · ${place.name}`,
    place,
    reader: "member",
    section: "sources",
    body: html`<div class="heading"><h1>Sources</h1></div>
      ${doneNote(notice)}
      ${refused !== null && refused.action !== "add" && problemNote(refused.problem)}
      <p class="muted lead">
        A source is another repository, such as your product's code. The agent reads it to keep the docs in step with it, and
        <a href="/${place.slug}/automations">automations</a> can start when it changes. Docent never writes to it.
      </p>
      ${sources.length === 0 && html`<p class="muted">None yet.</p>`} ${sources.map((source) => panel(page, source))}
      <section class="block panel"><h2>Add source</h2>${addForm(page)}</section>`,
  });
}

function panel(
  { place, csrfToken }: SourcesPage,
  { id, name, kind, url, branch, syncedAt, trouble }: SourceRepository,
): Html {
  const form = (action: string, content: Html) =>
    html`${formStart(`/${place.slug}/sources/${id}/${action}`, csrfToken)}${content}</form>`;
  return html`<section class="panel">
    <h2><span class="lamp ${trouble !== null ? "bad" : syncedAt ? "good" : "wait"}" aria-hidden="true"></span> ${name}</h2>
    ${problemNote(trouble)}
    <dl class="facts">
      <dt>${HOST_NAMES[kind]}</dt>
      <dd><a href="${url}">${url}</a></dd>
      <dt>Branch</dt>
      <dd><code>${branch}</code></dd>
      <dt>Current as of</dt>
      <dd>${syncedAt ? time(syncedAt) : "not yet"}</dd>
    </dl>
    <details class="delivery">
      <summary>Replace token or remove</summary>
      ${form(
        "token",
        html`<div class="row">
          <label>New token <input name="token" type="password" required maxlength="4000" autocomplete="off" spellcheck="false" /></label>
          <button class="button">Replace token</button>
        </div>
        <small>Docent fetches the repository with the new token before it replaces the old one. It is stored encrypted and never shown.</small>`,
      )}
      ${form(
        "remove",
        html`<div class="send"><small>Its copy and its token are deleted here. Automations that it starts stay, and do not run any more.</small> <button class="button danger" aria-label="Remove source ${name}">Remove source</button></div>`,
      )}
    </details>
  </section>`;
}

function addForm({ place, csrfToken, ...page }: SourcesPage): Html {
  const refused = page.refused?.action === "add" ? page.refused : null;
  const given = (name: string) => refused?.field(name) ?? "";
  return html`${formStart(`/${place.slug}/sources/add`, csrfToken)}
    ${problemNote(refused?.problem)}
    <label>Address <input name="url" type="url" required maxlength="2000" value="${given("url")}" placeholder="https://github.com/acme/api" autocomplete="off" spellcheck="false" /><small>Of the repository, as your browser shows it.</small></label>
    <label>Name <input name="name" required maxlength="40" value="${given("name")}" placeholder="api" autocomplete="off" spellcheck="false" /><small>What people and the agent call it: lower-case letters, digits and dashes.</small></label>
    <label>Token <input name="token" type="password" maxlength="4000" autocomplete="off" spellcheck="false" /><small>Only for a private repository: a token that may read it. It is stored encrypted and never shown.</small></label>
    <div class="row">
      <label>Branch <input name="branch" maxlength="200" value="${given("branch")}" placeholder="The default branch" autocomplete="off" spellcheck="false" /></label>
      <label>Code host <select name="host">${selectOptions({ "": "Detect automatically", ...HOST_NAMES }, given("host"))}</select></label>
    </div>
    <div class="send"><small>A large repository takes minutes to copy.</small> <button class="button primary">Add source</button></div>
  </form>`;
}
