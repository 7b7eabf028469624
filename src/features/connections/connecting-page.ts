import { copyable } from "#kit/pages/copyable.ts";
import type { InstancePlace } from "#kit/pages/document.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { problemNote } from "#kit/pages/post-form.ts";
import { NEW_PROJECT_PATH, newProjectFrame, type Entries, type DocsPlace } from "./new-project-page.ts";

/** Shown while a copy takes longer. */
export function connectingPage(page: { instance: InstancePlace | null; url: string; progress: string | null }): Html {
  return newProjectFrame({
    title: "Connecting",
    instance: page.instance,
    isUnderWay: true,
    body: html`<div id="connecting" class="confirm panel" data-live role="status">
      <h2>Connecting the repository</h2>
      <p>${page.url}</p>
      <p class="progress"><span class="pulse" aria-hidden="true"></span> ${page.progress ?? "Asking the host …"}</p>
      <p class="hint">This page updates automatically. A large repository may take some minutes.</p>
    </div>`,
  });
}

/** Shown if it failed later. */
export function connectFailedPage(page: {
  instance: InstancePlace | null;
  docsPlace: DocsPlace;
  entries: Entries;
  problem: string;
}): Html {
  const { url, name, branch, kind, externalSite } = page.entries;
  const again = new URLSearchParams({ from: page.docsPlace, repository: url, name, branch, kind });
  if (externalSite !== null) again.set("site", externalSite);
  return newProjectFrame({
    title: "Not connected",
    instance: page.instance,
    body: html`<div id="connecting" class="confirm panel" data-live>
      <h2>The repository is not connected</h2>
      <p>${url}</p>
      ${problemNote(page.problem)}
      <p class="hint">Nothing was created. Enter the token again.</p>
      <p class="actions"><a class="button primary" href="${NEW_PROJECT_PATH}?${again.toString()}">Try again</a></p>
    </div>`,
  });
}

/** The project exists: shows its first key, once, to the operator, who has no account. */
export function connectedPage(page: {
  name: string;
  slug: string;
  siteUrl: string;
  key: string;
  connection: "app" | "token" | null;
}): Html {
  return newProjectFrame({
    title: page.name,
    instance: null,
    body: html`<div id="connecting" class="confirm" data-live>
      <section class="new-key" role="status">
        <h2>${page.name} is ${page.connection === null ? "ready" : "connected"}</h2>
        <p>Its site is at <a href="${page.siteUrl}">${page.siteUrl}</a>.</p>
        <p>This is its API key, for programs and for signing in. Copy it now: it is not shown again.</p>
        ${copyable("new-key", page.key)}
      </section>
      <p class="actions">
        <a class="button primary" href="/${page.slug}">Open the project</a>
        ${page.connection !== null && html`<a class="button" href="/${page.slug}/connection">${page.connection === "app" ? "See the connection" : "Set up the webhook"}</a>`}
      </p>
      <p class="hint">This browser is signed in to the project.</p>
    </div>`,
  });
}
