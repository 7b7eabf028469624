import { COMMON_EFFORTS } from "#models/settings.ts";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { invisibleRuns, nameOfCharacter } from "#lib/invisible-text.ts";
import type { CodeHostKind } from "#hosts/code-host.ts";
import { isMentionName } from "#hosts/remote/addressed.ts";
import { MAX_API_HOSTS, normaliseApiHost } from "./api-hosts.ts";
import { EXTERNAL_SITE_RULE, normaliseExternalSite } from "./external-site.ts";
import { PREVIEW_POSTS } from "#hosts/remote/preview-posts.ts";

const MAX_PUBLIC_ADDRESS = 300;
const PUBLIC_ADDRESS_RULE = "is an address such as https://example.com/docs: no query, no slash at the end";

const API_HOST_RULE = "must be a host such as api.example.com, api.example.com:8443 or *.example.com";

/** Plain segments alone: the path is put into documents and headers, and `_docent` is the theme's. */
function isPublicAddress(text: string): boolean {
  const url = text.length <= MAX_PUBLIC_ADDRESS ? URL.parse(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  const path = url.pathname === "/" ? "" : url.pathname;
  return url.origin + path === text && /^(?:\/(?!_docent(?:\/|$))[A-Za-z0-9][A-Za-z0-9._~-]*)*$/.test(path);
}

/** What the owner set for one project. Loose on reading: a row may have been written by a newer version. */
export const ProjectSettings = z.object({
  /** Folder that the docs are in, where the repository's own configuration does not say it. */
  contentRoot: z.string().max(400).optional(),
  /** Model for jobs that do not name one; the instance's default when absent. */
  model: z.string().optional(),
  /** How long models think in jobs that do not set an effort; as the model's own settings have it when absent. */
  effort: z.enum(COMMON_EFFORTS).optional(),
  /** Standing instructions for the agent, below the system's own and above the prompt. */
  instructions: z.string().max(16_384).optional(),
  /** Publish a change that the gate still objects to as a draft pull request, instead of failing; never an unsafe one. */
  draftOnFindings: z.boolean().optional(),
  /** What happens to a change with words that agents would read and people may not see; `report` when absent. */
  unseenWords: z.enum(["report", "refuse"]).optional(),
  /** Whoever reaches the server may read pull requests and look at their previews, as at the site; otherwise members only. */
  publicPullRequests: z.boolean().optional(),
  /** What comments at the code host begin with that are for the agent, without the @; `off`: none are. `docent` when absent. */
  mention: z.string().refine(isMentionName, "is a name as people mention it: letters, digits, - . _").optional(),
  /** How previews are shown at the code host elsewhere; `status` when absent. */
  previewPosts: z.enum(PREVIEW_POSTS).optional(),
  /** Where another site shows this one, maybe below a path: `https://example.com/docs`. */
  publicAddress: z.string().refine(isPublicAddress, PUBLIC_ADDRESS_RULE).optional(),
  /** Where another service publishes the site; Docent publishes it when absent. Without a slash at its end. */
  externalSite: z
    .string()
    .refine((text) => normaliseExternalSite(text) !== null, EXTERNAL_SITE_RULE)
    .transform((text) => normaliseExternalSite(text) ?? text)
    .optional(),
  /** Readers who come by another name are led to the main domain. */
  redirectToMainDomain: z.boolean().optional(),
  /** Hosts that the server asks for descriptions of APIs which `docs.json` and pages name by address; none when absent. */
  apiHosts: z
    .array(z.string().refine((text) => normaliseApiHost(text) === text, API_HOST_RULE))
    .max(MAX_API_HOSTS)
    .optional(),
  /** Hosts whose web pages the agent may read; none when absent. */
  webHosts: z
    .array(z.string().refine((text) => normaliseApiHost(text) === text, API_HOST_RULE))
    .max(MAX_API_HOSTS)
    .optional(),
  /** Requests that readers try on API pages go through this server, to the servers that the descriptions name. */
  apiProxy: z.boolean().optional(),
  /** The project's own model providers and the models it allows; see the models domain. */
  models: z.record(z.string(), z.unknown()).optional(),
  /** Keys of those providers by name, sealed; never shown. */
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
export const SETTABLE = [
  "contentRoot",
  "model",
  "effort",
  "instructions",
  "draftOnFindings",
  "unseenWords",
  "publicPullRequests",
  "mention",
  "previewPosts",
  "publicAddress",
  "externalSite",
  "redirectToMainDomain",
  "apiHosts",
  "apiProxy",
  "webHosts",
  "models",
  "quotas",
  "analytics",
] as const;
export type SettableName = (typeof SETTABLE)[number];

/** A docs project: one repository, one site. */
export interface Project {
  id: ProjectId;
  slug: string;
  name: string;
  sourceUrl: string | null;
  codeHost: CodeHostKind;
  /** Branch that the site shows and that pull requests go into. */
  branch: string;
  settings: ProjectSettings;
  /** The commit that the site stays at; null while it shows the newest of its branch. */
  pin: SitePin | null;
  createdAt: Date;
  /** Since when it takes no jobs, automations or pushes; null while it does. */
  archivedAt: Date | null;
}

/** A commit that a site shows in place of its branch's newest. */
export interface SitePin {
  commit: string;
  at: Date;
  /** Who pinned it, in words: an API key's name, a command. */
  by: string;
}

const MAX_SLUG_LENGTH = 40;
/** `AppError invalid` for a name that would show as another one, or act on a terminal: it names the character. */
export function refuseInvisible(name: string): void {
  const [run] = invisibleRuns(name);
  const found = /[\t\r\n]/.exec(name)?.[0] ?? run?.text;
  if (found === undefined) return;
  const message = `A project's name has no characters that nobody sees, and this one has ${nameOfCharacter(found)}.`;
  throw new AppError("invalid", message, { details: [{ path: "name", message: "has an invisible character" }] });
}

/** First parts of this server's own addresses, and host names that stand for others. A test reads the first ones from the routes. */
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
 * The host label for a name: lower-case ASCII letters, digits and single dashes. `AppError invalid` when nothing is left,
 * or when the server itself has that address.
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
