/** Waiting tasks of one owner, and of all. */
const MAX_WAITING = 32;
const MAX_WAITING_IN_ALL = 1_000;

/**
 * Starts tasks one per turn of the event loop, in turn between their owners: a task waits for at most one task of each
 * other owner. Tasks that arrive together would otherwise all run before what arrives next. Beyond the limits, a task
 * starts as it arrives: Node stops reading from a connection by its unsent answers, not by requests that wait here.
 */
export function createFairTurns(): (owner: string, task: () => void) => void {
  /** The owner that was served longest ago is first. */
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;
  const next = () => {
    const [owner, tasks] = waiting.entries().next().value!;
    const task = tasks.shift()!;
    count -= 1;
    waiting.delete(owner);
    if (tasks.length > 0) waiting.set(owner, tasks);
    if (waiting.size > 0) setImmediate(next);
    task();
  };
  return (owner, task) => {
    const tasks = waiting.get(owner) ?? [];
    if (tasks.length >= MAX_WAITING || count >= MAX_WAITING_IN_ALL) return task();
    if (waiting.size === 0) setImmediate(next);
    if (tasks.length === 0) waiting.set(owner, tasks);
    tasks.push(task);
    count += 1;
  };
}
