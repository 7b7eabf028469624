import { droppedViews, type ImportProgress, importLog, planImport } from "#features/visitors/collect/import-log.ts";
import { rebuildVisitorIndex } from "#features/visitors/index/rebuild.ts";
import { AppError } from "#lib/app-error.ts";
import { requireProject } from "#features/projects/projects.ts";
import { readArguments } from "#cli/command/command.ts";
import { type CommandIo, printableLine, writeLine } from "#cli/command/io.ts";
import { agentsInUse, openVault, openInstance } from "#cli/command/open-instance.ts";

/** `docent analytics import-log`. */
export async function runImport(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { "drop-older": { type: "boolean" } },
    { min: 2, max: 2, names: "PROJECT and FILE" },
  );
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  const plan = await planImport(instance, { projectId: project.id, file: positionals[1]!, signal: io.signal });
  const dropped = droppedViews(plan);
  const dropOlder =
    dropped === null || values["drop-older"] === true || (await confirmDropped(io, dropped, project.slug));
  if (!dropOlder) return writeLine(io.stderr, "Nothing was imported.");
  const draw = progressBar(io);
  const result = await importLog(
    { ...instance, vault: await openVault(instance), agents: agentsInUse(instance) },
    {
      plan,
      projectId: project.id,
      dropOlder,
      onProgress: ({ share, counted }) => draw(share, `${counted.toLocaleString("en")} views`),
      signal: io.signal,
    },
  );
  draw(1, "");
  if (values.json) return writeLine(io.stdout, JSON.stringify(result));
  writeLine(io.stdout, importSummary(result));
}

async function confirmDropped(io: CommandIo, dropped: string, slug: string): Promise<boolean> {
  const answer = await io.confirm(`${dropped}\nImport the others?`);
  if (answer !== null) return answer;
  throw new AppError(
    "conflict",
    `${dropped} Nothing was imported. Keep more days first (\`docent projects set ${slug} analytics '{"retentionDays": 800}'\`), or import the others with --drop-older.`,
  );
}

function importSummary(result: ImportProgress): string {
  const count = (number: number, what: string) => `${number.toLocaleString("en")} ${what}`;
  const parts = [
    count(result.counted, "views counted"),
    count(result.uncounted, "by crawlers and programs"),
    count(result.known, "known from an earlier import"),
    count(result.tooOld, "too old"),
    count(result.refused, "of excluded readers"),
    count(result.otherRequests, "requests that are no views"),
    count(result.malformed, "malformed"),
    count(result.empty, "empty"),
  ];
  const lines =
    result.malformedLines.length > 0 ? `\nMalformed, among others: line ${result.malformedLines.join(", ")}.` : "";
  return `${count(result.lines, "lines")}: ${parts.join(", ")}.${lines}`;
}

/** `docent analytics rebuild`. */
export async function runRebuild(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  const draw = progressBar(io);
  const { views, comparison } = await rebuildVisitorIndex(instance, {
    projectId: project.id,
    verify: true,
    onProgress: (share) => draw(share, ""),
    signal: io.signal,
  });
  draw(1, "");
  if (values.json) return writeLine(io.stdout, JSON.stringify({ views, ...comparison }));
  const outcome =
    comparison?.differences === 0
      ? "the new index equals the old one"
      : `${comparison?.differences.toLocaleString("en")} of its ${comparison?.rows.toLocaleString("en")} rows differ from the old one`;
  writeLine(io.stdout, `Counted ${views.toLocaleString("en")} stored views again: ${outcome}.`);
}

const BAR_WIDTH = 30;

/** Draws progress on a terminal; silent otherwise. */
function progressBar(io: CommandIo): (share: number, note: string) => void {
  if (!io.isTerminal) return () => undefined;
  return (share, note) => {
    const full = Math.round(share * BAR_WIDTH);
    const bar = "█".repeat(full) + "░".repeat(BAR_WIDTH - full);
    io.stderr(share >= 1 ? "\r\u001b[K" : `\r${bar} ${Math.floor(share * 100)} % ${printableLine(note)}\u001b[K`);
  };
}
