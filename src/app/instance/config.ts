import type { KeyObject } from "node:crypto";
import path from "node:path";
import { z } from "zod";
import type { DatabaseLocation } from "#db/database.ts";
import { JOB_LIMITS, type JobLimits } from "#features/jobs/job-limits.ts";
import type { MailSettings } from "#features/mail/mail-worker.ts";
import type { Quotas } from "#features/projects/quotas.ts";
import { AppError } from "#lib/app-error.ts";
import { readKeyText } from "#lib/secrets/key-vault.ts";
import type { LogLevel } from "#lib/logger.ts";
import { schemaProblems, useOwnSchemaWords } from "#lib/schema-words.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { readModelSettings } from "#models/settings.ts";
import type { IdentityProviderSettings } from "#features/accounts/identity-provider.ts";
import { addressRanges, hostsAndRanges, serverUrl } from "./address-settings.ts";
import { type ObjectStorageSettings, objectStorageVariables, readObjectStorage } from "./object-storage-settings.ts";
import { readProviderSettings } from "./provider-settings.ts";
import { readMailSettings } from "./mail-settings.ts";
import { type NodeRole, NODE_ROLES, requireNodeRole } from "./node-role.ts";
import { withSecretFiles } from "./secret-files.ts";
import { readTraceSettings } from "./trace-settings.ts";

const wholeNumber = (fallback: number, minimum = 1) => z.coerce.number().int().min(minimum).default(fallback);
const atLeastOne = () => z.coerce.number().int().min(1).optional();
const positive = () => z.coerce.number().positive().max(1_000_000);

// All environment variables, except OpenTelemetry's for traces. The last three tell commands which server to use
// (`cli/places/`). Unknown DOCENT_ variables are rejected, to catch typing errors.
const Environment = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres:// or postgresql://")
    .optional(),
  DOCENT_REPOSITORIES: z.enum(["directory", "database", "s3"]).optional(),
  ...objectStorageVariables,
  DOCENT_ROLE: z.enum(NODE_ROLES).default("all"),
  DOCENT_DATA: z.string().default("./data"),
  DOCENT_HOST: z.string().default("127.0.0.1"),
  DOCENT_PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  DOCENT_BASE_URL: serverUrl().optional(),
  DOCENT_SITE_DOMAIN: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, "must be a domain, without a scheme and a port")
    .default("localhost"),
  DOCENT_LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  DOCENT_LOG_REQUESTS: z.enum(["all", "errors", "off"]).default("errors"),
  DOCENT_TRUSTED_PROXIES: addressRanges(),
  DOCENT_CONNECTIONS_PER_ADDRESS: wholeNumber(500),
  DOCENT_AGENT_CALLS_PER_HOUR: wholeNumber(100),
  DOCENT_ANALYTICS_CALLS_PER_HOUR: wholeNumber(1_000),
  DOCENT_KEYS_PER_HOUR: wholeNumber(10),
  DOCENT_KEEP_TRANSCRIPTS_DAYS: atLeastOne(),
  DOCENT_KEEP_DEPLOYMENTS_DAYS: atLeastOne(),
  DOCENT_KEEP_DELIVERIES_DAYS: wholeNumber(30),
  DOCENT_KEEP_AUDIT_DAYS: wholeNumber(400),
  DOCENT_METRICS_TOKEN: z.string().min(16).optional(),
  DOCENT_STALL_SECONDS: z.coerce.number().min(0).max(3_600).default(30),
  DOCENT_JOURNAL_SECONDS: positive().default(30),
  DOCENT_JOBS_AT_ONCE: wholeNumber(2, 0),
  DOCENT_JOB_LEASE_MS: wholeNumber(30_000, 100),
  DOCENT_JOB_MAX_ATTEMPTS: wholeNumber(5),
  DOCENT_JOB_MAX_DEATHS: wholeNumber(2),
  DOCENT_JOB_MAX_STEPS: wholeNumber(JOB_LIMITS.maxSteps),
  DOCENT_JOB_OUTAGE_MINUTES: z.coerce
    .number()
    .min(0)
    .max(24 * 60)
    .default(JOB_LIMITS.outageMs / 60_000),
  DOCENT_JOB_TURN_MINUTES: positive().default(JOB_LIMITS.turnMs / 60_000),
  DOCENT_JOB_INPUT_TOKENS: wholeNumber(JOB_LIMITS.inputTokens),
  DOCENT_JOB_OUTPUT_TOKENS: wholeNumber(JOB_LIMITS.outputTokens),
  DOCENT_JOB_COST_USD: positive().optional(),
  DOCENT_PROJECT_DAY_INPUT_TOKENS: wholeNumber(JOB_LIMITS.day.inputTokens),
  DOCENT_PROJECT_DAY_OUTPUT_TOKENS: wholeNumber(JOB_LIMITS.day.outputTokens),
  DOCENT_PROJECT_DAY_COST_USD: positive().optional(),
  DOCENT_PROJECT_DAY_JOBS: atLeastOne(),
  DOCENT_PROJECT_STORAGE_MB: atLeastOne(),
  DOCENT_MODEL_TIMEOUT_SECONDS: positive().default(JOB_LIMITS.modelTimeoutMs / 1_000),
  DOCENT_MODELS: z.string().optional(),
  DOCENT_FIND_LOCAL_MODELS: z.enum(["true", "false"]).default("true"),
  DOCENT_DEFAULT_MODEL: z.string().default("docent/builtin-rules"),
  DOCENT_WEBHOOK_ALLOW: hostsAndRanges(),
  DOCENT_CODE_HOST_ALLOW: hostsAndRanges(),
  DOCENT_MIRROR_MAX_BYTES: wholeNumber(4 * 1024 ** 3),
  DOCENT_AGENT_KEYS: z.string().optional(),
  DOCENT_FETCH_AGENT_ADDRESSES: z.enum(["true", "false"]).default("false"),
  DOCENT_OIDC: z.string().optional(),
  DOCENT_SMTP: z
    .string()
    .regex(/^smtps?:\/\/[^/\s]+$/, "must be smtp://user:password@host:587 or smtps://…")
    .optional(),
  DOCENT_MAIL_FROM: z.string().max(300).regex(/@/, "must be an address such as Docent <docs@example.com>").optional(),
  DOCENT_SECRET_KEY: z
    .string()
    .refine((text) => readKeyText(text) !== null, "must be 32 random bytes in base64: `openssl rand -base64 32`")
    .optional(),
  /** Used by the launcher of the single executable. */
  DOCENT_UNPACK_DIR: z.string().optional(),
  DOCENT_SERVER: z.string().optional(),
  DOCENT_PROJECT: z.string().optional(),
  DOCENT_API_KEY: z.string().optional(),
});

