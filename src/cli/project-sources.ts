import { AppError } from "#lib/app-error.ts";
import { readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { openSources } from "./open-places.ts";
import { around, createProgressLine } from "./progress.ts";
import { readToken } from "./read-token.ts";

/** `docent projects sources …`: repositories that the agent of a project reads. */
export async function manageSources(args: readonly string[], io: CommandIo): Promise<void> {
  const [action, ...rest] = args;
  if (action === "add") return add(rest, io);
  if (action === "list") return list(rest, io);
  if (action === "token") return replaceToken(rest, io);
  if (action === "remove") return remove(rest, io);
  throw new UsageError("projects sources takes `add`, `list`, `token` or `remove`.");
}

const TWO = { min: 2, max: 2, names: "PROJECT and NAME" };

async function add(args: readonly string[], io: CommandIo): Promise<void> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(
    args,
    { repo: text, "token-file": text, branch: text, host: text },
    TWO,
  );
  const { repo, branch = null, host = null, "token-file": file } = values;
  if (repo === undefined) throw new AppError("invalid", "--repo URL is missing: the https address of the repository.");
  using line = createProgressLine(io);
  await using place = await openSources(values, positionals[0]!, around(io, line));
  const token = file === undefined ? null : (await readToken(io, file)).reveal();
  const source = await place.add({ name: positionals[1]!, url: repo, token, host, branch });
  line[Symbol.dispose]();
  if (values.json) return writeLine(io.stdout, JSON.stringify(source));
  writeLine(io.stdout, `The agent can read ${source.name}: ${source.url}, branch ${source.branch}.`);
}

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using place = await openSources(values, positionals[0]!, around(io));
  const all = await place.list();
  if (values.json) return writeLine(io.stdout, JSON.stringify(all));
  if (all.length === 0) return writeLine(io.stdout, "No sources. `docent projects sources add` names one.");
  const rows = all.map((one) => [one.name, one.url, one.branch, one.syncedAt ?? "", one.trouble ?? ""]);
  writeLine(io.stdout, table(["NAME", "REPOSITORY", "BRANCH", "CURRENT AS OF", "TROUBLE"], rows));
}

async function replaceToken(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, { "token-file": { type: "string" } }, TWO);
  const file = values["token-file"];
  if (file === undefined) throw new AppError("invalid", "--token-file FILE is missing; - reads standard input.");
  await using place = await openSources(values, positionals[0]!, around(io));
  const { id } = await place.replaceToken(positionals[1]!, (await readToken(io, file)).reveal());
  writeLine(io.stdout, values.json ? JSON.stringify({ id, replaced: true }) : "The new token is in use.");
}

async function remove(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, TWO);
  await using place = await openSources(values, positionals[0]!, around(io));
  const { id, name } = await place.remove(positionals[1]!);
  writeLine(io.stdout, values.json ? JSON.stringify({ id }) : `Removed ${name} and its mirror.`);
}
