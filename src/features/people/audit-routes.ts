import { type Context, Hono } from "hono";
import { type AuditEvent, type AuditFilter, listAudit } from "#features/accounts/audit.ts";
import type { ProjectAccess } from "#features/keys/page-access.ts";
import type { PersonAccess } from "#features/keys/person-access.ts";
import type { Database } from "#db/database.ts";
import { readCalendarDay } from "#lib/clock.ts";
import { csvText } from "#lib/csv.ts";
import type { ProjectId } from "#lib/ids.ts";
import { sendPage } from "#kit/pages/send-page.ts";
import { type EnteredFilter, readFilter } from "./audit-filter.ts";
import { auditSentence } from "./audit-sentences.ts";
import { auditPage, type AuditPlace } from "./audit-page.ts";

export interface AuditRoutesDeps {
  database: Database;
  access: ProjectAccess;
  personAccess: PersonAccess;
  /** Retention period of entries in days. */
  auditDays: number;
  findProjectById(id: ProjectId): Promise<{ slug: string; name: string } | null>;
}

const PAGE_SIZE = 100;
const BATCH = 1_000;
const MAX_FILTER = 100;
const COLUMNS = [
  "at",
  "actorKind",
  "actorId",
  "actor",
  "action",
  "projectId",
  "target",
  "address",
  "subject",
  "sentence",
] as const;

/** `/-/audit` for owners of the instance and `/{slug}/audit` for admins of a project, each as a page, CSV and JSON. */
export function createAuditRoutes(deps: AuditRoutesDeps): Hono {
  const { access, personAccess, database } = deps;
  const routes = new Hono();

  const filterOf = (c: Context): EnteredFilter => {
    const entered = (name: string) => (c.req.query(name) ?? "").trim().slice(0, MAX_FILTER);
    const day = (name: string) => (readCalendarDay(entered(name)) === null ? "" : entered(name));
    return {
      actor: entered("actor"),
      action: entered("action"),
      kind: entered("kind"),
      from: day("from"),
      to: day("to"),
    };
  };

  async function show(c: Context, where: AuditPlace, projectId: ProjectId | null, path: string) {
    const entered = filterOf(c);
    const filter = readFilter(entered);
    const before = /^aud_[0-9a-z]{26}$/.exec(c.req.query("before") ?? "")?.[0] ?? null;
    const found = await listAudit(database.kysely, { projectId, filter, before, limit: PAGE_SIZE + 1 });
    const shown = found.slice(0, PAGE_SIZE);
    const projects = new Map<ProjectId, { slug: string; name: string } | null>();
    for (const { projectId: id } of where.place ? [] : shown) {
      if (id !== null && !projects.has(id)) projects.set(id, await deps.findProjectById(id));
    }
    const older = new URLSearchParams({ ...entered, before: shown.at(-1)?.id ?? "" });
    const page = auditPage({
      keptDays: deps.auditDays,
      where,
      path,
      filter: entered,
      events: shown.map((event) => ({
        ...event,
        project: event.projectId && (projects.get(event.projectId) ?? null),
      })),
      olderHref: found.length > PAGE_SIZE ? `${path}?${older.toString()}` : null,
    });
    return sendPage(c, page);
  }

  /** Streams all entries, newest first, in batches: there may be a million. */
  async function* entries(projectId: ProjectId | null, filter: AuditFilter) {
    let before: string | null = null;
    do {
      const batch: AuditEvent[] = await listAudit(database.kysely, { projectId, filter, before, limit: BATCH });
      yield batch.map(flat);
      before = batch.length === BATCH ? batch.at(-1)!.id : null;
    } while (before !== null);
  }

  async function* csv(projectId: ProjectId | null, filter: AuditFilter) {
    let columns: readonly string[] | null = COLUMNS;
    for await (const batch of entries(projectId, filter)) {
      yield csvText(
        columns,
        batch.map((event) => COLUMNS.map((column) => event[column])),
      );
      columns = null;
    }
  }

  async function* json(projectId: ProjectId | null, filter: AuditFilter) {
    let separator = '{"events":[\n';
    for await (const batch of entries(projectId, filter)) {
      for (const event of batch) {
        yield separator + JSON.stringify(event);
        separator = ",\n";
      }
    }
    yield separator.startsWith("{") ? `${separator}]}\n` : "\n]}\n";
  }

  function download(projectId: ProjectId | null, format: string, filter: AuditFilter): Response {
    const [text, type] =
      format === "json"
        ? [json(projectId, filter), "application/json"]
        : [csv(projectId, filter), "text/csv; charset=utf-8"];
    const body = ReadableStream.from(text).pipeThrough(new TextEncoderStream());
    return new Response(body, {
      headers: {
        "Content-Type": type,
        "Content-Disposition": `attachment; filename="audit.${format}"`,
        "Cache-Control": "private, no-cache",
      },
    });
  }

  routes.get("/-/audit", async (c) => {
    const opened = await personAccess.openOwner(c);
    return opened.answer ?? show(c, { place: null, instance: opened.instance("audit") }, null, "/-/audit");
  });
  routes.get("/-/:file{audit\\.(?:csv|json)}", async (c) => {
    const opened = await personAccess.openOwner(c);
    return opened.answer ?? download(null, c.req.param("file").slice("audit.".length), readFilter(filterOf(c)));
  });
  routes.get("/:slug/audit", async (c) => {
    const opened = await access.open(c, "admin");
    if (opened.answer) return opened.answer;
    const { place, project } = opened;
    return show(c, { place, instance: null }, project.id, `/${place.slug}/audit`);
  });
  routes.get("/:slug/:file{audit\\.(?:csv|json)}", async (c) => {
    const opened = await access.open(c, "admin");
    return (
      opened.answer ?? download(opened.project.id, c.req.param("file").slice("audit.".length), readFilter(filterOf(c)))
    );
  });
  return routes;
}

const flat = ({ at, actor, action, projectId, target, address, subject }: AuditEvent) => ({
  at: at.toISOString(),
  actorKind: actor.kind,
  actorId: actor.id,
  actor: actor.name,
  action,
  projectId,
  target,
  address,
  subject,
  sentence: auditSentence({ action, target, subject }),
});
