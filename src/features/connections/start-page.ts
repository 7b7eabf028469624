import { dashboardDocument, type InstancePlace } from "#kit/pages/document.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { CONNECT_PATH } from "./new-project-page.ts";
import { MAX_UPLOAD_BYTES } from "./uploaded-docs.ts";

export const START_PATH = "/-/new";
export const STARTS = ["copy", "upload", "example", "empty"] as const;
export type Start = (typeof STARTS)[number];

export interface StartPage {
  /** Null for who came by a link of the operator. */
  instance: InstancePlace | null;
  csrfToken: string;
  /** What was sent and not done, with the reason. */
  refused: { start: Start; name: string; url: string; problem: string } | null;
}

/** The ways to a new project. */
export function startPage(page: StartPage): Html {
  return dashboardDocument({
    title: "New project · Docent",
    place: null,
    ...(page.instance && { instance: page.instance }),
    reader: page.instance ? "member" : "stranger",
    body: html`<div class="heading"><h1>New project</h1></div>
      <p class="muted lead">Where are the docs? The site is live as soon as the files are here.</p>
      <div class="starts">
        <section class="panel">
          <h2>On GitHub, GitLab, Gitea or Forgejo</h2>
          <p>The docs stay in their repository. Docent follows its branch, and opens the agent's pull requests there.</p>
          <p class="actions"><a class="button primary" href="${CONNECT_PATH}">Connect a repository</a></p>
        </section>
        ${form(page, "copy", {
          title: "In any public Git repository",
          text: "Docent copies it once, and its own code host has it from then on: for trying Docent, or moving to it.",
          field: html`<label>Address <input name="url" type="url" required maxlength="2000" placeholder="https://example.com/acme/docs.git" value="${page.refused?.start === "copy" ? page.refused.url : ""}" autocomplete="off" spellcheck="false" /></label>`,
          button: "Copy repository",
        })}
        ${form(page, "upload", {
          title: "In a folder on your computer",
          text: `Pack the folder as a ZIP file, of at most ${MAX_UPLOAD_BYTES / 1024 / 1024} MB. Files that are git's own (.git, .gitignore, .github) and node_modules are left out.`,
          field: html`<label>ZIP file <input name="file" type="file" required accept=".zip,application/zip" /></label>`,
          button: "Upload",
        })}
        ${form(page, "empty", {
          title: "Start from scratch",
          text: "An empty repository to push to, or a small example to look around in.",
          field: null,
          button: "Create empty project",
        })}
      </div>`,
  });
}

function form(
  { csrfToken, refused }: StartPage,
  start: Start,
  words: { title: string; text: string; field: Html | null; button: string },
): Html {
  const isRefused = refused !== null && (refused.start === start || (start === "empty" && refused.start === "example"));
  const multipart = start === "upload" && html` enctype="multipart/form-data"`;
  return html`<form class="form panel" method="post" action="${START_PATH}/${start}"${multipart}>
    <h2>${words.title}</h2>
    <p>${words.text}</p>
    ${isRefused && html`<p class="problem" role="alert">${refused.problem}</p>`}
    <input type="hidden" name="csrf" value="${csrfToken}" />
    <label>
      Name
      <input name="name" required maxlength="200" placeholder="Acme docs" value="${isRefused ? refused.name : ""}" autocomplete="off" />
    </label>
    ${words.field}
    <div class="send">
      <button class="button primary">${words.button}</button>
      ${start === "empty" && html`<button class="button" formaction="${START_PATH}/example">Create with the example</button>`}
    </div>
  </form>`;
}
