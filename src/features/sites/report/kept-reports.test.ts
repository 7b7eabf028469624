import { expect, test } from "vitest";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { createKeptReports } from "./kept-reports.ts";

test("the reports of one project's many previews leave room for those of others", async () => {
  const begun: string[] = [];
  const closing = Promise.withResolvers<never>();
  const reports = createKeptReports({
    logger: silentLogger,
    makeReport({ project }) {
      begun.push(project);
      return closing.promise;
    },
  });
  const look = (project: string, name: string) =>
    reports.look({ name, project: project as ProjectId }, {
      docs: { pages: new Map() },
      awaited: { paths: [] },
    } as unknown as SiteVersion);
  for (let number = 1; number <= 250; number += 1) look("prj_many", `pr-${number}--many`);
  look("prj_other", "other");
  look("prj_many", "pr-1--many"); // a newer commit of a branch that is already being checked
  expect(begun.filter((project) => project === "prj_many")).toHaveLength(21);
  expect(begun).toContain("prj_other");
  closing.reject(new Error("closed"));
  await reports[Symbol.asyncDispose]();
});
