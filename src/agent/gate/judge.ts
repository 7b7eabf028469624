import type { Root } from "mdast";
import type { LinkCache } from "#docs/links/parsed-file.ts";
import type { AddApiPages, Docs, PageHeads } from "#docs/tree/page-tree.ts";
import { type MarkdownParser, markdownFormat } from "#docs/parser.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import type { SecretFinding } from "#lib/secrets/secret-scan.ts";
import type { Edits } from "#tools/virtual-tree.ts";

/** What is checked before anything is published, in the order that people read it in. */
export const GATE_CHECKS = [
  "policy",
  "secrets",
  "markup",
  "invisible",
  "surfaces",
  "pages",
  "navigation",
  "links",
  "deletions",
  "size",
] as const;

export type GateCheck = (typeof GATE_CHECKS)[number];

/** Something that a check has against a change. */
export interface Finding {
  check: GateCheck;
  path: string | null;
  line: number | null;
  message: string;
}

export interface GateDeps {
  parser: MarkdownParser;
  findSecrets(text: string): SecretFinding[];
  linkCache: LinkCache;
  /** What is known of pages by their version: a change of one page needs no look at the others. */
  heads?: PageHeads;
  /** A page as people get it; null where it cannot be rendered. Without it nobody looks for words that people do not see. */
  render?:
    | ((page: { path: string; snapshot: Snapshot; docs: Docs }) => Promise<{ html: string; css: string } | null>)
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

export interface Change {
  path: string;
  /** Null when the file is new. */
  before: Uint8Array | null;
  /** Null when the file is gone. */
  after: Uint8Array | null;
}

export interface CheckedChange {
  base: Snapshot;
  head: Snapshot;
  /** Folder of the docs as the project's settings name it; null where the repository itself says it. */
  contentRoot: string | null;
  changes: readonly Change[];
  changedLines: number;
  /** Words that people may not see stop the publication, by a rule of the project. */
  refusesUnseenWords?: boolean;
  /** The instructions that the change answers, as they were sent. */
  prompts: readonly string[];
  /** What the model was shown of sources. */
  shownOfSources: readonly ShownText[];
}

/** A finished change with what it started from, read once for all judges. */
export interface JudgedChange extends Omit<Required<CheckedChange>, "contentRoot" | "changes"> {
  before: Docs;
  after: Docs;
  edits: Edits;
  texts: readonly ChangedText[];
  parsed: readonly ParsedChange[];
}

/** An error stops the publication; a warning is shown to the reviewer. */
export interface Judgement extends Finding {
  severity: "error" | "warning";
}

/** Looks at one thing. What was wrong before is not held against the change. */
export type Judge = (deps: GateDeps, change: JudgedChange) => Judgement[] | Promise<Judgement[]>;

export const error = (finding: Finding): Judgement => ({ ...finding, severity: "error" });
export const policyError = (path: string | null, message: string): Judgement =>
  error({ check: "policy", path, line: null, message });
export const warning = (finding: Finding): Judgement => ({ ...finding, severity: "warning" });

/** A text with its syntax tree; without one where it is no page, where it is empty, and where it does not parse. */
export interface ParsedText {
  source: string;
  root: Root | null;
  failure: { line: number | null; message: string } | null;
}

export async function parseText(parser: MarkdownParser, path: string, source: string): Promise<ParsedText> {
  const format = markdownFormat(path);
  if (format === null || source === "") return { source, root: null, failure: null };
  const outcome = await parser.parse(source, format);
  return outcome.ok
    ? { source, root: outcome.root, failure: null }
    : { source, root: null, failure: { line: outcome.line, message: outcome.message } };
}

/** Counts what was there before: as many of each are not new. */
export class Multiset {
  readonly #left = new Map<string, number>();

  constructor(keys: Iterable<string>) {
    for (const key of keys) this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
  }

  /** Whether one of these was left. */
  remove(key: string): boolean {
    const left = this.#left.get(key) ?? 0;
    if (left > 0) this.#left.set(key, left - 1);
    return left > 0;
  }
}
