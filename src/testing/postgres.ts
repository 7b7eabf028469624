import { randomBytes } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import pg from "pg";
import { inject } from "vitest";

export type TestDatabase = AsyncDisposable & {
  name: string;
  /** Connection string, usable as DATABASE_URL of a whole process. */
  url: string;
  /** Removes the database and cuts its remaining connections. */
  drop(): Promise<void>;
};

/**
 * Creates an empty database, or a copy of another one without connections, on the PostgreSQL server that all test files
 * of a run share. Throws if PostgreSQL cannot start: a test that needs it fails and is never skipped. Databases that
 * are not dropped are removed with the server at the end of the run.
 */
export async function createTestDatabase(copied?: TestDatabase): Promise<TestDatabase> {
  const adminUrl = await sharedServer();
  const name = `test_${randomBytes(8).toString("hex")}`;
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${copied?.name ?? "template0"}`);
  channel("docent.test.database").publish("postgres");
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const drop = () => execute(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { name, url: url.href, drop, [Symbol.asyncDispose]: drop };
}

async function sharedServer(): Promise<string> {
  const socketPath = inject("postgresSocket");
  const { statusCode, body } = await new Promise<{ statusCode?: number; body: Promise<string> }>((resolve, reject) => {
    request({ socketPath, path: "/", agent: false }, (response) =>
      resolve({ statusCode: response.statusCode ?? 0, body: text(response) }),
    )
      .on("error", reject)
      .end();
  });
  if (statusCode !== 200) throw new Error(await body);
  return body;
}

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
