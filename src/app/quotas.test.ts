import { randomBytes } from "node:crypto";
import path from "node:path";
import { expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { changeProject } from "#features/projects/change-project.ts";
import { browse } from "#testing/browsing.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { createTestApp } from "#testing/test-app.ts";
import { composeQuotas } from "./quotas.ts";
import { systemClock } from "#lib/clock.ts";
import { listen } from "./http/server.ts";

it("a push that would exceed the storage quota is refused with its numbers, and deletions still work", async () => {
  await using app = await createTestApp("sqlite");
  await using folder = await createTestDirectory();
  await changeProject({ ...app.deps, ...app, admitDomain: async () => undefined }, app.project, { settings: { quotas: { storageMb: 1 } } }); // oxfmt-ignore
  const server = await listen({ app: app.app, logger: silentLogger }, { host: "127.0.0.1", port: 0 });
  const clone = path.join(folder.path, "clone");
  await git(folder.path, "clone", "-q", `http://x:${app.key}@127.0.0.1:${server.port}/git/harbor-docs.git`, "clone");
  const push = (...args: string[]) => git(clone, "push", "origin", ...args).catch((error: Error) => error.message);

  await commitFiles(clone, { "small.md": "# Small\n" }, "Small");
  await git(clone, "push", "-q", "origin", "HEAD:main", "HEAD:draft");
  await commitFiles(clone, { "big.bin": randomBytes(2_000_000) }, "Big");
  const refused = await push("HEAD:main");
  expect(refused).toContain("(the project's storage quota is used up)");
  expect(refused.replaceAll(/\s*\nremote:\s*/g, " ")).toMatch(
    /The repository has 0\.\d MB and this push has 2\.0 MB; the quota of the project is 1 MB \(storageMb\)\. An owner of the server can raise it: docent projects set harbor-docs quotas '\{"storageMb": N\}'\./,
  );
  await git(clone, "push", "-q", "origin", ":draft");
  const { text } = await (await browse(app, app.key)).get("/harbor-docs");
  expect(text).toMatch(/<dt>Storage<\/dt> <dd>0.1 MB of 1 MB<\/dd>/);
  await server.close();
});

it("counts pushes that are under way, so that two do not exceed the quota together", async () => {
  await using app = await createTestApp("sqlite");
  const { admitGrowth } = composeQuotas(
    { config: { quotas: { jobsPerDay: null, storageMb: 1 } }, clock: systemClock },
    app,
  );
  const grow = () => admitGrowth(app.project, 600_000);
  const [first, second] = await Promise.all([grow(), grow()]);
  expect(second).toContain("other pushes that are under way have 0.6 MB and this push has 0.6 MB");
  (first as Disposable)[Symbol.dispose]();
  expect(typeof (await grow())).toBe("object");
});
