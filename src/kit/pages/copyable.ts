import { html, type Html } from "./markup.ts";

/** A text to copy: one click selects all of it, and with scripts a button copies it. */
export function copyable(id: string, text: string): Html {
  return html`<span class="copyable"><code id="${id}">${text}</code> <button type="button" class="copy" data-copy="${id}" hidden>Copy</button></span>`;
}
