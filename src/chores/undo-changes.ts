import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import type { OwnChange } from "#tools/own-work.ts";
import { defineTool, type Tool, type ToolEnvironment, type ToolResult } from "#tools/tool.ts";
import { count, done, listed, refused } from "#tools/outcome.ts";
import { ScopeInput, scopeTest } from "./edits/names.ts";
import { createWorkspace, type DocsCaches } from "./edits/workspace.ts";

const Input = z.strictObject({
  of: z.enum(["last", "all"]).describe("What the last message did, or all that this job did"),
  turns: z.int().min(0).optional().describe("With last: how many of the last messages; 0 when all are undone already"),
  ofTurns: z.int().min(0).optional().describe("How many messages were carried out, for who counted them"),
  in: ScopeInput,
  orNothing: z.boolean().optional().describe("It is fine when the last message changed no file"),
});

const MAX_LISTED = 20;
const REFUSED = "Undid nothing";
const UNDONE = "All that this job changed is undone already.";

/**
 * Restores files to their state before this job changed them. It refuses if anyone else has changed one since, because their
 * work would be lost. In part of the docs, it only restores pages that existed before and after: half of a move would lose a
 * page or its links.
 */
export function undoChangesTool(caches: DocsCaches): Tool {
  return defineTool({
    name: "undo_changes",
    description: "Puts files back to how they were before this job changed them.",
    input: Input,
    mutates: true,
    forRules: true,
    async run(input, environment) {
      const { ownWork } = environment;
      const turns = await ownWork.turns();
      if (turns.length === 0) return refused(REFUSED, "This job has changed nothing yet, so there is nothing to undo.");
      if (input.of === "last" && input.turns === 0) {
        return refused(REFUSED, UNDONE);
      }
      if (input.ofTurns !== undefined && input.ofTurns !== turns.length) {
        return refused(REFUSED, "The messages cannot be identified, because some of them left no trace.");
      }
      const recent = input.of === "all" ? turns : undoableTurns(turns, input.turns ?? 1);
      if (input.of === "last" && input.orNothing && turns.at(-1)?.length === 0) {
        return done("Undid nothing: the last message changed no file", { changedCount: 0 });
      }
      if (turns.every((turn) => turn.length === 0)) {
        return refused(REFUSED, "This job has changed no file, so there is nothing to undo.");
      }
      if (recent === null) {
        return refused(REFUSED, "The last message changed no file, and the change before it was an undo already.");
      }
      const counted = folded(recent);
      const requested = await within(input.in, counted, { environment, caches });
      if ("ok" in requested) return requested;
      const stands = new Map<string, "as left" | "as before" | "changed">();
      for (const change of requested) stands.set(change.path, await standOf(environment, change));
      const foreign = requested.filter(({ path, isBroken }) => isBroken || stands.get(path) === "changed");
      if (foreign.length > 0) return refused(REFUSED, changedByOthers(foreign.map(({ path }) => path)));
      const paths = requested.filter(({ path }) => stands.get(path) === "as left");
      for (const { path, before } of paths) {
        if (before === null) environment.tree.remove(path);
        else environment.tree.write(path, await ownWork.read(before));
      }
      return report(paths, input.of);
    },
  });
}

/**
 * The last turns, or, if these changed no file (a report, “Never mind”), the last one that did; null when that one was itself
 * an undo, because saying “undo” again does not mean to redo.
 */
function undoableTurns(
  turns: readonly (readonly OwnChange[])[],
  many: number,
): readonly (readonly OwnChange[])[] | null {
  const recent = turns.slice(-many);
  if (recent.some((turn) => turn.length > 0)) return recent;
  const changing = turns.filter((turn) => turn.length > 0);
  const last = changing.at(-1) ?? [];
  return isUndo(last, changing.slice(0, -1).flat()) ? null : [last];
}

/** Whether all changes of a turn, which may be limited to a part of the docs, reverse earlier ones. */
const isUndo = (turn: readonly OwnChange[], earlier: readonly OwnChange[]): boolean =>
  turn.every((change) =>
    earlier.some(
      ({ path, before: old, after }) => path === change.path && old === change.after && after === change.before,
    ),
  );

/** A change over several turns. `isBroken`: someone else changed the file between two of them. */
type Folded = OwnChange & { isBroken: boolean };

function folded(turns: readonly (readonly OwnChange[])[]): Folded[] {
  const byPath = new Map<string, Folded>();
  for (const change of turns.flat()) {
    const known = byPath.get(change.path);
    const isBroken = known !== undefined && (known.isBroken || known.after !== change.before);
    byPath.set(change.path, { ...change, before: known ? known.before : change.before, isBroken });
  }
  return [...byPath.values()].filter(({ before, after, isBroken }) => isBroken || before !== after);
}

async function within(
  scope: readonly string[] | undefined,
  changes: readonly Folded[],
  { environment, caches }: { environment: ToolEnvironment; caches: DocsCaches },
): Promise<readonly Folded[] | ToolResult> {
  if (scope === undefined) return changes;
  const where = scope.join(", ");
  try {
    const isWanted = await scopeTest(createWorkspace(environment, caches), scope);
    const found = changes.filter(({ path }) => isWanted(path));
    if (found.length === 0) {
      return refused(REFUSED, `Nothing on ${where} is changed by this job: it stays unchanged.`);
    }
    const moved = found.find(({ before, after }) => before === null || after === null);
    if (!moved) return found;
    const what = `${moved.path} was added, moved or removed, which concerns other files as well.`;
    return refused(REFUSED, what, "Undo everything");
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "internal" || error.code === "unavailable") throw error;
    return refused(REFUSED, error.message);
  }
}

async function standOf({ tree, ownWork }: ToolEnvironment, { path, before, after }: OwnChange) {
  const current = await tree.read(path);
  const isAt = async (id: string | null) =>
    id === null || current === null ? id === null && current === null : same(await ownWork.read(id), current);
  if (await isAt(after)) return "as left";
  return (await isAt(before)) ? "as before" : "changed";
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const changedByOthers = (paths: readonly string[]): string =>
  `${listed(paths, MAX_LISTED)} ${paths.length === 1 ? "is" : "are"} not as this job left ${paths.length === 1 ? "it" : "them"}: ` +
  "someone else's changes would be lost. Undo it in git, or say what the text should be.";

function report(changes: readonly OwnChange[], of: "last" | "all"): ToolResult {
  const summary = summaryOf(changes.length, of === "last" ? "the last change" : "this job");
  const notes = changes.slice(0, MAX_LISTED).map(({ path }) => `\`${path}\``);
  if (changes.length > MAX_LISTED) notes.push(`… and ${changes.length - MAX_LISTED} more.`);
  return done(summary, { summary, notes, changed: changes.map(({ path }) => path).slice(0, 100), changedCount: changes.length }); // oxfmt-ignore
}

function summaryOf(files: number, what: "the last change" | "this job"): string {
  if (files === 0) return `Put no file back: all that ${what} touched is as it was before already`;
  return `Put ${count(files, "file")} back to how ${files === 1 ? "it was" : "they were"} before ${what}`;
}
