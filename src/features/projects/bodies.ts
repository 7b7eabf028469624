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
  identity: z.enum(["stable", "daily", "cookie"]).openapi({ description: "Method by which visitors are told apart." }),
  retentionDays: z.number().int().min(1).openapi({ description: "Number of days for which views are kept." }),
  excludedNetworks: list(
    "IP addresses and ranges whose views are not counted.",
    z.string().openapi({ description: "IP address or range.", example: "10.0.0.0/8" }),
    1_000,
  ),
  allowedOrigins: list(
    "Origins of sites hosted elsewhere whose pages can send views.",
    z.string().openapi({ description: "Origin of a site.", example: "https://docs.example.com" }),
    1_000,
  ),
  feedback: flag("Whether pages ask readers if the page was helpful."),
};

const MAX_QUOTA = 1_000_000_000;
const quota = (description: string) => z.number().int().min(1).max(MAX_QUOTA).openapi({ description });
const QUOTAS = {
  jobsPerDay: quota("Maximum number of new jobs per UTC day."),
  storageMb: quota("Maximum size of a repository that is hosted on this server, in megabytes of 1,000,000 bytes."),
};

const SETTINGS = {
  contentRoot: z.string().max(400).openapi({
    description: "Folder with the docs, if the location of `docs.json` does not determine it.",
    example: "docs",
  }),
  model: z
    .string()
    .max(200)
    .regex(/^[^\r\n/]+\/[^\r\n]+$/, "must be a provider-qualified model, such as docent/builtin-rules")
    .openapi({ description: "Model for jobs that do not name one.", example: "docent/builtin-rules" }),
  effort: z
    .enum(COMMON_EFFORTS)
    .openapi({ description: "Effort of models in jobs that do not set one: how long the models think." }),
  instructions: z.string().max(16_384).openapi({ description: "Standing instructions for the agent." }),
  draftOnFindings: flag("Whether a change with findings becomes a draft pull request instead of failing."),
  unseenWords: z.enum(["report", "refuse"]).openapi({
    description: "Handling of a change with text that agents would read and people may not see.",
  }),
  publicPullRequests: flag("Whether everyone can read pull requests and previews while the site is public."),
  mention: z
    .string()
    .regex(/^[A-Za-z0-9]([\w.-]{0,98}[A-Za-z0-9])?$/, "must be a name as people mention it: letters, digits, - . _")
    .openapi({
      description:
        "Name with which comments at the code host address the agent. `off` turns comments for the agent off.",
      example: "docent",
    }),
  previewPosts: z.enum(PREVIEW_POSTS).openapi({ description: "Form in which previews are shown at the code host." }),
  publicAddress: z.string().max(300).openapi({
    description:
      "URL at which another site shows this site, possibly with a path. Without a query or a trailing slash.",
    pattern: "^https?://[^\\s?#]+$",
    example: "https://example.com/docs",
  }),
  externalSite: z.string().max(300).openapi({
    description:
      "Address at which another service, such as Vercel or Read the Docs, publishes the site. Docent redirects its own pages there, and still runs jobs, previews, checks, search and MCP.",
    pattern: "^https?://[^\\s?#@]+$",
    example: "https://acme.github.io/handbook",
  }),
  redirectToMainDomain: flag("Whether readers who use another name of the site are redirected to the main domain."),
  apiHosts: list(
    "Hosts from which the server can fetch API descriptions.",
    z
      .string()
      .max(260)
      .openapi({ description: "Name of a host.", pattern: "^[^\\s/?#@]+$", example: "api.example.com" }),
    MAX_API_HOSTS,
  ),
  webHosts: list(
    "Hosts whose web pages the agent can read.",
    z
      .string()
      .max(260)
      .openapi({ description: "Name of a host.", pattern: "^[^\\s/?#@]+$", example: "www.example.com" }),
    MAX_API_HOSTS,
  ),
  apiProxy: flag("Whether requests that readers try on API pages go through this server."),
  models: z.record(z.string(), z.unknown()).openapi({
    description:
      "The project's own model providers and the allowed models, in the format of `DOCENT_MODELS`. Can only be changed with a key of the instance.",
  }),
  quotas: z.strictObject(optional(QUOTAS)).openapi({
    description:
      "Quotas of the project, which replace the server's quotas. Can only be changed with a key of the instance.",
  }),
  analytics: z.strictObject(optional(ANALYTICS)).openapi({ description: "Settings for counting views and visitors." }),
};

