import { stat } from "node:fs/promises";
import path from "node:path";
import { composeDirectorySite } from "#app/directory-site.ts";
import { trimContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { createFaultLogger } from "#lib/logger.ts";
import type { Report } from "#features/sites/report/report.ts";
import { type Command, readArguments, wholeNumber } from "#cli/command/command.ts";
import type { CommandIo } from "#cli/command/io.ts";
import { writeLine } from "#cli/command/io.ts";
import { showAfter } from "#cli/places/show-after.ts";
import { createProgressLine } from "#cli/command/progress.ts";
import { githubAnnotations, reportText } from "./report-text.ts";

export const check: Command = {
  usage: `docent check [DIR] [--content-root FOLDER] [--warnings-as-errors] [--patience SECONDS] [--github]

Checks the docs in a directory as the server does after a push: configuration, navigation, every rendered page, links, anchors, images,
redirects and API descriptions. Nothing is sent or written, and no data directory is needed. Uncommitted files are included; files
that git ignores are not.

Options
  --content-root FOLDER  folder of the pages in DIR (default: the folder of the configuration)
  --warnings-as-errors   warnings also fail the check
  --patience SECONDS     time limit for all API descriptions, and for each page (default 300)
  --github               annotations for a GitHub workflow, instead of text

With --json, the report is JSON. The exit status is 0 without errors, 1 with errors, 2 for invalid arguments, and 3 if there are no errors but the
time was too short to check everything. The report lists what was not checked.`,
  async run(args, io) {
    const { directory, values } = await readDirectoryArguments(args, {
      "content-root": { type: "string" },
      "warnings-as-errors": { type: "boolean" },
      patience: { type: "string" },
      github: { type: "boolean" },
    });
    const contentRoot = values["content-root"] === undefined ? null : trimContentRoot(values["content-root"]);
    const patienceMs = readPatience(values.patience) * 1_000;
    const report = await reportOf({ directory, contentRoot, patienceMs }, io);
    if (report.pages === 0) {
      throw new AppError("not_found", `${directory} has no pages: Markdown files are what a site is made of.`);
    }
    if (values.json) writeLine(io.stdout, JSON.stringify({ directory, ...report }, null, 2));
    else {
      const show = values.github ? githubAnnotations : reportText;
      for (const line of show(report, (file) => path.relative(process.cwd(), path.join(directory, file))))
        writeLine(io.stdout, line);
    }
    process.exitCode = exitCodeOf(report, { warningsFail: values["warnings-as-errors"] ?? false });
  },
};

const FAILED = 1;
const WRONG_ARGUMENTS = 2;
const NOT_ALL_CHECKED = 3;

/** Pages that were not checked do not count as warnings: that says nothing about the docs. */
function exitCodeOf({ problems, errors, warnings }: Report, { warningsFail }: { warningsFail: boolean }): number {
  const notChecked = problems.filter(({ code }) => code === "not_checked").length;
  if (errors > 0 || (warningsFail && warnings > notChecked)) return FAILED;
  return notChecked > 0 ? NOT_ALL_CHECKED : 0;
}

function readPatience(text: string | undefined): number {
  try {
    return text === undefined ? DEFAULT_PATIENCE_SECONDS : wholeNumber("--patience", text, 0, 86_400);
  } catch (error) {
    process.exitCode = WRONG_ARGUMENTS;
    throw error;
  }
}

const DEFAULT_PATIENCE_SECONDS = 300;

const MAX_LISTED = 10_000;
const SILENT_MS = 2_000;

async function reportOf(
  site: { directory: string; contentRoot: string | null; patienceMs: number },
  io: CommandIo,
): Promise<Report> {
  const told = new Set<string>();
  const logger = createFaultLogger((detail) => {
    if (!told.has(detail)) writeLine(io.stderr, `docent: ${detail}`);
    told.add(detail);
  });
  await using directorySite = composeDirectorySite({ logger }, { ...site, isServed: false });
  using progress = createProgressLine(io);
  const startedAt = performance.now();
  // Shown until the first page is rendered, while all files are read and their links collected.
  using _ = showAfter(SILENT_MS, () => progress.show("Reading files and their links"));
  const version = await directorySite.load();
  return await directorySite.makeReport(
    { project: directorySite.project, version },
    {
      signal: io.signal,
      maxListed: MAX_LISTED,
      onProgress(done, all) {
        if (performance.now() - startedAt > SILENT_MS) progress.show(`${done} of ${all} pages`);
      },
    },
  );
}
/** Arguments of a command on a directory, by default the current one. Exit status 2 if they are invalid. */
export async function readDirectoryArguments<Options extends Parameters<typeof readArguments>[1]>(
  args: readonly string[],
  options: Options,
) {
  try {
    const { values, positionals } = readArguments(args, options, { min: 0, max: 1, names: "one directory" });
    const directory = path.resolve(positionals[0] ?? ".");
    const found = await stat(directory).catch(() => null);
    if (!found?.isDirectory()) throw new AppError("invalid", `There is no directory ${directory}.`);
    return { directory, values };
  } catch (error) {
    process.exitCode = WRONG_ARGUMENTS;
    throw error;
  }
}
