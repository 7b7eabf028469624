import { type Kysely, sql } from "kysely";

// Facts of views stored the client, and the class followed from the client's label. Now each view has its class in bits
// 10 to 13 of its flags, so that labels can be deleted. This migration derives it by the rules in force until then.
const CLASSES = { human: 1, ai: 2, search: 3, training: 4, other_bot: 5, http_client: 6, counted_on_delivery: 7 };
const CLIENT_KIND = 2;
const HEADER_BYTES = 8;
/** Byte offsets of a row's client and flags. */
const CLIENT_OFFSET = 24;
const FLAGS_OFFSET = 32;
const OTHER = "(other)";

interface OldTables {
  analytics_project: { number: number; rules_version: number };
  analytics_label: { project: number; id: number; kind: number; text: string };
  view_segment: { project: number; day: number; seq: number; content: Uint8Array };
}

export async function up(anyDb: Kysely<unknown>): Promise<void> {
  const db = anyDb as Kysely<OldTables>;
  await sql`alter table analytics_project add column last_label integer not null default 0`.execute(db);
  await sql`alter table analytics_project add column label_version integer not null default 0`.execute(db);
  await sql`
    update analytics_project set last_label =
      coalesce((select max(id) from analytics_label where analytics_label.project = analytics_project.number), 0)
  `.execute(db);
  const projects = await db.selectFrom("view_segment").select("project").distinct().execute();
  for (const { project } of projects) await classify(db, project);
}

async function classify(db: Kysely<OldTables>, project: number): Promise<void> {
  const labels = await db
    .selectFrom("analytics_label")
    .select(["id", "text"])
    .where("project", "=", project)
    .where("kind", "=", CLIENT_KIND)
    .execute();
  const clients = new Map(labels.map(({ id, text }) => [id, text]));
  const segments = await db.selectFrom("view_segment").select(["day", "seq"]).where("project", "=", project).execute();
  for (const { day, seq } of segments) {
    const segment = db.selectFrom("view_segment").where("project", "=", project).where("day", "=", day);
    const { content } = await segment.where("seq", "=", seq).select("content").executeTakeFirstOrThrow();
    await db
      .updateTable("view_segment")
      .set({ content: withClasses(content, clients) })
      .where("project", "=", project)
      .where("day", "=", day)
      .where("seq", "=", seq)
      .execute();
  }
  // A rebuild counted "(other)" as robots, including people: such a project is recounted.
  if (labels.some(({ text }) => text === OTHER)) {
    await db.updateTable("analytics_project").set({ rules_version: 0 }).where("number", "=", project).execute();
  }
}

function withClasses(content: Uint8Array, clients: ReadonlyMap<number, string>): Uint8Array {
  const changed = new Uint8Array(content); // a copy, aligned
  const header = new Uint32Array(changed.buffer, 0, 2);
  const rows = header[1] ?? 0;
  header[0] = 2;
  const client = new Uint32Array(changed.buffer, HEADER_BYTES + rows * CLIENT_OFFSET, rows);
  const flags = new Uint16Array(changed.buffer, HEADER_BYTES + rows * FLAGS_OFFSET, rows);
  for (let row = 0; row < rows; row++) {
    const flag = flags[row] ?? 0;
    flags[row] = flag | (classOf(clients.get(client[row] ?? 0) ?? OTHER, flag & 3, (flag >> 2) & 3) << 10);
  }
  return changed;
}

/** `source`: 0 served, 1 confirmed, 2 reported. `surface`: 1 is HTML. */
function classOf(client: string, source: number, surface: number): number {
  const isServed = source === 0;
  // HTML served to browsers is not a fact, so an unlabeled view that a page's script reported was most likely a person's.
  const category = client === OTHER ? (isServed ? "http_client" : "browser") : client.slice(0, client.indexOf("/"));
  if (category === "search" || category === "training") return CLASSES[category];
  if (category !== "assistant" && category !== "browser" && category !== "http_client") return CLASSES.other_bot;
  if (surface !== 1) return CLASSES.ai;
  if (category === "assistant") return source === 1 ? CLASSES.counted_on_delivery : CLASSES.ai;
  if (isServed || category === "http_client") return CLASSES.http_client;
  return CLASSES.human;
}
