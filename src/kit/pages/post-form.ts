import { html, type Html, raw } from "./markup.ts";

/** A form that was refused. */
export interface Refused {
  /** The last segment of the form's path. */
  action: string;
  problem: string;
  /** The entered value. */
  field(name: string): string;
}

/** The CSRF field that every form must carry: only pages of the session know its value. */
export const csrfField = (token: string): Html => html`<input type="hidden" name="csrf" value="${token}" />`;

/** The start of a form that changes something, with the session's CSRF token; `look`: CSS classes. `</form>` ends it. */
export const formStart = (action: string, csrfToken: string, look = "form"): Html =>
  html`<form${look !== "" && html` class="${look}"`} method="post" action="${action}">${csrfField(csrfToken)}`;

/** The reason why a form was refused. */
export const problemNote = (problem: string | null | undefined): Html | "" =>
  problem == null ? "" : html`<p class="problem" role="alert">${problem}</p>`;

/** The result of a form. */
export const doneNote = (notice: string | null | undefined): Html | "" =>
  notice == null ? "" : html`<p class="done-note" role="status">${notice}</p>`;

/** A form that changes something, with the session's CSRF token and the error if it was refused. */
export function postForm(
  form: {
    action: string;
    csrfToken: string;
    /** CSS classes; `form` by default. */
    look?: string;
    problem?: string | null;
    /** The form uploads a file. */
    isUpload?: boolean;
  },
  content: Html,
): Html {
  const { action, csrfToken, look = "form", problem, isUpload = false } = form;
  return html`<form class="${look}" method="post" action="${action}" ${isUpload ? raw('enctype="multipart/form-data"') : ""}>
    ${csrfField(csrfToken)} ${problemNote(problem)} ${content}
  </form>`;
}

type Choice = string | readonly [value: string, label: string];
/** The entries of a list in a form: values, values with labels, or labels by value. */
export function selectOptions(
  choices: readonly Choice[] | Readonly<Record<string, string>>,
  chosen: string | null,
): Html[] {
  const entries: readonly Choice[] = Array.isArray(choices) ? choices : Object.entries(choices);
  return entries.map((choice) => {
    const [value, label] = typeof choice === "string" ? [choice, choice] : choice;
    return html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;
  });
}
