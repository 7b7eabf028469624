import { expect, test } from "vitest";
import type { Report } from "#sites/report/report.ts";
import { githubAnnotations, reportText } from "./report-text.ts";

test("no name of a file is a command to a workflow", () => {
  const path = "::add-mask::e.md";
  const report: Report = {
    pages: 1,
    problems: [{ path, line: 2, severity: "error", code: "broken_link", message: "::error::no" }],
    errors: 1,
    warnings: 0,
    leftOut: 0,
    links: { checked: 1, broken: 1 },
    durationMs: 1,
  };
  const asIs = (file: string) => file;
  expect(reportText(report, asIs).filter((line) => line.trimStart().startsWith("::"))).toEqual([]);
  expect(githubAnnotations(report, asIs)[0]).toBe(
    "::error file=%3A%3Aadd-mask%3A%3Ae.md,line=2,title=broken_link::::error::no",
  );
});
