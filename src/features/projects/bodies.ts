import { COMMON_EFFORTS } from "#models/settings.ts";
import { z } from "@hono/zod-openapi";
import { CODE_HOST_KINDS, REMOTE_KINDS } from "#hosts/code-host.ts";
import { PREVIEW_POSTS } from "#hosts/remote/preview-posts.ts";
import { BranchName, id, Line, orNull, PROJECT_ID_EXAMPLE, timestamp } from "#kit/http/schemas.ts";
import { MAX_API_HOSTS } from "./api-hosts.ts";
import { MAX_DOMAINS } from "./domains.ts";
import { MAX_PASSWORD, MIN_PASSWORD } from "#lib/secrets/password.ts";
import { ACCESS_MODES } from "./site-access.ts";

const flag = (description: string) => z.boolean().openapi({ description });
const list = (description: string, item: z.ZodType<string, string>, max: number) =>
  z.array(item).max(max).openapi({ description });

const ANALYTICS = {
  collect: flag("Whether views are counted."),
  countPrivate: flag("Whether readers whose browser sends GPC or DNT are counted."),
  identity: z.enum(["stable", "daily", "cookie"]).openapi({ description: "What visitors are told apart by." }),
  retentionDays: z.number().int().min(1).openapi({ description: "Days that views are kept." }),
  excludedNetworks: list(
    "Views from here are not counted.",
    z.string().openapi({ description: "An address or a range.", example: "10.0.0.0/8" }),
    1_000,
  ),
  allowedOrigins: list(
    "Sites elsewhere whose pages may send views.",
    z.string().openapi({ description: "An origin.", example: "https://docs.example.com" }),
    1_000,
  ),
  feedback: flag("Whether pages ask readers if they helped."),
};

const MAX_QUOTA = 1_000_000_000;
const quota = (description: string) => z.number().int().min(1).max(MAX_QUOTA).openapi({ description });
const QUOTAS = {
  jobsPerDay: quota("New jobs on a day of UTC."),
  storageMb: quota("Size of a repository that is hosted here, in megabytes of 1,000,000 bytes."),
};

const SETTINGS = {
  contentRoot: z.string().max(400).openapi({
    description: "Folder of the docs, where docs.json does not say it.",
    example: "docs",
  }),
  model: z
    .string()
    .max(200)
    .regex(/^[^\r\n/]+\/[^\r\n]+$/, "must be a provider-qualified model, such as docent/builtin-rules")
    .openapi({ description: "Model for jobs that name none.", example: "docent/builtin-rules" }),
  effort: z.enum(COMMON_EFFORTS).openapi({ description: "How long models think in jobs that do not set an effort." }),
  instructions: z.string().max(16_384).openapi({ description: "Standing instructions for the agent." }),
  draftOnFindings: flag("A change with findings becomes a draft pull request instead of failing."),
  unseenWords: z.enum(["report", "refuse"]).openapi({
    description: "What happens to a change with words that agents would read and people may not see.",
  }),
  publicPullRequests: flag("Everybody may read pull requests and previews, while the site is public."),
  mention: z
    .string()
    .regex(/^[A-Za-z0-9]([\w.-]{0,98}[A-Za-z0-9])?$/, "must be a name as people mention it: letters, digits, - . _")
    .openapi({
      description: "What comments for the agent begin with at the code host; `off`: none are.",
      example: "docent",
    }),
  previewPosts: z.enum(PREVIEW_POSTS).openapi({ description: "How previews are shown at the code host." }),
  publicAddress: z.string().max(300).openapi({
    description: "Where another site shows this one, maybe below a path: no query, no slash at the end.",
    pattern: "^https?://[^\\s?#]+$",
    example: "https://example.com/docs",
  }),
  externalSite: z.string().max(300).openapi({
    description:
      "Where another service, such as Vercel or Read the Docs, publishes the site. Docent then redirects its pages there, and keeps running jobs, previews, checks, search and MCP.",
    pattern: "^https?://[^\\s?#@]+$",
    example: "https://acme.github.io/handbook",
  }),
  redirectToMainDomain: flag("Readers who come by another name are led to the main domain."),
  apiHosts: list(
    "Hosts that the server asks for descriptions of APIs.",
    z.string().max(260).openapi({ description: "A host.", pattern: "^[^\\s/?#@]+$", example: "api.example.com" }),
    MAX_API_HOSTS,
  ),
  webHosts: list(
    "Hosts whose web pages the agent may read.",
    z.string().max(260).openapi({ description: "A host.", pattern: "^[^\\s/?#@]+$", example: "www.example.com" }),
    MAX_API_HOSTS,
  ),
  apiProxy: flag("Requests that readers try on API pages go through this server."),
  models: z.record(z.string(), z.unknown()).openapi({
    description:
      "Own model providers and the allowed models, in the form of `DOCENT_MODELS`. Changed by keys of the instance alone.",
  }),
  quotas: z.strictObject(optional(QUOTAS)).openapi({
    description: "What the project may use, in place of the server's quotas. Changed by keys of the instance alone.",
  }),
  analytics: z.strictObject(optional(ANALYTICS)).openapi({ description: "What is counted, and how." }),
};

