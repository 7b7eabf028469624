import { loadDocs } from "#docs/tree/page-tree.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { judgeCopied } from "./copied.ts";
import { judgeDeletions } from "./deletions.ts";
import { judgeFiles } from "./files.ts";
import type { Finding } from "./finding.ts";
import { newHosts } from "./hosts.ts";
import { judgeInvisible } from "./invisible.ts";
import type { ChangedText, GateDeps, Judge, JudgedChange, Judgement, ShownText } from "./judge.ts";
import { judgeLinks } from "./links.ts";
import { judgeLostSentences } from "./lost-sentences.ts";
import { judgeMarkup } from "./markup.ts";
import { judgeNavigation } from "./navigation.ts";
import { judgePages } from "./pages.ts";
import { parseText } from "./parsed-texts.ts";
import { judgeSecrets } from "./secrets.ts";
import { judgeSite } from "./site.ts";
import { judgeSize } from "./size.ts";
import { judgeSurfaces } from "./surfaces.ts";
import { judgeYamlTags } from "./yaml-tags.ts";

export { GATE_CHECKS, type Finding, type GateCheck } from "./finding.ts";
export type { GateDeps } from "./judge.ts";

/** The judges of a change, in the order that their findings are reported in. */
const JUDGES: readonly Judge[] = [
  judgeFiles,
  judgeSite,
  judgeSecrets,
  judgeMarkup,
  judgeYamlTags,
  judgeInvisible,
  judgeSurfaces,
  judgePages,
  judgeNavigation,
  judgeLinks,
  judgeDeletions,
  judgeLostSentences,
  judgeSize,
  judgeCopied,
];

export interface GateReport {
  /** Each stops the publication. */
  errors: Finding[];
  warnings: Finding[];
  /** Hosts that the change links to and the base did not. */
  newHosts: string[];
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
  /** See `JudgedChange`. */
  refusesUnseenWords?: boolean;
  /** The instructions that the change answers, as they were sent. */
  prompts: readonly string[];
  /** What the model was shown of sources. */
  shownOfSources: readonly ShownText[];
}

const PARSED_AT_ONCE = 4;

/**
 * Judges a finished change against what it started from. Everything is relative to `base`: what was broken before is
 * not held against the change.
 */
export async function checkChange(deps: GateDeps, change: CheckedChange): Promise<GateReport> {
  const judged = await readChange(deps, change);
  const found: Judgement[] = [];
  for (const judge of JUDGES) found.push(...(await judge(deps, judged)));
  const those = (wanted: Judgement["severity"]): Finding[] =>
    found.filter(({ severity }) => severity === wanted).map(({ severity: _, ...finding }) => finding);
  return { errors: those("error"), warnings: those("warning"), newHosts: newHosts(judged.parsed) };
}

async function readChange(
  { parser, heads }: GateDeps,
  {
    base,
    head,
    contentRoot,
    changes,
    changedLines,
    refusesUnseenWords = false,
    prompts,
    shownOfSources,
  }: CheckedChange,
): Promise<JudgedChange> {
  const options = { contentRoot, ...(heads && { heads }) };
  const [before, after] = await Promise.all([loadDocs(base, options), loadDocs(head, options)]);
  const texts = changes.map(({ path, before: old, after: now }): ChangedText => ({
    path,
    before: textOf(old),
    after: textOf(now),
  }));
  const parsed = await mapConcurrently(texts, PARSED_AT_ONCE, async ({ path, before: old, after: now }) => ({
    path,
    before: await parseText(parser, path, old),
    after: await parseText(parser, path, now),
  }));
  const edits = new Map(changes.map((change) => [change.path, change.after]));
  return { base, head, before, after, edits, texts, parsed, changedLines, refusesUnseenWords, prompts, shownOfSources };
}

const textOf = (bytes: Uint8Array | null) => (bytes ? new TextDecoder().decode(bytes) : "");

/** The findings as words for the model that made the change. */
export function repairPrompt(errors: readonly Finding[]): string {
  const list = errors.slice(0, 30).map((finding) => {
    const place = finding.path === null ? "" : `${finding.path}${finding.line === null ? "" : `:${finding.line}`} `;
    return `- [${finding.check}] ${place}${finding.message}`;
  });
  if (errors.length > 30) list.push(`- … and ${errors.length - 30} more`);
  return `The change cannot be published yet. Repair these findings, then call finish again:\n${list.join("\n")}`;
}
