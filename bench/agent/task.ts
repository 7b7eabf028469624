import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";

export const TASK_KINDS = ["chore", "edit", "new-page", "restructure"] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** Mistakes that `wrong-changes.ts` adds to the right change, and the kind of check that has to detect each. */
export const MISTAKES = {
  missing: "content",
  cut: "content",
  misplaced: "content",
  "wrong-section": "content",
  "wrong-value": "content",
  kept: "content",
  unlisted: "content",
  overreach: "any",
  bystander: "scope",
  invention: "inventions",
  rewrite: "size",
  "broken-link": "links",
  "broken-page": "rendering",
} as const;
export type Mistake = keyof typeof MISTAKES;

/** Mistakes that only a task's own checks detect: every task names at least one. */
const OF_CONTENT: readonly Mistake[] = [
  "missing", "cut", "misplaced", "wrong-section", "wrong-value", "kept", "unlisted", "overreach",
]; // oxfmt-ignore

const glob = z.string().min(1);
const globs = z.union([glob, z.array(glob).min(1)]).transform((value) => [value].flat());
const expression = z.string().refine((source) => {
  try {
    return new RegExp(source, "imu") instanceof RegExp;
  } catch {
    return false;
  }
}, "is not a regular expression");

const Wording = z.strictObject({
  /** Used in results; unique in its task. */
  name: z.string().regex(/^[a-z0-9-]+$/),
  /** Why a change that fails here is wrong. */
  message: z.string().min(10),
  /** Files of the change: `new` for added ones, `changed` for all. */
  in: z.union([z.literal("new"), z.literal("changed"), globs]),
  /** The part below a heading that contains these words. */
  under: z.string().optional(),
  /** Literal text, ignoring white space; or a regular expression (flags i, m and u). */
  text: z.string().min(1).optional(),
  pattern: expression.optional(),
});
const hasOne = (wording: { text?: string | undefined; pattern?: string | undefined }) =>
  (wording.text === undefined) !== (wording.pattern === undefined);
const ONE = "needs either text or pattern";

const Task = z
  .strictObject({
    /** Address of a public repository, or `own:NAME` for one in `own/`. */
    repository: z.union([z.url({ protocol: /^https$/ }), z.string().regex(/^own:[a-z]+$/)]),
    /** Commit that the task starts from. */
    before: z.string().regex(/^[0-9a-f]{40}$/).optional(), // oxfmt-ignore
    /** Commit of the original change, which only the proof reads, never a run. */
    after: z.string().regex(/^[0-9a-f]{40}$/).optional(), // oxfmt-ignore
    /** For our own repositories: the right change. `null` deletes a file. */
    right: z
      .array(z.strictObject({ file: z.string(), find: z.string().optional(), with: z.string().nullable() }))
      .optional(),
    kind: z.enum(TASK_KINDS),
    style: z.enum(["terse", "long"]),
    contentRoot: z.string().optional(),
    instruction: z.string().min(10),
    /** The only files that may change. */
    scope: globs,
    /** Maximum number of added and removed lines together. */
    maxLines: z.int().min(1),
    /** Must be in each of the files (`new`, `changed`: in one of them). `times`: the exact total. */
    facts: z
      .array(Wording.extend({ times: z.int().min(1).optional() }).refine(hasOne, ONE))
      .default([]),
    /** Must be absent afterwards. */
    absent: z.array(Wording.refine(hasOne, ONE)).default([]),
    /** Files that must not exist afterwards. */
    gone: z.array(z.string()).default([]),
    navigation: z
      .array(
        z.strictObject({
          page: z.string(),
          /** Title of the innermost section that contains it. */
          group: z.string().optional(),
          /** The page directly before it in that section. */
          after: z.string().optional(),
        }),
      )
      .default([]),
    redirects: z.array(z.strictObject({ from: z.string(), to: z.string() })).default([]),
    /** Files whose numbers may be used, in addition to those of the instruction and of the changed files. */
    sources: globs.default([]),
    /** Numbers and addresses of the right change that are in no source. */
    known: z.array(z.string()).default([]),
    /** Plausible inventions: what added lines must not contain (regular expressions). */
    forbidden: z.array(expression).default([]),
    wrong: z
      .array(
        z.union([
          z.enum(Object.keys(MISTAKES) as [Mistake, ...Mistake[]]).transform((mistake) => ({ mistake, from: "", to: "" })),
          z
            .strictObject({ overreach: z.strictObject({ from: z.string(), to: z.string() }) })
            .transform(({ overreach }) => ({ mistake: "overreach" as Mistake, ...overreach })),
        ]),
      )
      .min(3)
      .refine((all) => all.some(({ mistake }) => OF_CONTENT.includes(mistake)), `names one of ${OF_CONTENT.join(", ")}`),
  })
  .refine(
    ({ repository, before, after, right }) =>
      repository.startsWith("own:") ? right !== undefined : before !== undefined && after !== undefined,
    "needs before and after, or for an own repository right",
  ); // oxfmt-ignore

export type Task = z.output<typeof Task> & { name: string };
export type TaskWording = z.output<typeof Wording>;

export const TASKS_FOLDER = path.join(import.meta.dirname, "tasks");

/** The tasks below a folder, sorted by name, which is the path of their file. Throws with the name of an invalid file. */
export async function loadTasks(folder = TASKS_FOLDER): Promise<Task[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".yaml")).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const parsed = Task.safeParse(parse(await readFile(path.join(folder, file), "utf8")));
      if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
      return { ...parsed.data, name: file.replace(/\.yaml$/, "") };
    }),
  );
}
