import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notUnderstood } from "#rules/report.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

describe("the server's own API reference", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp("sqlite", { baseUrl: "https://docs.example.com" });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const send = (path: string, init: RequestInit = {}) =>
    app.app.fetch(new Request(`https://docs.example.com${path}`, init), { peerAddress: "127.0.0.1" });
  const read = async (path: string, accept = "text/html") => (await send(path, { headers: { accept } })).text();
  const VISITORS = "/reference/analytics/get-unique-visitors";

  it("lists the whole API on its first page, with a link to each operation", async () => {
    const answer = await send("/reference", { headers: { accept: "text/html" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
    const page = await answer.text();
    const document = (await (await send("/openapi.json")).json()) as {
      paths: Record<string, Record<string, { summary: string }>>;
    };
    const summaries = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ summary }) => summary),
    );
    expect(summaries.length).toBeGreaterThan(50);
    const text = page.replaceAll("&#39;", "'").replaceAll("&apos;", "'");
    expect(summaries.filter((summary) => !text.includes(`>${summary}</a>`))).toEqual([]);
    expect(page).toContain(`href="${VISITORS}"`);
  });

  it("has a page for each operation: parameters, code in many languages, and a form that sends to this server", async () => {
    const page = await read(VISITORS);
    for (const shown of ["dateFrom", "cURL", "Python", "Kotlin", "data-playground"]) expect(page).toContain(shown);
    expect(page).toContain('<option value="https://docs.example.com">');
    expect(page).not.toMatch(/<script(?! type="(?:application\/ld\+json|module)"| src="\/reference\/_docent\/)/);
    const [script] = /\/reference\/_docent\/playground-[0-9a-f]+\.js/.exec(page) ?? [];
    expect((await send(script!)).status).toBe(200);
  });

  it("serves Markdown for agents, with a list of its pages", async () => {
    expect(await read(`${VISITORS}.md`, "*/*")).toContain(
      "GET https://docs.example.com/v1/analytics/{projectId}/visitors",
    );
    expect(await read("/reference/llms.txt")).toContain(`https://docs.example.com${VISITORS}.md`);
  });

  it("finds operations by their words", async () => {
    const search = async () =>
      JSON.parse(await read("/reference/_docent/search?q=unique+visitors", "application/json")) as {
        results: { href: string }[];
        indexing: boolean;
      };
    let found = await search();
    while (found.indexing) found = await search();
    expect(found.results[0]!.href).toBe(VISITORS);
  });

  it("shows the guides of Docent's documentation next to the operations", async () => {
    expect(await read("/reference")).toContain('href="/reference/interface/compatible"');
    expect((await send("/reference/interface/compatible")).status).toBe(200);
    expect(await read("/reference/jobs/guide")).toMatch(
      /href="\/reference\/quickstart"[^]*href="\/reference\/operate\/cli"/,
    );
  });

  it("puts this server's address into the code of the guides", async () => {
    const guide = await read("/reference/jobs/guide.md", "*/*");
    expect(guide).toContain("export DOCENT=https://docs.example.com PROJECT=prj_… KEY=docent_…\n");
    expect(guide).not.toContain("http://localhost:4000");
    expect(await read("/reference/quickstart.md", "*/*")).toContain("It listens at `http://localhost:4000`");
  });

  it("has the pages that a rejected job links to", async () => {
    const { summary, hint } = notUnderstood({ refused: [], understood: [], calls: [], hint: null });
    const named = `${hint} ${summary}`.match(/\/reference\/[\w/-]+/g) ?? [];
    expect(named).toEqual(["/reference/jobs/built-in-rules", "/reference/jobs/models"]);
    for (const path of [...named, "/reference/jobs/errors", "/reference/jobs/mcp"])
      expect([path, (await send(path)).status]).toEqual([path, 200]);
  });

  it("accepts view confirmations from the reader's script, and stores none of them", async () => {
    const body = JSON.stringify({ path: VISITORS });
    const confirmed = await send("/reference/_docent/view", { method: "POST", body });
    expect([confirmed.status, await confirmed.text()]).toEqual([204, ""]);
    expect(await app.database.kysely.selectFrom("project").select("id").execute()).toEqual([{ id: app.project.id }]);
  });

  it("reads a body up to its limit, whatever length it announces", async () => {
    for (const path of ["/reference/mcp", "/reference/_docent/view"]) {
      let taken = 0;
      const endless = new ReadableStream({
        pull(controller) {
          taken += 65_536;
          if (taken > 100_000_000) controller.close();
          else controller.enqueue(new Uint8Array(65_536).fill(32));
        },
      });
      const headers = { "content-type": "application/json", accept: "application/json" };
      const chunked = await send(path, { method: "POST", headers, body: endless, duplex: "half" });
      expect([path, chunked.status]).toEqual([path, 413]);
      expect(taken).toBeLessThan(2_000_000);

      const announced = await send(path, {
        method: "POST",
        headers: { ...headers, "content-length": "100000000" },
        body: "{}",
      });
      expect([path, announced.status]).toEqual([path, 413]);
    }
  });

  it("returns 404 for unknown pages and 405 for other methods", async () => {
    expect((await send("/reference/nothing")).status).toBe(404);
    const refused = await send(VISITORS, { method: "DELETE" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const head = await send(VISITORS, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});
