import { checkLinks, type Link, type LinkCache } from "#content/links.ts";
import { loadDocs, type Docs } from "#content/page-tree.ts";
import type { MarkdownParser } from "#content/parser.ts";
import type { Snapshot } from "#content/snapshot.ts";
import type { SecretFinding } from "#lib/secret-scan.ts";
import { changedSettings } from "./config-changes.ts";
import { type ChangedText, inspectChange } from "./change-inspection.ts";
import type { Finding, GateCheck } from "./finding.ts";
import { MAX_CHANGED_FILES, refusedEdits } from "./write-policy.ts";

export type { Finding, GateCheck } from "./finding.ts";

export const GATE_CHECKS: readonly GateCheck[] = [
  "policy",
  "secrets",
  "markup",
  "pages",
  "navigation",
  "links",
  "size",
];

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
  const texts = changes.map(({ path, before: old, after: now }): ChangedText => ({
    path,
    before: textOf(old),
    after: textOf(now),
  }));
  errors.push(...newSecrets(deps, texts));
  const { findings, newHosts } = await inspectChange(deps.parser, texts);
  errors.push(...findings, ...newProblems(before, after));
  errors.push(...(await newBrokenLinks(deps, { base, head, before, after })));
  const settings = changedSettings(texts, [before.configFile, after.configFile]);
  errors.push(...settings.errors);
  warnings.push(...settings.warnings);
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

const textOf = (bytes: Uint8Array | null) => (bytes ? new TextDecoder().decode(bytes) : "");

/** A secret that was there before, in whichever of the files, may move with the text around it. */
function newSecrets(deps: GateDeps, texts: readonly ChangedText[]): Finding[] {
  const known = new Set(
    texts.flatMap(({ before }) => deps.findSecrets(before).map((secret) => secret.excerptRedacted)),
  );
  return texts.flatMap(({ path, after }) =>
    deps
      .findSecrets(after)
      .filter((secret) => !known.has(secret.excerptRedacted))
      .map(({ kind, line, excerptRedacted }) => {
        const message = `A ${kind} would be published: ${excerptRedacted}`;
        return { check: "secrets" as const, path, line, message };
      }),
  );
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
  const changed = is.broken.filter((link) => !here.take(`${link.path}\n${link.url}`) && !moved.take(link.url));
  // A link whose page was not found, and now only its heading is not: better than before, though not good.
  const halfRepaired = new Tally();
  for (const link of was.broken) {
    if (link.broken === "no_page" && here.take(tallyKey(link, after))) halfRepaired.add(headingKey(link));
  }
  const findings: Finding[] = [];
  for (const link of changed) {
    if (link.broken === "no_anchor" && halfRepaired.take(headingKey(link))) continue;
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

const headingKey = ({ path, url }: Link) => `${path}\n${url.replace(/^[^#]*/, "")}`;

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

/** The findings as words for the model that made the change. */
export function repairPrompt(errors: readonly Finding[]): string {
  const list = errors.slice(0, 30).map((finding) => {
    const place = finding.path === null ? "" : `${finding.path}${finding.line === null ? "" : `:${finding.line}`} `;
    return `- [${finding.check}] ${place}${finding.message}`;
  });
  if (errors.length > 30) list.push(`- … and ${errors.length - 30} more`);
  return `The change cannot be published yet. Repair these findings, then call finish again:\n${list.join("\n")}`;
}
