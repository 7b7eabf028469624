import { z } from "zod";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const BackupFile = z.object({
  /** Path in the data directory, separated by `/`. */
  path: z
    .string()
    .refine(
      (path) => !path.startsWith("/") && path.split("/").every((part) => part !== "" && part !== "." && part !== ".."),
      "must be a path inside of the data directory",
    ),
  size: z.number().int().min(0),
  sha256: Sha256,
  /** The blobs of the file, in order. */
  blobs: z.array(Sha256),
});
export type BackupFile = z.infer<typeof BackupFile>;

/** The contents of one backup. Written last: a backup without a manifest does not exist. */
export const Manifest = z.object({
  format: z.literal(1),
  id: z.string(),
  /** The backup contains everything that the server acknowledged before this time. */
  startedAt: z.iso.datetime(),
  /** Time of the database snapshot. */
  databaseAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** Release of the last server that started on the database; null if unknown, or if the database was not read. */
  release: z.string().nullable(),
  /** Release of the command that took the backup. */
  madeBy: z.string(),
  /** Repositories that the database references and the backup lacks, a sentence each. Such a backup is incomplete. */
  missing: z.array(z.string()),
  /** `none`: PostgreSQL, which is backed up separately. */
  database: z.enum(["sqlite", "pg_dump", "none"]),
  /** Whether new objects of repositories were compared with their checksums; absent in backups of 0.1.0. */
  objectsChecked: z.boolean().default(false),
  /** Location of the key of stored secrets: in the backup, in a file that is not included, or in DOCENT_SECRET_KEY. */
  key: z.enum(["included", "left out", "environment"]),
  files: z.array(BackupFile),
});
export type Manifest = z.infer<typeof Manifest>;