/** Hosts and ranges that are allowed in addition to the public Internet, and the setting that lists them. */
interface AllowedHosts {
  allow: string[];
  setting: string;
  /** Set in a command, which does not know the settings of the server. */
  isOfShell?: boolean;
}

/** The settings of one process. Frozen; created once by `main` or a command, and passed on in parts. */
export interface Config {
  role: NodeRole;
  dataDirectory: string;
  database: DatabaseLocation;
  /** Storage location of repositories. Null: as recorded in the store; a new one uses the data directory. */
  repositories: "directory" | "database" | "s3" | null;
  /** Bucket for the packs of repositories; null: none. */
  objectStorage: ObjectStorageSettings | null;
  host: string;
  port: number;
  /** Public URL of this server, without a trailing slash; null: derived from host and port. */
  baseUrl: string | null;
  /** Sites are served at `{slug}.{siteDomain}`. */
  siteDomain: string;
  logLevel: LogLevel;
  /** Which requests are logged. */
  logRequests: "all" | "errors" | "off";
  /** Ends the process if its event loop is blocked for this long; 0 disables the watchdog. */
  stallMs: number;
  /** Bearer token for `/metrics`; null disables metrics. */
  metricsToken: Secret | null;
  /** Where traces go; null disables them, an error is thrown when a server starts. */
  traces: ReturnType<typeof readTraceSettings>;
  /** How long one file of the view journal is written. Client addresses are deleted with their file. */
  journalFileMs: number;
  /** CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[];
  /** Connections that one client address may have open at once. */
  connectionsPerAddress: number;
  /** Retention of old records in days; null: forever. */
  retention: { transcriptDays: number | null; deploymentDays: number | null; deliveryDays: number; auditDays: number };
  /** Default quotas of projects. */
  quotas: Quotas;
  limits: { agentCallsPerHour: number; analyticsCallsPerHour: number; keysPerHour: number };
  jobs: {
    atOnce: number;
    leaseMs: number;
    /** Attempts without progress after which a job fails. */
    maxAttempts: number;
    /** Worker crashes at the same place of a turn after which its job fails. */
    maxDeaths: number;
    defaultModel: string;
    /** Limits of one turn, and of a project per day. */
    limits: JobLimits;
  };
  models: ReturnType<typeof readModelSettings>;
  /** Whether to search for model servers on this machine, to offer them. */
  findsLocalModels: boolean;
  /** Hosts and address ranges for webhooks, in addition to the public Internet. */
  webhooks: AllowedHosts;
  /** Hosts and address ranges for repositories, in addition to the public Internet. */
  codeHosts: AllowedHosts;
  /** Maximum size of a connected repository's mirror on disk. */
  maxMirrorBytes: number;
  /** File with keys of AI agents, in addition to those that come with Docent. */
  agentKeysFile: string | null;
  /** Whether to fetch the IP addresses that agent operators publish, once a day. */
  fetchAgentAddresses: boolean;
  /** External identity provider; null: none. */
  identityProvider: IdentityProviderSettings | null;
  /** The mail server; null: no mail is sent. */
  mail: MailSettings | null;
  /** Key that seals stored secrets, in place of the data directory's key file. */
  secretKey: KeyObject | null;
}

