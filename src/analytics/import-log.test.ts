import { appendFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { insertTestProject, userAgents } from "#testing/views.ts";
import { parseLogLine, viewOfRequest } from "./access-log.ts";
import { queryViews, queryVisitors } from "./counts.ts";
import { importLog } from "./import-log.ts";

const clock = { now: () => new Date(Date.UTC(2026, 10, 20, 12)) };
const everything = { from: null, to: null, limit: 250, offset: 0 };

const line = (address: string, target: string, userAgent = userAgents.chrome, status = 200, second = 0) =>
  `${address} - - [19/Nov/2026:10:00:${String(second).padStart(2, "0")} +0000] "GET ${target} HTTP/1.1" ${status} 512 "https://www.news.example/x" "${userAgent}"`;

test.each([
  ["combined", line("192.0.2.1", "/guide")],
  ["with a virtual host", `docs.example:443 ${line("192.0.2.1", "/guide")}`],
  ["with more fields", `${line("192.0.2.1", "/guide")} "-" 0.003`],
  ["common", '192.0.2.1 - frank [19/Nov/2026:12:00:00 +0200] "GET /guide HTTP/1.0" 200 2326'],
  [
    "Caddy",
    '{"ts":1795082400.25,"request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/guide?x=1","headers":{"User-Agent":["Mozilla/5.0"]}},"status":200}',
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
])("a line in the form %s is read", (_form, text) => {
  const logged = parseLogLine(text);
  expect(logged && viewOfRequest(logged)).toMatchObject({
    path: "/guide",
    address: "192.0.2.1",
    surface: "html",
    found: true,
  });
  expect(Math.floor((logged?.time ?? 0) / 1_000)).toBe(Date.UTC(2026, 10, 19, 10) / 1_000);
});

test.each([
  "",
  "garbage",
  '192.0.2.1 - - [99/Foo/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1',
  "{",
  '{"a":1}',
  '"GET" "x"',
])("%j is no request", (text) => {
  expect(parseLogLine(text)).toBeNull();
});

test.each(["/style.css", "/logo.svg", "/robots.txt", "/app.js?v=1", "/%zz"])("%s is no view", (target) => {
  const logged = parseLogLine(line("192.0.2.1", target));
  expect(logged && viewOfRequest(logged)).toBeNull();
});

describe.each(ENGINES)("on %s", (engine) => {
  test("a log is imported once, however often it is given, interrupted, compressed, or cut into files", async () => {
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
    const interrupted = importLog(
      { database, clock },
      { projectId, file, signal: stop.signal, onProgress: () => stop.abort() },
    );
    await expect(interrupted).rejects.toThrow("aborted");
    const whole = await importLog({ database, clock }, { projectId, file });
    expect(whole.skipped).toBeGreaterThanOrEqual(2_000);
    expect(whole.lines).toBe(5_004);
    const expected = { human: 5_000, ai: 1, total: 5_001 };
    expect((await queryViews({ database }, { projectId, ...everything })).totals).toEqual(expected);
    expect((await queryVisitors({ database }, { projectId, ...everything })).totals).toEqual({
      human: 40,
      ai: 1,
      total: 41,
    });

    expect(await importLog({ database, clock }, { projectId, file })).toMatchObject({
      views: 0,
      skipped: 5_004,
      share: 1,
    });
    const packed = path.join(folder.path, "access.log.1.gz");
    await writeFile(packed, Buffer.concat([gzipSync(text.slice(0, 20_000)), gzipSync(text.slice(20_000))]));
    expect(await importLog({ database, clock }, { projectId, file: packed })).toMatchObject({
      views: 0,
      skipped: 5_004,
    });
    const part = path.join(folder.path, "part.log");
    await writeFile(part, lines.slice(3_000, 3_050).join("\n"));
    await importLog({ database, clock }, { projectId, file: part });
    expect((await queryViews({ database }, { projectId, ...everything })).totals).toEqual(expected);

    await appendFile(file, `${line("10.9.9.9", "/p1", userAgents.chrome)}\n`);
    expect(await importLog({ database, clock }, { projectId, file })).toMatchObject({ views: 1, skipped: 5_004 });
    expect((await queryViews({ database }, { projectId, ...everything })).totals.human).toBe(5_001);
  });

  test("malformed lines are counted and named, and a file that is none is refused", async () => {
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
    const result = await importLog({ database, clock }, { projectId, file });
    expect(result).toMatchObject({ lines: 5, views: 1, malformed: 3, malformedLines: [2, 3, 5] });
    await expect(importLog({ database, clock }, { projectId, file: `${file}.no` })).rejects.toMatchObject({
      code: "invalid",
    });
  });
});
