import { countOf, type Diagnosis } from "#app/doctor/diagnosis.ts";
import { type CommandIo, printableLine, writeLine } from "#cli/command/io.ts";

const WIDTH = { state: 7, check: 13 };

/** Formats a finding: one line, followed by its advice. */
export function findingText({ state, check, words, advice }: Diagnosis): string {
  const head = `${state.padEnd(WIDTH.state)}  ${check.padEnd(WIDTH.check)}  `;
  const what = head + printableLine(words);
  return advice !== null ? `${what}\n${" ".repeat(head.length)}${printableLine(advice)}` : what;
}

/** Prints the number of problems and warnings, or with --json all findings. Sets exit status 1 if there are problems. */
export function endWith(io: CommandIo, findings: readonly Diagnosis[], { isJson }: { isJson: boolean }): void {
  const count = (state: Diagnosis["state"]) => findings.filter((finding) => finding.state === state).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  if (isJson) writeLine(io.stdout, JSON.stringify({ problems, warnings, findings }));
  else writeLine(io.stderr, `${countOf(problems, "problem")}, ${countOf(warnings, "warning")}.`);
  if (problems > 0) process.exitCode = 1;
}
