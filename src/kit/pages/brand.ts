import { raw } from "./markup.ts";

const shapes = (tile: string, line: string) =>
  `<rect width="32" height="32" rx="8" fill="${tile}"/><path d="M10.5 8.5h6a7.5 7.5 0 0 1 0 15h-6z" fill="none" stroke="${line}" stroke-width="3" stroke-linejoin="round"/><path d="M10.5 16h6" stroke="${line}" stroke-width="3" stroke-linecap="round"/>`;

/** The Docent logo: a page in the shape of a D, in the colors of the interface. */
export const LOGO = raw(
  `<svg class="logo" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">${shapes("var(--accent)", "var(--on-accent)")}</svg>`,
);

/** The logo as a data URL for `<link rel="icon">`, which saves a request. */
export const ICON_HREF = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shapes("#0b6e63", "#fff")}</svg>`,
)}`;
