import type { LinkCache } from "#docs/links/parsed-file.ts";
import type { AddApiPages, Docs, PageHeads } from "#docs/tree/page-tree.ts";
import type { MarkdownParser } from "#docs/parser.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import type { SecretFinding } from "#lib/secrets/secret-scan.ts";
import type { Edits } from "#tools/virtual-tree.ts";
import type { Finding } from "./finding.ts";
import type { ParsedText } from "./parsed-texts.ts";

export interface GateDeps {
  parser: MarkdownParser;
  findSecrets(text: string): SecretFinding[];
  linkCache: LinkCache;
  /** What is known of pages by their version: a change of one page needs no look at the others. */
  heads?: PageHeads;
  /** A page as people get it; null where it cannot be rendered. Without it nobody looks for words that people do not see. */
  render?:
    | ((page: {
        path: string;
        snapshot: Snapshot;
        contentRoot: string;
      }) => Promise<{ html: string; css: string } | null>)
    | undefined;
  /** Pages that are made of descriptions of APIs: links may lead to them. */
  addApiPages?: AddApiPages | undefined;
}

/** One changed file as text; the empty text when it is not there. */
export interface ChangedText {
  path: string;
  before: string;
  after: string;
}

/** A changed file with what a parser made of it before and after. */
export interface ParsedChange {
  path: string;
  before: ParsedText;
  after: ParsedText;
}

/** A text that the model was shown of a source. */
export interface ShownText {
  source: string;
  text: string;
}

/** A finished change with what it started from, read once for all judges. */
export interface JudgedChange {
  base: Snapshot;
  head: Snapshot;
  before: Docs;
  after: Docs;
  edits: Edits;
  texts: readonly ChangedText[];
  parsed: readonly ParsedChange[];
  changedLines: number;
  /** Words that people may not see stop the publication, by a rule of the project. */
  refusesUnseenWords: boolean;
  /** The instructions that the change answers. */
  prompts: readonly string[];
  /** What the model was shown of sources. */
  shownOfSources: readonly ShownText[];
}

/** An error stops the publication; a warning is shown to the reviewer. */
export interface Judgement extends Finding {
  severity: "error" | "warning";
}

/** Looks at one thing. What was wrong before is not held against the change. */
export type Judge = (deps: GateDeps, change: JudgedChange) => Judgement[] | Promise<Judgement[]>;

export const error = (finding: Finding): Judgement => ({ ...finding, severity: "error" });
export const warning = (finding: Finding): Judgement => ({ ...finding, severity: "warning" });
