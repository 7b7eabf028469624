import { HOST_NAMES } from "#hosts/host-names.ts";
import type { HostApp, OfferedInstallation } from "#hosts/remote/host-apps.ts";
import { hostingFields } from "#features/projects/site/hosting-fields.ts";
import { dashboardDocument, type InstancePlace } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { postForm, problemNote, selectOptions } from "#kit/pages/post-form.ts";
import { MAX_UPLOAD_BYTES, UPLOAD_LIMIT } from "./uploaded-docs.ts";

export const NEW_PROJECT_PATH = "/-/new";
export const GITHUB_APP_PATH = "/admin/github-app";

/** Sources of the docs of a new project. */
export const DOCS_PLACES = {
  github: { label: "GitHub", line: "With a GitHub App or a token" },
  gitlab: { label: "GitLab", line: "gitlab.com or your own server" },
  gitea: { label: "Gitea or Forgejo", line: "Codeberg or your own server" },
  git: { label: "Another Git repository", line: "Copied once from an https address" },
  upload: { label: "Your computer", line: "A folder or a ZIP file" },
  example: { label: "Example", line: "A small site to look around in" },
  empty: { label: "Empty project", line: "Push to it with git" },
} as const;
export type DocsPlace = keyof typeof DOCS_PLACES;
export const isDocsPlace = (text: string): text is DocsPlace => Object.hasOwn(DOCS_PLACES, text);

/** Hosts on which a repository can stay. */
const TOKENS: Partial<Record<DocsPlace, { placeholder: string; where: string; rights: string }>> = {
  github: {
    placeholder: "https://github.com/acme/docs",
    where: "Settings → Developer settings → Fine-grained tokens, for this repository",
    rights: "Contents and Pull requests: Read and write",
  },
  gitlab: {
    placeholder: "https://gitlab.com/acme/docs",
    where: "In the GitLab project: Settings → Access tokens",
    rights: "Role Developer, scopes api and write_repository",
  },
  gitea: {
    placeholder: "https://codeberg.org/acme/docs",
    where: "Settings → Applications → Generate new token",
    rights: "repository: Read and write",
  },
};
export const staysAtHost = (docsPlace: DocsPlace): boolean => TOKENS[docsPlace] !== undefined;

/** Entered values, except the token, which no page shows again. */
export interface Entries {
  name: string;
  url: string;
  /** Empty: detected. */
  kind: string;
  /** Empty: the repository's default branch. */
  branch: string;
  /** Null: Docent publishes the site. */
  externalSite: string | null;
}

/** A GitHub App of this server with its installations, or the error of GitHub. */
export interface ListedApp {
  app: HostApp;
  installations: readonly OfferedInstallation[];
  problem: string | null;
}

export interface NewProjectPage {
  /** Null for visitors with an operator's link. */
  instance: InstancePlace | null;
  csrfToken: string;
  docsPlace: DocsPlace;
  entries: Entries;
  problem: string | null;
  /** For GitHub only. */
  apps: readonly ListedApp[];
  /** Slugs of existing projects, by repository URL. */
  connected: ReadonlyMap<string, string>;
}

/** Layout of the pages that create a project. */
export function newProjectFrame(options: {
  title: string;
  instance: InstancePlace | null;
  body: Html;
  isUnderWay?: boolean;
}): Html {
  const { title, instance, body, isUnderWay = false } = options;
  return dashboardDocument({
    title: `${title} · Docent`,
    place: null,
    ...(instance && { instance }),
    reader: instance ? "member" : "stranger",
    ...(isUnderWay && { live: { refreshSeconds: 1 }, reloadSeconds: 3 }),
    body,
  });
}

