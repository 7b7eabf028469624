import { appendFile, readFile, writeFile } from "node:fs/promises";
import type { Result } from "./run.ts";
import { TASK_KINDS } from "./task.ts";

export async function readResults(file: string): Promise<Result[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Result);
}

export const writeResult = (file: string, result: Result) => appendFile(file, `${JSON.stringify(result)}\n`);

/** A row for each kind and one for the total. */
export function tableOf(results: readonly Result[]): string {
  const rows = [...TASK_KINDS.map((kind) => rowOf(kind, results.filter((each) => each.kind === kind))), rowOf("all", results)]; // oxfmt-ignore
  return [
    "| kind | passed | input tokens | output tokens | cost | time |",
    "| --- | --: | --: | --: | --: | --: |",
    ...rows,
  ].join("\n");
}

function rowOf(kind: string, results: readonly Result[]): string {
  const sum = (of: (result: Result) => number) => results.reduce((total, result) => total + of(result), 0);
  const count = (value: number) => value.toLocaleString("en");
  const passed = results.filter((result) => result.passed).length;
  const cells = [
    kind,
    `${passed} of ${results.length}`,
    count(sum(({ inputTokens }) => inputTokens)),
    count(sum(({ outputTokens }) => outputTokens)),
    `$${sum(({ costUsd }) => costUsd).toFixed(2)}`,
    `${(sum(({ ms }) => ms) / 1_000).toFixed(0)} s`,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Writes the table of a model into its section of a page, below a heading with the model's name. */
export async function writePage(page: string, { model, date, results }: { model: string; date: string; results: readonly Result[] }) {
  const text = await readFile(page, "utf8");
  const [head = "", ...parts] = text.split(/^(?=### `)/m);
  const title = `### \`${model}\``;
  const part = `${title}\n\nMeasured on ${date}.\n\n${tableOf(results)}\n`;
  const others = parts.filter((each) => !each.startsWith(`${title}\n`)).map((each) => `${each.trimEnd()}\n`);
  await writeFile(page, `${[`${head.trimEnd()}\n`, ...[...others, part].toSorted()].join("\n")}`);
} // oxfmt-ignore
