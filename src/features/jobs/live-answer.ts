import type { Database } from "#db/database.ts";
import type { JobId } from "#lib/ids.ts";
import type { Received } from "#models/received.ts";

/** What a model writes just now. It is shown and not stored. */
export interface LiveAnswer {
  /** The end of its text so far; "" before there is any. */
  text: string;
  /** The tool whose call it is writing; null while it writes text or thinks. */
  tool: string | null;
}

const EVERY_MS = 1_000;
/** As base64 within the 8,000 bytes that PostgreSQL allows a notification. */
const SHOWN_BYTES = 4_000;
const MAX_ENCODED = 7_800;
const MAX_TOOL = 100;
/** A password in a connection string is recognized by up to 200 characters after it. */
const PASSWORD_CONTEXT = 300;
/** Read for credentials; a private key of 4,096 bits is about 3,300 characters long. */
const READ_CHARACTERS = 10_000;

/** Announces the answer of a job's model as it arrives, about once a second. */
export function announceAnswer(
  { database, redact }: { database: Pick<Database, "wakeUp">; redact(text: string): string },
  jobId: JobId,
): (received: Readonly<Pick<Received, "text" | "tool">>) => void {
  let last = -Infinity;
  return ({ text, tool }) => {
    if (performance.now() - last < EVERY_MS) return;
    last = performance.now();
    database.wakeUp.notify(
      "job_answer",
      `${jobId}:${encode({ text: shownText(text, redact), tool: tool && redact(tool).slice(0, MAX_TOOL) })}`,
    );
  };
}

/** Calls `listener` with the answer of a job's model as it arrives. Returns the function that ends this. */
export function followAnswer(
  { wakeUp }: Pick<Database, "wakeUp">,
  jobId: JobId,
  listener: (answer: LiveAnswer) => void,
): () => void {
  return wakeUp.subscribe("job_answer", (payload) => {
    if (!payload.startsWith(`${jobId}:`)) return;
    const encoded = payload.slice(jobId.length + 1);
    listener(JSON.parse(Buffer.from(encoded, "base64url").toString()) as LiveAnswer);
  });
}

/** As a payload. A text of control characters or quotes takes several bytes for each. */
function encode({ text, tool }: LiveAnswer): string {
  const encoded = Buffer.from(JSON.stringify({ text, tool })).toString("base64url");
  return encoded.length <= MAX_ENCODED
    ? encoded
    : encode({ text: `…${text.slice(Math.ceil(text.length / 4) + 1)}`, tool });
}

/** The end of a growing text, without its last word and an unfinished private key: they may be half of a credential. */
function shownText(text: string, redact: (text: string) => string): string {
  const words = text.slice(0, Math.max(0, text.search(/\s\S*$/)));
  const key = words.lastIndexOf("-----BEGIN");
  const finished = key > words.lastIndexOf("-----END") ? words.slice(0, key) : words;
  const password = finished.slice(-PASSWORD_CONTEXT).search(/pass|pwd|secret|token|credential/i);
  const settled =
    password === -1 ? finished : finished.slice(0, Math.max(0, finished.length - PASSWORD_CONTEXT) + password);
  const redacted = redact(settled.slice(-READ_CHARACTERS));
  const bytes = Buffer.from(redacted.toWellFormed());
  if (bytes.length <= SHOWN_BYTES) return redacted;
  const end = bytes.subarray(-SHOWN_BYTES).toString();
  return `…${end.slice(Math.max(0, end.search(/\s/)))}`;
}
