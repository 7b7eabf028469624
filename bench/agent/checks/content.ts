import path from "node:path";
import type { Failure } from "#bench/agent/failure.ts";
import { type Change, readText } from "#bench/agent/change.ts";
import type { Task, TaskWording } from "#bench/agent/task.ts";

/** Checks which wordings must be present or absent, and which files must be removed. */
export async function checkContent(task: Task, change: Change): Promise<Failure[]> {
  const failures: Failure[] = [];
  const fail = ({ name, message }: TaskWording, detail: string) =>
    failures.push({ kind: "content", check: name, message: `${message} (${detail})` });
  for (const fact of task.facts) {
    const files = await filesOf(fact, change);
    const counts = files.map(({ file, text }) => ({ file, count: places(fact, text) }));
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const without = typeof fact.in === "string" ? [] : counts.filter(({ count }) => count === 0);
    if (total === 0) fail(fact, files.length === 0 ? "there is no such file" : `not in ${files.map(({ file }) => file).join(", ")}`);
    else if (fact.times !== undefined && total !== fact.times) fail(fact, `${total} times, expected ${fact.times}`);
    else if (fact.times === undefined && without.length > 0) fail(fact, `not in ${without.map(({ file }) => file).join(", ")}`);
  } // oxfmt-ignore
  for (const wording of task.absent) {
    const found = (await filesOf(wording, change)).filter(({ text }) => places(wording, text) > 0);
    if (found.length > 0) fail(wording, `still in ${found.map(({ file }) => file).join(", ")}`);
  }
  for (const file of task.gone) {
    if ((await change.after.read(file)) === null) continue;
    failures.push({ kind: "content", check: "gone", message: `${file} is still there.` });
  }
  return failures;
}

async function filesOf(wording: TaskWording, { after, edits }: Change): Promise<{ file: string; text: string }[]> {
  const isMeant = (edit: Change["edits"][number]) =>
    edit.after !== null && (wording.in === "changed" || edit.before === null);
  if (typeof wording.in === "string")
    return edits.filter(isMeant).map(({ path: file, after: text }) => ({ file, text: text ?? "" }));
  const globs = wording.in;
  const files = (await after.files()).filter(
    ({ kind, path: file }) => kind === "file" && globs.some((each) => each === file || path.matchesGlob(file, each)),
  );
  return Promise.all(files.map(async ({ path: file }) => ({ file, text: (await readText(after, file)) ?? "" })));
}

/** How often a text occurs where readers of a file see it. */
function places({ text, pattern, under }: TaskWording, file: string): number {
  const seen = withoutComments(file);
  const part = under === undefined ? seen : sectionUnder(seen, under);
  if (pattern !== undefined) return [...part.matchAll(new RegExp(pattern, "gimu"))].length;
  const words = (value: string) => value.replace(/\s+/g, " ");
  return words(part).split(words(text ?? "")).length - 1;
}

const withoutComments = (file: string) => file.replace(/\{\/\*.*?\*\/\}|<!--.*?-->/gs, "");

/** The lines from a heading to the next one of the same or a higher level; an exact match of the heading is preferred. */
function sectionUnder(file: string, heading: string): string {
  const wanted = heading.toLowerCase();
  const titles = headingsOf(file);
  const start = titles.find(({ words }) => words === wanted) ?? titles.find(({ words }) => words.includes(wanted));
  if (start === undefined) return "";
  const end = titles.find(({ line, depth }) => line > start.line && depth <= start.depth);
  return file.split("\n").slice(start.line, end?.line).join("\n");
}

function headingsOf(file: string): { line: number; depth: number; words: string }[] {
  let fence = "";
  return file.split("\n").flatMap((text, line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1] ?? "";
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence)) fence = "";
    const [, marks, words] = (fence === "" && /^\s*(#{1,6})\s+(.*)$/.exec(text)) || [];
    if (marks === undefined || words === undefined) return [];
    const plain = words.replace(/<[^>]*>|\{#[^}]*\}|`/g, "").trim();
    return [{ line, depth: marks.length, words: plain.toLowerCase() }];
  });
}
