import type { AppManifest, HostApp } from "#hosts/remote/host-apps.ts";
import { type InstancePlace, time } from "#kit/pages/document.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { problemNote } from "#kit/pages/post-form.ts";
import { GITHUB_APP_PATH, newProjectFrame } from "./new-project-page.ts";

export interface NewGithubAppPage {
  /** Null for visitors with an operator's link. */
  instance: InstancePlace | null;
  apps: readonly HostApp[];
  origin: string;
  organization: string;
  /** Null if the entered host is invalid. */
  manifest: AppManifest | null;
  problem: string | null;
  /** Whether GitHub can reach the webhook. */
  hasWebhook: boolean;
}

/** The apps of this server, and a button to create one on GitHub. */
export function newGithubAppPage(page: NewGithubAppPage): Html {
  const { apps, origin, organization, manifest, problem } = page;
  const owner = organization === "" ? "your own account" : organization;
  return newProjectFrame({
    title: "GitHub App",
    instance: page.instance,
    body: html`<div class="heading"><h1>GitHub App</h1></div>
      <p class="muted lead">
        GitHub creates an app for this server: it belongs to ${owner}, only that account can install it, and its tokens live an hour and reach the
        repositories that you choose.
      </p>
      <div class="overview">
        <div>
          <section class="panel">
            <h2>Make one at ${new URL(origin).host}</h2>
            ${problemNote(problem)}
            ${manifest && makeForm(manifest)}
            <p class="hint">
              ${
                page.hasWebhook
                  ? "GitHub tells this server at once what happens in its repositories."
                  : "This server is on its own machine, where GitHub does not reach it: it asks GitHub every minute in place of a webhook."
              }
            </p>
          </section>
          <section class="panel block">
            <h2>For an organization, or GitHub Enterprise Server</h2>
            <form class="form" method="get" action="${GITHUB_APP_PATH}">
              <div class="row">
                <label>Organization <input name="organization" value="${organization}" placeholder="acme" maxlength="100" autocomplete="off" spellcheck="false" /></label>
                <label>Address <input name="origin" type="url" value="${origin}" maxlength="300" autocomplete="off" spellcheck="false" /></label>
                <button class="button">Choose</button>
              </div>
              <small>The organization whose repositories have the docs. Empty: your own account.</small>
            </form>
          </section>
        </div>
        <div>
          <section class="panel">
            <h2>What it may do</h2>
            <dl class="facts stacked">
              <dt>Contents: read and write</dt>
              <dd>the mirror, and the agent's branch</dd>
              <dt>Pull requests: read and write</dt>
              <dd>the agent's pull request</dd>
              <dt>Commit statuses: read and write</dt>
              <dd>the addresses of previews</dd>
              <dt>Issues: read</dt>
              <dd>comments that people write to the agent</dd>
            </dl>
            <p class="hint">Docent stores the app's private key and its webhook's secret, both encrypted, and no token.</p>
          </section>
          ${apps.length > 0 && html`<section class="panel block"><h2>Apps of this server</h2>${apps.map(appLine)}</section>`}
        </div>
      </div>`,
  });
}

/** Submits to GitHub, which asks for the name and redirects back. */
const makeForm = ({ action, manifest }: AppManifest): Html =>
  html`<form method="post" action="${action}">
    <input type="hidden" name="manifest" value="${manifest}" />
    <button class="button primary">Create the app on GitHub</button>
  </form>`;

const appLine = ({ name, owner, createdAt }: HostApp): Html =>
  html`<p>${name} <small class="hint">of ${owner}, made ${time(createdAt)}</small></p>`;
