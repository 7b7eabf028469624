import path from "node:path";
import type { Failure } from "#bench/agent/failure.ts";
import { type Change, changedLines, readText } from "#bench/agent/change.ts";
import type { Task } from "#bench/agent/task.ts";

const ADDRESS = /https?:\/\/[^\s)"'<>\]`]+/g;
const FLAG = /(?<![\w-])--[a-z][\w-]+/g;
const VARIABLE = /\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b/g;
/** Single digits only with a unit: others number steps and lists. */
const NUMBER = /(?<![\w.#-])(?:\d[\d.,]*\d|\d(?=\s?(?:ms|seconds?|minutes?|hours?|days?|%|[KMGT]i?B)\b))(?![\w-])/g;

/**
 * Addresses, flags, variables and numbers in added lines that are in no source. The sources of a number are the instruction, the
 * changed files and those that the task names; for the others any file of the repository counts.
 */
export async function checkInventions(task: Task, change: Change): Promise<Failure[]> {
  const added = change.edits.flatMap((edit) => changedLines(edit).added).join("\n");
  const near = [task.instruction, ...task.known, ...(await sourcesOf(task, change))].join("\n");
  const of = (kind: RegExp, text: string) =>
    new Set([...text.matchAll(kind)].map(([token]) => token.replace(/[.,;:]+$/, "")));
  const known = of(/\d[\d.,]*\d|\d/g, near);
  const numbers = [...of(NUMBER, added)].filter((token) => !known.has(token));
  let others = new Set([ADDRESS, FLAG, VARIABLE].flatMap((kind) => [...of(kind, added)]).filter((token) => !near.includes(token))); // oxfmt-ignore
  if (others.size > 0) {
    for (const { path: file, kind } of await change.before.files()) {
      if (kind !== "file" || /\.(?:png|jpe?g|gif|webp|mp4|woff2?|ico|svg|pdf)$/i.test(file)) continue;
      const text = (await readText(change.before, file)) ?? "";
      others = new Set([...others].filter((token) => !text.includes(token)));
    }
  }
  const failures: Failure[] = [...numbers, ...others].map((token) => ({
    kind: "inventions",
    check: "inventions",
    message: `“${token}” is in no source.`,
  }));
  for (const each of task.forbidden) {
    const found = new RegExp(each, "imu").exec(added)?.[0];
    if (found !== undefined)
      failures.push({ kind: "inventions", check: "forbidden", message: `“${found}” is not true, or not asked for.` });
  }
  return failures;
}

async function sourcesOf({ sources }: Task, { before, edits }: Change): Promise<string[]> {
  const files = (await before.files()).filter(({ path: file }) => sources.some((each) => path.matchesGlob(file, each)));
  const texts = await Promise.all(files.map(({ path: file }) => readText(before, file)));
  return [...texts.map((text) => text ?? ""), ...edits.map((edit) => edit.before ?? "")];
}
