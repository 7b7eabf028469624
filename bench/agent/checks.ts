import { checkInventions } from "./checks/inventions.ts";
import { checkNavigation } from "./checks/navigation.ts";
import { checkScope, checkSize } from "./checks/scope.ts";
import { checkSite, type Sites } from "./checks/site.ts";
import { checkContent } from "./checks/content.ts";
import type { Change } from "./change.ts";
import type { Failure } from "./failure.ts";
import type { Task } from "./task.ts";

/** Everything that a task demands of a change, those demands included that hold for all tasks. Empty: it is right. */
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
