import { expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { createTestApp } from "#testing/test-app.ts";
import { listen } from "./server.ts";

it("takes bodies whose length is not announced, up to the limit, and no body at all", async () => {
  await using app = await createTestApp("sqlite");
  const server = await listen({ handler: app.handler, logger: silentLogger }, { host: "127.0.0.1", port: 0 });
  const send = async (type: string, chunks: readonly string[], path: string) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${app.key}`, ...(type !== "" && { "Content-Type": type }) },
      redirect: "manual",
      ...(chunks.length > 0 && { body, duplex: "half" }),
    });
    await response.body?.cancel();
    return response.status;
  };
  const jobs = `/v2/agent/${app.project.id}/job`;
  const json = "application/json";
  expect(await send(json, ['{"prompt":', '"Fix the links."}'], jobs)).toBe(201);
  expect(
    await send(
      json,
      Array.from({ length: 300 }, () => "x".repeat(1024)),
      jobs,
    ),
  ).toBe(413);
  expect(await send(json, [], jobs)).toBe(400);
  expect(await send("", [], jobs)).toBe(415);
  expect(await send("application/x-www-form-urlencoded", [`key=${app.key}`], "/sign-in")).toBe(303);
  expect(await send("", [], "/harbor-docs/jobs")).toBe(303);
  await server.close();
});
