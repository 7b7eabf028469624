import { html, type Html } from "./markup.ts";

/** A table of things. `action` names the column with what can be done with each, for screen readers. */
export const listTable = (columns: readonly string[], rows: Html | readonly Html[], action?: string): Html =>
  html`<table class="keys">
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        ${action !== undefined && html`<th><span class="hidden">${action}</span></th>`}
      </tr>
    </thead>
    <tbody>${rows}</tbody>
  </table>`;
