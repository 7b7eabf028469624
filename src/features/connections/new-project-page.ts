import { REMOTE_KINDS } from "#hosts/code-host.ts";
import { HOST_NAMES } from "#hosts/host-names.ts";
import type { HostApp } from "#hosts/remote/host-apps.ts";
import { copyable } from "#kit/pages/copyable.ts";
import { dashboardDocument } from "#kit/pages/document.ts";
import { html, type Html } from "#kit/pages/markup.ts";

/** What a person entered besides the token, which no page shows again. */
export interface ConnectEntries {
  name: string;
  url: string;
  /** Empty: found by itself. */
  kind: string;
  /** Empty: the repository's own. */
  branch: string;
}

export interface ConnectPage {
  csrfToken: string;
  entries: ConnectEntries;
  problem: string | null;
  /** Hosts where an app of this server may stand for a token. */
  apps: readonly HostApp[];
}

export const NO_ENTRIES: ConnectEntries = { name: "", url: "", kind: "", branch: "" };
export const CONNECT_PATH = "/admin/connect";
export const GITHUB_APP_PATH = "/admin/github-app";
const PROGRESS_SECONDS = 1;

/** Where a repository of a host elsewhere becomes a project. */
export function connectPage(page: ConnectPage): Html {
  return dashboardDocument({
    title: "New project · Docent",
    place: null,
    reader: "stranger",
    body: html`<div class="heading"><h1>New project</h1></div>
      <p class="muted lead">
        The docs stay in their repository, with the people, reviews and checks around it. Docent follows its branch, shows the
        site, and opens the agent's pull requests there.
      </p>
      <div class="overview">
        ${form(page)}
        <div>${githubApps(page.apps)} ${tokens()}</div>
      </div>`,
  });
}

function form({ csrfToken, entries, problem, apps }: ConnectPage): Html {
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === entries.kind && html` selected`}>${label}</option>`;
  return html`<form class="form panel" method="post" action="${CONNECT_PATH}">
    <input type="hidden" name="csrf" value="${csrfToken}" />
    ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    <label>
      Name
      <input name="name" required maxlength="200" value="${entries.name}" placeholder="Acme docs" autocomplete="off" />
      <small>The site's address is derived from it.</small>
    </label>
    <label>
      Repository
      <input name="url" type="url" required maxlength="2000" value="${entries.url}" placeholder="https://github.com/acme/docs" autocomplete="off" spellcheck="false" />
      <small>Its address, as your browser shows it.</small>
    </label>
    <label>
      Token
      <input name="token" type="password" ${apps.length === 0 && "required"} maxlength="4000" autocomplete="off" spellcheck="false" />
      <small>
        ${apps.length > 0 && "Empty for a repository that the GitHub App is installed on."}
        Stored encrypted, used for this repository alone, and not shown again.
      </small>
    </label>
    <div class="row">
      <label class="choice">Host <select name="kind">${option("", "Detect automatically")} ${REMOTE_KINDS.map((kind) => option(kind, HOST_NAMES[kind]))}</select></label>
      <label class="choice">Branch <input name="branch" maxlength="200" value="${entries.branch}" placeholder="The repository's own" autocomplete="off" spellcheck="false" /></label>
      <button class="button primary">Connect</button>
    </div>
    <p class="hint note-line">The host is asked first what the token may do. If something is missing, you read here what it is and where to change it.</p>
  </form>`;
}

function githubApps(apps: readonly HostApp[]): Html {
  return html`<section class="panel">
    <h2>GitHub, without a token</h2>
    <p>
      A GitHub App does not depend on one person's account and never expires. GitHub makes one for this server in one click, and its people choose the
      repositories.
    </p>
    ${apps.map(
      (app) =>
        html`<p><a href="${GITHUB_APP_PATH}/${app.id}">${app.name}</a> <small class="hint">of ${app.owner}</small></p>`,
    )}
    <p class="actions"><a class="button" href="${GITHUB_APP_PATH}">${apps.length === 0 ? "Create a GitHub App" : "Another app"}</a></p>
  </section>`;
}

function tokens(): Html {
  const entry = (host: string, place: string, rights: string) =>
    html`<dt>${host}</dt><dd>${place}<br /><small class="hint">${rights}</small></dd>`;
  return html`<section class="panel block">
    <h2>Which token?</h2>
    <dl class="facts stacked">
      ${entry("GitHub", "Settings → Developer settings → Fine-grained tokens, for this repository", "Contents: Read and write. Pull requests: Read and write.")}
      ${entry("GitLab", "The project's Settings → Access tokens", "Role Developer. Scopes: api, write_repository.")}
      ${entry("Gitea, Forgejo", "Settings → Applications → Generate new token", "repository: Read and Write.")}
    </dl>
    <p class="hint">The agent's pull requests are those of the token's owner: a user of its own for it shows at a glance who wrote what.</p>
  </section>`;
}

/** While a copy takes longer. */
export function connectingPage(page: { url: string; progress: string | null }): Html {
  return dashboardDocument({
    title: "Connecting · Docent",
    place: null,
    reader: "stranger",
    live: { refreshSeconds: PROGRESS_SECONDS },
    reloadSeconds: 3,
    body: html`<div id="connecting" class="confirm panel" data-live role="status">
      <h2>Connecting the repository</h2>
      <p>${page.url}</p>
      <p class="progress"><span class="pulse" aria-hidden="true"></span> ${page.progress ?? "Asking the host …"}</p>
      <p class="hint">This page follows by itself. A large repository may take some minutes.</p>
    </div>`,
  });
}

/** It did not work after it was begun: the form, with the reason. */
export const connectFailedPage = (page: { url: string; problem: string }): Html =>
  dashboardDocument({
    title: "Not connected · Docent",
    place: null,
    reader: "stranger",
    body: html`<div id="connecting" class="confirm panel" data-live>
      <h2>The repository is not connected</h2>
      <p>${page.url}</p>
      <p class="problem" role="alert">${page.problem}</p>
      <p class="hint">Nothing was left behind. The token has to be entered again.</p>
      <p class="actions"><a class="button primary" href="${CONNECT_PATH}">Try again</a></p>
    </div>`,
  });

/** The project is there: the one time that its first key is shown. */
export const connectedPage = (page: {
  name: string;
  slug: string;
  siteUrl: string;
  key: string;
  /** An app has a webhook of its own. */
  isByApp: boolean;
}): Html =>
  dashboardDocument({
    title: `${page.name} · Docent`,
    place: null,
    reader: "stranger",
    body: html`<div id="connecting" class="confirm" data-live>
      <section class="new-key" role="status">
        <h2>${page.name} is connected</h2>
        <p>Its site is at <a href="${page.siteUrl}">${page.siteUrl}</a>.</p>
        <p>This is its API key, for programs and for signing in. Copy it now: it is not shown again.</p>
        ${copyable("new-key", page.key)}
      </section>
      <p class="actions">
        <a class="button primary" href="/${page.slug}">Open the project</a>
        <a class="button" href="/${page.slug}/connection">${page.isByApp ? "See the connection" : "Set up the webhook"}</a>
      </p>
      <p class="hint">This browser is signed in to the project.</p>
    </div>`,
  });
