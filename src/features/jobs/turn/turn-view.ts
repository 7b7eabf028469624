import { loadDocs } from "#docs/tree/page-tree.ts";
import { routesBelow } from "#docs/tree/navigation.ts";
import type { RenderedPage } from "#docs/render/page.ts";
import type { PageSite } from "#docs/render/render-file.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { advicePrompt, type GateDeps, type GateReport } from "#agent/gate/gate.ts";
import { openSteps } from "#tools/plan.ts";
import { createDocsReader } from "#tools/source-reader.ts";
import type { Flaw, TurnView } from "#tools/tool.ts";
import type { Project } from "#features/projects/project.ts";
import type { Claim } from "#features/jobs/queue/queue.ts";
import { checkTurnTree, type CheckDeps } from "./turn-check.ts";
import type { TurnWork } from "./turn-work.ts";
import type { StepDeps, Turn } from "./turns.ts";

export interface TurnViewDeps extends StepDeps {
  repoStore: RepoStore;
  gate: CheckDeps["gate"];
  /** A page as readers get it; null if the file is missing or is not a page. */
  renderPage(page: { path: string; snapshot: Snapshot; docs: PageSite }): Promise<RenderedPage | null>;
}

interface TurnOptions {
  claim: Claim;
  project: Project;
  turn: Turn;
}

/** What tools see of a turn in addition to the files. `tree` returns the tree of the stored steps, null without changes. */
export function createTurnView(
  deps: TurnViewDeps,
  options: TurnOptions & Pick<TurnView, "stepsLeft">,
  tree: () => ObjectId | null,
): TurnView {
  const { claim, project, turn } = options;
  const base = turn.baseCommit;
  return {
    docs: createDocsReader(deps, { id: project.id, branch: claim.job.baseRef, base }),
    async review(files) {
      const edits = [...files.edits()].map(([path, content]) => ({ path, content }));
      const before = tree() ?? base;
      const head = edits.length === 0 ? before : await deps.repoStore.snapshot(project.id, { base: before, edits });
      const { errors, warnings } = await reviewTurn(deps, options, head);
      return { base, head, errors, warnings };
    },
    async render(files, path) {
      return deps.renderPage({ path, snapshot: files, docs: await docsOf(deps, project, files) });
    },
    stepsLeft: options.stepsLeft,
  };
}

/** The gate's report on a turn's tree, with the new problems on the pages that it changed. */
export async function reviewTurn(deps: TurnViewDeps, options: TurnOptions, tree: ObjectId): Promise<GateReport> {
  const { project, turn } = options;
  const base = turn.baseCommit;
  const report = await checkTurnTree(deps, options, tree);
  // When the gate refuses the change, pages with the refused markup are not rendered.
  const flaws = report.errors.length > 0 ? [] : await pageFlaws(deps, project, { base, tree });
  return { ...report, warnings: [...report.warnings, ...flaws.map((flaw) => ({ check: "pages" as const, ...flaw }))] };
}

/** What the agent should look at before its change is published; null when there is nothing. */
export function adviceOn({ conversation }: TurnWork, warnings: GateReport["warnings"]): string | null {
  const calls = conversation.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string" ? content.filter((part) => part.type === "tool-call") : [],
  );
  // A warning about no page is for reviewers: the agent cannot do anything about it.
  const onPages = warnings.filter(({ check, path }) => check === "pages" && path !== null);
  return advicePrompt({ warnings: onPages, openSteps: openSteps(calls) });
}

/** Rendering takes about 10 ms a page. A larger change comes from a chore, whose edits are all of one kind. */
const MAX_RENDERED = 30;

/**
 * New problems on the pages that a change touches: warnings of rendering, new pages that the navigation does not list, and
 * new pages without a description when most pages have one.
 */
async function pageFlaws(
  deps: TurnViewDeps,
  project: Project,
  { base, tree }: { base: ObjectId; tree: ObjectId },
): Promise<Flaw[]> {
  const snapshotOf = (id: ObjectId) => commitSnapshot(deps.repoStore, project.id, id);
  const [old, now] = [snapshotOf(base), snapshotOf(tree)];
  const docs = await docsOf(deps, project, now);
  const changes = (await deps.repoStore.changes(project.id, base, tree)).filter(
    ({ path, status }) => status !== "removed" && docs.pagesByPath.has(path),
  );
  const listed = new Set(routesBelow(docs.navigation));
  const added = new Set(changes.filter(({ status }) => status === "added").map(({ path }) => path));
  const others = [...docs.pages.values()].filter(({ path }) => !added.has(path));
  const described = others.filter(({ description }) => description !== null).length;
  const flaws: Flaw[] = [];
  for (const { path, oldPath, status } of changes.slice(0, MAX_RENDERED)) {
    const render = (snapshot: Snapshot, at: string) => deps.renderPage({ path: at, snapshot, docs });
    const rendered = await render(now, path);
    const found = rendered?.warnings ?? [];
    const before = found.length === 0 || status === "added" ? null : await render(old, oldPath ?? path);
    const known = new Set(before?.warnings.map(({ message }) => message));
    for (const { line, message, path: of } of found) {
      if (!known.has(message)) flaws.push({ path: of ?? path, line: of === null ? line : null, message });
    }
    if (status !== "added") continue;
    const page = docs.pagesByPath.get(path)!;
    const { hidden, draft } = rendered?.frontMatter ?? {};
    if (docs.config.navigation !== null && !listed.has(page.route) && hidden !== true && draft !== true) {
      flaws.push({ path, line: null, message: "The new page is in no group of the navigation." });
    }
    if (page.description === null && described > others.length / 2) {
      flaws.push({ path, line: null, message: "The new page has no description, unlike most pages." });
    }
  }
  if (changes.length > MAX_RENDERED) {
    const message = `${changes.length - MAX_RENDERED} more changed pages were not rendered to look for problems.`;
    flaws.push({ path: null, line: null, message });
  }
  return flaws;
}

/** The docs of a tree, which rendering its pages needs. */
export const docsOf = ({ gate }: { gate: GateDeps }, { settings }: Project, snapshot: Snapshot) =>
  loadDocs(snapshot, { contentRoot: settings.contentRoot ?? null, ...(gate.heads && { heads: gate.heads }) });
