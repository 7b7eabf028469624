import { expect, test } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { rememberProjects } from "./recent-projects.ts";
import type { SiteProject } from "./site-project.ts";

test("looks a project up at most every quarter of a second, and an address without one each time", async () => {
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

test("serves the last known project while the store is unavailable or hangs, without delaying each request", async () => {
  let now = 1_000_000;
  let lookUps = 0;
  const project = { id: newProjectId(), slug: "docs", name: "Docs", branch: "main" };
  const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  let answer: () => Promise<SiteProject | null> = async () => project;
  const ask = async () => {
    lookUps++;
    return answer();
  };
  const find = rememberProjects(ask, { now: () => new Date(now) }, 5);
  await find("docs");
  answer = () => Promise.reject(away);
  await expect(find("unknown")).rejects.toThrow("ECONNREFUSED");
  now += 3_600_000;
  lookUps = 0;
  expect(await Promise.all([find("docs"), find("docs")])).toEqual([project, project]);
  expect(await find("docs")).toEqual(project);
  expect(lookUps).toBe(1);

  const hanging = Promise.withResolvers<SiteProject | null>();
  answer = () => hanging.promise;
  now += 250;
  expect(await find("docs")).toEqual(project);
  const turn = new Promise((resolve) => setImmediate(resolve));
  expect(await Promise.race([find("docs"), turn])).toBe(project); // immediate: the lookup is late already
  expect(lookUps).toBe(2);
  hanging.resolve({ ...project, branch: "release" });
  await expect.poll(async () => (await find("docs"))?.branch).toBe("release");

  answer = () => Promise.reject(new Error("no such column"));
  now += 250;
  await expect(find("docs")).rejects.toThrow("no such column"); // our own fault is not hidden
});

test("a change of a private project applies to the next request, even during a pending lookup", async () => {
  const project = { id: newProjectId(), slug: "docs", name: "Docs", branch: "main" };
  const withVersion = (version: number): SiteProject => ({
    ...project,
    access: { mode: "links", passwordHash: null, version },
  });
  let stored = withVersion(1);
  let answer: () => Promise<SiteProject | null> = async () => stored;
  const find = rememberProjects(() => answer(), { now: () => new Date(1_000_000) });
  expect((await find("docs"))?.access?.version).toBe(1);
  stored = withVersion(2);
  expect((await find("docs"))?.access?.version).toBe(2);

  const slow = Promise.withResolvers<SiteProject | null>();
  answer = () => slow.promise;
  const before = find("docs");
  stored = withVersion(3);
  answer = async () => stored;
  expect((await find("docs"))?.access?.version).toBe(3);
  slow.resolve(withVersion(2));
  expect((await before)?.access?.version).toBe(2);

  answer = () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
  expect((await find("docs"))?.access?.version).toBe(3);
});
