import { REMOTE_KINDS } from "#code-hosts/code-host.ts";
import { addSource, replaceSourceToken } from "#code-hosts/sources/add-source.ts";
import { listSources, removeSource, requireSource, type SourceRepository } from "#code-hosts/sources/sources.ts";
import { cloneProgress } from "#git/transfer/clone-progress.ts";
import { AppError } from "#lib/app-error.ts";
import { requireProject } from "#projects/projects.ts";
import { readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { openInstance } from "./open-instance.ts";
import { connectDeps } from "./project-connections.ts";
import { readToken } from "./read-token.ts";
import { createProgressLine } from "./progress.ts";

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
  const { repo, branch = null, host, "token-file": file } = values;
  if (repo === undefined) throw new AppError("invalid", "--repo URL is missing: the https address of the repository.");
  const kind = REMOTE_KINDS.find((one) => one === host) ?? null;
  if (host !== undefined && kind === null)
    throw new AppError("invalid", `--host is one of ${REMOTE_KINDS.join(", ")}.`);
  await using instance = await openInstance(values);
  const { id: projectId } = await requireProject(instance, positionals[0]!);
  const token = file === undefined ? null : await readToken(io, file);
  using progress = createProgressLine(io);
  const onProgress = (line: string) => {
    const words = cloneProgress(line);
    if (words !== null) progress.show(words);
  };
  const source = await addSource(await connectDeps(instance), {
    projectId,
    name: positionals[1]!,
    url: repo,
    token,
    kind,
    branch,
    signal: io.signal,
    onProgress,
  });
  progress[Symbol.dispose]();
  if (values.json) return writeLine(io.stdout, JSON.stringify(source));
  writeLine(io.stdout, `The agent can read ${source.name}: ${source.url}, branch ${source.branch}.`);
}

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using instance = await openInstance(values);
  const { id } = await requireProject(instance, positionals[0]!);
  const all = await listSources(instance.database, id);
  if (values.json) return writeLine(io.stdout, JSON.stringify(all));
  if (all.length === 0) return writeLine(io.stdout, "No sources. `docent projects sources add` names one.");
  const rows = all.map((one) => [one.name, one.url, one.branch, one.syncedAt?.toISOString() ?? "", one.trouble ?? ""]);
  writeLine(io.stdout, table(["NAME", "REPOSITORY", "BRANCH", "CURRENT AS OF", "TROUBLE"], rows));
}

async function replaceToken(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, { "token-file": { type: "string" } }, TWO);
  const file = values["token-file"];
  if (file === undefined) throw new AppError("invalid", "--token-file FILE is missing; - reads standard input.");
  await using instance = await openInstance(values);
  const source = await namedSource(instance, positionals);
  await replaceSourceToken(await connectDeps(instance), source, await readToken(io, file));
  writeLine(io.stdout, values.json ? JSON.stringify({ id: source.id, replaced: true }) : "The new token is in use.");
}

async function remove(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, TWO);
  await using instance = await openInstance(values);
  const source = await namedSource(instance, positionals);
  await removeSource(instance, source);
  writeLine(io.stdout, values.json ? JSON.stringify({ id: source.id }) : `Removed ${source.name} and its mirror.`);
}

async function namedSource(
  instance: Parameters<typeof requireProject>[0],
  [project, name]: readonly string[],
): Promise<SourceRepository> {
  const { id } = await requireProject(instance, project!);
  return requireSource(instance.database, id, name!);
}
