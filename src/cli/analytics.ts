import { type ImportProgress, importLog } from "#analytics/import-log.ts";
import { ingestSnippet } from "#analytics/ingest-snippet.ts";
import { rebuildVisitorIndex } from "#analytics/rebuild.ts";
import { AppError } from "#lib/app-error.ts";
import { readAnalyticsSettings } from "#analytics/settings.ts";
import { requireProject } from "#projects/projects.ts";
import { type Command, readArguments } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { openWorkspace } from "./workspace.ts";

export const analytics: Command = {
  name: "analytics",
  summary: "Import access logs, count visitors again, count sites hosted elsewhere",
  usage: `docent analytics import-log PROJECT FILE
docent analytics rebuild PROJECT
docent analytics snippet PROJECT

import-log takes combined, common and JSON access logs (Caddy, nginx, Traefik, Cloudflare), gzip or not. A log cannot
confirm a view, so a page that was delivered to a browser counts as human. The same log again adds nothing, an
interrupted import goes on where it was, and a log that has grown adds what is new.

rebuild makes the index of visitors again from the stored views and says whether the new one equals the old one.
Both work beside a running server.

snippet prints the script for a site of the project that is hosted elsewhere. Its origin has to be in the project's
\`allowedOrigins\`.

Options
  --data DIR   data directory (default ./data, or DOCENT_DATA)
  --json       one JSON object on standard output

Example
  docent analytics import-log harbor-docs /var/log/nginx/access.log.1.gz`,
  async run(args, io) {
    const [action, ...rest] = args;
    if (action === "import-log") return runImport(rest, io);
    if (action === "rebuild") return runRebuild(rest, io);
    if (action === "snippet") return printSnippet(rest, io);
    throw new AppError("invalid", "analytics takes `import-log`, `rebuild` or `snippet`.");
  },
};

async function runImport(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and FILE" });
  await using workspace = await openWorkspace(values);
  const project = await requireProject(workspace, positionals[0]!);
  const draw = progressBar(io);
  const result = await importLog(workspace, {
    projectId: project.id,
    file: positionals[1]!,
    onProgress: ({ share, views }) => draw(share, `${views.toLocaleString("en")} views`),
    signal: io.signal,
  });
  draw(1, "");
  if (values.json) return writeLine(io.stdout, JSON.stringify(result));
  writeLine(io.stdout, importSummary(result));
}

function importSummary(result: ImportProgress): string {
  const count = (number: number, what: string) => `${number.toLocaleString("en")} ${what}`;
  const parts = [
    count(result.views, "views imported"),
    count(result.otherRequests, "requests that are no views"),
    count(result.malformed, "malformed lines"),
    count(result.skipped, "lines that an earlier import had done"),
  ];
  const lines =
    result.malformedLines.length > 0 ? `\nMalformed, among others: line ${result.malformedLines.join(", ")}.` : "";
  return `${count(result.lines, "lines")}: ${parts.join(", ")}.${lines}`;
}

async function runRebuild(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using workspace = await openWorkspace(values);
  const project = await requireProject(workspace, positionals[0]!);
  const draw = progressBar(io);
  const { views, comparison } = await rebuildVisitorIndex(workspace, {
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

async function printSnippet(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using workspace = await openWorkspace(values);
  const { id, slug } = await requireProject(workspace, positionals[0]!);
  const snippet = ingestSnippet({ endpoint: `${workspace.baseUrl}/ingest/${id}` });
  const allowedOrigins = (await readAnalyticsSettings(workspace.database.kysely, id))?.allowedOrigins ?? [];
  if (allowedOrigins.length === 0) {
    const setting = `docent projects set ${slug} analytics '{"allowedOrigins": ["https://docs.example.com"]}'`;
    writeLine(io.stderr, `No origin may send views yet. Name those that carry the script:\n  ${setting}`);
  }
  writeLine(io.stdout, values.json ? JSON.stringify({ snippet, allowedOrigins }) : snippet);
}

const BAR_WIDTH = 30;

/** Draws on standard error while a person watches; says nothing otherwise. */
function progressBar(io: CommandIo): (share: number, note: string) => void {
  if (!io.isTerminal) return () => undefined;
  return (share, note) => {
    const full = Math.round(share * BAR_WIDTH);
    const bar = "█".repeat(full) + "░".repeat(BAR_WIDTH - full);
    io.stderr(share >= 1 ? "\r\u001b[K" : `\r${bar} ${Math.floor(share * 100)} % ${note}\u001b[K`);
  };
}
