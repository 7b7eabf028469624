import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { type AuditEvent, listAudit } from "#features/accounts/audit.ts";
import type { Database } from "#db/database.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { operation } from "#kit/http/operation.ts";
import { linkNextCursor, MAX_ROWS, NextCursor, PageQuery, wrongCursor } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { PROJECT_ID_EXAMPLE, ProjectParams, timestamp } from "#kit/http/schemas.ts";
import { readFilter } from "./audit-filter.ts";
import { AUDIT_KINDS, auditSentence } from "./audit-sentences.ts";

const tags = ["Members"];

const AuditBody = z
  .object({
    id: z.string().openapi({ description: "Identifier of the entry; opaque." }),
    at: timestamp.openapi({ description: "Date and time of the action." }),
    actor: z
      .object({
        kind: z.enum(["person", "key", "operator"]).openapi({ description: "Kind of actor." }),
        id: z.string().openapi({ description: "Identifier of the person or key." }),
        name: z.string().openapi({ description: "Name of the actor at the time of the action." }),
      })
      .openapi({ description: "Actor who performed the action." }),
    sentence: z.string().openapi({
      description: "Description of the action, to be read after the actor's name.",
      example: "created a job",
    }),
    action: z.string().openapi({ description: "Name of the API operation, or of the form of the dashboard." }),
    subject: z
      .string()
      .nullable()
      .openapi({ description: "Name of what the action affected. `null` if no name was recorded." }),
    target: z.string().openapi({ description: "Path of the request." }),
    address: z.string().openapi({ description: "Address of the client that sent the request." }),
  })
  .openapi("AuditEvent", { description: "An action in a project." });
const InstanceAuditBody = AuditBody.extend({
  projectId: z.string().nullable().openapi({
    description: "Identifier of the project. `null` if the action concerns the server.",
    example: PROJECT_ID_EXAMPLE,
  }),
}).openapi("InstanceAuditEvent", { description: "An action in a project or on the server." });

/** Kinds of actions by their name in the API: `pull-requests`. */
const KINDS = new Map(AUDIT_KINDS.map((kind) => [kind.toLowerCase().replaceAll(" ", "-"), kind]));

const text = (name: string, description: string, example: string) =>
  z
    .string()
    .max(100)
    .optional()
    .openapi({ param: { name, in: "query" }, description, example });
const day = (name: string, description: string) =>
  z.iso
    .date("must be a date such as 2026-11-28")
    .optional()
    .openapi({ param: { name, in: "query" }, description, example: "2026-11-28" });
const AuditQuery = PageQuery.extend({
  actor: text("actor", "Part of the actor's name, in any case.", "Ada"),
  action: text("action", "Beginning of the name of the action.", "createAgentJob"),
  kind: z
    .enum([...KINDS.keys()])
    .optional()
    .openapi({ param: { name: "kind", in: "query" }, description: "Kind of actions, as on the page." }),
  from: day("from", "First day in UTC."),
  to: day("to", "Last day in UTC."),
});
type AuditQuery = z.infer<typeof AuditQuery>;

const pageOf = (event: z.ZodType) =>
  z.object({
    events: z.array(event).max(MAX_ROWS).openapi({ description: "Entries, newest first." }),
    nextCursor: NextCursor,
  });
const auditRoute = operation({
  method: "get",
  path: "/v2/project/{projectId}/audit",
  id: "listAuditEvents",
  tags,
  summary: "List the audit log",
  description: "Lists who changed what in the project, newest first. The server keeps entries for 400 days by default.",
  scope: "admin",
  params: ProjectParams,
  query: AuditQuery,
  answer: [200, pageOf(AuditBody).openapi("AuditEvents"), "Entries of the audit log."],
  headers: ["Link"],
});
const instanceAuditRoute = operation({
  method: "get",
  path: "/v2/instance/audit",
  id: "listInstanceAuditEvents",
  tags,
  summary: "List the audit log of the server",
  description: "Lists who changed what in all projects and on the server, newest first.",
  scope: "admin",
  isOfInstance: true,
  query: AuditQuery,
  answer: [200, pageOf(InstanceAuditBody).openapi("InstanceAuditEvents"), "Entries of the audit log."],
  headers: ["Link"],
});

/** The audit log of a project, and of the server. The caller authenticates requests. */
export function auditApiRoutes({ database }: { database: Database }): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  async function find(c: HttpContext, { limit, cursor, ...entered }: AuditQuery) {
    if (cursor !== undefined && !/^aud_[0-9a-z]{26}$/.test(cursor)) throw wrongCursor();
    const { actor = "", action = "", from = "", to = "" } = entered;
    const filter = readFilter({ actor, action, kind: KINDS.get(entered.kind ?? "") ?? "", from, to });
    const at = { projectId: c.get("owner"), filter, before: cursor ?? null, limit: limit + 1 };
    const found = await listAudit(database.kysely, at);
    const events = found.slice(0, limit);
    const nextCursor = found.length > limit ? events.at(-1)!.id : null;
    linkNextCursor(c, nextCursor);
    return { events, nextCursor };
  }

  routes.openapi(auditRoute, async (c) => {
    const { events, nextCursor } = await find(c, c.req.valid("query"));
    return c.json({ events: events.map(eventToJson), nextCursor }, 200);
  });
  routes.openapi(instanceAuditRoute, async (c) => {
    const { events, nextCursor } = await find(c, c.req.valid("query"));
    return c.json(
      { events: events.map((event) => ({ ...eventToJson(event), projectId: event.projectId })), nextCursor },
      200,
    );
  });
  return routes;
}

const eventToJson = ({ projectId: _, at, ...event }: AuditEvent) => ({
  ...event,
  at: at.toISOString(),
  sentence: auditSentence(event),
});
