import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createTestSite } from "#testing/site.ts";

async function styles(fonts: object): Promise<string> {
  await using site = await createTestSite({
    "docs.json": JSON.stringify({ name: "Harbor", fonts, navigation: { pages: ["index"] } }),
    "index.md": "# Home\n",
    "fonts/mine.woff2": new Uint8Array([1, 2, 3]),
  });
  const response = await site.request("/");
  const css = /<style>([^]*?)<\/style>/.exec(await response.text())?.[1] ?? "";
  const hash = createHash("sha256").update(css).digest("base64");
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain(css === "" ? "style-src 'self';" : `style-src 'self' 'sha256-${hash}';`);
  return css;
}

test("loads a font of the repository", async () => {
  const css = await styles({ family: "Mine", source: "/fonts/mine.woff2", heading: { family: "Loud", weight: 700 } });
  expect(css).toMatch(
    /@font-face\{font-family:"Mine";src:url\("\/fonts\/mine\.woff2\?v=[0-9a-f]{12}"\) format\("woff2"\);/,
  );
  expect(css).toContain(':root{--font-body:"Mine",');
  expect(css).toContain('{font-family:"Loud",var(--font-body)}');
});

test.each([
  "https://elsewhere.example/a.woff2",
  "//elsewhere.example/a.woff2",
  "../../etc/passwd.woff2",
  "/fonts/none.woff2",
  "/docs.json",
  'x");}*{display:none}.woff2',
])("rejects %s as a font of the repository", async (source) => {
  const css = await styles({ family: "Mine", source });
  expect(css).not.toMatch(/@font-face|elsewhere|passwd|display:none/);
  expect(css).toContain('"Mine"');
});

test("ignores an invalid font family", async () => {
  expect(await styles({ family: 'A";}</style><script>alert(1)</script>' })).toBe("");
});
