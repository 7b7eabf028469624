import type { JsonObject } from "#docs/json-document.ts";
import type { ProblemList } from "#docs/problems.ts";
import type { Route } from "#docs/routes.ts";
import type { DialectName } from "#docs/dialect.ts";
import type { RepositoryFiles } from "./repository.ts";

/**
 * A documentation tool whose repositories are read as they are. It finds its sites by the tool's own files and reads them
 * without running anything; what computes or is broken is a problem, and the rest is read.
 */
export interface Dialect {
  name: Exclude<DialectName, "native" | "plain">;
  /** As people write it. */
  title: string;
  find(repository: RepositoryFiles): Promise<readonly FoundSite[]> | readonly FoundSite[];
  read(site: FoundSite, context: ReadContext): Promise<ToolSite>;
}

/** Where a site of a tool is. */
export interface FoundSite {
  /** Folder of the tool's configuration, from which links and pictures are resolved. */
  contentRoot: string;
  /** The tool's configuration; null where a tool needs none. */
  file: string | null;
  /** Folders that hold its pages where they are not the content root: what a project may name in its place. */
  content: readonly string[];
  /** No configuration says so: sites that have one come first. */
  isGuessed?: boolean;
  /** Too little to take the repository for a site of the tool: shown only where the project names the folder. */
  isOnlyByName?: boolean;
}

export interface ReadContext {
  repository: RepositoryFiles;
  problems: ProblemList;
}

/** A site as its tool makes it, before its pages are read. All paths but those in `file` are below the content root. */
export interface ToolSite {
  /** Where the content is not all below the configuration's folder: the folder that holds both. */
  contentRoot?: string;
  settings: JsonObject;
  /** The path that the tool puts in front of every address, `/docs`; empty at the root of a host. */
  base: string;
  /** Files where people edit the navigation, and what redirects are written into: for messages. */
  edited: { navigation: string; redirects: string };
  /** Front matter keys that addresses and navigation depend on. */
  keys: readonly string[];
  /** Whether a Markdown file is a page. */
  isPage(path: string): boolean;
  /** Front matter in the words of a `docs.json` site; absent: it is the same. */
  frontMatter?(attributes: Record<string, unknown>): Record<string, unknown>;
  /** A page is called as the navigation calls it, else by its front matter, else by a level-one heading before all others. */
  hasMenuTitles?: boolean;
  /** The addresses of pages, without the base; a page that has none is not shown. */
  routes(pages: readonly ToolPage[]): ReadonlyMap<string, Route>;
  navigation(pages: readonly PlacedPage[]): Menu;
  /** Folders that links to files may begin at: in Docusaurus `/guide.md` is a file of the documents. */
  folders?: readonly string[];
  /** Folders whose files have addresses of their own: `{ folder: "static", at: "" }`. Hidden ones are read because of this. */
  files: readonly { folder: string; at: string }[];
}

/** A page before it has an address. */
export interface ToolPage {
  path: string;
  title: string | null;
  sidebarTitle: string | null;
  hidden: boolean;
  order: number | null;
  /** The values of `keys` in its front matter. */
  written: Readonly<Record<string, unknown>>;
}

export interface PlacedPage extends ToolPage {
  title: string;
  route: Route;
}

export interface Menu {
  /** Null: the navigation follows the folders. */
  entries: readonly MenuEntry[] | null;
  /** Addresses that the tool has without a page of their own, and the pages that are shown there. */
  aliases?: ReadonlyMap<Route, Route>;
}

/** Navigation with the addresses of pages. Sections without an entry are left out later. */
export type MenuEntry = MenuPage | MenuLink | MenuSection;

export interface MenuPage {
  kind: "page";
  route: Route;
  /** Null: the page's own. */
  title: string | null;
}

export interface MenuLink {
  kind: "link";
  title: string;
  href: string;
}

export interface MenuSection {
  kind: "group" | "tab" | "version" | "language";
  title: string;
  language?: string;
  isDefault?: boolean;
  /** Its own page. */
  route?: Route | null;
  href?: string | null;
  children: readonly MenuEntry[];
}
