/** What stands around the content of a page. */
export interface PageMode {
  /** As the front matter says it; "" where it says none that we know. */
  name: string;
  sidebar: boolean;
  /** Trail, title and description above the content; links to other pages and the question for feedback below it. */
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

/** `mode` of a page's front matter: how much of the theme its author wants. */
export function pageMode(written: unknown): PageMode {
  const mode = MODES.get(written);
  return { ...WHOLE, name: mode === undefined ? "" : String(written), ...mode };
}
