import { AppError } from "#lib/app-error.ts";
import { newId } from "#lib/ids.ts";
import type { PlainAnswer } from "#lib/network/plain-http.ts";
import { errorAnswer } from "#kit/http/errors.ts";

const STARTING = new AppError("unavailable", "The server is starting.", { retryAfterSeconds: 2 });

/** Response while the store is opened and migrated: the process is alive, and not ready. */
export function starting(url: string | undefined): PlainAnswer {
  if (url === "/health") return json(200, { "Cache-Control": "no-store" }, { status: "ok" });
  const requestId = newId("req");
  const { status, headers, body } = errorAnswer(STARTING, requestId);
  if (url === "/ready") return json(status, headers, { status: "unavailable", reasons: [STARTING.message] });
  return json(status, { ...headers, "X-Request-Id": requestId }, body);
}

const json = (status: number, headers: Record<string, string>, body: object): PlainAnswer => ({
  status,
  headers: { ...headers, "Content-Type": "application/json" },
  body: JSON.stringify(body),
});
