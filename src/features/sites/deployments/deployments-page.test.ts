import { expect, it } from "vitest";
import type { Severity } from "#docs/problems.ts";
import { newProjectId } from "#lib/ids.ts";
import type { Deployment } from "./deployment.ts";
import { deploymentPage, findingsOf } from "./deployments-page.ts";

const at = new Date("2026-11-27T08:00:00Z");
const problem = (code: string | undefined, line: number) => ({
  severity: "error" as Severity,
  code,
  path: "index.md",
  line,
  message: `Problem ${line}`,
});

const DEPLOYMENT: Deployment = {
  id: "dep_1",
  projectId: newProjectId(),
  number: 1,
  commit: "a".repeat(40),
  branch: "main",
  subject: "Begin",
  author: "Ada",
  authoredAt: at,
  pushedAt: at,
  noticedAt: at,
  liveAt: at,
  state: "ready",
  trouble: null,
  pages: 1,
  errors: 0,
  warnings: 0,
};

const pageOf = (...problems: ReturnType<typeof problem>[]) =>
  deploymentPage({
    place: { slug: "harbor", name: "Harbor", siteUrl: "http://harbor.localhost/", hostUrl: null, level: "admin" },
    csrfToken: "t",
    people: new Map(),
    isNewest: true,
    liveId: null,
    pin: null,
    report: { problems, leftOut: 0, links: { checked: 9, broken: 2 }, durationMs: 5 },
    deployment: { ...DEPLOYMENT, errors: problems.length },
  }).toString();

it("offers a chore for the problems that one can solve", () => {
  const page = pageOf(problem("broken_link", 1), problem("broken_anchor", 2), problem("navigation", 3));
  expect(page).toContain('href="/harbor/jobs/chores?chore=fix_links&amp;try=yes">Fix broken links</a>');
  expect(page).toContain('href="/harbor/jobs/chores?chore=repair_navigation&amp;try=yes">Repair the navigation</a>');
});

it("lists errors above warnings", () => {
  const warnings = [1, 2, 3, 4, 5].map((line) => ({
    ...problem("style", line),
    message: "Odd.",
    severity: "warning" as const,
  }));
  const page = pageOf(...warnings, problem("syntax", 9));
  expect(page.indexOf("Problem 9")).toBeLessThan(page.indexOf("Odd."));
});

it("offers none for other problems, and for those in a report of an older version", () => {
  expect(pageOf(problem("syntax", 1), problem(undefined, 2))).not.toContain("jobs/chores");
});

it.each([
  [{ errors: null, warnings: null }, true, "145 pages, checking…"],
  [{ errors: null, warnings: null }, false, "145 pages, not checked"],
  [{ errors: 0, warnings: 0 }, true, "145 pages, no problems"],
  [{ errors: 0, warnings: 2 }, true, "145 pages, 2 warnings"],
  [{ errors: null, warnings: null, pages: null, state: "failed" }, true, "–"],
] as const)("says what is known of a deployment with %j, newest: %j", (counts, isNewest, words) => {
  expect(findingsOf({ ...DEPLOYMENT, pages: 145, ...counts }, isNewest)).toBe(words);
});
