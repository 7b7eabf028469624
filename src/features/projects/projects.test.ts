import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import { refuseInvisible, slugFor } from "./project.ts";
import {
  createProject,
  findProjectBySlug,
  listProjects,
  requireProject,
  saveSettings,
  withSetting,
} from "./projects.ts";

describe("the slug of a project", () => {
  it.each([
    ["Harbor docs", "harbor-docs"],
    ["  Über—uns!  ", "uber-uns"],
    ["a/../../b", "a-b"],
    ["x".repeat(39) + " y", "x".repeat(39)],
    ["pr-1--docs", "pr-1-docs"],
    ["xn--abc", "xn-abc"],
  ])("of %j is %s", (name, slug) => {
    expect(slugFor(name)).toBe(slug);
  });

  it.each(["", "文档", "---"])("cannot be derived from %j, which has no ASCII letter or digit", (name) => {
    expect(() => slugFor(name)).toThrow("gives no usable address");
  });

  it.each(["www", "V2", "sign-in", "metrics", "Discovery", "MCP"])("%j is reserved", (name) => {
    expect(() => slugFor(name)).toThrow("is an address of the server itself. Choose another one");
  });
});

it.each(["x\u001b[2J", "safe\u202Egnp", "a\u200Bb", "a\tb"])(
  "rejects the name %j, which has an invisible character",
  (name) => {
    expect(() => refuseInvisible(name)).toThrow(/A project's name must not contain invisible characters.* U\+/);
  },
);

it.each(["Über", "文档 👩‍💻", "می‌خواهم", "हिन्दी"])("accepts the name %j", (name) => {
  expect(() => refuseInvisible(name)).not.toThrow();
});

it.each(["garbage", "1.2.3.4/99", ""])("rejects %j as an excluded network", (range) => {
  expect(() => withSetting({}, "analytics", { excludedNetworks: ["10.0.0.0/8", range] })).toThrow(
    "analytics.excludedNetworks.1: is no address or range",
  );
  expect(withSetting({}, "analytics", { excludedNetworks: ["10.0.0.0/8"] })).toBeDefined();
});

const ANALYTICS = { retentionDays: 200, excludedNetworks: ["10.0.0.0/8"], allowedOrigins: ["https://docs.example"] };

it.each<[change: object | null, after: object | undefined]>([
  [{ retentionDays: 90 }, { ...ANALYTICS, retentionDays: 90 }],
  [
    { identity: "daily", allowedOrigins: null },
    { ...ANALYTICS, identity: "daily", allowedOrigins: undefined },
  ],
  [{ excludedNetworks: [] }, { ...ANALYTICS, excludedNetworks: [] }],
  [{}, ANALYTICS],
  [null, undefined],
])("a change of analytics by %j leaves the fields that it does not name", (change, after) => {
  const before = { contentRoot: "docs", quotas: { jobsPerDay: 5 }, analytics: ANALYTICS };
  expect(withSetting(before as never, "analytics", change)).toEqual({ ...before, analytics: after });
});

describe.each(ENGINES)("a project on %s", (engine) => {
  async function start() {
    await using stack = new AsyncDisposableStack();
    const { database } = stack.use(await openTestDatabase(engine));
    const root = path.join(stack.use(await createTestDirectory()).path, "repositories");
    const repoStore = stack.use(createRepoStore({ root, logger: silentLogger }));
    const source = stack.use(await createTestRepository({ "index.md": "# Start\n" }, { branch: "trunk" }));
    const deps = { database, repoStore, clock: systemClock };
    const owned = stack.move();
    const create = (name: string, from: string | null = source.path, branch: string | null = null) =>
      createProject(deps, { name, source: from, branch });
    const repositories = () => readdirSync(root).filter((name) => name.endsWith(".git"));
    return { deps, source, create, repositories, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  it("uses the branch of its source, and is found by ID and slug", async () => {
    await using run = await start();
    const project = await run.create("Harbor docs");
    expect(project).toMatchObject({ slug: "harbor-docs", branch: "trunk", sourceUrl: run.source.path });
    expect(await requireProject(run.deps, project.id)).toEqual(project);
    expect(await requireProject(run.deps, "harbor-docs")).toEqual(project);
    await expect(requireProject(run.deps, "prj_nowhere")).rejects.toMatchObject({ code: "not_found" });
  });

  it.each([
    ["a taken address", "harbor DOCS", undefined, null, "conflict"],
    ["a path that is not there", "Other", "/nowhere/at/all", null, "invalid"],
    ["a folder that is no repository", "Other", "/usr/bin", null, "invalid"],
    ["a password in the address", "Other", "https://ada:secret@example.com/x.git", null, "invalid"],
    ["a helper of git's as the address", "Other", "ext::sh -c id", null, "invalid"],
    ["another scheme", "Other", "file:///etc", null, "invalid"],
    ["a branch that is not there", "Other", undefined, "nowhere", "invalid"],
    ["a branch that is an option", "Other", null, "--bare", "invalid"],
    ["a name that is too long", "x".repeat(201), undefined, null, "invalid"],
  ])("is refused for %s, and nothing is left behind", async (_reason, name, from, branch, code) => {
    await using run = await start();
    await run.create("Harbor docs");
    const source = from === undefined ? run.source.path : from;
    await expect(run.create(name, source, branch)).rejects.toMatchObject({ code });
    expect(await listProjects(run.deps)).toHaveLength(1);
    expect(run.repositories()).toHaveLength(1);
  });

  it("is created once by two concurrent requests with the same name", async () => {
    await using run = await start();
    const results = await Promise.allSettled([run.create("Harbor docs"), run.create("Harbor docs")]);
    expect(results.map((result) => result.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(run.repositories()).toHaveLength(1);
  });

  it("stores its settings, and rejects invalid ones", async () => {
    await using run = await start();
    const project = await run.create("Harbor docs");
    const settings = withSetting(withSetting({}, "contentRoot", "docs"), "analytics", { identity: "daily" });
    await saveSettings(run.deps, project, settings);
    const read = (await findProjectBySlug(run.deps, "harbor-docs"))!.settings;
    expect(read).toEqual({ contentRoot: "docs", analytics: { identity: "daily" } });
    expect(withSetting(read, "contentRoot", null)).toEqual({ analytics: { identity: "daily" } });
    expect(() => withSetting(read, "instructions", "x".repeat(16_385))).toThrow(/^instructions: /);
    expect(() => withSetting(read, "analytics", { identity: "never" })).toThrow(/^analytics\.identity: /);
  });
});