const SettingsBody = z
  .object(optional(SETTINGS))
  .openapi("ProjectSettings", { description: "What is set; what is absent is as the server has it by default." });
const SettingsChangesBody = z
  .strictObject({
    ...clearable(SETTINGS),
    quotas: z.strictObject(clearable(QUOTAS)).nullable().optional().openapi({
      description:
        "What the project may use, in place of the server's quotas: fields that are left out stay, and null resets a field, or all of them. Changed by keys of the instance alone.",
    }),
    analytics: z.strictObject(clearable(ANALYTICS)).nullable().optional().openapi({
      description: "What is counted, and how: fields that are left out stay, and null resets a field, or all of them.",
    }),
  })
  .openapi("ProjectSettingsChanges", { description: "What is to be set; null takes a setting out." });

type Shape = Record<string, z.ZodType>;

function optional<Fields extends Shape>(fields: Fields) {
  const entries = Object.entries(fields).map(([name, schema]) => [name, schema.optional()]);
  return Object.fromEntries(entries) as { [Name in keyof Fields]: z.ZodOptional<Fields[Name]> };
}

function clearable<Fields extends Shape>(fields: Fields) {
  const entries = Object.entries(fields).map(([name, schema]) => [name, schema.nullable().optional()]);
  return Object.fromEntries(entries) as { [Name in keyof Fields]: z.ZodOptional<z.ZodNullable<Fields[Name]>> };
}

export const ConnectionBody = z
  .object({
    host: z.enum(REMOTE_KINDS).openapi({ description: "What the host runs." }),
    url: z.string().openapi({ format: "uri", description: "The repository there." }),
    state: z.enum(["current", "waiting", "failing"]).openapi({
      description: "`waiting`: it was not fetched yet; `failing`: the last look did not work, see `trouble`.",
    }),
    syncedAt: timestamp.nullable().openapi({ description: "When the branch was current last; null when never." }),
    triedAt: timestamp.nullable().openapi({ description: "When the host was asked last; null: it is asked next." }),
    webhookAt: timestamp.nullable().openapi({ description: "When its webhook called last; null when never." }),
    trouble: z.string().nullable().openapi({ description: "What went wrong; null when nothing did." }),
    remarks: z
      .array(z.string().openapi({ description: "A sentence." }))
      .openapi({ description: "What does not work beside that, such as comments." }),
    app: z.string().nullable().openapi({ description: "The GitHub App that it is reached with; null: a token." }),
  })
  .openapi("ProjectConnection", {
    description: "How a repository at a host elsewhere is followed. Its token is never shown.",
  });

const access = <Mode extends z.ZodType>(mode: Mode) => z.object({ mode });
const mode = z.enum(ACCESS_MODES).openapi({
  description:
    "`public`: everybody; `password`: who has it; `dashboard`: who may sign in there; `links`: who has a link.",
});
const domain = z.string().max(1_000).openapi({
  description: "A name of the site's own.",
  pattern: "^[^\\s/:*]+\\.[^\\s/:*]+$",
  example: "docs.example.com",
});
const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "must be lower-case letters, digits and dashes, at most 40")
  .openapi({ description: "Its label in addresses.", example: "harbor-handbook" });
const name = Line(200).openapi({ description: "What people call it.", example: "Harbor handbook" });

