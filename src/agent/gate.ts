import { checkLinks, type Link, type LinkCache } from "#content/links.ts";
import { loadDocs, type Docs } from "#content/page-tree.ts";
import { markdownFormat, type MarkdownParser } from "#content/parser.ts";
import type { Snapshot } from "#content/snapshot.ts";
import type { SecretFinding } from "#lib/secret-scan.ts";
import { unsafeMarkup } from "./unsafe-markup.ts";
import { MAX_CHANGED_FILES, refusedEdits } from "./write-policy.ts";

/** What is checked before anything is published. */
export type GateCheck = "policy" | "secrets" | "markup" | "pages" | "navigation" | "links" | "size";
export const GATE_CHECKS: readonly GateCheck[] = [
  "policy",
  "secrets",
  "markup",
  "pages",
  "navigation",
  "links",
  "size",
];

export interface Finding {
  check: GateCheck;
  path: string | null;
  line: number | null;
  message: string;
}

export interface GateReport {
  /** Each stops the publication. */
  errors: Finding[];
  warnings: Finding[];
  /** Hosts that the change links to and the base did not. */
  newHosts: string[];
}

export interface GateDeps {
  parser: MarkdownParser;
  findSecrets(text: string): SecretFinding[];
  linkCache: LinkCache;
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
}

// A real documentation change touches 2 files at the median, 48 at p99, 488 at most (1,807 commits of an agent).
const WARN_FILES = 50;
const WARN_LINES = 1_000;
// Replacing a product's name everywhere in a large repository is one honest request: 799 of 1,544 files in one of them.
const MAX_LINES = 100_000;

/**
 * Judges a finished change against what it started from. Everything is relative to `base`: what was broken before is
 * not held against the change.
 */
export async function checkChange(
  deps: GateDeps,
  { base, head, contentRoot, changes, changedLines }: CheckedChange,
): Promise<GateReport> {
  const [before, after] = await Promise.all([loadDocs(base, { contentRoot }), loadDocs(head, { contentRoot })]);
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  const edits = new Map(changes.map((change) => [change.path, change.after]));
  for (const message of await refusedEdits(base, edits, before.contentRoot)) {
    errors.push({ check: "policy", path: null, line: null, message });
  }
  checkSize(changes.length, changedLines, errors, warnings);
  const hosts = { before: new Set<string>(), after: new Set<string>() };
  for (const change of changes) {
    const texts = { before: textOf(change.before), after: textOf(change.after) };
    collectHosts(texts.before, hosts.before);
    collectHosts(texts.after, hosts.after);
    errors.push(...newSecrets(deps, change.path, texts), ...newMarkup(change.path, texts));
    errors.push(...(await newParseFailures(deps, change.path, texts)));
  }
  errors.push(...newProblems(before, after));
  errors.push(...(await newBrokenLinks(deps, { base, head, before, after })));
  const newHosts = [...hosts.after].filter((host) => !hosts.before.has(host)).sort();
  return { errors, warnings, newHosts };
}

function checkSize(files: number, lines: number, errors: Finding[], warnings: Finding[]): void {
  const message = `The change touches ${files} files and ${lines} lines.`;
  const finding: Finding = { check: "size", path: null, line: null, message };
  if (files > MAX_CHANGED_FILES || lines > MAX_LINES) {
    errors.push({
      ...finding,
      message: `${message} At most ${MAX_CHANGED_FILES} files and ${MAX_LINES} lines can be reviewed.`,
    });
  } else if (files > WARN_FILES || lines > WARN_LINES) warnings.push(finding);
}

interface Texts {
  before: string;
  after: string;
}

const textOf = (bytes: Uint8Array | null) => (bytes ? new TextDecoder().decode(bytes) : "");

function newSecrets(deps: GateDeps, path: string, { before, after }: Texts): Finding[] {
  const known = new Set(deps.findSecrets(before).map((secret) => secret.excerptRedacted));
  return deps
    .findSecrets(after)
    .filter((secret) => !known.has(secret.excerptRedacted))
    .map((secret) => ({
      check: "secrets",
      path,
      line: secret.line,
      message: `A ${secret.kind} would be published: ${secret.excerptRedacted}`,
    }));
}

