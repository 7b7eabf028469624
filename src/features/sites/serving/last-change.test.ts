import { expect, it } from "vitest";
import { createTestSite } from "#testing/site.ts";

it("shows the date of a page's last change in the site's language, unless the site turns it off", async () => {
  await using site = await createTestSite({ "guide.md": "# Guide\n" });
  const lastChange = async () =>
    /<span class="site-changed">(.*?)<\/span>/.exec(await (await site.request("/guide")).text())?.[1];
  const configure = async (config: object) => {
    await site.push({ "docs.json": JSON.stringify(config) });
    site.passTime(1_000);
  };
  expect(await lastChange()).toBe('Last changed on <time datetime="2026-01-02">January 2, 2026</time>');
  await configure({ language: "de" });
  expect(await lastChange()).toBe('Zuletzt geändert am <time datetime="2026-01-02">2. Januar 2026</time>');
  await configure({ metadata: { timestamp: false } });
  expect(await lastChange()).toBeUndefined();
});
