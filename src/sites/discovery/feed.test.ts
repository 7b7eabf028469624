import { expect, it } from "vitest";
import { createTestSite } from "#testing/site.ts";

const CHANGES = `---
title: "Changes & <news>"
rss: true
---

<Update label="v2" description="November 3, 2026" tags={["API", "<b>"]}>
## More

See [setup](/setup) and [above](#v2). ]]> &

<section>inner</section>
</Update>

<Update label="2026-02-30" rss={{ title: "Custom </item>", description: "Said \\"so\\"" }}>
Body
</Update>
`;

it("the updates of a page are a feed that its head names", async () => {
  await using site = await createTestSite({ "changes.mdx": CHANGES, "setup.md": "# Set up\n" });
  const page = await (await site.request("/changes")).text();
  expect(page).toContain(
    '<link rel="alternate" type="application/rss+xml" title="Changes &amp; &lt;news&gt;" href="/changes/rss.xml" />',
  );
  const answer = await site.request("/changes/rss.xml");
  expect(answer.headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
  const xml = await answer.text();
  const items = xml.split("<item>").slice(1);
  expect(items).toHaveLength(2);
  const link = "http://harbor.localhost:4000/changes#v2";
  for (const part of [
    "<title>v2</title>",
    `<guid isPermaLink="true">${link}</guid>`,
    "<pubDate>Tue, 03 Nov 2026 00:00:00 GMT</pubDate>",
    "<category>API</category>\n<category>&lt;b&gt;</category>",
    "href=&quot;http://harbor.localhost:4000/setup&quot;",
    `href=&quot;${link}&quot;`,
  ])
    expect(items[0]).toContain(part);
  expect(items[1]).toContain("<title>Custom &lt;/item&gt;</title>");
  expect(items[1]).toContain("<description>Said &quot;so&quot;</description>");
  expect(items[1]).not.toContain("pubDate"); // there is no such day
  // What is escaped is all that could be markup: the elements are ours alone.
  expect(new Set(Array.from(xml.matchAll(/<([a-z:]+)/gi), ([, name]) => name)).size).toBe(12);

  const other = await site.request("/setup/rss.xml");
  expect(other.status).toBe(404);
  expect(await (await site.request("/setup")).text()).not.toContain("rss+xml");
});
