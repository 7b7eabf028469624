import { loadDocsConfig } from "#docs/config/docs-config.ts";
import { parserOf } from "#docs/parser.ts";
import { z } from "zod";
import type { Finding } from "#agent/gate/gate.ts";
import { runTool } from "#agent/tool-call.ts";
import { type CalledChore, movesSite } from "#agent/toolbox/chore-calls.ts";
import { createSourceReader } from "#tools/source-reader.ts";
import { createVirtualTree } from "#tools/virtual-tree.ts";
import { readHistory } from "#tools/history.ts";
import type { ToolEnvironment } from "#tools/tool.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { FileChange, ObjectId } from "#git/repo-store.ts";
import { parsePatch } from "#git/history/diff.ts";
import type { CodeHost } from "#hosts/code-host.ts";
import { listSources } from "#hosts/sources/sources.ts";
import { AppError } from "#lib/app-error.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import { requestWordsOf } from "#features/jobs/chore-messages.ts";
import { cutText } from "#lib/cut-text.ts";
import { docsOf } from "#features/jobs/turn/turn-view.ts";
import { checkAgainst } from "#features/jobs/turn/turn-check.ts";
import type { TurnStepsDeps } from "#features/jobs/turn/turn-loop.ts";
import { type ChangedLine, changedLinesIn } from "./changed-lines.ts";

export type TryDeps = Pick<
  TurnStepsDeps,
  "database" | "repoStore" | "parser" | "readApi" | "tools" | "limits" | "gate" | "redact" | "logger" | "renderPage"
> & { codeHost: Pick<CodeHost, "fetchBranch"> };

export interface TriedChore {
  chore: string;
  ok: boolean;
  /** What it would do, or why it cannot be done. */
  summary: string;
  notes: string[];
  hint: string | null;
}

export interface TriedFile extends FileChange {
  places: ChangedLine[];
  /** Places of the file that are not among `places`. */
  morePlaces: number;
}

/** What chores would change. If one of them cannot be done, nothing would change. */
export interface Trial {
  ok: boolean;
  commit: ObjectId;
  chores: TriedChore[];
  files: TriedFile[];
  moreFiles: number;
  diff: string;
  /** Number of changed files that are not in `diff`. */
  diffLeftOut: number;
  /** `leftOut`: number of findings that are not listed. */
  findings: { errors: Finding[]; warnings: Finding[]; leftOut: number };
  /** The changed pages as readers would see them, if requested. */
  pages?: TriedPage[];
  /** The tree that results, if requested and the chores change something. No reference keeps it. */
  tree?: ObjectId;
}

export interface TriedPage {
  path: string;
  title: string | null;
  text: string;
  problems: string[];
}

const MAX_FILES = 1_000;
const MAX_DIFF_FILES = 100;
const MAX_DIFF_LINES = 3_000;
const MAX_DIFF_BYTES = 512 * 1024;
const MAX_PLACES = 50;
const MAX_FINDINGS = 50;
const MAX_PAGES = 5;
const MAX_PAGE_TEXT = 4_000;
/** A user waits for the result, and the whole server runs only two trials at once. */
const LONGEST_TRIAL_MS = 60_000;

/** Runs trials, one at a time per project: a trial costs as much as the work itself. */
export function createTrials() {
  const places = createFairPlaces({ places: 2, perOwner: 1, maxWaiting: 8 });
  return (deps: TryDeps, trial: TrialRequest): Promise<Trial> =>
    places.run(trial.project.id, () => tryChores(deps, trial));
}

/** On the tip of a branch, or on a commit. */
type TrialBase = { ref: string } | { commit: ObjectId };

export type WantedTrial = TrialBase & {
  chores: readonly CalledChore[];
  signal: AbortSignal;
  /** Skips the checks of a pull request, which take 10 s on a site of 300 pages that was not read before. */
  withoutChecks?: boolean;
  /** Also returns the changed pages as readers would see them. */
  withPages?: boolean;
  /** Also returns the tree that results. */
  withTree?: boolean;
};

export type TrialRequest = WantedTrial & { project: Project };

/** Carries out chores on a copy of a branch's files and returns what would change. `AppError invalid` for an unknown branch. */
async function tryChores(deps: TryDeps, request: TrialRequest): Promise<Trial> {
  const { repoStore } = deps;
  const { project, chores, signal } = request;
  const base = "commit" in request ? request.commit : await tipOf(deps, project, request.ref);
  const late = AbortSignal.timeout(LONGEST_TRIAL_MS);
  const environment = await environmentOf(deps, { project, base, signal: AbortSignal.any([signal, late]) });
  const tried: TriedChore[] = [];
  try {
    for (const call of chores) tried.push(await tryOne(deps, environment, call));
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
    const advice = "Try fewer chores at once, or a part of the docs. A job has more time.";
    throw new AppError(
      "too_large",
      `Trying these chores takes longer than ${LONGEST_TRIAL_MS / 1000} seconds. ${advice}`,
    );
  }
  const none = { errors: [], warnings: [], leftOut: 0 };
  const nothing = { files: [], moreFiles: 0, diff: "", diffLeftOut: 0, findings: none };
  const ok = tried.every((each) => each.ok);
  const edits = [...environment.tree.edits()].map(([path, content]) => ({ path, content }));
  if (!ok || edits.length === 0) return { ok, commit: base, chores: tried, ...nothing };
  const tree = await repoStore.snapshot(project.id, { base, edits });
  const changed = await changesOf(deps, { project, base, tree });
  const prompts = [requestWordsOf({ seq: 1, prompt: "", chores, attachments: [] })];
  const { errors, warnings } = request.withoutChecks
    ? none
    : await checkAgainst(deps, { project, base, tree, prompts, shown: [], isMove: movesSite(chores) });
  const shown = { errors: errors.slice(0, MAX_FINDINGS), warnings: warnings.slice(0, MAX_FINDINGS) };
  const leftOut = errors.length + warnings.length - shown.errors.length - shown.warnings.length;
  const findings = { ...shown, leftOut };
  const made = request.withTree && { tree };
  const trial = { ok: errors.length === 0, commit: base, chores: tried, ...changed, findings, ...made };
  // When the gate refuses the change, pages with the refused markup are not rendered.
  return request.withPages && trial.ok ? { ...trial, pages: await pagesOf(deps, project, tree, changed.files) } : trial;
}

