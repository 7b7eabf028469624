import type { Root } from "mdast";
import type { LinkCache } from "#docs/links/parsed-file.ts";
import type { AddApiPages, Docs, PageHeads } from "#docs/tree/page-tree.ts";
import { type MarkdownParser, markdownFormat } from "#docs/parser.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import type { SecretFinding } from "#lib/secrets/secret-scan.ts";
import type { Edits } from "#tools/virtual-tree.ts";

/** The checks before publication, in the order of their presentation. */
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

/** An objection of a check to a change. */
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
  /** Cached facts about pages by version, so that a change of one page does not read the others. */
  heads?: PageHeads;
  /** The rendered page; null if it cannot be rendered. Without this function, hidden words are not checked. */
  render?:
    | ((page: { path: string; snapshot: Snapshot; docs: Docs }) => Promise<{ html: string; css: string } | null>)
    | undefined;
  /** Adds pages generated from API descriptions, which links may target. */
  addApiPages?: AddApiPages | undefined;
}

/** One changed file as text; a missing file is an empty text. */
export interface ChangedText {
  path: string;
  /** The former path of a page that the change renamed. */
  from?: string;
  before: string;
  after: string;
}

/** A changed file, parsed before and after the change. */
export interface ParsedChange {
  path: string;
  before: ParsedText;
  after: ParsedText;
}

/** A text of a source that the model was shown. */
export interface ShownText {
  source: string;
  text: string;
}

export interface Change {
  path: string;
  /** Null if the file is new. */
  before: Uint8Array | null;
  /** Null if the file is deleted. */
  after: Uint8Array | null;
}

export interface CheckedChange {
  base: Snapshot;
  head: Snapshot;
  /** Folder of the docs in the project's settings; null if the repository determines it. */
  contentRoot: string | null;
  changes: readonly Change[];
  changedLines: number;
  /** Project rule: hidden words prevent publication. */
  refusesUnseenWords?: boolean;
  /** The instructions of the change, verbatim. */
  prompts: readonly string[];
  /** Texts of sources that the model was shown. */
  shownOfSources: readonly ShownText[];
  /** Whether a person asked for the site to be moved from another tool to a docs.json, by the chore for that. */
  movesSite?: boolean;
}

/** A finished change and its base, read once for all judges. */
export interface JudgedChange extends Omit<Required<CheckedChange>, "contentRoot" | "changes"> {
  before: Docs;
  after: Docs;
  edits: Edits;
  texts: readonly ChangedText[];
  parsed: readonly ParsedChange[];
}

/** An error prevents publication; a warning is shown to the reviewer. */
export interface Judgement extends Finding {
  severity: "error" | "warning";
}

/** One check. Problems that already existed are not held against the change. */
export type Judge = (deps: GateDeps, change: JudgedChange) => Judgement[] | Promise<Judgement[]>;

export const error = (finding: Finding): Judgement => ({ ...finding, severity: "error" });
export const policyError = (path: string | null, message: string): Judgement =>
  error({ check: "policy", path, line: null, message });
export const warning = (finding: Finding): Judgement => ({ ...finding, severity: "warning" });

/** A text with its syntax tree, which is null if the text is empty, not a page, or cannot be parsed. */
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

/** Counts existing items: as many of each after the change are not new. */
export class Multiset {
  readonly #left = new Map<string, number>();

  constructor(keys: Iterable<string>) {
    for (const key of keys) this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
  }

  /** Removes one occurrence of a key; false if none is left. */
  remove(key: string): boolean {
    const left = this.#left.get(key) ?? 0;
    if (left > 0) this.#left.set(key, left - 1);
    return left > 0;
  }
}
