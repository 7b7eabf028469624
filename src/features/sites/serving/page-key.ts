import type { Page } from "#docs/tree/page-tree.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { PageView, SiteFrame } from "#features/sites/theme/page.ts";

/** What is made of a page and its place, as far as the frame and the view do not say it. */
interface Made {
  project: SiteProject;
  page: Page;
  /** Changes with anything around the content that the site's files say. */
  layoutKey: string;
  /** Changes with the files that the content shows, and with what is known of their sizes. */
  mediaKey: string;
  fonts: string;
}

/** Where a page stands in the navigation follows from the layout and its route, and takes long to find out. */
export type KeyedView = Omit<PageView, "navigation">;

type Counted = string | number | boolean | null;
type Fields<Of> = { readonly [Field in keyof Of]-?: (value: Of[Field], made: Made) => Counted };

/** The key of the site's layout says it: all of the configuration, the navigation and the files that they name. */
const inLayout = () => null;
/** The same for as long as this process runs. */
const always = () => null;
const asIs = (value: Counted) => value;

// A field that is missing here does not compile: it has to say how it tells one document from another.
const FRAME: Fields<SiteFrame> = {
  siteName: asIs,
  docs: inLayout,
  files: always,
  origin: asIs,
  base: asIs,
  assetHref: inLayout,
  showsNameBesideLogo: asIs,
  language: ({ tag }) => tag,
  searchedLanguage: asIs,
  notice: (notice) => JSON.stringify(notice),
  authorNotice: (show, { page }) => String(show?.(page.path) ?? ""),
  isPrivate: asIs,
  searchScript: asIs,
  searchFiles: asIs,
  asksForFeedback: asIs,
  apiProxy: asIs,
  drawIcon: inLayout,
  mcpAddress: asIs,
};

const VIEW: Fields<KeyedView> = {
  page: ({ route, path, version, title, awaits }) => JSON.stringify([route, path, version, title, awaits]),
  content: ({ key }) => key,
  // Besides these it is the content's own.
  css: (_, { fonts }) => fonts,
  editHref: asIs,
  issueHref: asIs,
  changedAt: (at) => at?.getTime() ?? null,
  image: asIs,
  feed: (feed) => JSON.stringify(feed),
};

/**
 * What the HTML document of a page is kept by: two requests share it only where nothing that the document is made of is
 * different. Null where the content is not to be kept.
 */
export function pageKey(frame: SiteFrame, view: KeyedView, made: Made): string | null {
  if (view.content.key === null) return null;
  const { project, layoutKey, mediaKey } = made;
  return JSON.stringify([
    "html",
    project.id,
    layoutKey,
    mediaKey,
    counted(FRAME, frame, made),
    counted(VIEW, view, made),
  ]);
}

function counted<Of extends object>(fields: Fields<Of>, values: Of, made: Made): Counted[] {
  return (Object.keys(fields) as (keyof Of)[]).map((field) => fields[field](values[field], made));
}