async function pagesOf(
  deps: TryDeps,
  project: Project,
  tree: ObjectId,
  files: readonly FileChange[],
): Promise<TriedPage[]> {
  const snapshot = commitSnapshot(deps.repoStore, project.id, tree);
  const docs = await docsOf(deps, project, snapshot);
  const pages: TriedPage[] = [];
  for (const { path, status } of files) {
    if (pages.length === MAX_PAGES) break;
    const page = status === "removed" ? null : await deps.renderPage({ path, snapshot, docs });
    if (!page) continue;
    const text = deps.redact(page.text);
    const problems = page.warnings.map(({ message }) => message);
    pages.push({ path, title: page.title, text: cutText(text, MAX_PAGE_TEXT), problems });
  }
  return pages;
}

async function tipOf(deps: TryDeps, project: Project, ref: string): Promise<ObjectId> {
  const tip = await deps.codeHost.fetchBranch(hostedRepository(project), ref);
  if (tip !== null) return tip;
  throw new AppError("invalid", `The repository has no branch "${ref}".`, {
    details: [{ path: "ref", message: "no such branch" }],
  });
}

async function environmentOf(
  deps: TryDeps,
  { project, base, signal }: { project: Project; base: ObjectId; signal: AbortSignal },
): Promise<ToolEnvironment> {
  const { repoStore, database } = deps;
  const contentRoot = project.settings.contentRoot ?? null;
  const snapshot = commitSnapshot(repoStore, project.id, base);
  const { config } = await loadDocsConfig(snapshot, { contentRoot });
  return {
    tree: createVirtualTree(snapshot),
    parser: parserOf(deps.parser, config),
    addApiPages: deps.gate.addApiPages,
    readApi: deps.readApi,
    contentRoot,
    redact: deps.redact,
    history: (range) => readHistory(repoStore, project.id, { head: base, ...range }),
    ownWork: { turns: async () => [], read: () => Promise.reject(new Error("a trial has no work of its own")) },
    sources: (await listSources(database, project.id)).map((source) => createSourceReader(deps, source)),
    signal,
  };
}

const ContentWithNotes = z.looseObject({ notes: z.array(z.string()).catch([]) });

async function tryOne(deps: TryDeps, environment: ToolEnvironment, { tool, input }: CalledChore): Promise<TriedChore> {
  const reportFault = ({ error }: { error: unknown }) =>
    deps.logger.error({ tool, error: deps.redact(String(error)).slice(0, 4_000) }, "tool failed unexpectedly");
  const call = { id: "trial", name: tool, input, invalid: null };
  const { result } = await runTool({ tools: deps.tools, environment, reportFault }, call, deps.limits.toolPatienceMs);
  if (!result.ok) {
    return { chore: tool, ok: false, summary: result.message, notes: [], hint: result.hint ?? null };
  }
  const { notes } = ContentWithNotes.catch({ notes: [] }).parse(result.content);
  return { chore: tool, ok: true, summary: result.summary, notes, hint: null };
}

async function changesOf(
  { repoStore }: TryDeps,
  { project, base, tree }: { project: Project; base: ObjectId; tree: ObjectId },
): Promise<Pick<Trial, "files" | "moreFiles" | "diff" | "diffLeftOut">> {
  const changes = await repoStore.changes(project.id, base, tree);
  let lines = 0;
  const shown = changes.slice(0, MAX_DIFF_FILES).filter(({ additions, deletions }) => {
    const size = (additions ?? 0) + (deletions ?? 0);
    const fits = lines + size <= MAX_DIFF_LINES;
    if (fits) lines += size;
    return fits;
  });
  const paths = shown.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]));
  const diff =
    paths.length === 0
      ? ""
      : await repoStore
          .patch(project.id, { base, head: tree, paths, maxBytes: MAX_DIFF_BYTES })
          .catch((error: unknown) => {
            if (error instanceof AppError && error.code === "too_large") return "";
            throw error;
          });
  const placesOf = new Map(parsePatch(diff, shown).map((file) => [file.change.path, changedLinesIn(file)]));
  const files = changes.slice(0, MAX_FILES).map((change): TriedFile => {
    const all = placesOf.get(change.path) ?? [];
    // For a file that is not in the diff, only the number of changed lines is known.
    const count = placesOf.has(change.path) ? all.length : Math.max(change.additions ?? 0, change.deletions ?? 0);
    const places = all.slice(0, MAX_PLACES);
    return { ...change, places, morePlaces: Math.max(0, count - places.length) };
  });
  const diffLeftOut = changes.length - (diff === "" ? 0 : shown.length);
  return { files, moreFiles: changes.length - files.length, diff, diffLeftOut };
}