const SettingsBody = z.object(optional(SETTINGS)).openapi("ProjectSettings", {
  description: "Settings of the project. A setting that is omitted has the server's default value.",
});
const SettingsChangesBody = z
  .strictObject({
    ...clearable(SETTINGS),
    quotas: z.strictObject(clearable(QUOTAS)).nullable().optional().openapi({
      description:
        "Quotas of the project, which replace the server's quotas. Omitted fields stay unchanged; `null` resets a field, or all of them. Can only be changed with a key of the instance.",
    }),
    analytics: z.strictObject(clearable(ANALYTICS)).nullable().optional().openapi({
      description:
        "Settings for counting views and visitors. Omitted fields stay unchanged; `null` resets a field, or all of them.",
    }),
  })
  .openapi("ProjectSettingsChanges", { description: "Settings to change. `null` removes a setting." });

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
    host: z.enum(REMOTE_KINDS).openapi({ description: "Software that the code host runs." }),
    url: z.string().openapi({ format: "uri", description: "URL of the repository at the code host." }),
    state: z.enum(["current", "waiting", "failing"]).openapi({
      description:
        "State of the connection. `waiting`: the repository has not been fetched yet. `failing`: the last check of the code host failed, see `trouble`.",
    }),
    syncedAt: timestamp
      .nullable()
      .openapi({ description: "Date and time when the branch was last up to date. `null` if never." }),
    triedAt: timestamp.nullable().openapi({
      description:
        "Date and time when the server last contacted the code host. `null` if the code host is contacted next.",
    }),
    webhookAt: timestamp
      .nullable()
      .openapi({ description: "Date and time of the last call by the code host's webhook. `null` if never." }),
    trouble: z.string().nullable().openapi({ description: "Description of what went wrong. `null` if nothing did." }),
    remarks: z
      .array(z.string().openapi({ description: "Description of one problem, as a sentence." }))
      .openapi({ description: "Other features that do not work, such as comments." }),
    app: z.string().nullable().openapi({
      description:
        "Name of the GitHub App with which the server accesses the repository. `null` if the server uses a token.",
    }),
  })
  .openapi("ProjectConnection", {
    description: "Connection to a repository at another code host, which the server follows. The token is never shown.",
  });

const access = <Mode extends z.ZodType>(mode: Mode) => z.object({ mode });
const mode = z.enum(ACCESS_MODES).openapi({
  description:
    "Who can read the site. `public`: everyone. `password`: anyone with the password. `dashboard`: people who can sign in to the dashboard. `links`: anyone with a link.",
});
const domain = z.string().max(1_000).openapi({
  description: "Domain of the site.",
  pattern: "^[^\\s/:*]+\\.[^\\s/:*]+$",
  example: "docs.example.com",
});
const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "must be lower-case letters, digits and dashes, at most 40")
  .openapi({ description: "Label of the project in URLs.", example: "harbor-handbook" });
const name = Line(200).openapi({ description: "Name of the project.", example: "Harbor handbook" });

export const ProjectBody = z
  .object({
    id: id("the project", PROJECT_ID_EXAMPLE),
    slug,
    name,
    branch: z
      .string()
      .openapi({ description: "Branch that the site shows and that pull requests are merged into.", example: "main" }),
    siteUrl: z.string().openapi({ format: "uri", description: "URL of the site for readers." }),
    repository: z
      .object({
        url: z.string().openapi({ format: "uri", description: "URL for cloning the repository." }),
        host: z.enum(CODE_HOST_KINDS).openapi({
          description: "Code host of the repository. `embedded`: this server. The other values are hosts elsewhere.",
        }),
        source: z.string().nullable().openapi({
          description: "URL of the repository elsewhere that was copied or is followed. `null` if there is none.",
        }),
        missing: flag(
          "Whether the repository is missing from the data directory. If so, the site responds with 503 and jobs wait until the repository is restored.",
        ),
      })
      .openapi({ description: "Repository of the docs." }),
    settings: SettingsBody,
    secrets: z
      .array(z.string().openapi({ description: "Name of a stored key." }))
      .openapi({ description: "Names of the stored keys of model providers. The keys are never shown." }),
    access: access(mode).openapi({ description: "Who can read the site." }),
    domains: z.array(domain).max(MAX_DOMAINS).openapi({ description: "Domains of the site, the main one first." }),
    pinnedCommit: z
      .string()
      .nullable()
      .openapi({ description: "Commit that the site is pinned to. `null` if the site is not pinned." }),
    createdAt: timestamp.openapi({ description: "Date and time when the project was created." }),
    archivedAt: timestamp
      .nullable()
      .openapi({ description: "Date and time when the project was archived. `null` if the project is not archived." }),
    version: z.string().openapi({
      description:
        "Version of the project. Changes whenever any field other than `repository.missing` and `connection` changes.",
      pattern: "^[0-9a-f]{16}$",
    }),
    connection: orNull(ConnectionBody).openapi({
      description: "Connection to the repository at another code host. `null` if this server hosts the repository.",
    }),
  })
  .openapi("Project", { description: "A docs project in its current state." });

