import { expect, it } from "vitest";
import { rssFaults } from "#testing/rss-rules.ts";
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

it("the updates of a page are a feed that its head links to", async () => {
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
  expect(items[1]).not.toContain("pubDate"); // not a date
  // All markup in the texts is escaped: only our own elements remain.
  expect(new Set(Array.from(xml.matchAll(/<([a-z:]+)/gi), ([, name]) => name)).size).toBe(12);

  expect(rssFaults(xml, "http://harbor.localhost:4000/changes/rss.xml")).toEqual([]);

  const other = await site.request("/setup/rss.xml");
  expect(other.status).toBe(404);
  expect(await (await site.request("/setup")).text()).not.toContain("rss+xml");
});

it.each([2, 101])("adding an update on top of %i changes the id of no existing one", async (size) => {
  const page = (count: number) =>
    Array.from({ length: count }, (_, index) => `<Update>\nNumber ${count - index}\n</Update>\n`).join("\n");
  await using site = await createTestSite({ "changes.mdx": page(size) });
  const ids = async () => {
    const xml = await (await site.request("/changes/rss.xml")).text();
    return Array.from(xml.matchAll(/<guid[^>]*>([^<]*)/g), ([, id]) => id);
  };
  const before = await ids();
  await site.push({ "changes.mdx": page(size + 1) });
  site.passTime(1_000);
  const [added, ...former] = await ids();
  expect(former).toEqual(before);
  expect(former).toHaveLength(size);
  expect(before).not.toContain(added);
});

const ODD = [
  "## Title\n\n[a](./near) ![b](../images/b.png) [c](?q=1) [d](#here) [e](//other.example/x) <mailto:a@b.example>",
  "<script>alert(1)</script> <style>x{}</style> <img src=x onerror=alert(1)>",
  '<iframe src="https://video.example/x" title="Film"></iframe>',
  "<form><button>Send</button></form> <Card title='x' href='/near'>Card</Card>",
  "```mermaid\ngraph TD; A-->B\n```\n\n$$x^2$$",
  "]]> &nbsp; &unknown; \u0001\u000B\uFFFE \u{1F600} \uD800 x",
  "<Tabs><Tab title='A'>a</Tab><Tab title='B'>b</Tab></Tabs>",
  "| a | b |\n|---|---|\n| 1 | [x](/near) |",
  "",
];

it("is valid RSS, whatever its updates contain", async () => {
  const labels = ["2026-01-05", "January 2026", "", "", "v1", "v1", "\u0000\u001F", "<b>", "e\u0301 \u202E"];
  const updates = ODD.map(
    (body, at) => `<Update label=${JSON.stringify(labels[at])} tags={["a & b", "<c>"]}>\n${body}\n</Update>`,
  );
  const files = {
    "log/changes.mdx": `---\ntitle: "\\u0001 A & B"\ndescription: "<i> & ]]>"\n---\n\n${updates.join("\n\n")}\n`,
    "log/near.md": "# Near\n",
    "images/b.png": "x",
  };
  await using site = await createTestSite(files);
  const response = await site.request("/log/changes/rss.xml");
  expect(response.status).toBe(200);
  const xml = await response.text();
  expect(xml.split("<item>")).toHaveLength(ODD.length + 1);
  expect(rssFaults(xml, "http://harbor.localhost:4000/log/changes/rss.xml")).toEqual([]);
});

it("the validator detects each fault", () => {
  const self = "https://a.example/rss.xml";
  const feed = (channel: string, item: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>A</title><link>https://a.example/</link><description>A</description><language>en</language><atom:link href="${self}" rel="self"/>${channel}<item><title>x</title><link>https://a.example/x</link><guid>https://a.example/x</guid>${item}</item></channel></rss>`;
  expect(rssFaults(feed("", "<pubDate>Tue, 03 Nov 2026 00:00:00 GMT</pubDate>"), self)).toEqual([]);
  const faults: [string, string, RegExp][] = [
    ["<title>B</title>", "", /title twice/],
    ["<published>x</published>", "", /unknown element published/],
    ["", "<pubDate>Mon, 03 Nov 2026 00:00:00 GMT</pubDate>", /date is none/],
    ["", "<content:encoded>&lt;a href=&quot;/x&quot;&gt;</content:encoded>", /relative href \/x/],
    ["", "<content:encoded>&lt;script&gt;</content:encoded>", /has a script/],
    ["<item><title>y</title><link>https://a.example/x</link><guid>https://a.example/x</guid></item>", "", /one guid/],
    ["", "a & b", /not well-formed/],
    ["", "\u0001", /not well-formed.*disallowed character/],
  ];
  for (const [channel, item, fault] of faults) expect(rssFaults(feed(channel, item), self).join()).toMatch(fault);
});

it("an update of any length is whole", async () => {
  const text = `${"A word and **another**. ".repeat(5_000)}The end.`;
  await using site = await createTestSite({ "changes.mdx": `# Changes\n\n<Update label="v2">\n${text}\n</Update>\n` });
  const xml = await (await site.request("/changes/rss.xml")).text();
  expect(rssFaults(xml, "http://harbor.localhost:4000/changes/rss.xml")).toEqual([]);
  expect(xml).toContain("The end.&lt;/p&gt;");
});
