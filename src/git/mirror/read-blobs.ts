import { AppError } from "#lib/app-error.ts";
import type { ObjectReader } from "#git/objects/object-reader.ts";
import { isObjectId, type ObjectId } from "#git/objects/objects.ts";

export interface BlobLimits {
  maxBytes: number;
  maxTotalBytes: number;
}

/**
 * Contents in the given order. `fetchMissing` is called with missing blobs, and returns whether to look them up again.
 * `AppError not_found`, `too_large`.
 */
export async function readBlobs(
  reader: ObjectReader,
  oids: readonly ObjectId[],
  { fetchMissing, ...limits }: BlobLimits & { fetchMissing(missing: readonly ObjectId[]): Promise<boolean> },
): Promise<Buffer[]> {
  if (!oids.every(isObjectId)) throw new AppError("not_found", "There is no such file.");
  let headers = await reader.headers(oids);
  const missing = oids.filter((_, index) => !headers[index]);
  if (missing.length > 0 && (await fetchMissing(missing))) headers = await reader.headers(oids);
  let total = 0;
  for (const header of headers) {
    if (header?.type !== "blob") throw new AppError("not_found", "There is no such file.");
    total += header.sizeBytes;
    if (header.sizeBytes > limits.maxBytes || total > limits.maxTotalBytes) {
      throw new AppError("too_large", "The file is too large to be read.");
    }
  }
  const objects = await reader.objects(oids);
  return objects.map((object) => object?.content ?? Buffer.alloc(0));
}
