import type { DomainRecord } from "#features/projects/site/domain-proof.ts";
import type { ProjectDomain } from "#features/projects/site/domains.ts";
import type { ProjectSettings } from "#features/projects/project.ts";
import type { AccessMode } from "#features/projects/site-access.ts";
import { hostingFields } from "#features/projects/site/hosting-fields.ts";
import { copyable } from "#kit/pages/copyable.ts";
import { dashboardDocument, type ShownProject, time } from "#kit/pages/document.ts";
import type { ApiAccess } from "#features/sites/api-addresses/api-access.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { doneNote, formStart, problemNote, selectOptions } from "#kit/pages/post-form.ts";

export interface SitePage {
  place: ShownProject;
  csrfToken: string;
  domains: readonly ProjectDomain[];
  settings: Pick<ProjectSettings, "publicAddress" | "redirectToMainDomain" | "externalSite">;
  mode: AccessMode;
  apis: ApiAccess;
  /** The result of the last action. */
  notice: string | null;
  /** Why the last action was refused. */
  refused: string | null;
  /** The external site that was entered and refused; null where none was. */
  enteredSite: string | null;
  /** The DNS record that is required before the domain is added. */
  wanted: { domain: string; record: DomainRecord } | null;
  /** A new link, which is shown once. */
  link: { url: string; expiresAt: string } | null;
}

const MODES: Readonly<Record<AccessMode, string>> = {
  public: "Everybody",
  password: "Anyone with the password",
  dashboard: "Anyone who can sign in to this project",
  links: "Anyone with a link",
};

/** The domains of a project's site, and its access settings. */
export function sitePage(page: SitePage): Html {
  const { place, notice, refused } = page;
  return dashboardDocument({
    title: `Site · ${place.name}`,
    place,
    reader: "member",
    section: "site",
    body: html`<div class="heading"><h1>Site</h1></div>
      ${doneNote(notice)}
      ${problemNote(refused)}
      ${page.link && newLink(page.link)} ${page.wanted && proof(page, page.wanted)}
      <div class="block panel">${published(page)}</div>
      <div class="pair block">${readers(page)} ${page.mode === "public" ? "" : links(page)}</div>
      ${
        page.settings.externalSite === undefined &&
        html`<div class="block panel">${domains(page)}</div>
          <div class="block panel">${address(page)}</div>`
      }
      <div class="block panel">${apiPanel(page.apis, (action, fields) => form(page, action, fields))}</div>`,
  });
}

function form({ place, csrfToken }: SitePage, action: string, fields: Html): Html {
  return html`${formStart(`/${place.slug}/site/${action}`, csrfToken)}
    ${fields}
  </form>`;
}

function published(page: SitePage): Html {
  const { externalSite } = page.settings;
  return html`<h2>Publishing</h2>
    ${
      externalSite !== undefined &&
      html`<p class="muted">Pages that are requested here redirect to <a href="${externalSite}/">${externalSite}/</a>. To use a domain here, publish on Docent again.</p>`
    }
    ${form(
      page,
      "external",
      html`${hostingFields(page.enteredSite ?? externalSite ?? null)}
        <div class="send"><button class="button primary">Save</button></div>`,
    )}`;
}

function readers(page: SitePage): Html {
  return html`<section class="panel">
    <h2>Access</h2>
    ${form(
      page,
      "access",
      html`<label>Readers <select name="mode">${selectOptions(MODES, page.mode)}</select></label>
        <label class="for-password">Password <input name="password" type="password" minlength="8" maxlength="200" autocomplete="new-password" /><small>8 characters or more. Stored as a hash and never shown again.</small></label>
        ${page.settings.externalSite !== undefined && html`<small>This is for what Docent serves: Markdown, llms.txt, search and MCP. Who may read ${page.settings.externalSite} is up to the service that publishes it.</small>`}
        <div class="send"><small>Saving ends all existing sign-ins and links.</small> <button class="button primary">Save</button></div>`,
    )}
  </section>`;
}

function links(page: SitePage): Html {
  return html`<section class="panel">
    <h2>Links</h2>
    <p class="muted">Anyone who has a link can read the whole site until the link expires. Programs send its token as <code>Authorization: Bearer</code>.</p>
    ${form(
      page,
      "link",
      html`<div class="row">
        <label>Page <input name="path" value="/" maxlength="1000" /></label>
        <label class="narrow">Days <input name="days" type="number" min="1" max="366" value="7" required /></label>
        <button class="button">Create link</button>
      </div>`,
    )}
    ${form(page, "sign-out", html`<div class="send"><small>If a link has leaked:</small> <button class="button danger">Revoke all links and sign-ins</button></div>`)}
  </section>`;
}

