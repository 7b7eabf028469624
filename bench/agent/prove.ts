import { createContentProcess } from "#docs/render/process/content-process.ts";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { silentLogger } from "#lib/logger.ts";
import { changeBy } from "./change.ts";
import { failuresOf } from "./checks.ts";
import { createSites, type Sites } from "./checks/site.ts";
import type { Repositories } from "./repositories.ts";
import { MISTAKES, type Task } from "./task.ts";
import { wrongChanges } from "./wrong-changes.ts";

export interface Proof {
  task: string;
  /** The number of changes that were judged: the right one, the empty one and the wrong ones. */
  judged: number;
  /** Unexpected verdicts. Empty: the checks distinguish right from wrong. */
  objections: string[];
}

/** Shows for each task that its checks pass the original change, and fail the empty change and each with a planted mistake. */
export async function* proveTasks(
  tasks: readonly Task[],
  repositories: Repositories,
  content?: ContentProcess,
): AsyncGenerator<Proof> {
  await using made = new AsyncDisposableStack();
  const process = content ?? made.use(createContentProcess({ logger: silentLogger, isWarmedUp: false }));
  const sites = new Map<string, Sites>();
  for (const task of tasks) {
    const key = `${task.repository} ${task.contentRoot ?? ""}`;
    const site = sites.get(key) ?? createSites(process, task.contentRoot ?? null);
    sites.set(key, site);
    try {
      yield await prove(task, repositories, site);
    } catch (error) {
      yield { task: task.name, judged: 0, objections: [error instanceof Error ? error.message : String(error)] };
    }
  }
}

async function prove(task: Task, repositories: Repositories, sites: Sites): Promise<Proof> {
  const right = await repositories.rightChange(task);
  const objections = (await failuresOf(task, right, sites)).map(
    ({ check, message }) => `the right change fails “${check}”: ${message}`,
  );
  const empty = await failuresOf(task, await changeBy(right.before, new Map()), sites);
  if (!empty.some(({ kind }) => kind === "content" || kind === "navigation"))
    objections.push("the empty change passes");
  let judged = 2;
  for (const wrong of task.wrong) {
    for (const [index, change] of (await wrongChanges(task, right, wrong)).entries()) {
      judged += 1;
      const expected = MISTAKES[wrong.mistake];
      const failures = await failuresOf(task, change, sites);
      // A task's checks of the navigation count as content, too.
      const isNoticed = failures.some(
        ({ kind }) => expected === "any" || kind === expected || (expected === "content" && kind === "navigation"),
      );
      if (!isNoticed) objections.push(`“${wrong.mistake}” ${index + 1} is not noticed by a check of ${expected}`);
    }
  }
  return { task: task.name, judged, objections };
}
