import type { Project } from "#features/projects/project.ts";
import type { QuotaUse } from "#features/projects/quotas.ts";
import { doneNote, formStart, postForm, problemNote, type Refused, selectOptions } from "#kit/pages/post-form.ts";
import { copyable } from "#kit/pages/copyable.ts";
import { quotaBars } from "#features/projects/quota-bars.ts";
import { dashboardDocument, type ShownProject } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { readField, settingFields } from "./settings-forms.ts";
import { type SettingField, SETTINGS_FORMS, type SettingsFormName } from "./setting-fields.ts";

export interface SettingsPage {
  place: ShownProject;
  csrfToken: string;
  project: Project;
  repositoryUrl: string;
  branches: readonly string[];
  quotas: readonly QuotaUse[];
  /** The reader may change quotas. */
  isInstanceAdmin: boolean;
  notice: string | null;
  refused: Refused | null;
}

/** Prefix of hidden fields with the values at the time when the form was loaded. */
export const LOADED = "loaded.";

/** Settings of a project without a page of their own, archiving and deleting it. */
export function settingsPage(page: SettingsPage): Html {
  const { place, notice } = page;
  return dashboardDocument({
    title: `Settings · ${place.name}`,
    place,
    reader: "member",
    section: "settings",
    body: html`<div class="heading"><h1>Settings</h1></div>
      ${doneNote(notice)} ${(["general", "agent", "visitors"] as const).map((name) => panel(page, name))}
      ${quotasPanel(page)}
      ${archivePanel(page)} ${dangerZone(page)}`,
  });
}

/** What is used, for every admin; the form is for those of the instance. */
function quotasPanel(page: SettingsPage): Html {
  const uses = quotaBars(page.quotas);
  if (page.isInstanceAdmin) return panel(page, "quotas", uses);
  return html`<section class="panel" id="quotas">
    <h2>${SETTINGS_FORMS.quotas.title}</h2>
    ${uses}
    <p class="muted">Owners of the server change quotas.</p>
  </section>`;
}

function panel(page: SettingsPage, name: SettingsFormName, above: Html | null = null): Html {
  const { place, csrfToken, project } = page;
  const refused = page.refused?.action === name ? page.refused : null;
  return html`<section class="panel" id="${name}">
    <h2>${SETTINGS_FORMS[name].title}</h2>
    ${above} ${problemNote(refused?.problem)}
    ${formStart(`/${place.slug}/settings/${name}`, csrfToken)}
      ${settingFields(name, project).map((field) => {
        const loaded = readField(field, project);
        const value = refused ? refused.field(field.path) : loaded;
        return html`<input type="hidden" name="${LOADED}${field.path}" value="${loaded}" />${control(page, field, value)}`;
      })}
      <div class="send"><button class="button primary">Save</button></div>
    </form>
  </section>`;
}

function control(page: SettingsPage, { path, label, help, input }: SettingField, value: string): Html {
  const words = html`<small>${help}</small>`;
  switch (input.kind) {
    case "flag":
      return html`<div class="flag"><input type="checkbox" id="${path}" name="${path}" value="yes" ${value === "yes" ? raw("checked") : ""} /><label for="${path}">${label}</label>${words}</div>`;
    case "choice":
      return html`<label>${label}
        <select name="${path}">${selectOptions(input.options, value)}</select>${words}</label>`;
    case "long":
    case "lines":
      return html`<label>${label}
        <textarea name="${path}" rows="${input.kind === "long" ? 5 : 2}" placeholder="${input.placeholder}" spellcheck="${input.kind === "long"}">
${value}</textarea>${words}</label>`;
    case "number":
      return html`<label>${label} <input name="${path}" type="number" min="1" value="${value}" placeholder="${input.placeholder}" />${words}</label>`;
    case "branch":
      return html`<label>${label}
        <input name="${path}" required maxlength="200" value="${value}" placeholder="${input.placeholder}" list="branches" autocomplete="off" spellcheck="false" />${words}</label>
        <datalist id="branches">${page.branches.map((branch) => html`<option value="${branch}"></option>`)}</datalist>`;
    case "text":
      return html`<label>${label} <input name="${path}" maxlength="400" value="${value}" placeholder="${input.placeholder}" autocomplete="off" />${words}</label>`;
  }
}

function archivePanel({ place, csrfToken, project }: SettingsPage): Html {
  const isArchived = project.archivedAt !== null;
  const name = isArchived ? "unarchive" : "archive";
  return html`<section class="panel" id="archive">
    <h2>${isArchived ? "Unarchive this project" : "Archive this project"}</h2>
    ${postForm(
      { action: `/${place.slug}/settings/${name}`, csrfToken },
      isArchived
        ? html`<p>Jobs, automations and pushes work again. Automations that came due meanwhile run once.</p>
            <div class="send"><button class="button">Unarchive project</button></div>`
        : html`<p>
              The site stays up, and everything can still be read. Jobs, automations and pushes are refused, and the list of projects hides
              it. Jobs that are running finish. You can undo this at any time.
            </p>
            <div class="send"><button class="button">Archive project</button></div>`,
    )}
  </section>`;
}

function dangerZone({ place, csrfToken, project, repositoryUrl, refused }: SettingsPage): Html {
  const isOfHost = project.codeHost !== "embedded";
  return html`<section class="panel danger-zone" id="delete">
    <h2>Delete this project</h2>
    ${refused?.action === "delete" && problemNote(refused.problem)}
    <p>
      The site goes offline, and jobs, API keys, settings and visitor counts are deleted for good.
      ${isOfHost ? "The repository on its host stays." : "The repository is deleted with its pull requests."}
    </p>
    <p>Save what you want to keep first:</p>
    <ul>
      ${!isOfHost && html`<li>the repository: <code>git clone ${repositoryUrl}</code></li>`}
      <li>the site as files: <code>docent export ${place.slug} --out DIR</code> on the server</li>
      <li>visitors: the CSV files on <a href="/${place.slug}/analytics">Analytics</a></li>
      <li>who did what: <a href="/${place.slug}/audit.csv">CSV</a> or <a href="/${place.slug}/audit.json">JSON</a></li>
    </ul>
    ${formStart(`/${place.slug}/settings/delete`, csrfToken)}
      <label>Type the project name to confirm <input name="name" required maxlength="200" autocomplete="off" spellcheck="false" /><small>${copyable("project-name", project.name)}</small></label>
      <div class="send"><button class="button danger">Delete project</button></div>
    </form>
  </section>`;
}
