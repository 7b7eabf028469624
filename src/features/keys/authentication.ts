import type { MiddlewareHandler } from "hono";
import { noteDoer } from "./actor.ts";
import { API_KEY_PATTERN } from "./api-key.ts";
import { type Holder, isInstanceAdmin, levelIn, permissionRefusal } from "./holder.ts";
import { AppError } from "#lib/app-error.ts";
import { allowsScope, type Level, NOT_FOR_READERS } from "#kit/levels.ts";
import type { ProjectId } from "#lib/ids.ts";
import { operationAt, type Operations } from "#kit/http/operation.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { noProject } from "#kit/http/errors.ts";

const MAX_HEADER_LENGTH = 256;

/** The key in an `Authorization` header; null without one, or with another scheme. */
export function bearerKey(header: string): string | null {
  return header.length <= MAX_HEADER_LENGTH ? (/^Bearer +(\S+) *$/i.exec(header)?.[1] ?? null) : null;
}

export interface KeyDeps {
  /** `AppError forbidden` if the key does not work from `address`. */
  authenticate(key: string, address: string): Promise<Holder | null>;
  hasProjectId(id: ProjectId): Promise<boolean>;
}

/** The operations, which declare required scopes; if absent, every key may call everything. */
type OperationsOf = { operations?: () => Operations };

/**
 * Requires a valid key of `{projectId}`, or of the instance if the project exists. Projects of others get the same 404
 * as missing ones. An error explains a name in place of an ID, whether or not a project has it.
 */
export function projectKey(
  deps: KeyDeps & OperationsOf,
  /** Finds the project of a call whose path has none; null: the key has no access to it. */
  projectOf: (c: HttpContext, holder: Holder) => ProjectId | null | Promise<ProjectId | null> = (c) =>
    (c.req.param("projectId") ?? null) as ProjectId | null,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const holder = await holderOf(c, deps);
    const projectId = await projectOf(c, holder);
    const level = projectId && levelIn(holder, projectId);
    if (projectId === null || level === null) throw noProject(projectId);
    const isOwnProject = !("person" in holder) && holder.projectId === projectId;
    if (!isOwnProject && !(await deps.hasProjectId(projectId))) throw noProject(projectId);
    refuseKeyInAddress(c);
    requireScope(c, { holder, projectId, level }, deps);
    c.set("principal", {
      projectId,
      keyId: ("person" in holder ? holder.token?.keyId : holder.keyId) ?? "",
      person: "person" in holder ? holder.person : null,
      isOfInstance: "person" in holder ? isInstanceAdmin(holder) : holder.projectId === null,
    });
    c.set("owner", projectId);
    noteCaller(c, holder, { projectId, operations: deps.operations });
    await next();
  };
}

/** Requires a valid instance key, for resources that belong to no project. */
export function instanceKey(deps: Pick<KeyDeps, "authenticate"> & OperationsOf): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const holder = await holderOf(c, deps);
    refuseKeyInAddress(c);
    const isOfInstance = "person" in holder ? holder.person.isOwner : holder.projectId === null;
    if (!isOfInstance) {
      throw new AppError(
        "forbidden",
        "person" in holder
          ? "This needs an owner of the instance, and the person of this token is not one."
          : "This is a key of one project, and this needs a key of the instance: `docent keys create --instance` makes one.",
      );
    }
    const level = ("person" in holder ? holder.token?.scope : holder.scope) ?? "admin";
    requireScope(c, { holder, projectId: null, level }, deps);
    c.set("owner", null);
    noteCaller(c, holder, { projectId: null, operations: deps.operations });
    await next();
  };
}

function noteCaller(
  c: HttpContext,
  holder: Holder,
  { projectId, operations }: { projectId: ProjectId | null; operations: OperationsOf["operations"] },
): void {
  const id = operations && operationAt(c, operations())?.id;
  noteDoer(c, { doer: holder, projectId, ...(id && { action: id }) });
}

async function holderOf(c: HttpContext, { authenticate }: Pick<KeyDeps, "authenticate">): Promise<Holder> {
  const key = bearerKey(c.req.header("authorization") ?? "");
  if (key === null) {
    throw new AppError("unauthorized", "Send the project's API key in the header `Authorization: Bearer <key>`.");
  }
  const holder = await authenticate(key, c.env.clientAddress);
  if (holder) return holder;
  throw new AppError("unauthorized", "This API key is not valid: it is unknown, expired or revoked.");
}

/** URLs end up in logs and browser histories, so keys are rejected there: RFC 6750, 2.3. */
function refuseKeyInAddress(c: HttpContext): void {
  if (!hasKey(new URL(c.req.url).searchParams)) return;
  throw new AppError(
    "invalid",
    "A key has no place in an address. Revoke this one and send its successor in the header.",
    {
      details: [{ path: "access_token", message: "keys are taken from the header `Authorization` alone" }],
    },
  );
}

/**
 * Unknown paths and methods get 404 or 405 regardless of the key's scope: a typing error is not a lack of permissions.
 */
function requireScope(
  c: HttpContext,
  { holder, projectId, level }: { holder: Holder; projectId: ProjectId | null; level: Level },
  { operations }: OperationsOf,
): void {
  const facts = operations === undefined ? null : operationAt(c, operations());
  const needed = facts?.scope ?? "read";
  if (allowsScope(level, needed)) return;
  if (level === "site") {
    throw new AppError("forbidden", NOT_FOR_READERS);
  }
  throw new AppError("forbidden", `This ${permissionRefusal(holder, { projectId, needed })}`);
}

function hasKey(query: URLSearchParams): boolean {
  return query.has("access_token") || [...query].flat().some((text) => API_KEY_PATTERN.test(text));
}