type Overrides = { [Name in "role" | "host" | "port" | "logLevel"]?: Config[Name] | undefined } & {
  data?: string | undefined;
};

/**
 * Parses the environment; command-line options override it. Throws `AppError invalid` that names each invalid variable.
 */
export function loadConfig(overrides: Overrides = {}, variables: NodeJS.ProcessEnv = process.env): Config {
  useOwnSchemaWords();
  const environment = withSecretFiles(variables);
  const known = new Set(Object.keys(Environment.shape));
  // `DOCENT_TEST…` variables belong to tests, which start servers.
  const unknown = Object.keys(environment).filter((name) => /^DOCENT_(?!TEST)/.test(name) && !known.has(name));
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => known.has(name) && value !== ""),
  );
  const parsed = Environment.safeParse(given);
  const details = [
    ...unknown.map((name) => ({ path: name, message: "there is no such setting" })),
    ...schemaProblems(parsed.error?.issues ?? []),
  ];
  if (!parsed.success || details.length > 0) {
    const list = details.map((detail) => `${detail.path}: ${detail.message}`).join("; ");
    throw new AppError("invalid", `The configuration is not valid. ${list}`, { details });
  }
  const values = parsed.data;
  const { DOCENT_REPOSITORIES: place } = values;
  if (place !== undefined && place !== "directory" && values.DATABASE_URL === undefined) {
    throw new AppError("invalid", `The configuration is not valid. DOCENT_REPOSITORIES: ${place} needs DATABASE_URL`);
  }
  const dataDirectory = path.resolve(overrides.data ?? values.DOCENT_DATA);
  const config: Config = {
    role: requireNodeRole(overrides.role ?? values.DOCENT_ROLE, values),
    dataDirectory,
    database: values.DATABASE_URL
      ? { engine: "postgres", url: new Secret(values.DATABASE_URL) }
      : { engine: "sqlite", path: path.join(dataDirectory, "docent.sqlite") },
    repositories: place ?? null,
    objectStorage: readObjectStorage(values, place),
    host: overrides.host ?? values.DOCENT_HOST,
    port: overrides.port ?? values.DOCENT_PORT,
    baseUrl: values.DOCENT_BASE_URL ?? null,
    siteDomain: values.DOCENT_SITE_DOMAIN,
    logLevel: overrides.logLevel ?? values.DOCENT_LOG_LEVEL,
    logRequests: values.DOCENT_LOG_REQUESTS,
    stallMs: values.DOCENT_STALL_SECONDS * 1_000,
    metricsToken: values.DOCENT_METRICS_TOKEN === undefined ? null : new Secret(values.DOCENT_METRICS_TOKEN),
    traces: readTraceSettings(environment),
    journalFileMs: values.DOCENT_JOURNAL_SECONDS * 1_000,
    trustedProxies: values.DOCENT_TRUSTED_PROXIES,
    connectionsPerAddress: values.DOCENT_CONNECTIONS_PER_ADDRESS,
    retention: {
      transcriptDays: values.DOCENT_KEEP_TRANSCRIPTS_DAYS ?? null,
      deploymentDays: values.DOCENT_KEEP_DEPLOYMENTS_DAYS ?? null,
      deliveryDays: values.DOCENT_KEEP_DELIVERIES_DAYS,
      auditDays: values.DOCENT_KEEP_AUDIT_DAYS,
    },
    quotas: {
      jobsPerDay: values.DOCENT_PROJECT_DAY_JOBS ?? null,
      storageMb: values.DOCENT_PROJECT_STORAGE_MB ?? null,
    },
    limits: {
      agentCallsPerHour: values.DOCENT_AGENT_CALLS_PER_HOUR,
      analyticsCallsPerHour: values.DOCENT_ANALYTICS_CALLS_PER_HOUR,
      keysPerHour: values.DOCENT_KEYS_PER_HOUR,
    },
    jobs: {
      atOnce: values.DOCENT_JOBS_AT_ONCE,
      leaseMs: values.DOCENT_JOB_LEASE_MS,
      maxAttempts: values.DOCENT_JOB_MAX_ATTEMPTS,
      maxDeaths: values.DOCENT_JOB_MAX_DEATHS,
      defaultModel: values.DOCENT_DEFAULT_MODEL,
      limits: {
        ...JOB_LIMITS,
        maxSteps: values.DOCENT_JOB_MAX_STEPS,
        turnMs: values.DOCENT_JOB_TURN_MINUTES * 60_000,
        outageMs: values.DOCENT_JOB_OUTAGE_MINUTES * 60_000,
        inputTokens: values.DOCENT_JOB_INPUT_TOKENS,
        outputTokens: values.DOCENT_JOB_OUTPUT_TOKENS,
        costMicroUsd: microUsd(values.DOCENT_JOB_COST_USD),
        day: {
          inputTokens: values.DOCENT_PROJECT_DAY_INPUT_TOKENS,
          outputTokens: values.DOCENT_PROJECT_DAY_OUTPUT_TOKENS,
          costMicroUsd: microUsd(values.DOCENT_PROJECT_DAY_COST_USD),
        },
        modelTimeoutMs: values.DOCENT_MODEL_TIMEOUT_SECONDS * 1_000,
      },
    },
    models: readModelSettings(values.DOCENT_MODELS ?? null, environment),
    findsLocalModels: values.DOCENT_FIND_LOCAL_MODELS === "true",
    webhooks: { allow: values.DOCENT_WEBHOOK_ALLOW, setting: "DOCENT_WEBHOOK_ALLOW" },
    codeHosts: { allow: values.DOCENT_CODE_HOST_ALLOW, setting: "DOCENT_CODE_HOST_ALLOW" },
    maxMirrorBytes: values.DOCENT_MIRROR_MAX_BYTES,
    agentKeysFile: values.DOCENT_AGENT_KEYS === undefined ? null : path.resolve(values.DOCENT_AGENT_KEYS),
    fetchAgentAddresses: values.DOCENT_FETCH_AGENT_ADDRESSES === "true",
    identityProvider: values.DOCENT_OIDC === undefined ? null : readProviderSettings(values.DOCENT_OIDC),
    mail: readMailSettings(values.DOCENT_SMTP, values.DOCENT_MAIL_FROM),
    secretKey: values.DOCENT_SECRET_KEY === undefined ? null : readKeyText(values.DOCENT_SECRET_KEY),
  };
  return Object.freeze(config);
}

const microUsd = (dollars: number | undefined) => (dollars === undefined ? null : Math.ceil(dollars * 1_000_000));

const ABOUT_MODELS = /^DOCENT_(?:MODELS?(?:_|$)|DEFAULT_MODEL$)/;

/** The environment for a demo server: the configured models, and no other settings of the user's server. */
export function demoEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const isOwn = (name: string) =>
    /^DATABASE_URL(?:_FILE)?$|^OTEL_/.test(name) || (name.startsWith("DOCENT_") && !ABOUT_MODELS.test(name));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOwn(name)));
}
