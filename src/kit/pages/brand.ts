import { raw } from "./markup.ts";

const shapes = (tile: string, line: string) =>
  `<rect width="32" height="32" rx="8" fill="${tile}"/><path d="M10.5 8.5h6a7.5 7.5 0 0 1 0 15h-6z" fill="none" stroke="${line}" stroke-width="3" stroke-linejoin="round"/><path d="M10.5 16h6" stroke="${line}" stroke-width="3" stroke-linecap="round"/>`;

/** The mark of Docent: a page that is a D, in the colours of the interface. */
export const LOGO = raw(
  `<svg class="logo" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">${shapes("var(--accent)", "var(--on-accent)")}</svg>`,
);

/** The same as an address for `<link rel="icon">`, so that a tab needs no request. */
export const ICON_HREF = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shapes("#0b6e63", "#fff")}</svg>`,
)}`;
