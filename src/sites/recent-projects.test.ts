import { expect, test } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { rememberProjects } from "./recent-projects.ts";
import type { SiteProject } from "./site-project.ts";

test("a project is looked up at most every quarter of a second, an address without one each time", async () => {
  let now = 1_000_000;
  let lookUps = 0;
  const store = new Map<string, SiteProject>();
  const find = rememberProjects(
    async (slug) => {
      lookUps++;
      return store.get(slug) ?? null;
    },
    { now: () => new Date(now) },
  );
  const project = { id: newProjectId(), slug: "docs", name: "Docs", branch: "main" };

  expect(await find("docs")).toBeNull();
  store.set("docs", project);
  expect(await find("docs")).toEqual(project);
  expect(lookUps).toBe(2);

  store.set("docs", { ...project, branch: "release" });
  now += 249;
  expect((await find("docs"))?.branch).toBe("main");
  expect(lookUps).toBe(2);
  now += 1;
  expect((await find("docs"))?.branch).toBe("release");
  now -= 60_000; // the clock is set back
  store.delete("docs");
  expect(await find("docs")).toBeNull();
  expect(await find("docs")).toBeNull();
  expect(lookUps).toBe(5);
});