/** Choices for the source of the docs, and the next step for the selected one. */
export function newProjectPage(page: NewProjectPage): Html {
  const { docsPlace, instance } = page;
  return newProjectFrame({
    title: "New project",
    instance,
    body: html`<div class="heading"><h1>New project</h1></div>
      <p class="muted lead">Where are the docs? Jobs, previews and the site work as soon as Docent has them.</p>
      <div class="origins">
        <nav aria-label="Where the docs are">
          ${Object.entries(DOCS_PLACES).map(
            ([name, { label, line }]) =>
              html`<a href="${NEW_PROJECT_PATH}?from=${name}" ${name === docsPlace ? raw('aria-current="true"') : ""}><b>${label}</b> <small>${line}</small></a>`,
          )}
        </nav>
        <div>${docsPlace === "github" && page.entries.url === "" && githubRepositories(page)} ${step(page)}</div>
      </div>`,
  });
}

function step(page: NewProjectPage): Html {
  const [title, content, button] = STEPS[page.docsPlace](page);
  const form = postForm(
    {
      action: `${NEW_PROJECT_PATH}/${page.docsPlace}`,
      csrfToken: page.csrfToken,
      problem: page.problem,
      isUpload: page.docsPlace === "upload",
    },
    html`${content} ${page.docsPlace !== "example" && hostingFields(page.entries.externalSite)}
      <div class="send"><button class="button primary">${button}</button></div>`,
  );
  return html`<section class="panel"><h2>${title}</h2>${form}</section>`;
}

type Step = (page: NewProjectPage) => [title: string, content: Html, button: string];

const atHost: Step = (page) => {
  const { docsPlace, entries, apps } = page;
  const token = TOKENS[docsPlace]!;
  const isByApp = docsPlace === "github" && apps.length > 0;
  const tokenField = html`<label>
      Token
      <input name="token" type="password" ${isByApp ? "" : raw("required")} maxlength="4000" autocomplete="off" spellcheck="false" />
      <small>${token.where}. ${token.rights}. Stored encrypted, and not shown again.</small>
    </label>`;
  return [
    docsPlace === "github" && entries.url === ""
      ? "Or connect by address"
      : `Connect a repository on ${DOCS_PLACES[docsPlace].label}`,
    html`<p class="hint">
        The docs stay there, with their reviews and checks. Docent follows the branch, shows the site, and opens the
        agent's pull requests there.
      </p>
      ${address(entries, token.placeholder)} ${name(entries)}
      ${isByApp ? html`<details ${page.problem === null ? "" : raw("open")}><summary>Use a token in place of the GitHub App</summary>${tokenField}</details>` : tokenField}
      <details ${entries.branch !== "" || entries.kind !== "" ? raw("open") : ""}>
        <summary>Branch and host</summary>
        <div class="row">
          ${branch(entries)}
          <label class="choice">Host <select name="kind">${selectOptions({ "": "Detect automatically", ...HOST_NAMES }, entries.kind)}</select></label>
        </div>
      </details>`,
    "Connect",
  ];
};

const STEPS: Record<DocsPlace, Step> = {
  github: atHost,
  gitlab: atHost,
  gitea: atHost,
  git: ({ entries }) => [
    "Copy a Git repository",
    html`<p class="hint">
        Docent copies the repository once. From then on Docent hosts the repository: push to Docent and review pull requests here. Use this
        to move to Docent, or to try it with a public repository. Upload a repository of this computer under
        <a href="${NEW_PROJECT_PATH}?from=upload">Your computer</a>; <code>docent projects create NAME --repo PATH</code> copies one on the
        server with its history.
      </p>
      ${address(entries, "https://example.com/acme/docs.git")} ${name(entries)}
      <details ${entries.branch !== "" ? raw("open") : ""}><summary>Branch</summary>${branch(entries)}</details>`,
    "Copy repository",
  ],
  upload: ({ entries }) => [
    "Upload a folder",
    html`<div class="row">
        <label>Folder <input name="folder" type="file" multiple webkitdirectory data-max-bytes="${MAX_UPLOAD_BYTES}" /></label>
        <label>or a ZIP file <input name="file" type="file" accept=".zip,application/zip" data-max-bytes="${MAX_UPLOAD_BYTES}" /></label>
      </div>
      <small>
        The ZIP file, or the files of the folder together, may have ${UPLOAD_LIMIT}. Files of git (.git, .gitignore, .github) and node_modules are left out. Docent's own
        code host has the docs from then on.
      </small>
      ${name(entries)}`,
    "Upload",
  ],
  example: ({ entries }) => [
    "Start with an example",
    html`<p class="hint">A small docs site with pages, an API reference and some mistakes for the agent to fix. Delete it at any time.</p>
      ${name({ ...entries, name: entries.name === "" ? "Example docs" : entries.name })}`,
    "Create example",
  ],
  empty: ({ entries }) => [
    "Create an empty project",
    html`<p class="hint">Docent's own code host gets an empty repository. The project's page says how to push to it.</p>
      ${name(entries)}`,
    "Create project",
  ],
};

