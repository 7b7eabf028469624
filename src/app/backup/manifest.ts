import { z } from "zod";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const BackupFile = z.object({
  /** Where the file belongs in a data directory, with `/`. */
  path: z
    .string()
    .refine(
      (path) => !path.startsWith("/") && path.split("/").every((part) => part !== "" && part !== "." && part !== ".."),
      "must be a path inside of the data directory",
    ),
  size: z.number().int().min(0),
  sha256: Sha256,
  /** The blobs that the file consists of, in order. */
  blobs: z.array(Sha256),
});
export type BackupFile = z.infer<typeof BackupFile>;

/** What one backup consists of. It is written last: a backup without a manifest does not exist. */
export const Manifest = z.object({
  format: z.literal(1),
  id: z.string(),
  /** Everything that the server acknowledged before this moment is in the backup. */
  startedAt: z.iso.datetime(),
  /** The moment that the database was read at. */
  databaseAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** Release of the server that last started on the database; null when it did not say so, or the database was not read. */
  release: z.string().nullable(),
  /** Release of the command that made the backup. */
  madeBy: z.string(),
  /** What the database names and the backup lacks, a sentence for each repository. A backup with any is incomplete. */
  missing: z.array(z.string()),
  /** `none`: PostgreSQL, backed up by other means. */
  database: z.enum(["sqlite", "pg_dump", "none"]),
  /** Where the key of stored secrets is: in the backup, in a file that it leaves out, or in DOCENT_SECRET_KEY. */
  key: z.enum(["included", "left out", "environment"]),
  files: z.array(BackupFile),
});
export type Manifest = z.infer<typeof Manifest>;
