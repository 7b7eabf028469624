import type { ParseArgsOptionsConfig } from "node:util";
import { type Action, noteWithoutServer, JOB_WAITS, onProject, ONE_PROJECT, runAction } from "#cli/command/action.ts";
import { CHORES, choreList, choresUsage, inputsFrom, parsedOptions } from "./chore-options.ts";
import { type Command, UsageError } from "#cli/command/command.ts";
import type { Docent } from "#cli/command/docent.ts";
import { count } from "#tools/outcome.ts";
import { printableLine } from "#cli/command/io.ts";
import { ended, lastEvent, outcomeOf } from "./jobs.ts";
import type { ChoreTrial, NewAgentJob } from "#client/answers.ts";

const WHAT = "Runs one chore on a project's docs, without a language model. The result is the same each time.";
const EXAMPLE = `

Example
  docent chore replace-term harbor-docs --from "Harbor Cloud" --to "Harbor Platform" --dry-run`;

const usageOf = ({ synopsis, options }: ReturnType<typeof choresUsage>, what: string) => `${synopsis}

${what}
The chore runs as a job that opens a pull request, and the command waits for it. With --dry-run, it prints what would change
and changes nothing.

Options
  --dry-run              print the changed lines, the patch and the findings of the checks, and change nothing
  --job JOB              add to this job and its pull request, instead of creating a new one
  --ref BRANCH           branch to start from and to merge into (default: the project's); not with --job
  --draft                open the pull request as a draft
  --json                 one JSON object, as in the API: the job, or with --dry-run the trial

${options}`;

export const chore: Command = {
  usage: usageOf(choresUsage(), WHAT) + EXAMPLE,
  shortUsage: `${usageOf({ synopsis: "docent chore NAME PROJECT [options]", options: choreList() }, WHAT)}

\`docent chore NAME --help\` shows the options of a chore.${EXAMPLE}`,
  usageOf(action) {
    const known = CHORES.get(action);
    return known === undefined ? null : usageOf(choresUsage([action]), known.description);
  },
  run: (args, io) => runAction("chore", ACTIONS, args, io),
};

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** Runs or tries a chore on the project in the first word. `check` throws `UsageError`. */
export const choreAction = (
  name: string,
  further: ParseArgsOptionsConfig = {},
  check: (values: Readonly<Record<string, unknown>>) => void = () => undefined,
): Action =>
  onProject(
    ONE_PROJECT,
    { ...parsedOptions(name), ...further, "dry-run": flag, job: text, ref: text, draft: flag },
    ({ values, io }) => {
      check(values);
      const { job: id, ref, draft, json: asJson, "dry-run": isTrial } = values as Given;
      if (id !== undefined && (ref !== undefined || draft || isTrial))
        throw new UsageError("--job cannot be combined with --ref, --draft or --dry-run.");
      const chores = [{ [name]: inputsFrom(name, values) }] as unknown as NonNullable<NewAgentJob["chores"]>;
      const place = ref === undefined ? {} : { ref };
      if (isTrial) {
        return async (docent) => {
          const trial = await docent.call("tryChores", { body: { chores, ...place } });
          if (!trial.ok) process.exitCode = 1;
          return { json: trial, text: trialText(trial) };
        };
      }
      return async (docent: Docent) => {
        const body = { chores, ...place, ...(draft && { draft }) };
        const after = id === undefined ? 0 : await lastEvent(docent, id);
        const job =
          id === undefined
            ? await docent.call("createAgentJob", { body })
            : await docent.call("sendAgentMessage", { id, body: { chores } });
        noteWithoutServer(docent, io, JOB_WAITS);
        const isServed = docent.beside === null || docent.beside.isServing;
        return outcomeOf(isServed ? await ended(docent, job, { after, asJson, io }) : job);
      };
    },
  );

const ACTIONS: Readonly<Record<string, Action>> = Object.fromEntries(
  [...CHORES].map(([command, { name }]) => [command, choreAction(name)]),
);

interface Given {
  job?: string;
  ref?: string;
  draft?: boolean;
  json?: boolean;
  "dry-run"?: boolean;
}

const SIGNS = { added: "A", modified: "M", removed: "D", renamed: "R" };

/** Formats the result of a trial. */
export function trialText(trial: ChoreTrial): string {
  const lines: string[] = trial.ok ? [] : ["A job would end without a pull request:", ""];
  for (const { chore: name, ok, summary, notes, hint } of trial.chores) {
    lines.push(`${ok ? "✓" : "✗"} ${name}: ${printableLine(summary)}`);
    for (const note of notes) lines.push(`    ${printableLine(note)}`);
    for (const line of hint?.split("\n") ?? []) lines.push(`    ${printableLine(line)}`);
  }
  for (const [kind, found] of [
    ["Error", trial.findings.errors],
    ["Warning", trial.findings.warnings],
  ] as const)
    for (const { path, line, message } of found)
      lines.push("", `${kind}: ${[path, line].filter((part) => part !== null).join(":")} ${printableLine(message)}`);
  if (trial.findings.leftOut > 0) lines.push("", `… and ${count(trial.findings.leftOut, "more finding")}`);
  for (const [index, { status, path, oldPath, additions, deletions, places, morePlaces }] of trial.files.entries()) {
    if (index === 0 || trial.diff === "") lines.push("");
    const from = oldPath === null ? "" : ` (was ${printableLine(oldPath)})`;
    lines.push(`${SIGNS[status]} ${printableLine(path)}${from}  +${additions ?? 0} −${deletions ?? 0}`);
    if (trial.diff !== "") continue; // has the lines
    for (const { line, before, after } of places) {
      if (before !== null) lines.push(`  ${line}  - ${printableLine(before)}`);
      if (after !== null) lines.push(`  ${line}  + ${printableLine(after)}`);
    }
    if (morePlaces > 0) lines.push(`  … and ${count(morePlaces, "line")} more`);
  }
  if (trial.moreFiles > 0) lines.push("", `… and ${count(trial.moreFiles, "file")} more`);
  if (trial.diff !== "") lines.push("", ...trial.diff.trimEnd().split("\n").map(printableLine));
  if (trial.diffLeftOut > 0) lines.push("", `The patch leaves ${count(trial.diffLeftOut, "file")} out.`);
  if (trial.ok && trial.files.length === 0) lines.push("", "No file would change.");
  else if (trial.ok) lines.push("", "Nothing was changed. Run the same without --dry-run to open a pull request.");
  return lines.join("\n");
}
