import type { MiddlewareHandler, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { measureJson } from "#lib/json-measure.ts";
import { schemaProblems } from "#lib/schema-words.ts";
import type { HttpContext, HttpEnv } from "./context.ts";

export const MAX_BODY_BYTES = 256 * 1024;
/** What validating a value costs, in bytes that cost as much to parse. */
const BYTES_OF_VALUE = 64;

const tooLarge = (besides: string) =>
  new AppError("too_large", `The request's body may have at most ${MAX_BODY_BYTES / 1024} KiB${besides}.`);

/** What a body may have besides: attachments, which are large and cost a schema little. */
export interface Attached {
  maxBytes: number;
  /** How much of a body they are; `value` is any JSON object. */
  sizeOf(value: object): number;
  /** For the refusal: `, not counting images …`. */
  words: string;
}

/** Refuses a body that is too large before reading it whole, counted also where no length is announced. */
export const limitedTo = (attached: Attached | null): MiddlewareHandler<HttpEnv> =>
  bodyLimit({
    maxSize: MAX_BODY_BYTES + (attached?.maxBytes ?? 0),
    onError: () => {
      throw tooLarge(attached?.words ?? "");
    },
  });

export const limitedBody: MiddlewareHandler<HttpEnv> = limitedTo(null);

/** Lets only well-formed JSON objects in well-formed UTF-8 pass; the schema comes after. */
export const jsonBody: MiddlewareHandler<HttpEnv> = (c, next) => readJsonBody(c, next, null);

/** The same where it may have attachments. */
export const attachingBody =
  (attached: Attached): MiddlewareHandler<HttpEnv> =>
  (c, next) =>
    readJsonBody(c, next, attached);

async function readJsonBody(c: HttpContext, next: Next, attached: Attached | null): Promise<void> {
  const [mediaType = "", ...parameters] = (c.req.header("content-type") ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  if (mediaType !== "application/json" || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))) {
    throw new AppError(
      "unsupported_media_type",
      "Send the body as JSON in UTF-8, with `Content-Type: application/json`.",
    );
  }
  const encoding = c.req.header("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity") {
    throw new AppError("unsupported_media_type", "Send the body uncompressed: compressed bodies are not accepted.");
  }
  // @hono/zod-openapi 1.6 does not recognize the type with some parameters that RFC 9110 allows: an empty one, spaces
  // before `;`.
  c.req.raw.headers.set("Content-Type", mediaType);
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  const { problem, values } = measureJson(bytes);
  c.set("bodyCost", bytes.length + values * BYTES_OF_VALUE);
  // More than usual was read for its attachments: without any it is too large, whatever else is wrong with it.
  const refuse = (error: AppError) => (attached && bytes.length > MAX_BODY_BYTES ? tooLarge("") : error);
  if (problem !== null) throw refuse(new AppError("invalid", `The body ${problem}.`));
  const value = parseJson(bytes, refuse);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const details = [{ path: "", message: "must be a JSON object" }];
    throw refuse(new AppError("invalid", "The body must be a JSON object.", { details }));
  }
  const attachedBytes = attached?.sizeOf(value) ?? 0;
  if (attached && bytes.length - attachedBytes > MAX_BODY_BYTES)
    throw tooLarge(attachedBytes > 0 ? attached.words : "");
  // Parsed once: the schema takes the same value.
  c.req.json = <Body>() => Promise.resolve(value as Body);
  await next();
}

/** `jsonBody` for operations whose body is optional. */
export const optionalJsonBody: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.raw.body === null || Number(c.req.header("content-length") ?? Number.NaN) === 0) {
    // Some clients declare JSON and send no body: that means the empty object.
    const value: unknown = {};
    c.req.json = <Body>() => Promise.resolve(value as Body);
    return next();
  }
  return jsonBody(c, next);
};

function parseJson(bytes: Uint8Array, refuse: (error: AppError) => AppError): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw refuse(new AppError("invalid", "The body is not valid JSON in UTF-8.", { cause: error }));
  }
}

/** A schema's issues as the error of the API; `part` is the part of the request that was read. */
export function invalidInput(issues: readonly z.core.$ZodIssue[], part: string): AppError {
  const details = schemaProblems(issues);
  const first = details[0];
  const where = first && first.path !== "" ? `\`${first.path}\`` : `the ${part}`;
  const sentence = first
    ? `${where} ${first.message}`.replace(/^./, (letter) => letter.toUpperCase())
    : `The ${part} is not valid`;
  return new AppError("invalid", `${sentence}.`, { details });
}