function newLink({ url, expiresAt }: { url: string; expiresAt: string }): Html {
  return html`<section class="new-key" role="status">
    <h2>The link is ready</h2>
    <p>It expires ${time(new Date(expiresAt))}.</p>
    ${copyable("new-link", url)}
  </section>`;
}

function proof(page: SitePage, { domain, record }: { domain: string; record: DomainRecord }): Html {
  return html`<section class="panel block" role="status">
    <h2>Verify that you own ${domain}</h2>
    <p>Add this DNS record, wait for it to propagate, and verify:</p>
    <dl class="facts">
      <dt>Type</dt>
      <dd><code>TXT</code></dd>
      <dt>Name</dt>
      <dd>${copyable("record-name", record.name)}</dd>
      <dt>Value</dt>
      <dd>${copyable("record-value", record.value)}</dd>
    </dl>
    ${form(page, "domain", html`<input type="hidden" name="domain" value="${domain}" /><div class="send"><button class="button primary">Verify</button></div>`)}
  </section>`;
}

function domains(page: SitePage): Html {
  return html`<h2>Domains</h2>
    <p class="muted">The site also stays at <a href="${page.place.siteUrl}">${page.place.siteUrl}</a>. Point the DNS of each domain at this server. Canonical links use the main domain.</p>
    ${
      page.domains.length > 0
        ? html`<ul class="offers">
            ${page.domains.map(
              ({ domain, isMain }) =>
                html`<li>
                  <span><b>${domain}</b> ${isMain ? html`<span class="badge here">main</span>` : ""}</span>
                  ${formStart(`/${page.place.slug}/site/change`, page.csrfToken, "")}<input type="hidden" name="domain" value="${domain}" />
                    ${isMain ? "" : html`<button class="button" name="to" value="main">Make main</button>`}
                    <button class="button danger" name="to" value="none">Remove</button>
                  </form>
                </li>`,
            )}
          </ul>`
        : ""
    }
    ${form(
      page,
      "domain",
      html`<div class="row">
        <label>Domain <input name="domain" required maxlength="300" placeholder="docs.example.com" autocomplete="off" spellcheck="false" /></label>
        <button class="button">Add domain</button>
      </div>`,
    )}`;
}

function address(page: SitePage): Html {
  const { publicAddress, redirectToMainDomain } = page.settings;
  return html`<h2>Address</h2>
    ${form(
      page,
      "address",
      html`<label>Served by another site at <input name="publicAddress" type="url" maxlength="300" value="${publicAddress ?? ""}" placeholder="https://example.com/docs" /><small>That site forwards this path and everything below it to this server. Leave empty if unused.</small></label>
        <label class="choice"><span><input type="checkbox" name="redirect" value="yes" ${redirectToMainDomain ? raw("checked") : ""} /> Redirect other domains to the main domain</span></label>
        <div class="send"><button class="button">Save</button></div>`,
    )}`;
}

/** The allowed hosts for a project's API descriptions, and the state of each address. */
function apiPanel({ hosts, proxy, addresses }: ApiAccess, form: (action: string, fields: Html) => Html): Html {
  return html`<h2>API descriptions</h2>
    <p class="muted">When the docs refer to an API description by <code>https://…</code>, the server fetches it if its host is listed here. It keeps the last good copy.</p>
    ${form(
      "api-hosts",
      html`<label>Hosts <textarea name="hosts" rows="3" maxlength="8000" placeholder="api.example.com" autocomplete="off" spellcheck="false">${hosts.join("\n")}</textarea><small>One per line. If empty, the server contacts none.</small></label>
        <label class="choice"><span><input type="checkbox" name="proxy" value="yes" ${proxy ? raw("checked") : ""} /> Send “Try it” requests through this server</span><small>To the servers that the descriptions name, for APIs that browsers may not call (CORS). Nothing of them is kept.</small></label>
        <div class="send"><button class="button">Save</button></div>`,
    )}
    ${
      addresses.length > 0
        ? html`<ul class="offers">${addresses.map(shown)}</ul>
            ${form("api-read", html`<div class="send"><small>Fetched after each push and every half hour.</small> <button class="button">Fetch now</button></div>`)}`
        : ""
    }`;
}

function shown({ address, live, readAt, trouble }: ApiAccess["addresses"][number]): Html {
  const read = readAt === null ? "not read yet" : html`read ${time(readAt)}`;
  return html`<li>
    <div>
      <b>${address}</b> ${live ? "" : html`<span class="badge">previews only</span>`}
      <p class="muted">${read}</p>
      ${trouble === null ? "" : html`<p class="trouble">${trouble}</p>`}
    </div>
  </li>`;
}
