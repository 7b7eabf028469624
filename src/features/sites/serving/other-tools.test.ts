import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

const SITE = {
  "docusaurus.config.js":
    'module.exports = { title: "Trains", baseUrl: "/trains/", presets: [["classic", { docs: {} }]] };',
  "docs/01-intro.md":
    "---\nslug: /\n---\n# Introduction\n\n[file](./02-guides/doors.md#open) [route](/trains/docs/guides/doors) ![door](/img/door.png)\n",
  "docs/02-guides/doors.md": "# Doors\n\n## Open\n\n[back](../01-intro.md)\n",
  "static/img/door.png": "x",
  "src/secret.js": "const key = 1;",
};

let contentProcess: ContentProcess;
let site: TestSite;
beforeAll(async () => {
  contentProcess = sharedContent();
  site = await createTestSite(SITE, { contentProcess });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await contentProcess[Symbol.asyncDispose]();
});

describe("a site in a repository of Docusaurus", () => {
  it("renders links to files as the addresses of their pages", async () => {
    const html = await (await site.request("/docs")).text();
    expect(html).toContain('href="/docs/guides/doors#open"');
    expect(html).toContain('href="/docs/guides/doors"');
    expect(await (await site.request("/docs/guides/doors")).text()).toContain('href="/docs"');
  });

  it.each([
    ["/docs/02-guides/doors", "/docs/guides/doors"],
    ["/docs/02-guides/doors.md", null],
    ["/docs/01-intro", "/docs"],
    ["/trains/docs/guides/doors", "/docs/guides/doors"],
  ])("redirects %s to %s", async (path, location) => {
    const response = await site.request(path, { redirect: "manual" });
    expect(response.headers.get("location")).toBe(location);
  });

  it("serves its static files, and no source code", async () => {
    expect((await site.request("/img/door.png")).status).toBe(200);
    expect((await site.request("/src/secret.js")).status).toBe(404);
    expect((await site.request("/docusaurus.config.js")).status).toBe(404);
  });
});