function newMarkup(path: string, { before, after }: Texts): Finding[] {
  if (!markdownFormat(path) && !path.endsWith(".svg")) return [];
  const known = new Set(unsafeMarkup(before).map((found) => found.excerpt));
  return unsafeMarkup(after)
    .filter((found) => !known.has(found.excerpt))
    .map((found) => ({ check: "markup", path, line: found.line, message: `${found.reason}: ${found.excerpt}` }));
}

async function newParseFailures(deps: GateDeps, path: string, { before, after }: Texts): Promise<Finding[]> {
  const format = markdownFormat(path);
  if (!format || after === "") return [];
  const outcome = await deps.parser.parse(after, format);
  if (outcome.ok) return [];
  if (before !== "" && !(await deps.parser.parse(before, format)).ok) return [];
  return [
    { check: "pages", path, line: outcome.line, message: `The page can no longer be parsed: ${outcome.message}` },
  ];
}

function newProblems(before: Docs, after: Docs): Finding[] {
  const key = (problem: { path: string; message: string }) => `${problem.path} ${problem.message}`;
  const known = new Set(before.problems.map(key));
  return after.problems
    .filter((problem) => problem.severity === "error" && !known.has(key(problem)))
    .map((problem) => ({ check: "navigation", path: problem.path, line: problem.line, message: problem.message }));
}

const REASONS = {
  no_page: "no such page",
  no_anchor: "no such heading on that page",
  no_asset: "no such file",
} as const;

async function newBrokenLinks(
  deps: GateDeps,
  { base, head, before, after }: { base: Snapshot; head: Snapshot; before: Docs; after: Docs },
): Promise<Finding[]> {
  const options = { parser: deps.parser, cache: deps.linkCache };
  const was = await checkLinks({ ...options, snapshot: base, docs: before });
  const is = await checkLinks({ ...options, snapshot: head, docs: after });
  // Counted by page and address, not by line. What was broken on a page that is gone may turn up where its text went.
  const here = new Tally();
  const moved = new Tally();
  for (const link of was.broken) (after.pagesByPath.has(link.path) ? here : moved).add(tallyKey(link, after));
  const findings: Finding[] = [];
  for (const link of is.broken) {
    if (here.take(`${link.path}\n${link.url}`) || moved.take(link.url)) continue;
    const reason = link.broken ? REASONS[link.broken] : "broken";
    findings.push({
      check: "links",
      path: link.path,
      line: link.line,
      message: `The link to ${link.url} is broken now: ${reason}.`,
    });
  }
  return findings;
}

const tallyKey = (link: Link, after: Docs) =>
  after.pagesByPath.has(link.path) ? `${link.path}\n${link.url}` : link.url;

/** How many of each there are left. */
class Tally {
  readonly #left = new Map<string, number>();

  add(key: string): void {
    this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
  }

  take(key: string): boolean {
    const left = this.#left.get(key) ?? 0;
    if (left > 0) this.#left.set(key, left - 1);
    return left > 0;
  }
}

const HOST = /\bhttps?:\/\/([a-z0-9.-]+\.[a-z]{2,}|\[[0-9a-f:]+\]|\d{1,3}(?:\.\d{1,3}){3})/gi;

function collectHosts(text: string, hosts: Set<string>): void {
  for (const match of text.matchAll(HOST)) hosts.add(match[1]!.toLowerCase());
}

/** The findings as words for the model that made the change. */
export function repairPrompt(errors: readonly Finding[]): string {
  const list = errors.slice(0, 30).map((finding) => {
    const place = finding.path === null ? "" : `${finding.path}${finding.line === null ? "" : `:${finding.line}`} `;
    return `- [${finding.check}] ${place}${finding.message}`;
  });
  if (errors.length > 30) list.push(`- … and ${errors.length - 30} more`);
  return `The change cannot be published yet. Repair these findings, then call finish again:\n${list.join("\n")}`;
}
