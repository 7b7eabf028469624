import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import { idempotencyKey, type IdempotencyKey, onlyOnce } from "./request-outcomes.ts";
import { AppError } from "#lib/app-error.ts";
import { errorAnswers } from "./document/error-answers.ts";
import type { HttpContext } from "./context.ts";
import { eachOperation } from "./operation.ts";

const MAX_KEY_LENGTH = 255;
const USABLE_KEY = /^[\x20-\x7e]+$/;

/**
 * Carries out a POST, or repeats its response when the same request was made within 24 hours. Every POST of the API
 * responds through it; `asked` is its body. `carryOut` passes the key to the operation, which claims it in its
 * transaction.
 */
export async function answerOnce<T>(
  c: HttpContext,
  deps: { database: Database; clock: Clock },
  request: {
    asked?: unknown;
    carryOut(key: IdempotencyKey | null): Promise<T>;
    /**
     * Repeats the response for the thing that was created or changed, in its current state; null when it has been
     * deleted.
     */
    repeat(outcome: string): Promise<T | null>;
  },
): Promise<T> {
  const key = readKey(c, request.asked);
  const { answer, isReplay } = await onlyOnce(deps, key, { ...request, carryOut: () => request.carryOut(key) });
  if (isReplay) c.header("Idempotent-Replayed", "true");
  return answer;
}

/** The caller's key for this request; null without one. The path is part of the request that it identifies. */
function readKey(c: HttpContext, asked: unknown): IdempotencyKey | null {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return null;
  if (key === "" || key.length > MAX_KEY_LENGTH || !USABLE_KEY.test(key)) {
    throw new AppError("invalid", `An Idempotency-Key has 1 to ${MAX_KEY_LENGTH} printable ASCII characters.`, {
      details: [{ path: "Idempotency-Key", message: "not a usable key" }],
    });
  }
  return idempotencyKey(c.get("owner"), key, [c.req.path, asked]);
}

type Responses = Record<string, { $ref: string; headers?: undefined } | { headers?: object }>;

/** Errors that a key adds to a POST: its outcome has been deleted, or the key belongs to another request. */
const ANSWERS = [409, 422] as const;
const REPLAYED = { "Idempotent-Replayed": { $ref: "#/components/headers/Idempotent-Replayed" } };

/** Documents `answerOnce` for every POST that creates or changes something. */
export function documentIdempotency(paths: Parameters<typeof eachOperation>[0]): void {
  eachOperation(paths, (post, { scope }, method) => {
    if (method !== "post" || scope === "read") return; // requests that only read may be repeated freely
    post.parameters = [
      ...(post.parameters ?? []),
      {
        name: "Idempotency-Key",
        in: "header",
        schema: { type: "string", minLength: 1, maxLength: MAX_KEY_LENGTH, pattern: USABLE_KEY.source },
        required: false,
        example: "publish-4f2a9c1",
        description: `Key that makes retries safe: 1 to ${MAX_KEY_LENGTH} printable ASCII characters. If the same request with the same key is sent again within 24 hours, the server does not carry it out again: the response shows the current state of what the first request created or changed, with \`Idempotent-Replayed: true\`.`,
      },
    ];
    const responses: Responses = { ...errorAnswers(ANSWERS), ...post.responses };
    for (const answer of Object.values(responses)) {
      if (answer.headers) answer.headers = { ...answer.headers, ...REPLAYED };
    }
    post.responses = responses;
  });
}
