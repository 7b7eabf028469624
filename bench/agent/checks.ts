import { checkInventions } from "./checks/inventions.ts";
import { checkNavigation } from "./checks/navigation.ts";
import { checkScope, checkSize } from "./checks/scope.ts";
import { checkSite, type Sites } from "./checks/site.ts";
import { checkContent } from "./checks/content.ts";
import type { Change } from "./change.ts";
import type { Failure } from "./failure.ts";
import type { Task } from "./task.ts";

/** The failed checks of a change, including those for all tasks. Empty: the change is right. */
export async function failuresOf(task: Task, change: Change, sites: Sites): Promise<Failure[]> {
  const site = await checkSite(change, sites);
  return [
    ...(await checkContent(task, change)),
    ...checkNavigation(task, site.docs),
    ...checkScope(task, change),
    ...checkSize(task, change),
    ...(await checkInventions(task, change)),
    ...site.failures,
  ];
}
