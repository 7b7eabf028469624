import { backticksAround } from "#lib/backticks.ts";
import { inertText, cleanText } from "#agent/finish-text.ts";
import { type Finding, GATE_CHECKS, type GateCheck, type GateReport } from "#agent/gate/gate.ts";
import { linkedHosts } from "#agent/gate/hosts.ts";
import { previewLine } from "#hosts/preview-line.ts";

import type { JobError } from "#features/jobs/job.ts";

const NAMES: Record<GateCheck, string> = {
  policy: "Only files that the agent may write",
  secrets: "No credentials",
  markup: "No unsafe markup",
  invisible: "No invisible characters",
  surfaces: "No text that only machines see",
  pages: "Every changed page parses",
  navigation: "Navigation is valid",
  links: "No link newly broken",
  deletions: "Nothing deleted that was not asked for",
  size: "Small enough to review",
};
const MAX_LISTED = 20;

/** The sections of a pull request's description with the results of the checks and the link to the preview. */
export function bodySections({
  report,
  preview,
  reviewUrl,
  turns,
  unfinished,
}: {
  report: GateReport | null;
  preview: string | null;
  /** The page with the complete lists that are too long for a description. */
  reviewUrl: string;
  /** What the agent says it did. */
  turns: readonly { summary: string }[];
  /** Why the last turn ended before the agent was done. */
  unfinished: JobError | null;
}): string[] {
  const sections: string[] = [];
  if (unfinished) sections.push(notFinished(unfinished));
  if (preview) sections.push(previewLine(preview));
  if (report) sections.push(...checkSections(report, reviewUrl));
  const changed = report?.newHosts ?? [];
  const named = turns.flatMap(({ summary }) => [...hostsNamed(summary)]);
  const hosts = [...new Set([...changed, ...named])].sort();
  if (hosts.length > 0) {
    const list = listed(
      hosts.map((host) => `- ${code(host)}${changed.includes(host) ? "" : " (in the agent's words below)"}`),
      reviewUrl,
    );
    sections.push(
      `**New outside addresses.** The change, or what the agent says of it, names hosts that the changed files did not link to before:\n\n${list}`,
    );
  }
  return sections;
}

function checkSections(report: GateReport, reviewUrl: string): string[] {
  const findings = [...report.errors, ...report.warnings];
  const rows = GATE_CHECKS.map((check) => ({ check, result: verdict(report, check) }));
  const passed = rows.filter(({ result }) => result === null).map(({ check }) => NAMES[check]);
  if (findings.length === 0) return [`### Checks\n\n✓ ${passed.join(" · ")}`];
  const flagged = rows.filter(({ result }) => result !== null);
  const table = flagged.map(({ check, result }) => `| ${NAMES[check]} | ${result} |`).join("\n");
  const sections = [
    `### Checks\n\n| Check | Result |\n|---|---|\n${table}`,
    listed(findings.map(findingLine), reviewUrl),
  ];
  if (passed.length > 0) sections.push(`✓ ${passed.join(" · ")}`);
  return sections;
}

function notFinished({ message, hint }: JobError): string {
  return `### Not finished

The agent was stopped before it had done everything that the last instruction asks for, and did not say what is missing: compare the changes with the instruction.

- Why: ${oneLine(message)}
- What helps: ${oneLine(hint)}

A follow-up message to the job continues from here.`;
}

const oneLine = (text: string) =>
  inertText(cleanText(text))
    .replace(/\s+/g, " ")
    .replace(/[<>|[\]]/g, " ")
    .slice(0, 600);

/** The result of a check; null when it passed. */
function verdict(report: GateReport, check: GateCheck): string | null {
  const count = (findings: readonly Finding[]) => findings.filter((finding) => finding.check === check).length;
  const errors = count(report.errors);
  const warnings = count(report.warnings);
  if (errors > 0) return `✗ ${errors} found`;
  return warnings > 0 ? `! ${warnings} to look at` : null;
}

function findingLine(finding: Finding): string {
  const place =
    finding.path === null ? "" : `${code(finding.path + (finding.line === null ? "" : `:${finding.line}`))} `;
  return `- ${place}${plain(finding.message.slice(0, 300))}`;
}

function listed(lines: readonly string[], reviewUrl: string): string {
  const more = lines.length > MAX_LISTED ? [moreLine(lines.length - MAX_LISTED, reviewUrl)] : [];
  return [...lines.slice(0, MAX_LISTED), ...more].join("\n");
}

/** The line that replaces the rest of a list. */
export const moreLine = (count: number, reviewUrl: string): string => `- … and ${count} more: [see all](${reviewUrl})`;

/** Hosts that a text links to once a code host has rendered it, including `www.` addresses without a scheme. */
function hostsNamed(text: string): Set<string> {
  const visible = cleanText(text); // without the characters that split its addresses
  return linkedHosts(visible.replace(/(?<![\w:/.])www\./gi, "//www."));
}

/** Escapes text from a file or a model for use in our own text: one line, without markup or links. */
function plain(text: string): string {
  const line = cleanText(text).replace(/\s+/g, " ").replace(/[<>|]/g, " ");
  return inertText(line).replace(/[\\`*_[\]~]/g, "\\$&");
}

/** Code between more backticks than its longest run of backticks. */
function code(text: string): string {
  const line = cleanText(text).replace(/\s+/g, " ");
  const marks = backticksAround(line, 1);
  return marks === "`" ? `\`${line}\`` : `${marks} ${line} ${marks}`;
}
