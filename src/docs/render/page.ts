import type { DialectName } from "#docs/dialect.ts";
import type { LinkedOperation } from "#docs/api/reading/overview-view.ts";
import type { IconLibrary } from "#docs/navigation-icon.ts";
import type { WrittenFile } from "#docs/links/link-extraction.ts";
import type { MarkdownFormat } from "#docs/parser.ts";
import type { PageRules } from "#docs/page-rules.ts";
import type { ProblemCode } from "#docs/problems.ts";
import type { DollarFormulas } from "./formulas/mark-formulas.ts";

/** The operation of an API that a page documents, for the render process. */
export interface OperationRequest {
  /** Changes exactly when the description does; used as its cache key. */
  documentKey: string;
  method: string;
  path: string;
  /** Languages of code samples, by name; empty for the default ones. */
  languages: readonly string[];
  /** Whether readers can send the request from the page. */
  hasPlayground: boolean;
  /** For the page of an API as a whole: the operations that it links to. */
  listed?: readonly LinkedOperation[];
  /** The description below the page's title, as plain text. */
  lead?: string | null;
  /** Return only Markdown, in a fraction of the time: nothing is printed or colored. */
  isMarkdownOnly?: boolean;
}

/** A page to render, as plain data; what it reads is separate. */
export interface PageToRender {
  operation?: OperationRequest | null;
  /** The page's path relative to the site's root, from which links and snippets are resolved. */
  path: string;
  source: string;
  format: MarkdownFormat;
  /** The tool that the page is written for; absent for native pages. */
  dialect?: DialectName;
  /** What the tool's configuration says about all pages. */
  rules?: Omit<PageRules, "calloutTitles">;
  /** Titles of callouts without one, by their kind, as the tool shows them on this page. */
  calloutTitles?: Readonly<Record<string, string>>;
  /** Folder of the site in its repository: files that other tools include may be outside it. */
  contentRoot?: string;
  /** Language code of the page, as in docs.json; English when absent. */
  language?: string | null;
  /** Values for `{{name}}`. */
  variables?: Readonly<Record<string, string>>;
  /** How text between single dollars is treated; `likely` by default. */
  dollars?: DollarFormulas;
  /** The icon set that is searched first. */
  iconLibrary?: IconLibrary | null;
  /** Files with the site's own styles, read like snippets. */
  stylesheets?: readonly string[];
  /** Whether this page's warnings include what was removed from them. */
  warnsOfStyles?: boolean;
  /** False: code gets no colors, for a caller that only checks the page. */
  isColoured?: boolean;
  /** Whether to return `written`, for a caller that also checks the page's links. */
  readsLinks?: boolean;
}

export interface RenderInput extends PageToRender {
  /** The description that `operation` is part of, as JSON. */
  readDocument?(): Promise<string | null>;
  /**
   * Reads a snippet by its path relative to the site's root, or with a leading slash to the repository's; null when it does
   * not exist. Called only with normalized paths inside the root, at most 100 times per page. Symbolic links are for the
   * reader to refuse.
   */
  readInclude(path: string): Promise<string | null>;
  /** The project that the page belongs to: owners share the render processes fairly. */
  owner?: string;
  signal?: AbortSignal;
}

/** A note to the page's author. */
export interface RenderWarning {
  /** The snippet or style sheet concerned, relative to the site's root; null for the page's own file. */
  path: string | null;
  /** From 1; null when it does not concern one line. */
  line: number | null;
  code: ProblemCode;
  message: string;
}

export interface PageLink {
  /** As printed: root-absolute for pages of this site. */
  href: string;
  /** As the author wrote it. */
  written: string;
  /** In the page's file; null in a snippet. */
  line: number | null;
}

export interface PageImage {
  src: string;
  alt: string | null;
  line: number | null;
}

export interface RenderedOperation {
  /** The same facts as Markdown, after the page's own text. */
  markdown: string;
  /** Scheme and host of each server that the reader can call from the page. */
  origins: string[];
  /** Their addresses, as in the description. */
  servers: string[];
}

export interface RenderedPage {
  /** Safe to embed in a page; see `content.css` for its classes and `data-` hooks. */
  html: string;
  /** Only for the page's content, in addition to `content.css`; contains no `<`. */
  css: string;
  /** From the front matter, else the first level-one heading; null when the page has neither. */
  title: string | null;
  description: string | null;
  frontMatter: Record<string, unknown>;
  /** In document order, with those of snippets. */
  headings: { depth: number; text: string; id: string }[];
  /** Every id that a link can refer to. */
  anchors: string[];
  links: PageLink[];
  images: PageImage[];
  /** The visible text, one line per block, for search. At most 1 MB. */
  text: string;
  warnings: RenderWarning[];
  /** Paths of the snippets that were read or looked for: the page changes when one of them does. */
  includes: string[];
  /** What the link checker needs from the page's file; null if it was not requested, or needs a parse of its own. */
  written: WrittenFile | null;
  /** For a page that documents an operation of an API. */
  operation: RenderedOperation | null;
  /** `repaired`: syntax errors were escaped; `plain`: shown as plain Markdown or as plain text. */
  degraded: "none" | "repaired" | "plain";
}

/** `line` is in the page's file, or in the shared line numbers of all files of the page (`source-lines.ts`). */
export type Warn = (line: number | null, message: string, code: ProblemCode) => void;

const MAX_WARNINGS = 100;
/** Beyond this only the first of each message is kept, so that one cause in a generated page does not hide the others. */
const MAX_WITH_OTHER_CAUSES = 200;
const MAX_SEEN = 10_000;

/** Collects a page's warnings, without duplicates; beyond a limit only their number. */
export class Warnings {
  readonly #list: RenderWarning[] = [];
  readonly #seen = new Set<string>();
  readonly #messages = new Set<string>();
  #more = 0;

  add(at: Pick<RenderWarning, "path" | "line">, message: string, code: ProblemCode): void {
    const key = `${at.path} ${at.line} ${message}`;
    if (this.#seen.has(key)) return;
    if (this.#seen.size < MAX_SEEN) this.#seen.add(key);
    if (this.#list.length >= (this.#messages.has(message) ? MAX_WARNINGS : MAX_WITH_OTHER_CAUSES)) {
      this.#more += 1;
      return;
    }
    this.#messages.add(message);
    this.#list.push({ ...at, code, message: message.slice(0, 500) });
  }

  all(): RenderWarning[] {
    if (this.#more === 0) return this.#list;
    const message = `The page has at least ${this.#more} more warnings.`;
    return [...this.#list, { path: null, line: null, code: "more", message }];
  }
}
