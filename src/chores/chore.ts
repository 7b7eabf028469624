import { createHash } from "node:crypto";
import type { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { SECRET_MASK } from "#lib/secrets/secret-scan.ts";
import { createLruCache, type LruCache } from "#lib/lru-cache.ts";
import { defineTool, type Tool, type ToolEnvironment, type ToolResult } from "#tools/tool.ts";
import { count, done, refused } from "#tools/outcome.ts";
import { BrokenConfiguration, configurationProblem } from "./edits/navigation/config-document.ts";
import { createWorkspace, type DocsCaches, type SkippedPage, type Workspace } from "./edits/workspace.ts";

/** The result of a chore: lines for the pull request's description, and details for the model. */
export interface ChoreReport {
  /** One line in the past tense. */
  summary: string;
  /** Notes for the reviewer, such as what was left unchanged and where. One Markdown line each. */
  notes: string[];
  details?: Record<string, unknown>;
}

/** A refusal with a question: `answers` are sentences to send. Several start with a line that no rule reads as a request. */
export class NeedsAnswer extends AppError {
  readonly answers: string | null;

  constructor(message: string, answers: readonly string[]) {
    super("invalid", message);
    this.answers = answers.length > 1 ? ["Send one of these:", ...answers].join("\n") : (answers[0] ?? null);
  }
}

/** A deterministic job on the docs. It either fails as a whole, by throwing `AppError`, or does everything it reports. */
export interface Chore<Input> {
  name: string;
  description: string;
  input: z.ZodType<Input>;
  mutates: boolean;
  /** Only callable by name: models have other tools for the same. */
  isForCallers?: true;
  /** It reports unreadable pages itself. */
  listsSkipped?: true;
  /** Whether its outcome depends on more than the files, such as their history. */
  readsMore?(input: Input): boolean;
  run(input: Input, workspace: Workspace): Promise<ChoreReport>;
}

/** What all chores share. Parse results are cached by content, for the next chore. */
export interface ChoreDeps {
  caches: DocsCaches;
  /** Outcomes by input, state of the tree and content root: a chore that was tried (`check_chores`) is not computed again. */
  outcomes: LruCache<string, ChoreOutcome>;
}

/** The outcome of a chore: its result and the files that it wrote or removed. */
export interface ChoreOutcome {
  result: ToolResult;
  edits: ReadonlyMap<string, Uint8Array | null>;
}

const MAX_LISTED = 100;
const MAX_NOTES = 40;
const MAX_SKIPPED = 25;
const MAX_SKIPPED_IN_REFUSAL = 3;
const MAX_REASON = 300;
// The median change of the docs is 2 files; only a rewrite of most pages is computed twice.
const MAX_OUTCOME_BYTES = 8 * 1024 * 1024;

const MASKED_WORDS =
  `The words hold a credential, shown to an agent as "${SECRET_MASK}": a person makes this change, or leaves the ` +
  `credential out. Where "${SECRET_MASK}" itself is meant, send the change as a patch (apply_patch).`;

export function createChoreDeps(caches: DocsCaches): ChoreDeps {
  const weigh = ({ edits }: ChoreOutcome) =>
    [...edits.values()].reduce((sum, bytes) => sum + (bytes?.length ?? 0), 1_000);
  return { caches, outcomes: createLruCache({ maxWeight: MAX_OUTCOME_BYTES, weigh }) };
}

/** Creates the tool; `chore` is the information for callers. */
export type ChoreTool = ((deps: ChoreDeps) => Tool) & { chore: ChoreFacts };

export type ChoreFacts = Pick<Tool, "name" | "description" | "input" | "mutates">;

/**
 * Declares a chore. Its tool works on a fork, and its edits are merged into the tree only on success. Chores are pure
 * functions of their input and the tree, so an outcome can be reused, except for chores that read history.
 */
export function choreTool<Input>(chore: Chore<Input>): ChoreTool {
  const toolOf = ({ caches, outcomes }: ChoreDeps) =>
    defineTool<Input>({
      name: chore.name,
      description: chore.description,
      input: chore.input,
      mutates: chore.mutates,
      ...(chore.isForCallers && { forRules: true }),
      async run(input, environment) {
        const { tree } = environment;
        // The words of a prompt, in which a credential was replaced: written, they would not be what the caller sent.
        if (!chore.isForCallers && JSON.stringify(input).includes(SECRET_MASK))
          return refused(`${chore.name} changed nothing`, MASKED_WORDS);
        const key = chore.readsMore?.(input) ? null : await outcomeKey(chore.name, input, environment);
        const known = key === null ? undefined : outcomes.get(key);
        const outcome = known ?? (await workOut(chore, input, () => createWorkspace(environment, caches)));
        if (key !== null && outcome.result.ok) outcomes.set(key, outcome);
        for (const [path, bytes] of outcome.edits) {
          if (bytes === null) tree.remove(path);
          else tree.write(path, bytes);
        }
        return outcome.result;
      },
    });
  const { name, description, input, mutates } = chore;
  return Object.assign(toolOf, { chore: { name, description, input, mutates } });
}

async function workOut<Input>(
  chore: Chore<Input>,
  input: Input,
  openWorkspace: () => Workspace,
): Promise<ChoreOutcome> {
  const workspace = openWorkspace();
  try {
    const report = await chore.run(input, workspace);
    const changed = workspace.changed();
    const skipped = workspace.skipped().filter(({ path }) => !changed.includes(path));
    const edits = new Map<string, Uint8Array | null>();
    for (const path of changed) edits.set(path, await workspace.tree.read(path));
    const named = chore.listsSkipped ? [] : skipped;
    const fate = chore.mutates ? "had to be left" : "could not be read";
    const left = named.length === 0 ? "" : `; ${count(named.length, "page")} ${fate}`;
    const summary = report.summary + left;
    const result = done(summary, {
      summary,
      notes: shorten([...skippedNotes(named), ...report.notes], MAX_NOTES),
      changed: changed.slice(0, MAX_LISTED),
      changedCount: changed.length,
      ...report.details,
    });
    return { result: masked(result, workspace), edits };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "internal" || error.code === "unavailable") throw error;
    const notes = skippedNotes(workspace.skipped()).slice(0, MAX_SKIPPED_IN_REFUSAL);
    const refusal = await refusalOf(chore.name, error, { workspace: openWorkspace(), notes });
    return { result: masked(refusal, workspace), edits: new Map() };
  }
}

