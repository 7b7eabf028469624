import { describe, expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { changeProject, type ProjectChanges } from "./change-project.ts";
import { addDomain, listDomains } from "./site/domains.ts";
import { findProject } from "./projects.ts";
import { readSiteAccess } from "./site-access.ts";

describe.each(ENGINES)("changes of a project on %s", (engine) => {
  const change = (
    app: TestApp,
    changes: ProjectChanges,
    admitDomain: (project: unknown, domain: string) => Promise<void> = async () => undefined,
  ) => changeProject({ ...app, admitDomain }, app.project, changes);
  const nowOf = async (app: TestApp) => {
    const { name, branch, settings } = (await findProject(app, app.project.id))!;
    const domains = (await listDomains(app.database.kysely, app.project.id)).map(({ domain }) => domain);
    const access = (await readSiteAccess(app.database.kysely, app.project.id)).mode;
    return { name, branch, settings, domains, access };
  };

  it("keep concurrent changes that were made while a domain was verified", async () => {
    await using app = await createTestApp(engine);
    const others = async () => {
      await change(app, { name: "Renamed", settings: { contentRoot: "handbook" }, branch: "next" });
    };
    const answered = await change(app, { domains: ["docs.example.org"], settings: { apiProxy: true } }, others);
    const expected = { name: "Renamed", branch: "next", settings: { contentRoot: "handbook", apiProxy: true } };
    expect(answered).toMatchObject(expected);
    expect(await nowOf(app)).toMatchObject({ ...expected, domains: ["docs.example.org"] });
  });

  it("are all applied when many run concurrently", async () => {
    await using app = await createTestApp(engine);
    await Promise.all([
      change(app, { name: "Renamed" }),
      change(app, { branch: "next" }),
      change(app, { settings: { contentRoot: "handbook" } }),
      change(app, { domains: ["docs.example.org"] }),
      change(app, { access: { mode: "dashboard" } }),
      change(app, { settings: { apiProxy: true } }),
    ]);
    expect(await nowOf(app)).toEqual({
      name: "Renamed",
      branch: "next",
      settings: { contentRoot: "handbook", apiProxy: true },
      domains: ["docs.example.org"],
      access: "dashboard",
    });
  });

  it("reject a name with invisible characters", async () => {
    await using app = await createTestApp(engine);
    await expect(change(app, { name: "safe\u202Egnp" })).rejects.toMatchObject({ code: "invalid", details: [{ path: "name" }] }); // oxfmt-ignore
    await expect(app.makeProject("x\u001b[2J")).rejects.toMatchObject({ code: "invalid" });
  });

  it("change nothing if one of the domains belongs to another project", async () => {
    await using app = await createTestApp(engine);
    const other = await app.makeProject("Other docs");
    await addDomain(app, other.id, "taken.example.org");
    await change(app, { domains: ["keep.example.org", "second.example.org"] });
    const before = await nowOf(app);
    const changes: ProjectChanges = {
      name: "Never",
      branch: "never",
      settings: { contentRoot: "never" },
      access: { mode: "dashboard" },
      domains: ["new.example.org", "taken.example.org"],
    };
    await expect(change(app, changes)).rejects.toMatchObject({ code: "conflict" });
    expect(await nowOf(app)).toEqual(before);
    expect(before.domains).toEqual(["keep.example.org", "second.example.org"]);
  });
});
