import { describe, expect, it } from "vitest";
import { addressInTool } from "#docs/links/tool-links.ts";
import { dialectContract, load, outline } from "#docs/dialects/dialect.contract.ts";

const CONFIG = `import { defineConfig } from "astro/config";
import starlight from "@astrojs/starlight";
import sidebar from "./sidebar.json";
export default defineConfig({
  base: "/trains",
  redirects: { "/old/[...slug]": "/guides/[...slug]" },
  integrations: [
    starlight({
      title: "Trains",
      logo: { src: "./src/assets/logo.svg" },
      social: [{ icon: "github", label: "GitHub Trains", href: "https://code.example/trains" }],
      editLink: { baseUrl: "https://code.example/edit/" },
      sidebar,
    }),
  ],
});
`;
const SIDEBAR = [
  "start",
  {
    label: "Guides",
    badge: { text: "New", variant: "tip" },
    items: [{ autogenerate: { directory: "guides" } }, { label: "Forum", link: "https://forum.example" }],
  },
  { label: "Lamps", slug: "reference/v10", badge: "Hot" },
];
const FILES = {
  "astro.config.mjs": CONFIG,
  "sidebar.json": JSON.stringify(SIDEBAR),
  "src/content/docs/index.mdx": "---\ntitle: Home\n---",
  "src/content/docs/Start.md": "---\ntitle: Getting started\nsidebar:\n  label: Start\n---",
  "src/content/docs/guides/index.md": "---\ntitle: All guides\n---",
  "src/content/docs/guides/Big Doors.md": "---\ntitle: Big doors\n---",
  "src/content/docs/guides/brakes.md": "---\ntitle: Brakes\nsidebar:\n  order: 1\n---",
  "src/content/docs/guides/secret.md": "---\ntitle: Secret\nsidebar:\n  hidden: true\n---",
  "src/content/docs/guides/deep/one.md": "---\ntitle: One\n---",
  "src/content/docs/reference/v1.0.md": "---\ntitle: Signals\n---",
  "src/content/docs/_part.md": "a part",
  "src/assets/logo.svg": "<svg/>",
  "public/favicon.svg": "<svg/>",
};

dialectContract({
  dialect: "starlight",
  files: FILES,
  file: "astro.config.mjs",
  routes: [
    "/",
    "/start",
    "/guides",
    "/guides/big-doors",
    "/guides/brakes",
    "/guides/secret",
    "/guides/deep/one",
    "/reference/v10",
  ],
  navigation:
    "Start(/start) Guides[Brakes(/guides/brakes) All guides(/guides) Big doors(/guides/big-doors) deep[One(/guides/deep/one)] " +
    "Forum->https://forum.example] Lamps(/reference/v10)",
  computed: {
    file: "astro.config.mjs",
    text: CONFIG.replace("sidebar,", "sidebar: makeSidebar(),"),
    line: 13,
  },
});

describe("a Starlight site", () => {
  it("has its settings as those of a docs.json", async () => {
    const { config, bases, navigation, redirects, assets } = await load(FILES);
    expect(config).toMatchObject({
      name: "Trains",
      logo: { light: "src/assets/logo.svg" },
      footer: { socials: [{ label: "GitHub Trains", href: "https://code.example/trains" }] },
      suggestsEdits: true,
    });
    expect(navigation.slice(1)).toMatchObject([{ tag: "New" }, { tag: "Hot" }]);
    expect(bases).toContain("/trains");
    expect(redirects.match("/old/a/b")?.location).toBe("/guides/a/b");
    expect(assets.get("/favicon.svg")?.path).toBe("public/favicon.svg");
  });

  it("finds pictures by the names that tsconfig.json gives to folders", async () => {
    const docs = await load({
      ...FILES,
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@pictures/*": ["./src/pictures/*"] }, /* no more */ } }',
      "src/pictures/a b.png": "x",
    });
    const address = (file: string) =>
      addressInTool(docs, { url: file, use: "source", route: `/src/content/docs/guides/${file}`, page: "/guides" });
    expect(address("@pictures/a%20b.png")).toBe("/src/pictures/a%20b.png");
    expect(address("@pictures/gone.png")).toBeNull();
  });

  it("has languages in folders, with the default language for pages without a translation", async () => {
    const docs = await load({
      "astro.config.mjs": `import starlight from "@astrojs/starlight";
        export default { integrations: [starlight({ title: "T", defaultLocale: "en",
          locales: { en: { label: "English" }, "pt-br": { label: "Português", lang: "pt-BR" } },
          sidebar: [{ label: "Start", translations: { "pt-BR": "Início" }, items: ["a", "b"] }] })] };`,
      "src/content/docs/en/a.md": "---\ntitle: A\n---",
      "src/content/docs/en/b.md": "---\ntitle: B\n---",
      "src/content/docs/pt-br/a.md": "---\ntitle: A (pt)\n---",
    });
    expect(outline(docs.navigation)).toBe(
      "language:English[Start[A(/en/a) B(/en/b)]] language:Português[Início[A (pt)(/pt-br/a) B(/en/b)]]",
    );
    expect(docs.aliases.get("/pt-br/b")).toBe("/en/b");
    expect(docs.tool?.chores).toBeUndefined();
  });

  it("has a page at the address that its front matter names", async () => {
    const docs = await load({ ...FILES, "src/content/docs/odd.md": "---\ntitle: Odd\nslug: even/path\n---" });
    expect([docs.pages.has("/even/path"), docs.pages.has("/odd")]).toEqual([true, false]);
  });

  it("derives the navigation from the folders when it has no sidebar", async () => {
    const docs = await load({ ...FILES, "astro.config.mjs": CONFIG.replace("sidebar,", "") });
    expect(outline(docs.navigation)).toBe(
      "guides[Brakes(/guides/brakes) All guides(/guides) Big doors(/guides/big-doors) deep[One(/guides/deep/one)]] " +
        "Home(/) reference[Signals(/reference/v10)] Start(/start)",
    );
  });
});