const masked = (result: ToolResult, workspace: Workspace): ToolResult =>
  JSON.parse(workspace.masked(JSON.stringify(result))) as ToolResult;

/** An unreadable configuration may be the cause: pages and groups are then not where it would put them. */
async function refusalOf(
  name: string,
  error: AppError,
  { workspace, notes }: { workspace: Workspace; notes: readonly string[] },
): Promise<ToolResult> {
  const summary = `${name} changed nothing`;
  const problem = await configurationProblem(workspace);
  if (problem === null)
    return refused(summary, [error.message, ...notes].join(" "), error instanceof NeedsAnswer ? error.answers : null);
  const message =
    error instanceof BrokenConfiguration ? error.message : `${error.message} ${problem}, which may be the reason.`;
  return refused(summary, message, `${problem}. Correct that file first, then send the instruction again.`);
}

async function outcomeKey(
  name: string,
  input: unknown,
  { tree, contentRoot }: Pick<ToolEnvironment, "tree" | "contentRoot">,
): Promise<string> {
  const hash = createHash("sha256").update(`${name}\0${JSON.stringify(input)}\0${JSON.stringify(contentRoot)}`);
  for (const { path, version, kind } of await tree.files()) hash.update(`\0${path}\0${version}\0${kind}`);
  return hash.digest("base64url");
}

/** A line of the report for each skipped page. */
function skippedNotes(pages: readonly SkippedPage[]): string[] {
  const shown = pages.slice(0, MAX_SKIPPED).map(({ path, line, reason }) => {
    const why = reason.replaceAll(/\s+/g, " ").slice(0, MAX_REASON);
    return `\`${path}${line === null ? "" : `:${line}`}\` ${why}.`;
  });
  return pages.length > shown.length ? [...shown, `… and ${count(pages.length - shown.length, "page")} more.`] : shown;
}

function shorten(notes: string[], limit: number): string[] {
  return notes.length <= limit ? notes : [...notes.slice(0, limit), `… and ${notes.length - limit} more.`];
}