const address = ({ url }: Entries, placeholder: string): Html =>
  html`<label>
    Repository
    <input name="url" type="url" required maxlength="2000" value="${url}" placeholder="${placeholder}" autocomplete="off" spellcheck="false" />
    <small>Its address, as your browser shows it.</small>
  </label>`;

const name = ({ name: value }: Entries): Html =>
  html`<label>
    Name
    <input name="name" required maxlength="200" value="${value}" placeholder="Acme docs" autocomplete="off" />
    <small>The site's address is derived from it. You can change both later.</small>
  </label>`;

const branch = ({ branch: value }: Entries): Html =>
  html`<label class="choice">Branch <input name="branch" maxlength="200" value="${value}" placeholder="The default branch" autocomplete="off" spellcheck="false" /></label>`;

/** Repositories of the server's GitHub Apps, ready to connect; without an app, how to get one. */
function githubRepositories({ apps, connected }: NewProjectPage): Html {
  if (apps.length === 0) {
    return html`<section class="panel">
      <h2>Install a GitHub App</h2>
      <p>
        You choose the repositories on GitHub, and copy no token. An app does not depend on one person's account and never expires. GitHub
        makes one for this server in one click.
      </p>
      <p class="actions"><a class="button primary" href="${GITHUB_APP_PATH}">Create a GitHub App</a></p>
    </section>`;
  }
  return html`${apps.map(
    ({ app, installations, problem }) =>
      html`<section class="panel">
        <div class="block-head"><h2>Repositories of ${app.name}</h2><a href="${app.installUrl}">${installations.length === 0 ? "Install it on GitHub" : "Add repositories"} <span aria-hidden="true">↗</span></a></div>
        ${problemNote(problem)}
        ${problem === null && installations.length === 0 && html`<p class="muted">The app is not installed yet. Install it on the repositories that have docs.</p>`}
        ${installations.map((one) => offers(one, connected))}
      </section>`,
  )}
    <p class="hint"><a href="${GITHUB_APP_PATH}">Create another GitHub App</a></p>`;
}

/** Repositories of one account on which an app is installed. */
function offers(
  { account, url, isSuspended, repositories }: OfferedInstallation,
  connected: ReadonlyMap<string, string>,
): Html {
  return html`<div class="block-head"><h3>${account}</h3><a href="${url}">Configure</a></div>
    ${isSuspended && html`<p class="problem">The app is suspended here. Its owner ends that on GitHub under Configure.</p>`}
    <ul class="offers">
      ${repositories.map((repository) => html`<li><a href="${repository.url}">${repository.path}</a> ${offer(repository, connected)}</li>`)}
    </ul>
    ${repositories.length === 0 && !isSuspended && html`<p class="muted">No repository is selected.</p>`}`;
}

function offer(
  { url, path, isArchived }: OfferedInstallation["repositories"][number],
  connected: ReadonlyMap<string, string>,
): Html {
  const slug = connected.get(url);
  if (isArchived) return html`<span class="badge">archived</span>`;
  const query = new URLSearchParams({ from: "github", repository: url, name: path.split("/").at(-1)! });
  // A repository may contain the docs of several projects.
  return html`<span>${slug !== undefined && html`<a class="badge here" href="/${slug}">connected</a>`} <a class="button" href="${NEW_PROJECT_PATH}?${query.toString()}">Connect</a></span>`;
}
