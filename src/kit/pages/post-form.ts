import { html, type Html, raw } from "./markup.ts";

/** A form that was refused. */
export interface Refused {
  /** Last part of the form's path. */
  action: string;
  problem: string;
  /** What was entered. */
  field(name: string): string;
}

/** The field that a form must carry: only the session's own pages know its value. */
export const csrfField = (token: string): Html => html`<input type="hidden" name="csrf" value="${token}" />`;

/** Why a form was refused. */
export const problemNote = (problem: string | null | undefined): Html | "" =>
  problem == null ? "" : html`<p class="problem" role="alert">${problem}</p>`;

/** What a form has done. */
export const doneNote = (notice: string | null | undefined): Html | "" =>
  notice == null ? "" : html`<p class="done-note" role="status">${notice}</p>`;

/** A form that changes something, with the token of the session and the reason if it was refused. */
export function postForm(
  form: {
    action: string;
    csrfToken: string;
    /** CSS classes; `form` where it is left out. */
    look?: string;
    problem?: string | null;
    /** The form has a file. */
    isUpload?: boolean;
  },
  content: Html,
): Html {
  const { action, csrfToken, look = "form", problem, isUpload = false } = form;
  return html`<form class="${look}" method="post" action="${action}" ${isUpload ? raw('enctype="multipart/form-data"') : ""}>
    ${csrfField(csrfToken)} ${problemNote(problem)} ${content}
  </form>`;
}
