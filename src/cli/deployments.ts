import { type Command, readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { wholeNumber } from "./numbers.ts";
import { openDeployments } from "./open-places.ts";
import type { ShownDeployment } from "./places/deployments.ts";
import { around } from "./progress.ts";

export const deployments: Command = {
  usage: `docent deployments list PROJECT [--limit N]
docent deployments pin PROJECT COMMIT
docent deployments unpin PROJECT

list shows the commits that came to be the newest of the site's branch, newest first.
pin has the site show one of them, or an earlier commit of the branch, until unpin;
newer commits wait, and jobs go on with the branch. Readers see it within a second.

Options
  --limit N   deployments to show, 1 to 100 (default 20)
  --json      one JSON object (pin, unpin) or array (list) on standard output

Example
  docent deployments pin harbor-docs 4f2a9c1`,
  async run(args, io) {
    const [action, ...rest] = args;
    if (action === "list") return list(rest, io);
    if (action === "pin") return pin(rest, io);
    if (action === "unpin") return unpin(rest, io);
    throw new UsageError("deployments takes `list`, `pin` or `unpin`.");
  },
};

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { limit: { type: "string" } },
    { min: 1, max: 1, names: "one PROJECT" },
  );
  const limit = wholeNumber("--limit", values.limit ?? "20", 1, 100);
  await using place = await openDeployments(values, positionals[0]!, around(io));
  const { deployments: found, pin, isMissing } = await place.list(limit);
  if (values.json) return writeLine(io.stdout, JSON.stringify(found));
  if (found.length === 0)
    return writeLine(io.stdout, "No deployments yet: the server writes them down as it sees them.");
  const rows = found.map((one) => [
    `#${one.number}`,
    one.commit.slice(0, 7),
    one.noticedAt,
    stateOf(one, pin !== null),
    one.author,
    one.subject,
  ]);
  writeLine(io.stdout, table(["NUMBER", "COMMIT", "AT", "STATE", "AUTHOR", "SUBJECT"], rows));
  if (pin) writeLine(io.stdout, pinText(place.name, pin, isMissing));
}

function pinText(project: string, { commit }: { commit: string }, isMissing: boolean): string {
  const name = commit.slice(0, 7);
  if (!isMissing) return `Pinned to ${name}; newer commits wait.`;
  return `Pinned to ${name}, which is not in the repository any more: nothing is live. Restore the repository, pin another commit, or run \`docent deployments unpin ${project}\`.`;
}

function stateOf({ live, state, liveAt }: ShownDeployment, isPinned: boolean): string {
  if (live) return "live";
  return state === "ready" ? (liveAt === null && isPinned ? "waiting" : "earlier") : state;
}

async function pin(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and COMMIT" });
  await using place = await openDeployments(values, positionals[0]!, around(io));
  const made = await place.pin(positionals[1]!);
  if (values.json) return writeLine(io.stdout, JSON.stringify(made));
  writeLine(io.stdout, `${place.name} shows ${made.commit} now. \`docent deployments unpin ${place.name}\` ends it.`);
}

async function unpin(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using place = await openDeployments(values, positionals[0]!, around(io));
  await place.unpin();
  if (values.json) return writeLine(io.stdout, JSON.stringify({ pinned: null }));
  writeLine(io.stdout, `${place.name} shows the newest commit of its branch.`);
}
