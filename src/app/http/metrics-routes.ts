import { Hono } from "hono";
import { bearerKey } from "#features/keys/authentication.ts";
import { AppError } from "#lib/app-error.ts";
import { isSameSecret, type Secret } from "#lib/secrets/secret.ts";
import type { HttpEnv } from "#kit/http/context.ts";

/** Source of `/metrics`. */
export interface MetricsDeps {
  token: Secret;
  contentType: string;
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>;
}

/** `GET /metrics` for a monitoring system. Requires a token: behind a proxy, every client address is local. */
export function metricsRoutes(metrics: MetricsDeps | null): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get("/metrics", async (c) => {
    if (metrics === null)
      throw new AppError("forbidden", "Metrics are off: DOCENT_METRICS_TOKEN is not set on this server.");
    const { token, contentType, text } = metrics;
    const key = bearerKey(c.req.header("authorization") ?? "");
    if (key === null || !isSameSecret(key, token.reveal())) {
      throw new AppError(
        "unauthorized",
        "Metrics need `Authorization: Bearer` with the value of DOCENT_METRICS_TOKEN.",
      );
    }
    return c.body(await text(), 200, { "Content-Type": contentType, "Cache-Control": "no-store" });
  });
}
