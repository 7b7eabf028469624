import { createHash } from "node:crypto";
import pg from "pg";
import type { GeneratedView } from "./generate.ts";

const SITE = "0b5c7c1e-3a1f-4e55-9a3f-3a5a1d1c2b10";
const BATCH = 20_000;

/** The results of the peers' own SQL, with the parts of their schemas that these queries use. */
export interface Peer {
  name: string;
  query(from: Date, to: Date): Promise<void>;
}

/** Umami 3.1 (prisma/schema.prisma, queries/sql): session ids as uuid, url_path as varchar, and the two indexes used. */
const UMAMI = `
  create table website_event (
    event_id uuid primary key, website_id uuid not null, session_id uuid not null,
    created_at timestamptz not null, url_path varchar(500) not null, event_type int not null default 1);
`;
const UMAMI_INDEXES = `
  create index on website_event (website_id, created_at);
  create index on website_event (website_id, created_at, url_path);
  analyze website_event;
`;
/** Plausible's events and logic (a visitor's id changes daily), on PostgreSQL instead of ClickHouse. */
const PLAUSIBLE = `create table events_v2 (site_id int not null, user_id bigint not null, pathname text not null, "timestamp" timestamptz not null);`;
const PLAUSIBLE_INDEXES = `create index on events_v2 (site_id, "timestamp"); analyze events_v2;`;

export async function openPeers(
  url: string,
): Promise<{ load(views: Iterable<GeneratedView>): Promise<void>; peers: Peer[]; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const insert = async (batch: readonly GeneratedView[]) => {
    const times = batch.map((view) => new Date(view.time));
    const paths = batch.map((view) => `/docs/page-${view.page}`);
    await client.query(
      `insert into website_event select gen_random_uuid(), $1, s, t, p, 1 from unnest($2::uuid[], $3::timestamptz[], $4::text[]) as v (s, t, p)`,
      [SITE, batch.map((view) => uuidOf(view.visitor)), times, paths],
    );
    await client.query(
      `insert into events_v2 select 1, u, p, t from unnest($1::bigint[], $2::text[], $3::timestamptz[]) as v (u, p, t)`,
      [batch.map((view) => Math.floor(view.time / 86_400_000) * 2 ** 30 + view.visitor), paths, times],
    );
  };
  return {
    async load(views) {
      await client.query(UMAMI + PLAUSIBLE);
      let batch: GeneratedView[] = [];
      for (const view of views) {
        batch.push(view);
        if (batch.length < BATCH) continue;
        await insert(batch);
        batch = [];
      }
      if (batch.length > 0) await insert(batch);
      await client.query(UMAMI_INDEXES + PLAUSIBLE_INDEXES);
      await client.query("checkpoint");
    },
    peers: [
      {
        name: "Umami's SQL on PostgreSQL",
        async query(from, to) {
          const where = "website_id = $1 and created_at >= $2 and created_at < $3 and event_type = 1";
          await client.query(`select count(distinct session_id) from website_event where ${where}`, [SITE, from, to]);
          await client.query(
            `select url_path as x, count(distinct session_id) as y from website_event where ${where} group by 1 order by 2 desc, 1 limit 51`,
            [SITE, from, to],
          );
        },
      },
      {
        name: "Plausible's logic on PostgreSQL",
        async query(from, to) {
          const where = `site_id = 1 and "timestamp" >= $1 and "timestamp" < $2`;
          await client.query(`select count(distinct user_id) from events_v2 where ${where}`, [from, to]);
          await client.query(
            `select pathname, count(distinct user_id) as visitors from events_v2 where ${where} group by 1 order by 2 desc, 1 limit 51`,
            [from, to],
          );
        },
      },
    ],
    close: () => client.end(),
  };
}

function uuidOf(visitor: number): string {
  const hex = createHash("md5").update(String(visitor)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
