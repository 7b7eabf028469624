import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";
import type { BucketSettings } from "#object-storage/bucket-settings.ts";

const DEFAULT_KEEP_DAYS = 7;

/** Environment variables of the bucket. */
export const objectStorageVariables = {
  DOCENT_S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, "must be the name of a bucket, without s3:// and a path")
    .optional(),
  DOCENT_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  DOCENT_S3_REGION: z.string().optional(),
  DOCENT_S3_PREFIX: z.string().max(200).optional(),
  DOCENT_S3_ACCESS_KEY_ID: z.string().optional(),
  DOCENT_S3_SECRET_ACCESS_KEY: z.string().optional(),
  DOCENT_S3_PATH_STYLE: z.enum(["true", "false"]).optional(),
  DOCENT_S3_KEEP_DAYS: z.coerce.number().min(0).max(3_650).optional(),
};
type Variables = z.infer<z.ZodObject<typeof objectStorageVariables>>;

export interface ObjectStorageSettings extends BucketSettings {
  /** How long objects stay that no repository uses any more, so that an earlier backup of the database finds them. */
  keepDays: number;
}

/** The bucket; null if none is configured. `AppError invalid` for settings that are incomplete. */
export function readObjectStorage(values: Variables, repositories: string | undefined): ObjectStorageSettings | null {
  const { DOCENT_S3_BUCKET: bucket, DOCENT_S3_ENDPOINT: endpoint = null } = values;
  const refuse = (words: string) => new AppError("invalid", `The configuration is not valid. ${words}`);
  if (bucket === undefined) {
    const [other] = Object.keys(values).filter((name) => name in objectStorageVariables);
    if (repositories === "s3") throw refuse("DOCENT_S3_BUCKET: DOCENT_REPOSITORIES=s3 needs it");
    if (other !== undefined) throw refuse(`DOCENT_S3_BUCKET: ${other} needs it`);
    return null;
  }
  const { DOCENT_S3_ACCESS_KEY_ID: accessKeyId, DOCENT_S3_SECRET_ACCESS_KEY: secret } = values;
  if (accessKeyId === undefined) throw refuse("DOCENT_S3_ACCESS_KEY_ID: DOCENT_S3_BUCKET needs it, or its _FILE");
  if (secret === undefined) throw refuse("DOCENT_S3_SECRET_ACCESS_KEY: DOCENT_S3_BUCKET needs it, or its _FILE");
  const prefix = (values.DOCENT_S3_PREFIX ?? "").split("/").filter(Boolean).join("/");
  return {
    endpoint,
    region: values.DOCENT_S3_REGION ?? "us-east-1",
    bucket,
    prefix: prefix === "" ? "" : `${prefix}/`,
    accessKeyId,
    secretAccessKey: new Secret(secret),
    isPathStyle: values.DOCENT_S3_PATH_STYLE === undefined ? endpoint !== null : values.DOCENT_S3_PATH_STYLE === "true",
    keepDays: values.DOCENT_S3_KEEP_DAYS ?? DEFAULT_KEEP_DAYS,
  };
}
