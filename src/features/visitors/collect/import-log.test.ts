import { appendFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createTrustedTime, type TrustedTime } from "#db/trusted-time.ts";
import type { ProjectId } from "#lib/ids.ts";
import { deleteProject } from "#app/delete-project.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { insertTestProject, userAgents } from "#testing/views.ts";
import { parseLogLine, viewOfRequest } from "./access-log.ts";
import { queryViews, queryVisitors } from "#features/visitors/reports/counts.ts";
import { droppedViews, importLog, planImport } from "./import-log.ts";
import { testVault } from "#testing/vault.ts";

const clock = { now: () => new Date(Date.UTC(2026, 10, 20, 12)) };
async function importWhole(
  deps: Parameters<typeof importLog>[0],
  projectId: ProjectId,
  file: string,
  given: Pick<Parameters<typeof importLog>[1], "signal" | "onProgress"> = {},
) {
  const plan = await planImport(deps, { projectId, file });
  return importLog(deps, { plan, projectId, dropOlder: false, ...given });
}

const everything = { from: null, to: null, limit: 250, offset: 0 };

const line = (address: string, target: string, userAgent = userAgents.chrome, status = 200, second = 0) =>
  `${address} - - [19/Nov/2026:10:00:${String(second).padStart(2, "0")} +0000] "GET ${target} HTTP/1.1" ${status} 512 "https://www.news.example/x" "${userAgent}"`;

test.each([
  ["combined", line("192.0.2.1", "/guide")],
  ["with a virtual host", `docs.example:443 ${line("192.0.2.1", "/guide")}`],
  ["with a virtual host without a port", `docs.example ${line("192.0.2.1", "/guide")}`],
  ["with a byte order mark", `\uFEFF${line("192.0.2.1", "/guide")}`],
  ["with more fields", `${line("192.0.2.1", "/guide")} "-" 0.003`],
  ["common", '192.0.2.1 - frank [19/Nov/2026:12:00:00 +0200] "GET /guide HTTP/1.0" 200 2326'],
  [
    "Caddy",
    '{"ts":1795082400.25,"request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/guide?x=1","headers":{"User-Agent":["Mozilla/5.0"]}},"status":200}',
  ],
  [
    "Caddy before 2.5",
    '{"ts":1795082400.25,"request":{"remote_addr":"192.0.2.1:52340","method":"GET","uri":"/guide","headers":{}},"status":200}',
  ],
  [
    "nginx",
    '{"time_iso8601":"2026-11-19T10:00:00+00:00","remote_addr":"192.0.2.1","request_method":"GET","request_uri":"/guide","status":"200","http_user_agent":"x"}',
  ],
  [
    "Traefik",
    '{"ClientHost":"192.0.2.1","RequestMethod":"GET","RequestPath":"/guide","DownstreamStatus":200,"StartUTC":"2026-11-19T10:00:00.000000001Z"}',
  ],
  [
    "Cloudflare",
    '{"ClientIP":"192.0.2.1","ClientRequestMethod":"GET","ClientRequestURI":"/guide","EdgeResponseStatus":200,"EdgeStartTimestamp":1795082400000000000}',
  ],
])("reads a line in the format %s", (_form, text) => {
  const logged = parseLogLine(text);
  expect(logged && viewOfRequest(logged)).toMatchObject({
    path: "/guide",
    address: "192.0.2.1",
    surface: "html",
    found: true,
  });
  expect(Math.floor((logged?.time ?? 0) / 1_000)).toBe(Date.UTC(2026, 10, 19, 10) / 1_000);
});

test("counts only pages below the path of an external site, as the pages that the project has", async () => {
  await using opened = await openTestDatabase("sqlite");
  const { database } = opened;
  await using directory = await createTestDirectory();
  const projectId = await insertTestProject(database.kysely);
  const settings = JSON.stringify({ externalSite: "https://acme.example/docs" });
  await database.kysely.updateTable("project").set({ settings }).execute();
  const file = path.join(directory.path, "access.log");
  const lines = ["/docs/guide/", "/docs/index.html", "/pricing", "/docsy"].map((target) => line("192.0.2.1", target));
  await writeFile(file, lines.join("\n"));
  const done = await importWhole({ database, clock, vault: testVault }, projectId, file);
  expect(done).toMatchObject({ lines: 4, counted: 2, otherRequests: 2 });
  const { views } = await queryViews({ database }, { projectId, ...everything });
  expect(views.map((view) => view.path).toSorted()).toEqual(["/", "/guide"]);
});

test.each([
  "",
  "garbage",
  '192.0.2.1 - - [99/Foo/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1',
  '192.0.2.1 - - [31/Feb/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1',
  '192.0.2.1 - - [01/Feb/2026:24:00:00 +0000] "GET / HTTP/1.1" 200 1',
  '192.0.2.1 - - [01/Feb/2026:10:60:00 +0000] "GET / HTTP/1.1" 200 1',
  '{"ts":"2026-02-30T10:00:00Z","request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/"},"status":200}',
  "{",
  '{"a":1}',
  '"GET" "x"',
])("rejects %j as a request", (text) => {
  expect(parseLogLine(text)).toBeNull();
});

