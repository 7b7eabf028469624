import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Collector } from "#features/visitors/collect/collector.ts";
import { type Confirmation, readConfirmation } from "#features/visitors/collect/confirmation.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { noProject } from "#kit/http/errors.ts";
import { limitedBody } from "#kit/http/json-body.ts";
import { createRouter } from "#kit/http/router.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { parseMeasured } from "#lib/json-measure.ts";
import { toResponse } from "#lib/network/plain-http.ts";

/** Where pages of docs that are hosted elsewhere send their views; browsers call it, so there is no key. */
export function ingestRoutes({ collector }: { collector: Pick<Collector, "ingest"> }): OpenAPIHono<HttpEnv> {
  const routes = createRouter();
  routes.on(["POST", "OPTIONS"], "/ingest/:projectId", limitedBody, async (c) => {
    const projectId = c.req.param("projectId");
    if (!/^prj_[0-9a-z]{26}$/.test(projectId)) throw noProject(projectId);
    let confirmation: Confirmation | null = null; // and release the body, which may be long, while waiting for the disk
    try {
      // Sent as plain text, which needs no preflight request.
      if (c.req.method === "POST") {
        confirmation = readConfirmation(parseMeasured(new Uint8Array(await c.req.arrayBuffer())));
      }
    } catch (error) {
      throw new AppError("invalid", "The view is not JSON.", { cause: error });
    }
    const { peerAddress } = c.env;
    return toResponse(
      await collector.ingest({
        projectId: projectId as ProjectId,
        request: c.req.raw,
        peerAddress,
        confirmation,
      }),
    );
  });
  return routes;
}
