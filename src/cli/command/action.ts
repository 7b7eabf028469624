import type { ParseArgsOptionsConfig } from "node:util";
import { AppError } from "#lib/app-error.ts";
import { readArguments, UsageError } from "./command.ts";
import { type Docent, openDocent, type Whose } from "./docent.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { nearestTo } from "#lib/nearest.ts";
import { listenerOf, createProgressLine } from "./progress.ts";

/** The implementation of a subcommand, such as `docent jobs list`. */
export type Action = (args: readonly string[], io: CommandIo) => Promise<void>;

/** The number of words after the action, and their names in error messages. */
interface Words {
  min: number;
  max: number;
  names: string;
}

/** The result of an action: a value for `--json`, otherwise text, and a note on standard error. */
interface Outcome {
  json: unknown;
  text: string;
  note?: string;
}

export interface Given<Options extends ParseArgsOptionsConfig> {
  words: readonly string[];
  values: ReturnType<typeof readArguments<Options>>["values"];
  io: CommandIo;
}

/** Validates words and options before anything is opened, and returns the work to do. */
export type Prepare<Options extends ParseArgsOptionsConfig> = (
  given: Given<Options>,
) => (docent: Docent) => Promise<Outcome | void>;

/** Runs the action in the first word. */
export async function runAction(
  command: string,
  actions: Readonly<Record<string, Action>>,
  [name = "", ...rest]: readonly string[],
  io: CommandIo,
): Promise<void> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action) return action(rest, io);
  const near = nearestTo(name, Object.keys(actions));
  if (near !== null)
    throw new UsageError(`There is no "${command} ${name}". Did you mean "docent ${command} ${near}"?`);
  const names = Object.keys(actions).map((known) => `\`${known}\``);
  throw new UsageError(`${command} takes ${names.slice(0, -1).join(", ")} or ${names.at(-1)}.`);
}

/** An action in the scope that `whose` derives from the command line. */
export function actionOn<Options extends ParseArgsOptionsConfig>(
  whose: (given: Given<Options>) => Whose,
  words: Words,
  options: Options,
  prepare: Prepare<Options>,
): Action {
  return async (args, io) => {
    const { values, positionals } = readArguments(args, options, words);
    const given = { words: positionals, values, io };
    const { json: asJson = false }: { json?: boolean } = values;
    const carryOut = prepare(given);
    using line = createProgressLine(io);
    await using docent = await openDocent(values, whose(given), listenerOf(io, line));
    const outcome = await carryOut(docent).catch((error: unknown) => {
      throw docent.beside === null && error instanceof TypeError ? notUnderstood(error) : error;
    });
    line[Symbol.dispose]();
    if (!outcome) return;
    writeLine(io.stdout, asJson ? JSON.stringify(outcome.json) : outcome.text);
    if (outcome.note !== undefined && !asJson) writeLine(io.stderr, outcome.note);
  };
}

const notUnderstood = (cause: TypeError): AppError =>
  new AppError(
    "unavailable",
    `The server's answer is not one that this version of docent understands (${cause.message}). Is a Docent server of this version at the address?`,
    { cause },
  );

/** An action on the project in the first word. */
export const onProject = <Options extends ParseArgsOptionsConfig>(
  words: Words,
  options: Options,
  prepare: Prepare<Options>,
): Action => actionOn((given) => ({ project: given.words[0]! }), words, options, prepare);

/** An action on the job in the first word. */
export const onJob = <Options extends ParseArgsOptionsConfig>(
  words: Words,
  options: Options,
  prepare: Prepare<Options>,
): Action => actionOn((given) => ({ job: given.words[0]! }), words, options, prepare);

export const ONE_PROJECT: Words = { min: 1, max: 1, names: "one PROJECT" };

/** Notes that work waits for a server if none runs on the data directory. */
export function noteWithoutServer({ beside }: Docent, io: CommandIo, words: string): void {
  if (beside && !beside.isServing) writeLine(io.stderr, `No server runs on this data directory: ${words}`);
}

export const JOB_WAITS = "the job waits until `docent serve` does.";