export const ProjectBody = z
  .object({
    id: id("the project", PROJECT_ID_EXAMPLE),
    slug,
    name,
    branch: z
      .string()
      .openapi({ description: "The branch that the site shows and that pull requests go into.", example: "main" }),
    siteUrl: z.string().openapi({ format: "uri", description: "Where readers find the site." }),
    repository: z
      .object({
        url: z.string().openapi({ format: "uri", description: "Where it is cloned from." }),
        host: z.enum(CODE_HOST_KINDS).openapi({ description: "`embedded`: here; the others are hosts elsewhere." }),
        source: z
          .string()
          .nullable()
          .openapi({ description: "Where it was copied from or is; null when nowhere else." }),
        missing: flag(
          "Whether it is missing from the data directory: its site is 503 and its jobs wait until it is put back.",
        ),
      })
      .openapi({ description: "The repository of the docs." }),
    settings: SettingsBody,
    secrets: z
      .array(z.string().openapi({ description: "A name." }))
      .openapi({ description: "Names of the keys of model providers that are stored. The keys are never shown." }),
    access: access(mode).openapi({ description: "Who may read the site." }),
    domains: z.array(domain).max(MAX_DOMAINS).openapi({ description: "Its own names, the main one first." }),
    pinnedCommit: z
      .string()
      .nullable()
      .openapi({ description: "The commit that the site is pinned to; null when it is not." }),
    createdAt: timestamp.openapi({ description: "When it was made." }),
    archivedAt: timestamp.nullable().openapi({ description: "When it was archived; null when it is not." }),
    version: z.string().openapi({
      description: "Another one whenever something of the above is another.",
      pattern: "^[0-9a-f]{16}$",
    }),
    connection: orNull(ConnectionBody).openapi({ description: "Of a repository elsewhere; null of one that is here." }),
  })
  .openapi("Project", { description: "A docs project, as it is now." });

export const HostToken = z
  .string()
  .regex(/^[\x21-\x7e]{1,4000}$/, "must be one word of printable ASCII characters")
  .openapi({
    description: "Token of the code host. It is stored encrypted and never shown.",
    maxLength: 4_000,
    example: "glpat-4f2a9c1",
  });

export const RepositoryAddress = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^\s/@]+(?:\/\S*)?$/, "must be an https address without a user name or password")
  .openapi({
    description: "Its https address, without a user name or password.",
    example: "https://github.com/acme/handbook",
  });

export const NewProjectBody = z
  .strictObject({
    name,
    slug: slug.optional().openapi({ description: "Made of the name where it is left out." }),
    branch: BranchName(200).optional().openapi({
      description: "The branch to publish; that of the repository, else `main`, where it is left out.",
    }),
    contentRoot: SETTINGS.contentRoot.optional(),
    externalSite: SETTINGS.externalSite.optional(),
    repository: z
      .strictObject({
        url: RepositoryAddress,
        token: HostToken.optional().openapi({
          description: "With it the repository stays where it is, and is followed; without, it is copied.",
        }),
        app: flag("In place of a token: the GitHub App of this server.").optional(),
        host: z.enum(REMOTE_KINDS).optional().openapi({
          description: "What the host runs, where its address does not tell; with a token or an app.",
        }),
      })
      .optional()
      .openapi({ description: "Where the docs are. Without it the repository is empty: push to it." }),
  })
  .openapi("NewProject");

export const ProjectChangesBody = z
  .strictObject({
    name: name.optional(),
    slug: slug.optional().openapi({
      description: "A new address. The old one redirects and stays reserved for this project.",
    }),
    archived: flag(
      "Whether it is archived: its site and its pages stay, and it takes no jobs, automations or pushes until it is unarchived. Jobs that are running finish.",
    ).optional(),
    branch: BranchName(200).optional().openapi({ description: "A branch that is there." }),
    settings: SettingsChangesBody.optional(),
    secrets: z
      .record(
        z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/, "must be a name like ANTHROPIC_API_KEY"),
        z.string().min(1).max(10_000).nullable().openapi({ description: "The key; null takes it out." }),
      )
      .optional()
      .openapi({ description: "Keys of model providers by name, stored encrypted. Others stay." }),
    access: z
      .union([
        z.strictObject({
          mode: z.literal("password").openapi({ description: "Who has the password." }),
          password: z
            .string()
            .min(MIN_PASSWORD, `must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`)
            .max(MAX_PASSWORD, `must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`)
            .openapi({ description: "It is stored as a hash.", example: "correct horse" }),
        }),
        z.strictObject({
          mode: mode.exclude(["password"]).openapi({ description: "Who may read it without a password." }),
        }),
      ])
      .optional()
      .openapi({ description: "Who may read the site. Every change ends what let somebody in before." }),
    domains: z.array(domain).max(MAX_DOMAINS).optional().openapi({
      description:
        "All names of the site, the main one first. What a project's own key adds needs the record in DNS that the refusal names.",
    }),
  })
  .openapi("ProjectChanges", { description: "What is to change; what is left out stays." });
