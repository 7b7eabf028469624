import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { up } from "#db/migrations/0037-instance-keys.ts";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";

const KEY = "id, project_id, name, hash, hint, created_at, last_used_at, expires_at, revoked_at, scope";
const SESSION = "hash, project_id, key_id, created_at, last_seen_at, expires_at";

// Schema of migration 0036.
const BEFORE = [
  "drop table session",
  "drop table api_key",
  "drop table idempotency_key",
  `create table api_key (id text primary key, project_id text not null references project (id) on delete cascade, name text not null,
    hash text not null unique, hint text not null, created_at bigint not null, last_used_at bigint, expires_at bigint, revoked_at bigint,
    scope text not null default 'admin')`,
  `create table session (hash text primary key, project_id text not null references project (id) on delete cascade,
    key_id text not null references api_key (id) on delete cascade, created_at bigint not null, last_seen_at bigint not null, expires_at bigint not null)`,
  `create table idempotency_key (project_id text not null references project (id) on delete cascade, key text not null, body_hash text not null,
    outcome text not null, created_at bigint not null, primary key (project_id, key))`,
];

describe.each(BOTH_ENGINES)("API keys from before instance keys, on %s", (engine) => {
  it("are migrated with their sessions and idempotency records, and deleted with their project", async () => {
    await using opened = await openTestDatabase(engine);
    const { kysely } = opened.database;
    const project = await insertTestProject(opened.database);
    for (const statement of BEFORE) await sql.raw(statement).execute(kysely);
    await sql
      .raw(`insert into api_key (${KEY}) values ('key_1', '${project}', 'CI', 'h1', 'abcd', 1, 2, null, null, 'read')`)
      .execute(kysely);
    await sql.raw(`insert into session (${SESSION}) values ('s1', '${project}', 'key_1', 1, 2, 3)`).execute(kysely);
    await sql
      .raw(
        `insert into idempotency_key (project_id, key, body_hash, outcome, created_at) values ('${project}', 'k', 'b', 'job_1', 5)`,
      )
      .execute(kysely);

    await up(kysely as never);

    expect(await kysely.selectFrom("api_key").selectAll().execute()).toEqual([
      { id: "key_1", project_id: project, name: "CI", hash: "h1", hint: "abcd", created_at: 1, last_used_at: 2, expires_at: null, revoked_at: null, scope: "read", allowed_addresses: null },
    ]); // oxfmt-ignore
    expect(await kysely.selectFrom("session").select(["hash", "key_id"]).execute()).toEqual([
      { hash: "s1", key_id: "key_1" },
    ]);
    expect(await kysely.selectFrom("idempotency_key").select(["owner", "key", "outcome"]).execute()).toEqual([
      { owner: project, key: "k", outcome: "job_1" },
    ]);
    await kysely.deleteFrom("project").where("id", "=", project).execute();
    for (const table of ["api_key", "session", "idempotency_key"] as const) {
      expect(await kysely.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });
});
