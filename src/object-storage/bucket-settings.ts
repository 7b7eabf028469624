import type { Secret } from "#lib/secrets/secret.ts";
import { trimEndOf } from "#lib/trim.ts";

/** A bucket of S3-compatible storage and the key for it. */
export interface BucketSettings {
  /** Root URL of the service; null: Amazon S3 in `region`. */
  endpoint: string | null;
  region: string;
  bucket: string;
  /** Begins the name of every object; empty, or ends with a slash. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: Secret;
  /** Whether the bucket is in the path of a URL, rather than in its host name. */
  isPathStyle: boolean;
}

/** The URL of the bucket, without a trailing slash. */
export function bucketUrl({ endpoint, region, bucket, isPathStyle }: BucketSettings): string {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const path = trimEndOf(url.pathname, "/");
  return isPathStyle ? `${url.origin}${path}/${bucket}` : `${url.protocol}//${bucket}.${url.host}${path}`;
}
