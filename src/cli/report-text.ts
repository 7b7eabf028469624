import type { Problem } from "#content/problems.ts";
import type { Report } from "#sites/report/report.ts";
import { counted, countsText } from "#sites/report/report-view.ts";
import { printableLine } from "./io.ts";

type Show = (report: Report, pathOf: (file: string) => string) => string[];

/** A report for people: a block for each file, and what it comes to. */
export const reportText: Show = (report, pathOf) => {
  const lines: string[] = [];
  let file: string | null = null;
  for (const { path, line, column, severity, code, message } of report.problems) {
    if (path !== file) lines.push(...(file === null ? [] : [""]), startOfBlock(pathOf(path)));
    file = path;
    const place = line === null ? "" : column === undefined ? String(line) : `${line}:${column}`;
    lines.push(`  ${place.padEnd(7)} ${severity.padEnd(7)}  ${printableLine(message)}  (${code})`);
  }
  return [...lines, ...(lines.length === 0 ? [] : [""]), ...summary(report)];
};

/** A line that begins with two colons is a command where a workflow of GitHub runs this; a file may be called so. */
const startOfBlock = (path: string): string => printableLine(path).replace(/^(?=\s*::)/, "./");

/**
 * A report as commands of a GitHub workflow, which shows each at its line of the change.
 * Escaped as https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts does.
 */
export const githubAnnotations: Show = (report, pathOf) => [
  ...report.problems.map((problem) => annotation(problem, pathOf(problem.path))),
  ...summary(report),
];

function annotation({ severity, line, column, code, message }: Problem, file: string): string {
  const properties = { file, line, col: column, title: code };
  const written = Object.entries(properties)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${severity} ${written.join(",")}::${escapeMessage(message)}`;
}

const escapeMessage = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string) => escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

function summary({ pages, errors, warnings, leftOut, links, durationMs }: Report): string[] {
  const found = errors + warnings === 0 ? "No problems" : countsText({ errors, warnings });
  const seconds = (durationMs / 1_000).toFixed(1);
  const checked = `${counted(links.checked, "link")} checked`;
  return [
    ...(leftOut === 0 ? [] : [`${counted(leftOut, "more problem")}, not listed.`]),
    `${found} in ${counted(pages, "page")}. ${checked}, ${links.broken} broken. ${seconds} s`,
  ];
}
