import type { Page } from "#docs/tree/page-tree.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { PageView, SiteFrame } from "#features/sites/theme/page.ts";

/** Inputs of a page that the frame and the view do not contain. */
interface Made {
  project: SiteProject;
  page: Page;
  /** Changes with everything around the content that the site's files determine. */
  layoutKey: string;
  /** Changes with the files that the content shows, and with their known sizes. */
  mediaKey: string;
  fonts: string;
}

/** The place in the navigation follows from the layout and the route, and is expensive to find. */
export type KeyedView = Omit<PageView, "navigation">;

type Counted = string | number | boolean | null;
type Fields<Of> = { readonly [Field in keyof Of]-?: (value: Of[Field], made: Made) => Counted };

/** Covered by the key of the site's layout: the whole configuration, the navigation and the files that they name. */
const inLayout = () => null;
/** Constant while this process runs. */
const always = () => null;
const asIs = (value: Counted) => value;

// A new field does not compile until it is added here with its effect on the document.
const FRAME: Fields<SiteFrame> = {
  siteName: asIs,
  docs: inLayout,
  files: always,
  origin: asIs,
  ownOrigin: asIs,
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
  // The rest is the content's own.
  css: (_, { fonts }) => fonts,
  editHref: asIs,
  issueHref: asIs,
  changedAt: (at) => at?.getTime() ?? null,
  image: asIs,
  feed: (feed) => JSON.stringify(feed),
};

/**
 * The cache key of a page's HTML document: two requests share a document only if none of its inputs differ. Null when
 * the content must not be cached.
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
