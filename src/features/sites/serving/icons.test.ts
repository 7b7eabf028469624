import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

const HOSTILE = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';

let site: TestSite;
beforeAll(async () => {
  site = await createTestSite({
    "docs.json": JSON.stringify({
      name: "Harbor",
      icons: { library: "tabler" },
      navigation: {
        tabs: [
          {
            tab: "Guides",
            icon: "book-open",
            groups: [
              { group: "Start", icon: { name: "gear", style: "solid", library: "fontawesome" }, pages: ["index", "ship"] },
              { group: "Logo", icon: "/img/logo.svg", pages: ["logo"] },
              { group: "Elsewhere", icon: "https://elsewhere.example/a.svg", pages: ["far"] },
              { group: "Upwards", icon: "../../../etc/passwd.svg", pages: ["up"] },
              { group: 'Script "><script>alert(1)</script>', icon: '"><script>alert(1)</script>', pages: ["no"] },
            ],
          },
          { tab: "API", pages: ["api"] },
        ],
        global: { anchors: [{ anchor: "Community", icon: "discord", href: "https://chat.example" }] },
      },
    }),
    "index.mdx":
      '---\ntitle: Welcome\nicon: home\n---\n\n<Card title="A" icon="brand-rust" />\n<Card title="B" icon="/img/logo.svg" />\n<Card title="C" icon="https://elsewhere.example/a.svg" />\n<Card title="D" icon="no-such-icon" />\n',
    "ship.md": "---\ntitle: Ship\nicon: \"javascript:alert(1)\"\n---\n",
    "logo.md": "# L\n", "far.md": "# F\n", "up.md": "# U\n", "no.md": "# N\n", "api.md": "# API\n",
    "img/logo.svg": HOSTILE,
  }); // oxfmt-ignore
});
afterAll(() => site[Symbol.asyncDispose]());

test("entries of the navigation, tabs and anchors have their icons", async () => {
  const html = await (await site.request("/")).text();
  expect(html).toMatch(/<summary><span><svg class="site-entry-icon"[^>]*viewBox="0 0 512 512"[^>]*>.*?<\/svg> Start/s);
  expect(html).toMatch(
    /<summary><span><img class="site-entry-icon" src="\/img\/logo.svg\?v=[0-9a-f]{12}" alt=""[^>]*> Logo/,
  );
  expect(html).toMatch(/<a href="\/"[^>]*aria-current="page"><svg class="site-entry-icon".*?<\/svg> Welcome/s);
  expect(html).toMatch(/<nav class="site-tab-bar".*?<svg class="site-entry-icon".*?<\/svg> Guides/s);
  expect(html).toMatch(/<svg class="site-entry-icon"[^>]*>.{20,3000}?<\/svg> Community/s);
});

test("ignores an icon that is neither in a set nor a file of the repository", async () => {
  const html = await (await site.request("/")).text();
  expect(html).not.toContain("elsewhere.example");
  expect(html).not.toMatch(/passwd|<script>alert|javascript:alert/);
  expect(html).toMatch(/<summary>Elsewhere/);
  expect(html).toMatch(/<summary>Upwards/);
});

test("cards have icons of the site's set and files of the repository", async () => {
  const html = await (await site.request("/")).text();
  expect(html).toMatch(/<div class="card-icon"><svg class="content-icon" viewBox="0 0 24 24"/);
  expect(html).toContain('<div class="card-icon"><img class="content-icon" alt="" src="/img/logo.svg?v=');
  expect(html.match(/class="card-icon"/g)).toHaveLength(2);
});

test("an image with a script cannot be opened as a document of the site", async () => {
  const response = await site.request("/img/logo.svg");
  expect(response.headers.get("Content-Security-Policy")).toContain("sandbox; default-src 'none'");
});
