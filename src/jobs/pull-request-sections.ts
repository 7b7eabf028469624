import { type Finding, GATE_CHECKS, type GateCheck, type GateReport } from "#agent/gate.ts";

const NAMES: Record<GateCheck, string> = {
  policy: "Only files that the agent may write",
  secrets: "No credentials",
  markup: "No unsafe markup",
  pages: "Every changed page parses",
  navigation: "Navigation is valid",
  links: "No link newly broken",
  size: "Small enough to review",
};
const MAX_LISTED = 20;

/** The parts of a pull request's description that say how it was checked and where it can be seen. */
export function bodySections({ report, preview }: { report: GateReport | null; preview: string | null }): string[] {
  const sections: string[] = [];
  if (preview) sections.push(`**Preview:** ${preview}`);
  if (!report) return sections;
  const rows = GATE_CHECKS.map((check) => `| ${NAMES[check]} | ${verdict(report, check)} |`);
  sections.push(`### Checks\n\n| Check | Result |\n|---|---|\n${rows.join("\n")}`);
  const findings = [...report.errors, ...report.warnings];
  if (findings.length > 0) sections.push(listed(findings.map(findingLine)));
  if (report.newHosts.length > 0) {
    const hosts = listed(report.newHosts.map((host) => `- \`${host}\``));
    sections.push(
      `**New outside addresses.** The change links to hosts that these files did not link to before:\n\n${hosts}`,
    );
  }
  return sections;
}

function verdict(report: GateReport, check: GateCheck): string {
  const count = (findings: readonly Finding[]) => findings.filter((finding) => finding.check === check).length;
  const errors = count(report.errors);
  const warnings = count(report.warnings);
  if (errors > 0) return `✗ ${errors} found`;
  return warnings > 0 ? `! ${warnings} to look at` : "✓";
}

function findingLine(finding: Finding): string {
  const place = finding.path === null ? "" : `\`${finding.path}${finding.line === null ? "" : `:${finding.line}`}\` `;
  return `- ${place}${finding.message.replace(/[<>|]/g, " ").slice(0, 300)}`;
}

function listed(lines: readonly string[]): string {
  const more = lines.length > MAX_LISTED ? [`- … and ${lines.length - MAX_LISTED} more`] : [];
  return [...lines.slice(0, MAX_LISTED), ...more].join("\n");
}