export const HostToken = z
  .string()
  .regex(/^[\x21-\x7e]{1,4000}$/, "must be one word of printable ASCII characters")
  .openapi({
    description: "Token for the code host. The token is stored encrypted and never shown.",
    maxLength: 4_000,
    example: "glpat-4f2a9c1",
  });

export const RepositoryAddress = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^\s/@]+(?:\/\S*)?$/, "must be an https address without a user name or password")
  .openapi({
    description: "HTTPS URL of the repository, without a user name or password.",
    example: "https://github.com/acme/handbook",
  });

export const NewProjectBody = z
  .strictObject({
    name,
    slug: slug.optional().openapi({ description: "Label of the project in URLs. Derived from the name if omitted." }),
    branch: BranchName(200).optional().openapi({
      description: "Branch to publish. If omitted, the repository's branch, or `main` if it has none.",
    }),
    contentRoot: SETTINGS.contentRoot.optional(),
    externalSite: SETTINGS.externalSite.optional(),
    repository: z
      .strictObject({
        url: RepositoryAddress,
        token: HostToken.optional().openapi({
          description:
            "Token for the code host. With a token, the repository stays at its code host and is followed. Without one, the repository is copied.",
        }),
        app: flag("Whether to use this server's GitHub App instead of a token.").optional(),
        host: z.enum(REMOTE_KINDS).optional().openapi({
          description: "Software that the code host runs, if its address does not tell. Requires `token` or `app`.",
        }),
      })
      .optional()
      .openapi({ description: "Repository of the docs. If omitted, the project gets an empty repository to push to." }),
  })
  .openapi("NewProject");

export const ProjectChangesBody = z
  .strictObject({
    name: name.optional(),
    slug: slug.optional().openapi({
      description:
        "New label of the project in URLs. The old address redirects to the new one and stays reserved for this project.",
    }),
    archived: flag(
      "Whether the project is archived. The site and pages of an archived project stay, but the project accepts no jobs, automations or pushes until it is unarchived. Running jobs finish.",
    ).optional(),
    branch: BranchName(200).optional().openapi({ description: "Name of an existing branch." }),
    settings: SettingsChangesBody.optional(),
    secrets: z
      .record(
        z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/, "must be a name like ANTHROPIC_API_KEY"),
        z.string().min(1).max(10_000).nullable().openapi({ description: "The key. `null` removes the key." }),
      )
      .optional()
      .openapi({
        description: "Keys of model providers by name, stored encrypted. Keys that are not named stay unchanged.",
      }),
    access: z
      .union([
        z.strictObject({
          mode: z.literal("password").openapi({ description: "Access for anyone with the password." }),
          password: z
            .string()
            .min(MIN_PASSWORD, `must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`)
            .max(MAX_PASSWORD, `must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`)
            .openapi({
              description: "Password for the site. The password is stored as a hash.",
              example: "correct horse",
            }),
        }),
        z.strictObject({
          mode: mode.exclude(["password"]).openapi({ description: "Who can read the site without a password." }),
        }),
      ])
      .optional()
      .openapi({ description: "Who can read the site. Every change ends all sessions and links of readers." }),
    domains: z.array(domain).max(MAX_DOMAINS).optional().openapi({
      description:
        "All domains of the site, the main one first. A domain that is added with a key of the project requires the DNS record that the error names.",
    }),
  })
  .openapi("ProjectChanges", { description: "Fields to change. Omitted fields stay unchanged." });
