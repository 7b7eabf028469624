import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Problem } from "#docs/problems.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { createKeptReports } from "./kept-reports.ts";
import { addedProblems, createPullRequestReports } from "./pull-request-reports.ts";

const problem = (message: string, change: Partial<Problem> = {}): Problem => ({
  severity: "warning",
  code: "broken_link",
  path: "index.md",
  line: 1,
  message,
  ...change,
});
const site = { id: "prj_a" as ProjectId, slug: "a", name: "A", branch: "main" };
const pullRequest = { number: 1, head: { commit: "head" as ObjectId }, base: { branch: "main" } };

/** In a repository where `main` has advanced since the branch was created. */
function open(problems: Record<string, Problem[]>) {
  const reports = createKeptReports({
    logger: silentLogger,
    makeReport: async ({ version }, { signal } = {}) => {
      await setImmediate(); // page after page
      signal?.throwIfAborted();
      const found = problems[version.commit!];
      if (!found) throw new Error("The repository is away.");
      const errors = found.filter(({ severity }) => severity === "error").length;
      const links = { checked: 0, broken: 0 };
      return {
        pages: 1_200,
        problems: found,
        errors,
        warnings: found.length - errors,
        leftOut: 0,
        links,
        durationMs: 1,
      };
    },
  });
  return createPullRequestReports({
    repoStore: {
      resolve: async (_, name) =>
        (name === "refs/heads/main" ? "tip" : name === "head" ? "head" : null) as ObjectId | null,
      mergeBase: async () => "left" as ObjectId,
    },
    versions: {
      load: async (_, commit) =>
        ({ commit, docs: { pages: new Map() }, awaited: { paths: [] } }) as unknown as SiteVersion,
    },
    reports,
  });
}

describe("the report of a pull request", () => {
  it("lists the problems that its merge base did not have, errors first", async () => {
    const compare = open({
      tip: [],
      left: [problem("old")],
      head: [problem("old", { line: 9 }), problem("new"), problem("worse", { severity: "error" })],
    });
    const found = await compare(site, pullRequest);
    expect(found?.summary).toBe("1,200 pages, 1 error, 2 warnings");
    expect(found?.added.map(({ message }) => message)).toEqual(["worse", "new"]);
  });

  it("is created next to that of another project's pull request of the same number", async () => {
    const compare = open({ tip: [], left: [], head: [problem("new")] });
    const other = { ...site, id: "prj_b" as ProjectId };
    const found = await Promise.all([compare(site, pullRequest), compare(other, pullRequest)]);
    expect(found.map((each) => each?.added.length)).toEqual([1, 1]);
  });

  it("is null when either report fails, or the commit is not in the repository", async () => {
    expect(await open({ left: [] })(site, pullRequest)).toBeNull();
    expect(await open({ head: [] })(site, pullRequest)).toBeNull();
    const gone = { ...pullRequest, head: { commit: "gone" as ObjectId } };
    expect(await open({ left: [], head: [] })(site, gone)).toBeNull();
  });

  it("counts the same message in one file as often as it occurs", () => {
    expect(addedProblems([problem("a")], [problem("a"), problem("a", { line: 5 })])).toEqual([
      problem("a", { line: 5 }),
    ]);
    expect(addedProblems([problem("a")], [problem("a", { path: "other.md" })])).toHaveLength(1);
  });

  it("does not list an unknown component because another page uses it, too", () => {
    const onPages = (count: number) =>
      problem(`<Own> is unknown. It is on ${count} pages.`, { code: "unknown_component" });
    expect(addedProblems([onPages(2)], [onPages(3)])).toEqual([]);
  });
});
