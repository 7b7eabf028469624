import { expect, it } from "vitest";
import { createTestSite } from "#testing/site.ts";

const textOf = (html: string): string =>
  (/<article\b.*<\/article>/s.exec(html)?.[0] ?? "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

const VITEPRESS = {
  "package.json": '{ "devDependencies": { "vitepress": "^2.0.0-alpha.19" } }',
  ".vitepress/config.ts": `import { defineConfig } from "vitepress";
import { shared } from "./shared";
export default defineConfig({ ...shared, locales: {
  root: { label: "English" },
  de: { label: "Deutsch", lang: "de", markdown: { container: { noteLabel: "Merke" } } },
} });`,
  ".vitepress/shared.ts": `const rSpecial = /[\\s~\`!@#$%^&*()\\-_+=[\\]{}|\\\\;:"'<>,.?/]+/g;
export const slugify = (text: string): string => text.normalize("NFKD").replace(rSpecial, "-").replace(/^(\\d)/, "_$1");
export const shared = { markdown: { anchor: { slugify }, container: { tipLabel: "Hint" } } };`,
  "a.md":
    "# A\n\n## Set Up: It\n\n::: tip\nOne.\n:::\n\n> [!NOTE]\n> Two.\n\n> [!INFO] Own *title*\n> Two.\n\n::: details\nThree.\n:::\n\n[one](#Set%20Up:%20It) [two](./b#Über%20All) [file](./c.pdf#Page%202)\n",
  "b.md": "# B\n\n## Über All\n",
  "de/a.md": "# A\n\n::: tip\nEins.\n:::\n\n::: note\nZwei.\n:::\n",
  "public/c.pdf": "x",
};

it("has the ids of the slugify in VitePress' configuration, links to them, and the usual ids besides", async () => {
  await using site = await createTestSite(VITEPRESS);
  const html = await (await site.request("/a")).text();
  expect(html).toContain('<h2 id="Set-Up-It"><span id="set-up-it"></span>');
  expect(html).toContain('href="#Set-Up-It">one');
  expect(html).toContain('href="/b#U%CC%88ber-All">two');
  expect(html).toMatch(/href="[^"]*c\.pdf#Page%202">file/);
  expect(await (await site.request("/b")).text()).toContain('id="U\u0308ber-All"');
});

it("keeps what a link of VitePress 1 has after the #, which may be an id of the page's own", async () => {
  await using site = await createTestSite({
    "package.json": '{ "devDependencies": { "vitepress": "^1.6.0" } }',
    "docs/.vitepress/config.js": "export default {};",
    "docs/a.md": "# A\n\n## Set up {#Set_Up}\n\n[one](#Set_Up)\n",
  });
  const html = await (await site.request("/a")).text();
  expect(html).toContain('<h2 id="Set_Up">');
  expect(html).toContain('href="#Set_Up">one');
});

it("titles callouts of VitePress as the configuration and its languages do", async () => {
  await using site = await createTestSite(VITEPRESS);
  expect(textOf(await (await site.request("/a")).text())).toContain(
    "Hint One. Note Two. Own title Two. Details Three.",
  );
  expect(textOf(await (await site.request("/de/a")).text())).toContain("Hint Eins. Merke Zwei.");
});

it("titles asides of Starlight in its words of the page's language, and in those of the team", async () => {
  const aside = "---\ntitle: A\n---\n\n:::caution\nOne.\n:::\n\n:::tip\nTwo.\n:::\n";
  await using site = await createTestSite({
    "astro.config.mjs": `import starlight from "@astrojs/starlight";
export default { integrations: [starlight({ title: "T", locales: { root: { label: "English", lang: "en" }, "pt-br": { label: "Português", lang: "pt-BR" } } })] };`,
    "src/content/docs/a.md": aside,
    "src/content/docs/pt-br/a.md": aside,
    "src/content/i18n/pt-BR.json": '{ "aside.tip": "Sugestão" }',
  });
  expect(textOf(await (await site.request("/a")).text())).toContain("Caution One. Tip Two.");
  expect(textOf(await (await site.request("/pt-br/a")).text())).toContain("Cuidado One. Sugestão Two.");
});
