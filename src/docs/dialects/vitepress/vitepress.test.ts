import { describe, expect, it } from "vitest";
import { dialectContract, load, outline } from "#docs/dialects/dialect.contract.ts";

const CONFIG = `import { defineConfig } from "vitepress";
import { guide } from "./guide";
const host = "https://code.example";
export default defineConfig({
  title: "Trains",
  base: "/trains/",
  srcDir: "pages",
  srcExclude: ["**/TODO.md"],
  rewrites: { "packages/:name/docs/:rest*": ":name/:rest*" },
  head: [["link", { rel: "icon", href: "/trains/icon.svg" }]],
  themeConfig: {
    logo: { light: "/light.svg", dark: "/dark.svg" },
    nav: [{ text: "Reference", link: "/reference/" }, { text: "Guide", link: "/guide/start", activeMatch: "/guide/" }, { text: "Code", link: host }],
    sidebar: { "/guide/": guide(), "/reference/": { base: "/reference/", items: [{ text: "Doors", link: "doors" }, { text: "Forum", link: \`\${host}/forum\` }] } },
    socialLinks: [{ icon: "github", link: host }],
    editLink: { pattern: "https://code.example/edit/:path" },
  },
});
`;
const GUIDE = `import type { DefaultTheme } from "vitepress";
export function guide(): DefaultTheme.SidebarItem[] {
  return [
    { text: "Basics", link: "/guide/", items: [{ text: "Start here", link: "/guide/start.md#top" }] },
    { text: "Engine", link: "/engine/setup" },
  ];
}
`;
const FILES = {
  ".vitepress/config.mts": CONFIG,
  ".vitepress/guide.ts": GUIDE,
  "pages/index.md": "---\ntitle: Home\nlayout: home\n---",
  "pages/TODO.md": "# To do",
  "pages/README.md": "# Read me",
  "pages/guide/index.md": "# The guide",
  "pages/guide/start.md": "# Start",
  "pages/reference/doors.md": "# Doors",
  "pages/packages/engine/docs/setup.md": "# Set up",
  "pages/[name].md": "# {{ $params.name }}",
  "pages/public/icon.svg": "<svg/>",
};

dialectContract({
  dialect: "vitepress",
  files: FILES,
  file: ".vitepress/guide.ts",
  routes: ["/", "/README", "/guide", "/guide/start", "/reference/doors", "/engine/setup"],
  navigation:
    "tab:Reference[Doors(/reference/doors) Forum->https://code.example/forum] " +
    "tab:Guide[Basics(/guide)[Start here(/guide/start)] Engine(/engine/setup)]",
  computed: {
    file: ".vitepress/guide.ts",
    text: "export const guide = () =>\n  [...files.map((file) => ({ text: file }))];\n",
    line: 2,
  },
});

describe("a VitePress site", () => {
  it("has its settings as those of a docs.json", async () => {
    const { config, bases, assets } = await load(FILES);
    expect(config).toMatchObject({
      name: "Trains",
      logo: { light: "/light.svg", dark: "/dark.svg" },
      favicon: "/icon.svg",
      navbar: { links: [{ label: "Code", href: "https://code.example" }] },
      footer: { socials: [{ label: "GitHub", href: "https://code.example" }] },
      suggestsEdits: true,
    });
    expect(bases).toContain("/trains");
    // A rewrite lets an address name another file than that of its path.
    expect((await load(FILES)).tool?.chores).toBeUndefined();
    expect(assets.get("/icon.svg")?.path).toBe("pages/public/icon.svg");
  });

  it("has languages with sidebars of their own", async () => {
    const docs = await load({
      "docs/.vitepress/config.js": `import de from "./de.js";
        export default { title: "T", locales: { root: { label: "English", lang: "en" }, de: { label: "Deutsch", lang: "de", ...de } },
          themeConfig: { sidebar: [{ text: "A", link: "/a" }] } }`,
      "docs/.vitepress/de.js": `export default { themeConfig: { sidebar: [{ text: "A auf Deutsch", link: "/de/a" }] } }`,
      "docs/a.md": "# A",
      "docs/de/a.md": "# A",
    });
    expect(docs.contentRoot).toBe("docs");
    expect(outline(docs.navigation)).toBe("language:English[A(/a)] language:Deutsch[A auf Deutsch(/de/a)]");
  });

  it("is extended by config files in folders of pages, below the folder of the configuration too", async () => {
    const docs = await load({
      "docs/.vitepress/config.ts": `export default { locales: { root: { label: "English" }, de: { label: "Deutsch" } } }`,
      "docs/config.ts": `import { defineAdditionalConfig } from "vitepress";
        export default defineAdditionalConfig({ themeConfig: { sidebar: [{ text: "First", link: "/a" }] } })`,
      "docs/de/config.ts": `import { defineAdditionalConfig } from "vitepress";
        export default defineAdditionalConfig({ themeConfig: { sidebar: [{ text: "Zuerst", link: "/de/a" }] } })`,
      "docs/a.md": "# A",
      "docs/de/a.md": "# A",
    });
    expect(outline(docs.navigation)).toBe("language:English[First(/a)] language:Deutsch[Zuerst(/de/a)]");
  });

  it("derives the navigation from the folders when a program computes the sidebar, and reports it", async () => {
    const docs = await load({
      ".vitepress/config.js":
        'import { generateSidebar } from "vitepress-sidebar";\nexport default { themeConfig: { sidebar: generateSidebar({}) } };',
      "guide/a.md": "# A",
    });
    expect(outline(docs.navigation)).toBe("Guide[A(/guide/a)]");
    expect(docs.problems).toMatchObject([
      { path: ".vitepress/config.js", line: 2, message: expect.stringContaining("themeConfig.sidebar") as string },
    ]);
  });

  it("reports the line of a slugify that it cannot read, and uses the usual ids", async () => {
    const { config, problems } = await load({
      ".vitepress/config.js":
        'import { pinyin } from "pinyin-pro";\nexport default {\n  markdown: { anchor: { slugify: (s) => pinyin(s) } },\n};',
      "a.md": "# A",
    });
    expect(config.rules.headingIds).toBeNull();
    expect(problems).toMatchObject([
      { path: ".vitepress/config.js", line: 3, message: expect.stringContaining("markdown.anchor.slugify") as string },
    ]);
  });

  it("has no title when a program computes it, and reports it", async () => {
    const docs = await load({
      ".vitepress/config.ts": `const more = ((): string => {
  switch (process.env.CONTEXT) { case "production": return ""; default: return " (beta)"; }
})();
export default { title: \`Vite\${more}\`, description: "Fast" };`,
      "a.md": "# A",
    });
    expect(JSON.stringify(docs.config)).not.toContain("undefined");
    expect(docs.problems).toMatchObject([
      { path: ".vitepress/config.ts", line: 4, message: expect.stringContaining('"title" is computed') as string },
    ]);
  });
});
