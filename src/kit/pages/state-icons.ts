import { html, type Html } from "./markup.ts";

export type ShownState = "open" | "draft" | "merged" | "closed" | "conflict";

/** The state as a branch that runs next to another, joins it, ends or clashes. */
export function stateIcon(state: ShownState): Html {
  const line = {
    open: html`<circle cx="4" cy="3.5" r="1.9" /><circle cx="4" cy="12.5" r="1.9" /><circle cx="12" cy="12.5" r="1.9" /><path d="M4 5.4v5.2M12 10.6V7a3 3 0 0 0-3-3H8.2M10 2 8 4l2 2" />`,
    draft: html`<circle cx="4" cy="3.5" r="1.9" /><circle cx="4" cy="12.5" r="1.9" /><circle cx="12" cy="12.5" r="1.9" /><path d="M4 5.4v5.2M12 3.4v.2M12 7v.2" />`,
    merged: html`<circle cx="4" cy="3.5" r="1.9" /><circle cx="4" cy="12.5" r="1.9" /><circle cx="12" cy="8" r="1.9" /><path d="M4 5.4v5.2M4 5.4c.3 1.8 2 2.6 6.1 2.6" />`,
    closed: html`<circle cx="4" cy="3.5" r="1.9" /><circle cx="4" cy="12.5" r="1.9" /><circle cx="12" cy="12.5" r="1.9" /><path d="M4 5.4v5.2M12 10.6V7.5M10.2 2.2l3.6 3.6M13.8 2.2l-3.6 3.6" />`,
    conflict: html`<path d="M8 1.8 15 14H1ZM8 6.5v3.4M8 12v.2" />`,
  }[state];
  return html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${line}</svg>`;
}
