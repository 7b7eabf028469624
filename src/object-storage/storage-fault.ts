import { errorText } from "#lib/app-error.ts";
import { type BucketSettings, bucketUrl } from "./bucket-settings.ts";

/** Why a request to a bucket failed. */
export interface StorageFault {
  /** What to do about it, for operators; contains no secret. */
  words: string;
  /** Whether a repetition may succeed at once. */
  isBrief: boolean;
  /** Whether it is an outage, rather than a setting that has to change. */
  isOutage: boolean;
}

/** Errors of the service that have their own advice; the rest is known by its status. */
const ADVICE: Record<string, (settings: BucketSettings) => string> = {
  InvalidAccessKeyId: () => "does not know the access key: check DOCENT_S3_ACCESS_KEY_ID",
  XAdminUserNotFound: () => "does not know the access key: check DOCENT_S3_ACCESS_KEY_ID", // versitygw 1.0
  SignatureDoesNotMatch: () => "refuses the secret key: check DOCENT_S3_SECRET_ACCESS_KEY",
  AccessDenied: ({ bucket, prefix }) =>
    `denies access: the key must be able to read, write, delete and list objects of ${bucket} below "${prefix}"`,
  NoSuchBucket: ({ bucket }) => `has no bucket ${bucket}: create it, or check DOCENT_S3_BUCKET`,
  RequestTimeTooSkewed: () => "has another time than this machine: set the clocks of both with NTP",
  PermanentRedirect: ({ region }) => `has the bucket in another region than ${region}: check DOCENT_S3_REGION`,
  AuthorizationHeaderMalformed: ({ region }) => `expects another region than ${region}: check DOCENT_S3_REGION`,
};

/** A reply with an error. HEAD and some gateways send no code. */
export interface ErrorReply {
  status: number;
  code: string | null;
}

const BRIEF = new Set([429, 500, 502, 503, 504]);

export function faultOfReply({ status, code }: ErrorReply, settings: BucketSettings): StorageFault {
  const advice = code === null ? undefined : ADVICE[code];
  const said = code === null ? String(status) : `${status} ${code}`;
  const where = `The object storage at ${bucketUrl(settings)}`;
  if (advice) return { words: `${where} ${advice(settings)} (${said}).`, isBrief: false, isOutage: false };
  const isBrief = BRIEF.has(status);
  const isKey = status === 401 || status === 403;
  const words = isKey ? `${where} refuses the access key (${said}).` : `${where} answers ${said}.`;
  return { words, isBrief, isOutage: isBrief };
}

/** A request without a reply. */
export function faultOfConnection(error: unknown, settings: BucketSettings): StorageFault {
  const where = `The object storage at ${bucketUrl(settings)}`;
  if (error instanceof Error && error.name === "TimeoutError") {
    return { words: `${where} does not answer in time.`, isBrief: false, isOutage: true };
  }
  return {
    words: `${where} cannot be reached (${connectionText(error)}): check DOCENT_S3_ENDPOINT and the network.`,
    isBrief: true,
    isOutage: true,
  };
}

/** The code or message of the innermost cause, such as ECONNREFUSED: the message of `fetch` itself says nothing. */
function connectionText(error: unknown): string {
  let text = errorText(error);
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    const { code } = one as Error & { code?: unknown };
    text = typeof code === "string" ? code : one.message;
  }
  return text;
}
