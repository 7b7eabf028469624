import { execFile } from "node:child_process";
import { chmod, chown, cp, mkdir, open, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Diagnosis } from "#app/doctor/diagnosis.ts";
import { createTestDirectory, git } from "#testing/repositories.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi } from "#test/support/instance.ts";
import { startSmtpServer } from "#testing/smtp-server.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

interface Report {
  problems: number;
  warnings: number;
  findings: Diagnosis[];
}

async function examine(data: string, environment: Record<string, string> = {}, options: string[] = []) {
  const { exitCode, stdout } = await runDocent(["doctor", "--json", "--data", data, ...options], { environment });
  const report = JSON.parse(stdout) as Report;
  const told = report.findings
    .filter(({ state }) => state !== "ok")
    .map(({ state, check, words }) => `${state} ${check}: ${words}`);
  return { exitCode, told, report, stdout };
}

describe.each(["sqlite", "postgres"] as const)("docent doctor next to a server on %s", (engine) => {
  it("finds no problems, changes nothing and prints no secrets, and its repositories are backed up", async () => {
    await using server = await startTestServer({ engine, files: { "index.md": "# Start\n" } });
    const { instance, baseUrl } = server;
    const { body } = await callApi(baseUrl, instance, { path: "/webhooks", body: { url: "https://example.com/hook" } });
    const { secret } = body as unknown as { secret: string };
    // It renders a page first, which takes a while on a busy machine.
    await expect.poll(async () => (await fetch(`${baseUrl}/ready`)).status, { timeout: 20_000 }).toBe(200);
    const { exitCode, told, report, stdout } = await examine(instance.data, instance.environment);
    expect([exitCode, told]).toEqual([0, []]);
    const database = engine === "sqlite" ? "database " : "";
    const workers = engine === "sqlite" ? "" : "workers ";
    expect(report.findings.map(({ check }) => check.replaceAll(" ", "-")).join(" ")).toBe(
      `directory files disk git configuration server ${database}schema instance key models clock automations repositories ${workers}journal visitor-index agent-addresses connections domains mail`,
    );
    const words = report.findings.map((finding) => finding.words).join(" ");
    expect(words).toMatch(
      /1 repository with every object\. .* 1 journal, (?:all views are counted|\d+ kB wait to be counted)\. 0 projects have counts\./,
    );
    expect(secret.length).toBeGreaterThan(20);
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toMatch(/postgres:\/\//);
    const args = [
      "backup",
      "--data",
      instance.data,
      "--to",
      `${instance.data}-backups`,
      "--without-database",
      "--json",
    ];
    const backup = await runDocent(args, { environment: instance.environment });
    expect([backup.exitCode, JSON.parse(backup.stdout)]).toEqual([0, expect.objectContaining({ missing: [] })]);
  });
});

describe("docent doctor", () => {
  const made = new AsyncDisposableStack();
  let server: TestServer;
  let root: string;
  let turn = 0;

  beforeAll(async () => {
    root = made.use(await createTestDirectory()).path;
    await using started = await startTestServer({
      engine: "sqlite",
      files: { "index.md": "# Start\n" },
      data: path.join(root, "data"),
    });
    server = started;
  });
  afterAll(() => made.disposeAsync());

  /** A copy of the data directory after a change, as the doctor finds it. */
  async function after(
    change: (data: string, repository: string) => Promise<unknown>,
    environment?: Record<string, string>,
  ) {
    const { data, repository } = await copyOf();
    await change(data, repository);
    return examine(data, environment);
  }
  const statements = (sql: string) => async (data: string) => {
    using database = new DatabaseSync(path.join(data, "docent.sqlite"));
    database.exec(sql);
  };

  it.each<[name: string, (data: string, repository: string) => Promise<unknown>, told: RegExp]>([
    [
      "a repository that is missing",
      (_, repository) => rm(repository, { recursive: true }),
      /^problem repositories: .*\(test-docs\) is missing/,
    ],
    [
      "an object that is missing",
      async (_, repository) => {
        const packs = path.join(repository, "objects", "pack");
        await rm(packs, { recursive: true, force: true });
      },
      /^problem repositories: .*\(test-docs\) is damaged: /,
    ],
    [
      "a branch that is missing",
      (_, repository) => git(repository, "branch", "-m", "main", "other"),
      /^problem repositories: .* has no branch main/,
    ],
    [
      "a repository without a project",
      (data) => mkdir(path.join(data, "repositories", "prj_other.git")),
      /^warning repositories: 1 repository belongs to no project: prj_other.git/,
    ],
    [
      "a key that is missing",
      (data) => rm(path.join(data, "secrets.key")),
      /^problem key: The key of the stored secrets is missing/,
    ],
    [
      "another key",
      (data) => writeFile(path.join(data, "secrets.key"), Buffer.alloc(32, 1).toString("base64"), { mode: 0o600 }),
      /^problem key: .* is not the one/,
    ],
    [
      "a secret that another key encrypted",
      statements(`update project set settings = '{"sealedKeys":{"OPENAI_API_KEY":"v1.00000000.abc"}}'`),
      /^warning key: 1 stored secret cannot be opened, as another key encrypted it \(key of a model provider: 1\)\.$/,
    ],
    ["a directory that others read", (data) => chmod(data, 0o755), /^warning directory: Other users may read/],
    ["a database that is missing", (data) => rm(path.join(data, "docent.sqlite")), /^problem database: .* is missing/],
    [
      "a damaged database",
      async (data) => {
        const file = await open(path.join(data, "docent.sqlite"), "r+");
        for (let page = 2; page < 40; page++) await file.write(Buffer.alloc(2_000, 7), 0, 2_000, page * 4_096);
        await file.close();
      },
      /^problem database: /,
    ],
    [
      "another database",
      (data) => writeFile(path.join(data, "instance-id"), "other\n"),
      /^problem instance: The database is not the one of/,
    ],
    [
      "tables of an older version",
      statements("delete from kysely_migration where name = (select max(name) from kysely_migration)"),
      /^warning schema: The tables are of an older version/,
    ],
    [
      "tables of a newer version",
      statements("update kysely_migration set name = '9999-x' where name = (select max(name) from kysely_migration)"),
      /^problem schema: The tables are of a newer version/,
    ],
    [
      "a project whose model has no provider",
      statements(`update project set settings = '{"model":"gone/model"}'`),
      /^warning models: Jobs of the project test-docs are refused: No provider "gone" is set up\./,
    ],
    [
      "an automation whose model has no provider",
      statements(`insert into automation (id, project_id, name, prompt, trigger_kind, model, draft, enabled, runs, created_at, updated_at)
        select 'aut_1', id, 'Links', 'Fix the broken links.', 'api', 'gone/model', 0, 1, 0, 0, 0 from project`),
      /^warning models: Jobs of the automation "Links" of test-docs are refused: No provider "gone" is set up\./,
    ],
    [
      "a clock that is behind",
      statements(`insert or replace into trusted_time (id, trusted, wall, parted_at, ran_ms)
        values (1, 0, unixepoch('now') * 1000 + 7200000, null, 0)`),
      /^problem clock: The clock is .* behind/,
    ],
    [
      "an automation that a clock that was ahead has put off",
      statements(`insert into automation (id, project_id, name, prompt, trigger_kind, cron, time_zone, due_at, due_by, draft, enabled, runs, created_at, updated_at)
        select 'aut_1', id, 'Links', 'Fix the broken links.', 'schedule', '0 6 * * *', 'UTC', unixepoch('now', '+400 days', 'start of day') * 1000 + 21600000, 'schedule', 0, 1, 0, 0, 0 from project`),
      /^warning automations: A clock that was ahead set the next run of "Links" of test-docs to \S+T06:00:00.000Z; its trigger says \S+T06:00:00.000Z\.$/,
    ],
    [
      "views that were damaged",
      async (data) => {
        await mkdir(path.join(data, "journal", "1"), { recursive: true });
        await writeFile(path.join(data, "journal", "1", "0000000001-at-0.damaged"), "x");
      },
      /^warning journal: 1 file of damaged views was set aside/,
    ],
    [
      "a host that is in trouble",
      statements(`update project set code_host = 'github';
        insert into connection (project_id, url, api_url, remote_id, sealed_token, sealed_webhook_secret, trouble, created_at)
        select id, 'https://github.com/acme/docs', 'https://api.github.com', '1', '${TOKEN}', 'x', 'The token was refused.', 0 from project`),
      /^warning connections: https:\/\/github.com\/acme\/docs \(test-docs\), last current never: The token was refused/,
    ],
    [
      "a domain that DNS does not know",
      statements(`insert into site_domain (domain, project_id, is_main, created_at)
        select 'docs.example.invalid', id, 1, 0 from project`),
      /^warning domains: DNS does not know docs.example.invalid/,
    ],
  ])("finds %s", async (_, change, words) => {
    const { exitCode, told, stdout } = await after(change);
    expect(told[0]).toMatch(words);
    expect(told).toHaveLength(1);
    expect(exitCode).toBe(told[0]!.startsWith("problem") ? 1 : 0);
    expect(stdout).not.toContain(TOKEN);
  });

  const copyOf = async () => {
    const data = path.join(root, `copy-${(turn += 1)}`);
    await cp(server.instance.data, data, { recursive: true });
    await chmod(data, 0o700);
    return { data, repository: path.join(data, "repositories", `${server.instance.project.id}.git`) };
  };

  it("accepts a missing repository after its advice was followed", async () => {
    const { data, repository } = await copyOf();
    await git(repository, "branch", "work", "main");
    await git(root, "clone", "--quiet", repository, "clone");
    await rm(repository, { recursive: true });
    const { report } = await examine(data);
    const advice = report.findings.find(({ state }) => state === "problem")?.advice;
    const command = /git clone --bare .*/.exec(advice ?? "")?.[0].replace("CLONE", path.join(root, "clone")) ?? "";
    await promisify(execFile)("bash", ["-c", command]);
    expect(await git(repository, "for-each-ref", "--format=%(refname)")).toContain("refs/heads/work");
    expect(await examine(data)).toMatchObject({ exitCode: 0, told: [] });
  });

  it("reads only the texts of sites without --full, and says so", async () => {
    const { data, repository } = await copyOf();
    const empty = (
      await git(repository, "commit-tree", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "-m", "Empty")
    ).trim();
    await git(repository, "branch", "former", "main");
    await git(repository, "update-ref", "refs/heads/main", empty);
    await git(repository, "gc", "--quiet");
    const packs = path.join(repository, "objects", "pack");
    const pack = path.join(
      packs,
      (await readdir(packs)).find((name) => name.endsWith(".pack"))!,
    );
    await chmod(pack, 0o600);
    const file = await open(pack, "r+");
    await file.write(Buffer.alloc(4, 7), 0, 4, (await file.stat()).size - 30); // in the last object, a former file's content
    await file.close();
    const { told, report } = await examine(data);
    expect(told).toEqual([]);
    expect(report.findings.map(({ words }) => words).join(" ")).toContain("content was not read: docent doctor --full");
    const full = await examine(data, {}, ["--full"]);
    expect(full).toMatchObject({
      exitCode: 1,
      told: [expect.stringMatching(/^problem repositories: .* is damaged: /)],
    });
  });

  it.runIf(process.geteuid?.() === 0)(
    "names files of another user, and reports no other problem for them",
    async () => {
      for (const name of ["docent.sqlite", "repositories", "journal"]) {
        const { data } = await copyOf();
        await mkdir(path.join(data, "lost+found")); // of a volume, and not Docent's
        for (const one of [name, "lost+found"]) await chown(path.join(data, one), 12_345, 12_345);
        const { exitCode, told, report } = await examine(data);
        expect([exitCode, told]).toEqual([1, [`problem files: 1 file or folder belongs to another user: ${name}.`]]);
        expect(report.findings.find(({ check }) => check === "files")?.advice).toBe(`As root: chown -R 0 ${data}`);
      }
    },
  );

  it("finds a mail server that does not answer, and mail that waits for it", async () => {
    const mail = { DOCENT_SMTP: "smtp://docent:p%40ss@127.0.0.1:1", DOCENT_MAIL_FROM: "docs@example.com" };
    const waits = `insert into mail (id, recipient, content, attempt, next_attempt_at, created_at)
      values ('mail_1', 'ada@example.com', null, 1, 0, unixepoch('now') * 1000 - 7200000)`;
    const { exitCode, told, stdout } = await after(statements(waits), mail);
    expect([exitCode, told]).toEqual([
      1,
      [
        expect.stringMatching(
          /^problem mail: 127\.0\.0\.1:1 does not take mail: .*ECONNREFUSED.* 1 mail could not be sent, the oldest for 2 hours\.$/,
        ),
      ],
    ]);
    expect(stdout).not.toMatch(/p%40ss|p@ss/);
    await using smtp = await startSmtpServer();
    const answers = await after(async () => undefined, { ...mail, DOCENT_SMTP: smtp.url });
    expect(answers).toMatchObject({ exitCode: 0, told: [] });
  });

  it("names unusual settings, and prints a line for each check", async () => {
    const environment = { DOCENT_BASE_URL: "http://docs.example.com", DOCENT_SITE_DOMAIN: "docs.example.com" };
    expect((await after(async () => undefined, environment)).told).toEqual([
      "warning configuration: http://docs.example.com is not encrypted: keys and sign-ins can be read on the way.",
    ]);
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
    expect((await after(async () => undefined, traces)).told).toEqual([
      "problem configuration: The configuration of traces is not valid. OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf, which collectors accept on port 4318",
    ]);
    const { stdout, stderr } = await runDocent(["doctor", "--data", server.instance.data]);
    expect(stdout).toMatch(/^ok {7}repositories {3}1 repository with every object\./m);
    expect(stderr).toBe("0 problems, 0 warnings.\n");
    expect((await runDocent(["doctor", "--data", path.join(root, "none")])).stderr).toContain(
      "There is no data directory",
    );
  });

  it.each<[name: string, sql: string, exitCode: number, told: RegExp]>([
    ["of this version", "select 1", 0, /ok {7}migrations {5}None: you can start this version now\./],
    [
      "of an older version",
      "delete from kysely_migration where name >= '0066'",
      0,
      /ok {7}migrations {5}\d+ migrations?: 0066-transcript-retention, 0067-jobs-of-a-day, 0068-chat-notices, 0069-chat-trouble.*\n.*ok {7}disk {11}The database has \d+ MB, and/,
    ],
    [
      "of a later version",
      "insert into kysely_migration (name, timestamp) values ('9999-later', '')",
      1,
      /problem {2}migrations {5}A later version than this one has migrated the database\./,
    ],
  ])("docent upgrade --check says what would be done to a database %s", async (_, sql, exitCode, told) => {
    const { data } = await copyOf();
    await statements(sql)(data);
    const { exitCode: status, stdout } = await runDocent(["upgrade", "--check", "--data", data]);
    expect(status).toBe(exitCode);
    expect(stdout).toMatch(told);
    expect(stdout).toMatch(/version {8}\S+.* ran last, and this is/);
  });

  it("docent upgrade --check names a running server, and upgrades nothing itself", async () => {
    await using running = await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n" } });
    const { data } = running.instance;
    const { exitCode, stdout } = await runDocent(["upgrade", "--check", "--data", data]);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/warning {2}server {9}A server runs at http:\/\/\S+ \(process \d+\)\./),
    ]);
    const refused = await runDocent(["upgrade", "--data", data]);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining("To see what it would do, add --check."),
    ]);
  });
});