test("a missing page is not a view", () => {
  const logged = parseLogLine(line("192.0.2.1", "/gone", userAgents.chrome, 404));
  expect(logged && viewOfRequest(logged)).toBeNull();
});

test.each(["/style.css", "/logo.svg", "/robots.txt", "/app.js?v=1", "/%zz"])("%s is not a view", (target) => {
  const logged = parseLogLine(line("192.0.2.1", target));
  expect(logged && viewOfRequest(logged)).toBeNull();
});

describe.each(ENGINES)("on %s", (engine) => {
  test("imports a log once, however often it is given, interrupted, compressed, or split into files", async () => {
    await using opened = await openTestDatabase(engine);
    await using folder = await createTestDirectory();
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely);
    const lines = Array.from({ length: 5_000 }, (_, index) =>
      line(`10.0.${index % 40}.1`, `/p${index % 7}`, userAgents.chrome, 200, index % 60),
    );
    lines.splice(
      10,
      0,
      "malformed line",
      line("192.0.2.1", "/asset.png"),
      line("192.0.2.2", "/guide.md", userAgents.curl),
      line("192.0.2.3", "/", userAgents.googlebot),
    );
    const text = `${lines.join("\n")}\n`;
    const file = path.join(folder.path, "access.log");
    await writeFile(file, text);
    const stop = new AbortController();
    const importFile = (path: string, given = {}) =>
      importWhole({ database, clock, vault: testVault }, projectId, path, given);
    const interrupted = importFile(file, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(interrupted).rejects.toThrow("aborted");
    const whole = await importFile(file);
    expect(whole.known).toBeGreaterThanOrEqual(2_000);
    expect(whole.lines).toBe(5_004);
    const expected = { human: 5_000, ai: 1, total: 5_001 };
    expect((await queryViews({ database }, { projectId, ...everything })).totals).toEqual(expected);
    expect((await queryVisitors({ database }, { projectId, ...everything })).totals).toEqual({
      human: 40,
      ai: 1,
      total: 41,
    });

    expect(await importFile(file)).toMatchObject({ counted: 0, known: 5_004, share: 1 });
    const packed = path.join(folder.path, "access.log.1.gz");
    await writeFile(packed, Buffer.concat([gzipSync(text.slice(0, 20_000)), gzipSync(text.slice(20_000))]));
    expect(await importFile(packed)).toMatchObject({ counted: 0, known: 5_004 });
    const part = path.join(folder.path, "part.log");
    await writeFile(part, lines.slice(3_000, 3_050).join("\n"));
    await importFile(part);
    expect((await queryViews({ database }, { projectId, ...everything })).totals).toEqual(expected);

    await appendFile(file, `${line("10.9.9.9", "/p1", userAgents.chrome)}\n`);
    expect(await importFile(file)).toMatchObject({ counted: 1, known: 5_004 });
    expect((await queryViews({ database }, { projectId, ...everything })).totals.human).toBe(5_001);
  }, 180_000);

  test("a log that begins like another one is a separate log, and each line counts once", async () => {
    await using opened = await openTestDatabase(engine);
    await using folder = await createTestDirectory();
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely);
    const lines = [1, 2, 3, 4, 5].map((number) => line(`192.0.2.${number}`, `/l${number}`));
    const importLines = async (name: string, picked: readonly number[]) => {
      const file = path.join(folder.path, name);
      await writeFile(file, picked.map((number) => `${number === 0 ? "" : lines[number - 1]}\n`).join(""));
      return importWhole({ database, clock, vault: testVault }, projectId, file);
    };
    expect(await importLines("a.log", [1, 2, 3])).toMatchObject({ counted: 3, known: 0 });
    expect(await importLines("b.log", [1, 4, 5])).toMatchObject({ counted: 2, known: 1 });
    // Two logs that begin with an empty line, and one that is shorter than the imported part.
    expect(await importLines("c.log", [0, 1])).toMatchObject({ counted: 0, known: 1, empty: 1 });
    expect(await importLines("d.log", [0, 2])).toMatchObject({ counted: 0, known: 1, empty: 1 });
    expect(await importLines("e.log", [1])).toMatchObject({ counted: 0, known: 1 });
    expect((await queryViews({ database }, { projectId, ...everything })).totals.human).toBe(5);
  });

  test.each([
    ["before the first part of its log", 1],
    ["between two parts of its log", 2],
  ])("deleting a project %s ends its import with an error and leaves nothing", async (_when, part) => {
    await using opened = await openTestDatabase(engine);
    await using folder = await createTestDirectory();
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely);
    const file = path.join(folder.path, "access.log");
    await writeFile(file, `${line("192.0.2.1", "/")}\n`.repeat(3_000));
    const repoStore = { remove: () => Promise.resolve() };
    const trusted = createTrustedTime({ database, clock });
    let parts = 0;
    const time: TrustedTime = {
      ...trusted,
      async now() {
        parts += 1;
        if (parts === part) await deleteProject({ database, repoStore, dataDirectory: folder.path }, { id: projectId });
        return trusted.now();
      },
    };
    const plan = await planImport({ database, clock }, { projectId, file });
    const importing = importLog({ database, clock, vault: testVault, time }, { plan, projectId, dropOlder: false });
    await expect(importing).rejects.toMatchObject({
      code: "not_found",
      message: "The project was deleted while its log was imported. Nothing of it is kept.",
    });
    expect(await database.kysely.selectFrom("journal_position").selectAll().execute()).toEqual([]);
    expect(await database.kysely.selectFrom("analytics_project").selectAll().execute()).toEqual([]);
  });

  test("two projects import the same log independently", async () => {
    await using opened = await openTestDatabase(engine);
    await using folder = await createTestDirectory();
    const { database } = opened;
    const file = path.join(folder.path, "access.log");
    await writeFile(file, `${line("192.0.2.1", "/")}\n`);
    for (const projectId of [await insertTestProject(database.kysely), await insertTestProject(database.kysely)]) {
      expect(await importWhole({ database, clock, vault: testVault }, projectId, file)).toMatchObject({
        counted: 1,
        known: 0,
      });
      expect((await queryViews({ database }, { projectId, ...everything })).totals.human).toBe(1);
    }
  });

  test("reports what the retention would drop before importing, and the lines add up", async () => {
    await using opened = await openTestDatabase(engine);
    await using folder = await createTestDirectory();
    const { database } = opened;
    const analytics = { retentionDays: 30, excludedNetworks: ["198.51.100.0/24"] };
    const projectId = await insertTestProject(database.kysely, { analytics });
    const old = (address: string) => line(address, "/").replace("19/Nov/2026", "19/Sep/2026");
    const file = path.join(folder.path, "access.log");
    const lines = [
      old("192.0.2.1"),
      old("192.0.2.2"),
      line("192.0.2.1", "/"),
      line("192.0.2.1", "/a"),
      line("198.51.100.7", "/"),
      line("192.0.2.3", "/", userAgents.googlebot),
      line("192.0.2.3", "/gone", userAgents.chrome, 404),
      line("192.0.2.3", "/style.css"),
      "nonsense",
      "",
      '192.0.2.9 - - [31/Feb/2026:25:61:61 +0000] "GET / HTTP/1.1" 200 1',
    ];
    await writeFile(file, `${lines.join("\n")}\n`);
    const plan = await planImport({ database, clock }, { projectId, file });
    expect(plan).toMatchObject({ lines: 11, views: 6, tooOld: 2, done: 0 });
    expect(droppedViews(plan)).toBe(
      "2 of the 6 views in this log are from before 2026-10-21: the project keeps 30 days, and they would be dropped.",
    );
    const refused = importLog({ database, clock, vault: testVault }, { plan, projectId, dropOlder: false });
    await expect(refused).rejects.toMatchObject({ code: "conflict" });
    expect((await queryViews({ database }, { projectId, ...everything })).totals.total).toBe(0);
    const result = await importLog({ database, clock, vault: testVault }, { plan, projectId, dropOlder: true });
    const { share: _share, malformedLines, lines: all, ...parts } = result;
    expect(parts).toEqual({
      counted: 2,
      uncounted: 1,
      known: 0,
      tooOld: 2,
      refused: 1,
      otherRequests: 2,
      malformed: 2,
      empty: 1,
    });
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(all);
    expect(malformedLines).toEqual([9, 11]);
    expect((await queryViews({ database }, { projectId, ...everything })).totals.human).toBe(2);
  });

  test("counts and lists malformed lines, and refuses a file that is not a log", async () => {
    await using opened = await openTestDatabase(engine);
    await using folder = await createTestDirectory();
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely);
    const file = path.join(folder.path, "odd.log");
    await writeFile(
      file,
      Buffer.concat([
        Buffer.from(`${line("192.0.2.1", "/")}\nnonsense\n`),
        Buffer.alloc(200_000, 0x41),
        Buffer.from("\n\n"),
        Buffer.from([0xff, 0xfe, 0x0a]),
      ]),
    );
    const result = await importWhole({ database, clock, vault: testVault }, projectId, file);
    expect(result).toMatchObject({ lines: 5, counted: 1, empty: 1, malformed: 3, malformedLines: [2, 3, 5] });
    await expect(importWhole({ database, clock, vault: testVault }, projectId, `${file}.no`)).rejects.toMatchObject({
      code: "invalid",
    });
  });
});
