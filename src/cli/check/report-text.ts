import type { Problem } from "#docs/problems.ts";
import type { Report } from "#features/sites/report/report.ts";
import { counted } from "#lib/counted.ts";
import { countsText } from "#features/sites/report/report-view.ts";
import { groupProblems, placeText, type ProblemGroup } from "#features/sites/report/problem-groups.ts";
import { printableLine } from "#cli/command/io.ts";

type PathOf = (file: string) => string;
type Show = (report: Report, pathOf: PathOf) => string[];

/**
 * Formats a report: problems that many places share, then a block per file with the others, then the totals. `maxShown`
 * limits each part.
 */
export function reportText(report: Report, pathOf: PathOf, maxShown = Infinity): string[] {
  const { groups, single } = groupProblems(report.problems);
  const lines = groups
    .slice(0, maxShown)
    .flatMap((group, at) => [...(at === 0 ? [] : [""]), ...groupText(group, pathOf)]);
  if (lines.length > 0 && single.length > 0) lines.push("");
  let file: string | null = null;
  for (const { path, line, column, severity, code, message } of single.slice(0, maxShown)) {
    if (path !== file) lines.push(...(file === null ? [] : [""]), startOfBlock(pathOf(path)));
    file = path;
    const place = line === null ? "" : column === undefined ? String(line) : `${line}:${column}`;
    lines.push(`  ${place.padEnd(7)} ${severity.padEnd(7)}  ${printableLine(message)}  (${code})`);
  }
  const unshown = [...groups.slice(maxShown).map(({ count }) => count), Math.max(0, single.length - maxShown)].reduce(
    (sum, count) => sum + count,
    report.leftOut,
  );
  return [...lines, ...(lines.length === 0 ? [] : [""]), ...summary({ ...report, leftOut: unshown })];
}

function groupText({ first, count, shown }: ProblemGroup<Problem>, pathOf: PathOf): string[] {
  const { severity, code, message } = first;
  const places = shown.map((one) => printableLine(placeText({ ...one, path: pathOf(one.path) }))).join(", ");
  return [
    `In ${count.toLocaleString("en")} places`,
    `  ${severity.padEnd(7)}  ${printableLine(message)}  (${code})`,
    `  ${places} and ${(count - shown.length).toLocaleString("en")} more`,
  ];
}

/** In a GitHub workflow, a line that begins with two colons is a command, and a file name may begin like that. */
const startOfBlock = (path: string): string => printableLine(path).replace(/^(?=\s*::)/, "./");

/**
 * Formats a report as GitHub workflow commands, which GitHub shows at the changed line. Escapes like
 * https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts.
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
