import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { createContentProcess } from "#docs/render/process/content-process.ts";
import type { RenderedPage, RenderInput } from "#docs/render/page.ts";
import { createSites } from "#features/sites/serving/sites.ts";
import { createLargeFiles } from "#features/sites/media/large-files.ts";
import { createSiteVersions } from "#features/sites/site-versions.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { toResponse } from "#lib/network/plain-http.ts";

export interface Answer {
  status: number;
  /** The HTML of a page; empty otherwise. */
  text: string;
  location: string | null;
  /** What the renderer answered, if it was asked. */
  rendered: RenderedPage | null;
}

/** Serves the newest commit of a repository as a server does, without a listener. `work` is an empty or absent directory. */
export async function serveSite(repo: string, work: string, contentRoot: string | null = null) {
  await mkdir(work, { recursive: true });
  await using stack = new AsyncDisposableStack();
  const repoStore = stack.use(createRepoStore({ root: path.join(work, "store"), logger: silentLogger }));
  const contentProcess = stack.use(createContentProcess({ logger: silentLogger, processes: 2 }));
  const branch = (await promisify(execFile)("git", ["-C", repo, "branch", "--show-current"])).stdout.trim();
  const project = { id: newProjectId(), slug: "site", name: "Site", branch, contentRoot, settings: {} };
  await repoStore.import(project.id, { source: repo, branch });
  let rendered: RenderedPage | null = null;
  const watched = {
    apiDocuments: contentProcess.apiDocuments,
    async render(input: RenderInput) {
      const page = await contentProcess.render(input);
      if (input.operation?.isMarkdownOnly !== true) rendered = page;
      return page;
    },
  };
  const patience = { patienceMs: 600_000, readerPatienceMs: 600_000, apiPatienceMs: null };
  const deps = { repoStore, clock: systemClock, logger: silentLogger, ...patience };
  const largeFiles = stack.use(createLargeFiles({ repoStore, directory: work }));
  const sites = createSites({
    ...deps,
    largeFiles,
    admitsCall: () => true,
    contentProcess: watched,
    projects: () => Promise.resolve(project),
    collectView: { served: () => undefined, confirm: () => Promise.reject(new Error("No view is confirmed here.")) },
  });
  const { docs } = await createSiteVersions({ ...deps, apiDocuments: contentProcess.apiDocuments }).current(project);
  const owned = stack.move();
  return {
    docs,
    async get(route: string): Promise<Answer> {
      rendered = null;
      const { method, url, headers } = new Request(`http://site.localhost${route}`, {
        headers: { accept: "text/html" },
      });
      const plain = { method, url, location: new URL(url), headers, textUpTo: () => Promise.resolve(null) };
      const answer = toResponse(await sites.handle(plain, "site", { peerAddress: "192.0.2.1" }));
      const isPage = answer.status === 200 && (answer.headers.get("content-type") ?? "").startsWith("text/html");
      const text = isPage ? await answer.text() : "";
      if (!isPage) await answer.body?.cancel();
      return { status: answer.status, text, location: answer.headers.get("location"), rendered };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
