/**
 * Starts tasks one per turn of the event loop, in turn between their owners: a task waits for at most one task of each
 * other owner. Tasks that arrive together would otherwise all run before what arrives next. Of one owner 32 wait; more
 * are started as they arrive.
 */
const MAX_WAITING = 32;

export function createFairTurns(): (owner: string, task: () => void) => void {
  /** The owner that was served longest ago is first. */
  const waiting = new Map<string, (() => void)[]>();
  const next = () => {
    const [owner, tasks] = waiting.entries().next().value!;
    const task = tasks.shift()!;
    waiting.delete(owner);
    if (tasks.length > 0) waiting.set(owner, tasks);
    if (waiting.size > 0) setImmediate(next);
    task();
  };
  return (owner, task) => {
    const tasks = waiting.get(owner);
    // Started at once: Node stops reading from a connection by its answers, not by requests that wait here.
    if (tasks && tasks.length >= MAX_WAITING) return task();
    if (waiting.size === 0) setImmediate(next);
    if (tasks === undefined) waiting.set(owner, [task]);
    else tasks.push(task);
  };
}
