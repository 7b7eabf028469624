import type { DialectName } from "#docs/dialect.ts";
import type { LinkedOperation } from "#docs/api/reading/overview-view.ts";
import type { IconLibrary } from "#docs/navigation-icon.ts";
import type { WrittenFile } from "#docs/links/link-extraction.ts";
import type { MarkdownFormat } from "#docs/parser.ts";
import type { ProblemCode } from "#docs/problems.ts";
import type { DollarFormulas } from "./formulas/mark-formulas.ts";

/** The operation of an API that a page documents, for the render process. */
export interface OperationRequest {
  /** The same exactly as long as the description is: it is kept by this. */
  documentKey: string;
  method: string;
  path: string;
  /** Languages of code samples, by name; empty for those that are shown unasked. */
  languages: readonly string[];
  /** Whether readers can send the request from the page. */
  hasPlayground: boolean;
  /** Of the page of an API as a whole: what it links to. */
  listed?: readonly LinkedOperation[];
  /** The description that the page shows below its title, in words alone. */
  lead?: string | null;
  /** Only its Markdown is wanted, which takes a fraction of the time: nothing is printed or coloured. */
  isMarkdownOnly?: boolean;
}

export interface RenderInput {
  /** The description that `operation` is part of, as JSON. */
  readDocument?(): Promise<string | null>;
  operation?: OperationRequest | null;
  /** The page's path relative to the site's root: links and snippets are resolved from it. */
  path: string;
  source: string;
  format: MarkdownFormat;
  /** The tool that the page is written for; a page of ours when absent. */
  dialect?: DialectName;
  /** Folder of the site in its repository: files that other tools include may lie outside it. */
  contentRoot?: string;
  /**
   * Reads a snippet by its path relative to the site's root, or with a leading slash to the repository's; null when there is none. It is asked only for normalised
   * paths inside the root, at most 100 times a page; following symbolic links is the reader's to refuse.
   */
  readInclude(path: string): Promise<string | null>;
  /** Code of the language that the page is in, as a docs.json has it; English when absent. */
  language?: string | null;
  /** Values for `{{name}}`. */
  variables?: Readonly<Record<string, string>>;
  /** What stands between single dollars; `likely` unless the site's configuration says otherwise. */
  dollars?: DollarFormulas;
  /** The set that icons are looked for in first. */
  iconLibrary?: IconLibrary | null;
  /** Files with the site's own styles, read as snippets are. */
  stylesheets?: readonly string[];
  /** Whether what is left out of them is told among this page's warnings. */
  warnsOfStyles?: boolean;
  /** False: its code stays without colours, for a caller that wants to know what the page has wrong. */
  isColoured?: boolean;
  /** Whether `written` is wanted, for a caller that checks the page's links as well. */
  readsLinks?: boolean;
  /** Whose page it is (a project): owners share the render processes fairly. */
  owner?: string;
  signal?: AbortSignal;
}

/** A note to the page's author. */
export interface RenderWarning {
  /** The snippet or style sheet that it is about, relative to the site's root; null: the page's own file. */
  path: string | null;
  /** From 1; null when it is not about one place. */
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
  /** The same facts as Markdown, below the page's own text. */
  markdown: string;
  /** Scheme and host of each server that the page lets its reader call. */
  origins: string[];
  /** Their addresses, as the description names them. */
  servers: string[];
}

export interface RenderedPage {
  /** Safe to put into a page as it is; see `content.css` for its classes and `data-` hooks. */
  html: string;
  /** For the page's content alone, besides `content.css`; holds no `<`. */
  css: string;
  /** From the front matter, else the first level-one heading; null when the page has neither. */
  title: string | null;
  description: string | null;
  frontMatter: Record<string, unknown>;
  /** In document order, with those of snippets. */
  headings: { depth: number; text: string; id: string }[];
  /** Every id that a link can lead to. */
  anchors: string[];
  links: PageLink[];
  images: PageImage[];
  /** The text that a reader sees, a line per block, for search. At most 1 MB. */
  text: string;
  warnings: RenderWarning[];
  /** Paths of the snippets that were read or looked for: the page changes when one of them does. */
  includes: string[];
  /** What the link checker needs of the page's file; null where that was not asked for, or takes a parse of its own. */
  written: WrittenFile | null;
  /** Of a page that documents an operation of an API. */
  operation: RenderedOperation | null;
  /** `repaired`: syntax errors were escaped; `plain`: it is shown as plain Markdown or as plain text. */
  degraded: "none" | "repaired" | "plain";
}

/** `line` is in the page's file, or in the space of lines of all files of the page (`source-lines.ts`). */
export type Warn = (line: number | null, message: string, code: ProblemCode) => void;

const MAX_WARNINGS = 100;
/** Then only the first of each message, so that one cause in a page made by a program does not hide the others. */
const MAX_WITH_OTHER_CAUSES = 200;
const MAX_SEEN = 10_000;

/** Collects a page's warnings, without repeats; beyond a bound only their number. */
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
