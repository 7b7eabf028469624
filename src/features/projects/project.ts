import { COMMON_EFFORTS } from "#models/settings.ts";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { invisibleRuns, nameOfCharacter } from "#lib/invisible-text.ts";
import type { CodeHostKind } from "#hosts/code-host.ts";
import { isMentionName } from "#hosts/remote/addressed.ts";
import { MAX_API_HOSTS, normaliseApiHost } from "./site/api-hosts.ts";
import { EXTERNAL_SITE_RULE, normaliseExternalSite } from "./site/external-site.ts";
import { PREVIEW_POSTS } from "#hosts/remote/preview-posts.ts";

const MAX_PUBLIC_ADDRESS = 300;
const PUBLIC_ADDRESS_RULE = "is an address such as https://example.com/docs: no query, no slash at the end";

const API_HOST_RULE = "must be a host such as api.example.com, api.example.com:8443 or *.example.com";

/**
 * Accepts plain path segments only, because the path is put into documents and headers. `_docent` is reserved by the
 * theme.
 */
function isPublicAddress(text: string): boolean {
  const url = text.length <= MAX_PUBLIC_ADDRESS ? URL.parse(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  const path = url.pathname === "/" ? "" : url.pathname;
  return url.origin + path === text && /^(?:\/(?!_docent(?:\/|$))[A-Za-z0-9][A-Za-z0-9._~-]*)*$/.test(path);
}

/** Settings of a project. Unknown fields are kept on reading, because a newer version may have written the row. */
export const ProjectSettings = z.object({
  /** Folder with the docs, unless the repository's own configuration sets it. */
  contentRoot: z.string().max(400).optional(),
  /** Model for jobs that do not set one; default: that of the instance. */
  model: z.string().optional(),
  /** Effort of models in jobs that do not set one; default: that of the model. */
  effort: z.enum(COMMON_EFFORTS).optional(),
  /** Standing instructions for the agent, between the system prompt and the job's prompt. */
  instructions: z.string().max(16_384).optional(),
  /** Publish a change with findings as a draft pull request instead of failing; never an unsafe one. */
  draftOnFindings: z.boolean().optional(),
  /** How to handle a change with text that agents read and people may not see; default: `report`. */
  unseenWords: z.enum(["report", "refuse"]).optional(),
  /**
   * Everyone with access to the server can read pull requests and previews, as with the site; otherwise only members.
   */
  publicPullRequests: z.boolean().optional(),
  /** Name after the @ that addresses the agent in comments at the code host; `off`: none. Default: `docent`. */
  mention: z.string().refine(isMentionName, "is a name as people mention it: letters, digits, - . _").optional(),
  /** How previews are posted at a remote code host; default: `status`. */
  previewPosts: z.enum(PREVIEW_POSTS).optional(),
  /** URL at which another site embeds this one, possibly with a path: `https://example.com/docs`. */
  publicAddress: z.string().refine(isPublicAddress, PUBLIC_ADDRESS_RULE).optional(),
  /** URL at which another service publishes the site, without a slash at the end. Docent publishes the site by default. */
  externalSite: z
    .string()
    .refine((text) => normaliseExternalSite(text) !== null, EXTERNAL_SITE_RULE)
    .transform((text) => normaliseExternalSite(text) ?? text)
    .optional(),
  /** Redirects readers from other domains to the main one. */
  redirectToMainDomain: z.boolean().optional(),
  /**
   * Hosts from which the server may fetch API descriptions that `docs.json` and pages reference by URL; default: none.
   */
  apiHosts: z
    .array(z.string().refine((text) => normaliseApiHost(text) === text, API_HOST_RULE))
    .max(MAX_API_HOSTS)
    .optional(),
  /** Hosts with web pages that the agent may read; default: none. */
  webHosts: z
    .array(z.string().refine((text) => normaliseApiHost(text) === text, API_HOST_RULE))
    .max(MAX_API_HOSTS)
    .optional(),
  /** Sends requests that readers try on API pages through this server, to the servers in the API descriptions. */
  apiProxy: z.boolean().optional(),
  /** The project's own model providers and the models it allows; see `src/models`. */
  models: z.record(z.string(), z.unknown()).optional(),
  /** Sealed keys of those providers by name; never shown. */
  sealedKeys: z.record(z.string(), z.string()).optional(),
  /** In place of the instance's; what is absent is as the instance has it. */
  quotas: z
    .strictObject({ jobsPerDay: z.number().int().min(1).optional(), storageMb: z.number().int().min(1).optional() })
    .optional(),
  analytics: z
    .strictObject({
      collect: z.boolean().optional(),
      countPrivate: z.boolean().optional(),
      identity: z.enum(["stable", "daily", "cookie"]).optional(),
      retentionDays: z.number().int().min(1).optional(),
      excludedNetworks: z.array(z.string()).optional(),
      allowedOrigins: z.array(z.string()).optional(),
      feedback: z.boolean().optional(),
    })
    .optional(),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** Settings that people set by name; the sealed keys have a way of their own. */
export type SettableName = Exclude<keyof ProjectSettings, "sealedKeys">;

/** A docs project: one repository, one site. */
export interface Project {
  id: ProjectId;
  slug: string;
  name: string;
  sourceUrl: string | null;
  codeHost: CodeHostKind;
  /** Branch of the site, and target of pull requests. */
  branch: string;
  settings: ProjectSettings;
  /** The commit to which the site is pinned; null: it follows the branch. */
  pin: SitePin | null;
  createdAt: Date;
  /** When it was archived; null: it accepts jobs, automations and pushes. */
  archivedAt: Date | null;
}

/** A commit that a site shows instead of the newest of its branch. */
export interface SitePin {
  commit: string;
  at: Date;
  /** Who pinned it: the name of an API key, or a command. */
  by: string;
}

const MAX_SLUG_LENGTH = 40;
/** `AppError invalid`, with the character, for a name that looks like another or controls a terminal. */
export function refuseInvisible(name: string): void {
  const [run] = invisibleRuns(name);
  const found = /[\t\r\n]/.exec(name)?.[0] ?? run?.text;
  if (found === undefined) return;
  const message = `A project's name must not contain invisible characters; this one contains ${nameOfCharacter(found)}.`;
  throw new AppError("invalid", message, { details: [{ path: "name", message: "has an invisible character" }] });
}

/** First path segments of this server, and reserved host names. A test derives the former from the routes. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  "www",
  "api",
  "git",
  "admin",
  "docs-admin",
  "localhost",
  "dashboard",
  "discovery",
  "domains",
  "open-site",
  "sign-in",
  "sign-out",
  "ingest",
  "mcp",
  "reference",
  "v1",
  "v2",
  "metrics",
  "health",
  "ready",
]);

/**
 * Derives a slug from a name: lower-case ASCII letters, digits and single dashes. `AppError invalid` if nothing is left,
 * or if the slug is reserved.
 */
export function slugFor(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/-$/, "");
  if (RESERVED_SLUGS.has(slug)) {
    const message = `"${slug}" is an address of the server itself. Choose another one, for example "${slug}-docs".`;
    throw new AppError("invalid", message, { details: [{ path: "slug", message: "is the server's own" }] });
  }
  if (slug === "") {
    throw new AppError(
      "invalid",
      `"${name}" gives no usable address. Use a name with Latin letters or digits, for example "harbor-docs".`,
    );
  }
  return slug;
}
