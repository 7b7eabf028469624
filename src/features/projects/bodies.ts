import { z } from "@hono/zod-openapi";
import { CODE_HOST_KINDS, REMOTE_KINDS } from "#hosts/code-host.ts";
import { BranchName, id, Line, orNull, PROJECT_ID_EXAMPLE, timestamp } from "#kit/http/schemas.ts";
import { MAX_DOMAINS } from "./site/domains.ts";
import { MAX_PASSWORD, MIN_PASSWORD } from "#lib/secrets/password.ts";
import { yesOrNo, SETTINGS, SettingsBody, SettingsChangesBody } from "./setting-bodies.ts";
import { ACCESS_MODES } from "./site-access.ts";

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
          description:
            "URL of the external repository that Docent copied or follows. `null` if the repository was created on this server.",
        }),
        missing: yesOrNo(
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
        app: yesOrNo("Whether to use this server's GitHub App instead of a token.").optional(),
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
    archived: yesOrNo(
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
