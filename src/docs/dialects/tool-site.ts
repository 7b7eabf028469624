import type { JsonObject } from "#docs/json-document.ts";
import type { PageRules } from "#docs/page-rules.ts";
import type { Place, ProblemList } from "#docs/problems.ts";
import type { Route } from "#docs/routes.ts";
import type { DialectName } from "#docs/dialect.ts";
import type { RepositoryFiles } from "./repository.ts";

/**
 * A documentation tool whose repositories are read unchanged. It finds its sites by the tool's own files and reads them
 * without running anything. Computed and broken parts are problems, and the rest is read.
 */
export interface Dialect {
  name: Exclude<DialectName, "native" | "plain">;
  /** The tool's name as its authors write it. */
  title: string;
  find(repository: RepositoryFiles): Promise<readonly FoundSite[]> | readonly FoundSite[];
  read(site: FoundSite, context: ReadContext): Promise<ToolSite>;
}

/** The location of a site of a tool. */
export interface FoundSite {
  /** Folder of the tool's configuration, from which links and images are resolved. */
  contentRoot: string;
  /** The tool's configuration; null if the tool needs none. */
  file: string | null;
  /** Folders of pages other than the content root, which a project may name instead. */
  content: readonly string[];
  /** Whether this is guessed without a configuration: sites with one take precedence. */
  isGuessed?: boolean;
  /** Whether this is too little evidence of the tool: the site is shown only if the project names the folder. */
  isOnlyByName?: boolean;
}

export interface ReadContext {
  repository: RepositoryFiles;
  problems: ProblemList;
}

/** A site as its tool builds it, before its pages are read. All paths except those in `file` are relative to the content root. */
export interface ToolSite {
  /** The folder that holds both the content and the configuration, if not all content is below the latter's folder. */
  contentRoot?: string;
  settings: JsonObject;
  /** What the configuration changes about the content of pages; absent for nothing. */
  rules?: PageRules;
  /** The path that prefixes every address, `/docs`; empty at the root of a host. */
  base: string;
  edited: EditedFiles;
  /** Front matter keys that addresses and navigation depend on. */
  keys: readonly string[];
  /** Whether a Markdown file is a page. */
  isPage(path: string): boolean;
  /** Whether the author marked the page as a draft that the tool does not build: it has no address. */
  isDraft?(page: ToolPage): boolean;
  /** Translates front matter to that of a `docs.json` site; absent if it is the same. */
  frontMatter?(attributes: Record<string, unknown>): Record<string, unknown>;
  /** Keys in a page's front matter that have an effect in the tool and none here; absent for none. */
  ignoredKeys?(attributes: Record<string, unknown>): string[];
  /** A page's title comes from the navigation, else from its front matter, else from a level-one heading before all others. */
  hasMenuTitles?: boolean;
  /** The addresses of pages, without the base. A page without one is not shown. */
  routes(pages: readonly ToolPage[]): ReadonlyMap<string, Route>;
  navigation(pages: readonly PlacedPage[]): Menu;
  /** Folders that root-absolute links to files are resolved in: in Docusaurus `/guide.md` is a file of the documents. */
  folders?: readonly string[];
  /** Folders that are served at a path: `{ folder: "static", at: "" }`. They are read even if hidden. */
  files: readonly { folder: string; at: string }[];
}

/** The files to edit for the navigation and for redirects. */
export interface EditedFiles {
  /** As messages name them. */
  navigation: string;
  redirects: string;
  /** What chores can edit; absent where the tool has another form of navigation than they know. */
  chores?: {
    /** The folder that contains the pages and that the navigation names them from. */
    pages: string;
    /** The file with the navigation; null if that is generated from the folders. */
    navigation: string | null;
    /** The file with the redirects; null if there is none that chores can edit. */
    redirects: string | null;
  };
}

/** A page that has no address yet. */
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
  /** Null to derive the navigation from the folders. */
  entries: readonly MenuEntry[] | null;
  /** Addresses of the tool without a page of their own, and the pages shown there. */
  aliases?: ReadonlyMap<Route, Route>;
  /** The titles that the navigation gives to pages, in a tool whose pages take theirs from it. */
  titles?: ReadonlyMap<Route, string>;
}

/** Navigation with the addresses of pages. Empty sections are left out later. */
export type MenuEntry = MenuPage | MenuLink | MenuSection;

export interface MenuPage {
  kind: "page";
  route: Route;
  /** Null for the page's own title. */
  title: string | null;
  /** Absent for the page's own tag. */
  tag?: string | null;
  /** The reference of an entry whose page does not exist, and its place if that is not the configuration; its route is "". */
  missing?: { name: string; at?: Place };
}

export interface MenuLink {
  kind: "link";
  title: string;
  href: string;
}

export interface MenuSection {
  kind: "group" | "tab" | "version" | "language";
  title: string;
  tag?: string | null;
  language?: string;
  isDefault?: boolean;
  /** Its own page. */
  route?: Route | null;
  href?: string | null;
  children: readonly MenuEntry[];
}
