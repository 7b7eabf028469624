import { expect, test } from "vitest";
import type { Report } from "#features/sites/report/report.ts";
import { githubAnnotations, reportText } from "./report-text.ts";

test("no file name is interpreted as a workflow command", () => {
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

test("a problem that many places share is reported once, with its count and its first places", () => {
  const problems = Array.from({ length: 200 }, (_, at) => ({
    path: `page-${at}.mdx`,
    line: 3,
    column: 5,
    severity: "error" as const,
    code: "broken_link" as const,
    message: "/gone is broken: there is no such page.",
  }));
  const other = { ...problems[0]!, message: "/other is broken: there is no such page." };
  const report = {
    pages: 200,
    errors: 201,
    warnings: 0,
    leftOut: 0,
    links: { checked: 201, broken: 201 },
    durationMs: 100,
  };
  expect(reportText({ ...report, problems: [...problems, other] }, (file) => file)).toEqual([
    "In 200 places",
    "  error    /gone is broken: there is no such page.  (broken_link)",
    "  page-0.mdx:3:5, page-1.mdx:3:5, page-2.mdx:3:5 and 197 more",
    "",
    "page-0.mdx",
    "  3:5     error    /other is broken: there is no such page.  (broken_link)",
    "",
    "201 errors in 200 pages. 201 links checked, 201 broken. 0.1 s",
  ]);
});
