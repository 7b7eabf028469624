import type { ServerResponse } from "node:http";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { listen } from "#testing/listen.ts";
import { createTestDirectory } from "#testing/repositories.ts";

it("a push can run while every polled host hangs: 24 connections and 24 sources", async () => {
  const FOLLOWED = 2 * 24;
  const directory = await createTestDirectory();
  const store = createRepoStore({ root: path.join(directory.path, "repositories"), logger: silentLogger });
  const hanging = new Set<ServerResponse>();
  const silent = await listen((_request, response) => void hanging.add(response));
  const url = `${silent.url}/acme/docs.git`;
  const stopping = new AbortController();
  const asked = Array.from({ length: FOLLOWED + 1 }, async () => {
    const id = newProjectId();
    await store.create(id, { branch: "main" });
    const remote = { url, authorization: null, addresses: [] };
    await store.fetch(id, remote, ["main"], { signal: stopping.signal });
  });
  const ended = Promise.allSettled(asked);
  onTestFinished(async () => {
    stopping.abort();
    await silent[Symbol.asyncDispose]();
    await ended;
    await store[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });
  await expect.poll(() => hanging.size, { timeout: 90_000 }).toBe(FOLLOWED + 1);
}, 120_000); // 49 programs start, also on a machine with much other work
