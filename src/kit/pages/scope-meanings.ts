import { KEY_SCOPES, SCOPE_MEANINGS } from "#kit/levels.ts";
import { html, type Html } from "./markup.ts";

/** What each scope allows, below the field that chooses one: a select is too narrow for it. */
export const scopeMeanings = (): Html =>
  html`<dl class="facts">
    ${KEY_SCOPES.map((scope) => html`<dt>${scope}</dt><dd>${SCOPE_MEANINGS[scope]}</dd>`)}
  </dl>`;
