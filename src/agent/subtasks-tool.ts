import { z } from "zod";
import { count, done, refused } from "#tools/outcome.ts";
import { plainPath } from "#tools/text-file.ts";
import { foldPath } from "#tools/write-policy.ts";
import { defineTool, type Tool } from "#tools/tool.ts";
import { oneLine } from "#lib/one-line.ts";

export const SUBTASKS_TOOL = "run_subtasks";

const MAX_SUBTASKS = 12;
/** Fewer steps do not suffice to read a file, change it and report. */
const LEAST_STEPS = 3;
/** The rest is for the agent that started them: it reads the reports, corrects and finishes. */
const SHARE_OF_SUBTASKS = 0.75;

/** An independent part of a turn's work. `files`: files and folders that it may change. */
export interface Subtask {
  title: string;
  instruction: string;
  files: string[];
}

const Input = z.strictObject({
  subtasks: z
    .array(
      z.strictObject({
        title: z.string().min(1).max(100).describe("A name for the people who watch"),
        instruction: z.string().min(1).max(8_000).describe("Everything that the sub-task needs to know"),
        files: z.array(z.string().min(1).max(300)).min(1).max(100).describe("Files and folders that it may change"),
      }),
    )
    .min(1)
    .max(MAX_SUBTASKS),
});

/** A sub-task's part of what is left of a limit. */
export const shareOfSubtask = (left: number, subtasks: number): number =>
  Math.floor((left * SHARE_OF_SUBTASKS) / subtasks);

export const subtasksIn = (input: unknown): Subtask[] =>
  Input.parse(input).subtasks.map(({ title, instruction, files }) => ({
    title: oneLine(title),
    instruction,
    files: files.map(placeOf),
  }));

/** Whether a sub-task may change a file. */
export const ownsFile = ({ files }: Pick<Subtask, "files">, path: string): boolean =>
  files.some((place) => contains(place, path));

/** The call only checks its input: the turn runs the sub-tasks after it has stored the call, and completes its result. */
export function runSubtasksTool(): Tool {
  return defineTool({
    name: SUBTASKS_TOOL,
    description:
      `Carries out up to ${MAX_SUBTASKS} independent sub-tasks side by side, for an instruction that needs work on many files. ` +
      "Each has a fresh conversation that knows the site but not yours, may read every file and change its own files only, and gets an equal share of " +
      "the limits that are left. No file may belong to two of them: keep files that all would change, such as docs.json, for yourself. " +
      "Returns what each one changed, its report, and why it stopped.",
    input: Input,
    mutates: false,
    forModels: true,
    async run(input, { turn }) {
      const failed = "Started no sub-task";
      if (!turn) return refused(failed, "Sub-tasks run in jobs only.");
      const subtasks = subtasksIn(input);
      const problem = problemOf(subtasks);
      if (problem !== null) return refused(failed, problem);
      // This call's own step is not counted yet.
      const stepsLeft = turn.stepsLeft() - 1;
      if (shareOfSubtask(stepsLeft, subtasks.length) < LEAST_STEPS) {
        return refused(
          failed,
          `You have ${stepsLeft} steps left. Three quarters of them are for sub-tasks, and each of the ${subtasks.length} needs at least ${LEAST_STEPS}. Start fewer, or do the work yourself.`,
        );
      }
      return done(`Started ${count(subtasks.length, "sub-task")}`, NOT_ENDED);
    },
  });
}

/** Only a follow-up of a turn that was interrupted sees it. */
const NOT_ENDED = "The turn ended before the sub-tasks did. Look at their files: what they had changed may be there.";

/** What keeps sub-tasks from running side by side; null if nothing does. */
function problemOf(subtasks: readonly Subtask[]): string | null {
  const places = subtasks.flatMap(({ title, files }, at) => files.map((place) => ({ at, title, place })));
  const unclear = places.find(({ place }) => place === "" || place === "." || /[*?]/.test(place));
  if (unclear) {
    return `The sub-task "${unclear.title}" must name its files and folders one by one: "${unclear.place}" is not the path of one. None was started.`;
  }
  for (const [index, one] of places.entries()) {
    const other = places.slice(index + 1).find(({ at, place }) => at !== one.at && touch(place, one.place));
    if (other) {
      return `The sub-tasks "${one.title}" (${one.place}) and "${other.title}" (${other.place}) would change the same files. None was started: give each file to one of them, or keep it for yourself.`;
    }
  }
  return null;
}

/** A path without what models write around it: `./fr/`, `fr/**`. */
const placeOf = (given: string): string => plainPath(given.trim()).replace(/\/\*{0,2}$/, "");

const contains = (place: string, path: string): boolean => path === place || path.startsWith(`${place}/`);

/** Whether one is or contains the other, or both need a folder that they spell with different case: some disks have one. */
function touch(one: string, other: string): boolean {
  const [names, others] = [one.split("/"), other.split("/")];
  for (const [index, name] of names.entries()) {
    const beside = others[index];
    if (beside === undefined) return true;
    if (name !== beside) return foldPath(name) === foldPath(beside);
  }
  return true;
}
