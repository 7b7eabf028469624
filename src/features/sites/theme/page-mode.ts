/** The parts of the theme around a page's content. */
export interface PageMode {
  /** From the front matter; "" for an unknown mode. */
  name: string;
  sidebar: boolean;
  /**
   * Breadcrumb, title and description above the content; links to other pages and the question for feedback below it.
   */
  title: boolean;
  menu: boolean;
  contents: boolean;
  footer: boolean;
}

const WHOLE = { sidebar: true, title: true, menu: true, contents: true, footer: true };

const MODES = new Map<unknown, Partial<PageMode>>([
  ["wide", { contents: false }],
  ["center", { sidebar: false, menu: false, contents: false }],
  ["frame", { title: false, menu: false, contents: false }],
  ["custom", { sidebar: false, title: false, menu: false, contents: false, footer: false }],
]);

/** `mode` in a page's front matter: how much of the theme its author wants. */
export function pageMode(written: unknown): PageMode {
  const mode = MODES.get(written);
  return { ...WHOLE, name: mode === undefined ? "" : String(written), ...mode };
}
