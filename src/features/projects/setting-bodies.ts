import { z } from "@hono/zod-openapi";
import { PREVIEW_POSTS } from "#hosts/remote/preview-posts.ts";
import { COMMON_EFFORTS } from "#models/settings.ts";
import { MAX_API_HOSTS } from "./site/api-hosts.ts";

/** A field that is true or false. */
export const yesOrNo = (description: string) => z.boolean().openapi({ description });
const list = (description: string, item: z.ZodType<string, string>, max: number) =>
  z.array(item).max(max).openapi({ description });

const ANALYTICS = {
  collect: yesOrNo("Whether views are counted."),
  countPrivate: yesOrNo("Whether readers whose browser sends GPC or DNT are counted."),
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
  feedback: yesOrNo("Whether pages ask readers if the page was helpful."),
};

const MAX_QUOTA = 1_000_000_000;
const quota = (description: string) => z.number().int().min(1).max(MAX_QUOTA).openapi({ description });
const QUOTAS = {
  jobsPerDay: quota("Maximum number of new jobs per UTC day."),
  storageMb: quota("Maximum size of a repository that is hosted on this server, in megabytes of 1,000,000 bytes."),
};

/** The settings of a project, as fields of a request or response. */
export const SETTINGS = {
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
  draftOnFindings: yesOrNo("Whether a change with findings becomes a draft pull request instead of failing."),
  unseenWords: z.enum(["report", "refuse"]).openapi({
    description: "Handling of a change with text that agents would read and people may not see.",
  }),
  publicPullRequests: yesOrNo("Whether everyone can read pull requests and previews while the site is public."),
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
  redirectToMainDomain: yesOrNo("Whether readers who use another name of the site are redirected to the main domain."),
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
  apiProxy: yesOrNo("Whether requests that readers try on API pages go through this server."),
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

export const SettingsBody = z.object(optional(SETTINGS)).openapi("ProjectSettings", {
  description: "Settings of the project. A setting that is omitted has the server's default value.",
});
export const SettingsChangesBody = z
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
