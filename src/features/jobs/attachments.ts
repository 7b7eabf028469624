import type { Database, DatabaseTransaction } from "#db/database.ts";
import { counted } from "#lib/counted.ts";
import type { JobId } from "#lib/ids.ts";

export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** How each image type that providers accept begins; the first bytes are read as latin1. */
const SIGNATURES: Record<ImageType, (start: string) => boolean> = {
  "image/png": (start) => start.startsWith("\x89PNG\r\n\x1a\n"),
  "image/jpeg": (start) => start.startsWith("\xff\xd8\xff"),
  "image/webp": (start) => start.startsWith("RIFF") && start.startsWith("WEBP", 8),
  "image/gif": (start) => start.startsWith("GIF87a") || start.startsWith("GIF89a"),
};

/** An image attached to a message. */
export interface Attachment {
  mediaType: ImageType;
  content: Uint8Array;
}

/** A stored attachment, without its content. */
export interface KeptAttachment {
  mediaType: ImageType;
  sizeBytes: number;
}

/** Limits of one message. The smallest of the providers' own limits is 3.75 MB for an image (Bedrock, November 2026). */
export const MAX_ATTACHMENTS = 5;
export const MAX_ATTACHMENT_BYTES = 3 * 1024 * 1024;
export const MAX_ATTACHED_BYTES = 6 * 1024 * 1024;

const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;
export const ATTACHMENT_LIMITS = `PNG, JPEG, WebP or GIF, at most ${MAX_ATTACHMENTS} of at most ${megabytes(MAX_ATTACHMENT_BYTES)}, ${megabytes(MAX_ATTACHED_BYTES)} together`;

/** The image type that the content begins with; null for any other content. */
export function imageTypeOf(content: Uint8Array): ImageType | null {
  const start = Buffer.from(content.subarray(0, 16)).toString("latin1");
  return IMAGE_TYPES.find((type) => SIGNATURES[type](start)) ?? null;
}

/** Says which limit the attachments of a message exceed, given their sizes in bytes; null when none is exceeded. */
export function attachmentsProblem(sizes: readonly number[]): string | null {
  if (sizes.length > MAX_ATTACHMENTS) return `must have at most ${MAX_ATTACHMENTS} images`;
  if (sizes.some((size) => size > MAX_ATTACHMENT_BYTES))
    return `must have images of at most ${megabytes(MAX_ATTACHMENT_BYTES)}`;
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total > MAX_ATTACHED_BYTES ? `must have at most ${megabytes(MAX_ATTACHED_BYTES)} together` : null;
}

/** Stores the attachments of a message, in the transaction that stores the message. */
export async function insertAttachments(
  transaction: DatabaseTransaction,
  { jobId, seq }: { jobId: JobId; seq: number },
  attachments: readonly Attachment[],
): Promise<void> {
  if (attachments.length === 0) return;
  const rows = attachments.map(({ mediaType, content }, index) => ({
    job_id: jobId,
    seq,
    number: index + 1,
    media_type: mediaType,
    size_bytes: content.length,
    content,
  }));
  await transaction.insertInto("job_attachment").values(rows).execute();
}

/** The attachments of a job's messages after `after`, by the number of the message. */
export async function listAttachments(
  { kysely }: Pick<Database, "kysely">,
  { jobId, after = 0 }: { jobId: JobId; after?: number },
): Promise<Map<number, KeptAttachment[]>> {
  const rows = await kysely
    .selectFrom("job_attachment")
    .select(["seq", "media_type", "size_bytes"])
    .where("job_id", "=", jobId)
    .where("seq", ">", after)
    .orderBy("seq")
    .orderBy("number")
    .execute();
  const listed = new Map<number, KeptAttachment[]>();
  for (const { seq, media_type: mediaType, size_bytes: sizeBytes } of rows) {
    const known = listed.get(seq) ?? [];
    known.push({ mediaType, sizeBytes });
    listed.set(seq, known);
  }
  return listed;
}

/** All attachments of one message, with their content. */
export async function readAttachments(
  kysely: DatabaseTransaction | Database["kysely"],
  { jobId, seq }: { jobId: JobId; seq: number },
): Promise<Attachment[]> {
  const rows = await kysely
    .selectFrom("job_attachment")
    .select(["media_type", "content"])
    .where("job_id", "=", jobId)
    .where("seq", "=", seq)
    .orderBy("number")
    .execute();
  return rows.map(({ media_type: mediaType, content }) => ({ mediaType, content }));
}

/** `2 images`. */
export const countedImages = (count: number): string => counted(count, "image");
