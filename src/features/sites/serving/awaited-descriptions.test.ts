import { expect, it, onTestFinished, vi } from "vitest";
import { createApiDescriptions, type ApiReader } from "#docs/api/api-documents.ts";
import type { RenderInput } from "#docs/render/page.ts";
import { MachineBusy } from "#lib/waiting/machine-busy.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createTestSite } from "#testing/site.ts";

const FILES = {
  "docs.json": JSON.stringify({
    name: "Mooring",
    navigation: {
      groups: [
        { group: "Guides", pages: ["index", "ships"] },
        { group: "API", openapi: { source: "mooring.json", directory: "api" } },
      ],
    },
  }),
  "mooring.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Mooring", version: "1" },
    paths: { "/berths": { get: { summary: "List berths" } }, "/ships": { get: { summary: "List all ships" } } },
  }),
  "index.md": "# Start\n\nSee [berths](/api/list-berths).\n",
  "ships.md": '---\ntitle: Ships\nopenapi: "mooring.json GET /ships"\n---\n\nIn the author\'s words.\n',
};

/** A site whose API description is parsed when `letGo` is called, as on a busy machine. */
async function startSite(readApi?: (real: ApiReader["readApi"]) => ApiReader["readApi"]) {
  const content = sharedContent();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const heldReader: ApiReader["readApi"] = async (input) => {
    await held;
    return content.readApi(input);
  };
  const apiDocuments = createApiDescriptions({ readApi: readApi?.(content.readApi) ?? heldReader }, [1, 1]);
  const site = await createTestSite(FILES, { contentProcess: { ...content, apiDocuments }, apiPatienceMs: 20 });
  onTestFinished(site[Symbol.asyncDispose]);
  return {
    site,
    letGo,
    async get(path: string) {
      const { status, headers } = await site.request(path);
      const [retry, caching] = [headers.get("retry-after"), headers.get("cache-control")];
      return `${status} ${caching}${retry === null ? "" : ` retry ${retry}`}`;
    },
    text: async (path: string) => (await site.request(path)).text(),
    /** Looks again until the description is parsed. */
    read: () =>
      vi.waitFor(async () => {
        site.passTime(1_000);
        expect((await site.request("/api/list-berths")).status).toBe(200);
      }, 10_000),
  };
}

const LATER = "503 no-store retry 10";

it("is served while a description is being parsed, and says so where its pages are missing", async () => {
  const { get, text, letGo } = await startSite();
  expect(await get("/")).toBe("200 no-cache");
  expect(await text("/")).toMatch(/href="\/api"[^>]*>/);
  expect([await get("/api"), await get("/ships"), await get("/ships.md")]).toEqual([LATER, LATER, LATER]);
  expect(await text("/api")).toContain("The description of this API, mooring.json, is being read.");
  expect(await text("/ships")).toContain("In the author");
  expect(await text("/ships.md")).toContain("> The description of this API, mooring.json, is being read.");
  letGo();
});

it("responds to no address and no list as if the pages of that API did not exist", async () => {
  const { get, letGo } = await startSite();
  expect(await get("/")).toBe("200 no-cache");
  expect(await get("/api/list-berths")).toBe(LATER);
  for (const list of ["/sitemap.xml", "/llms.txt", "/llms-full.txt"]) {
    await expect(get(list)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 10 });
  }
  letGo();
});

it("shows the API once its description is parsed", async () => {
  const { get, text, letGo, read } = await startSite();
  expect(await get("/api/list-berths")).toBe(LATER);
  letGo();
  await read();
  expect([await get("/api"), await get("/ships"), await get("/sitemap.xml")]).toEqual(Array(3).fill("200 no-cache"));
  expect(await text("/ships")).toContain("List all ships");
});

it("counts no view of a page that waits for a description", async () => {
  const { site, text, letGo } = await startSite();
  expect(await text("/ships")).not.toContain("confirm-view");
  await site.request("/ships.md");
  expect(site.served).toEqual([]);
  letGo();
});

it("parses a description again when its process was killed from outside", async () => {
  let failures = 0;
  const { read } = await startSite((real) => async (input) => {
    failures += 1;
    if (failures <= 2) throw new MachineBusy("Its process was ended.");
    return real(input);
  });
  await read();
  expect(failures).toBe(3);
});

it("gives up on a page that is not ready in time, and serves it on the next request", async () => {
  const content = sharedContent();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const render = async (input: RenderInput) => {
    await held;
    return content.render(input);
  };
  const site = await createTestSite(
    { "index.md": "# Start\n" },
    { contentProcess: { ...content, render }, readerPatienceMs: 50 },
  );
  onTestFinished(site[Symbol.asyncDispose]);
  await expect(site.request("/")).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 10, isBusy: true });
  letGo();
  await vi.waitFor(async () => expect((await site.request("/")).status).toBe(200), 10_000);
});

it("sends a page that could not be rendered now with 503, which is not cached", async () => {
  const content = sharedContent();
  const render = () => Promise.reject(new MachineBusy("Too many pages wait to be rendered."));
  const site = await createTestSite({ "index.md": "# Start\n" }, { contentProcess: { ...content, render } });
  onTestFinished(site[Symbol.asyncDispose]);
  const answer = await site.request("/");
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([503, "no-store"]);
  expect(await answer.text()).toContain("# Start");
});
