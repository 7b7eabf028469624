import { describe, expect, it } from "vitest";
import { dialectContract, load, outline } from "#docs/dialects/dialect.contract.ts";

const FILES = {
  "source.config.ts":
    'import { defineDocs, defineConfig } from "fumadocs-mdx/config";\nexport const docs = defineDocs({ dir: "content/guides" });\nexport default defineConfig();\n',
  "lib/source.ts":
    'import { loader } from "fumadocs-core/source";\nexport const source = loader({ baseUrl: "/learn", source: docs.toFumadocsSource() });\n',
  "content/guides/meta.json":
    '{"pages": ["index", "---[Book]Basics---", "doors", "...", "!hidden", "[Forum](https://forum.example)", "---More---", "...(parts)"]}',
  "content/guides/index.mdx": "---\ntitle: Trains\n---",
  "content/guides/doors.mdx": "---\ntitle: Doors\nicon: DoorOpen\n---",
  "content/guides/brakes.mdx": "---\ntitle: Brakes\n---",
  "content/guides/hidden.mdx": "---\ntitle: Hidden\n---",
  "content/guides/deep/index.mdx": "---\ntitle: Deep things\n---",
  "content/guides/deep/one.mdx": "---\ntitle: One\n---",
  "content/guides/(parts)/signals.mdx": "---\ntitle: Signals\n---",
};

dialectContract({
  dialect: "fumadocs",
  files: FILES,
  file: "content/guides/meta.json",
  routes: [
    "/learn",
    "/learn/doors",
    "/learn/brakes",
    "/learn/hidden",
    "/learn/deep",
    "/learn/deep/one",
    "/learn/signals",
  ],
  navigation:
    "Trains(/learn) Basics[Doors(/learn/doors) Brakes(/learn/brakes) Deep things(/learn/deep)[One(/learn/deep/one)] " +
    "Forum->https://forum.example] More[Signals(/learn/signals)]",
  computed: { file: "lib/source.ts", text: "export const source = loader({\n  baseUrl: makeBase(),\n});\n", line: 2 },
});

describe("a Fumadocs site", () => {
  it("has root folders as tabs", async () => {
    const docs = await load({
      "source.config.ts": "export default {};",
      "content/docs/meta.json": '{"pages": ["(ui)", "api"]}',
      "content/docs/(ui)/meta.json": '{"title": "Interface", "root": true}',
      "content/docs/(ui)/index.mdx": "---\ntitle: Start\n---",
      "content/docs/(ui)/b.mdx": "---\ntitle: B\n---",
      "content/docs/api/meta.json": '{"root": true}',
      "content/docs/api/c.mdx": "---\ntitle: C\n---",
    });
    expect(outline(docs.navigation)).toBe("tab:Interface[Start(/docs) B(/docs/b)] tab:Api[C(/docs/api/c)]");
  });

  it("has languages that file names specify", async () => {
    const docs = await load({
      "source.config.ts": "export default {};",
      "lib/site/i18n.ts":
        'export const i18n = defineI18n({ defaultLanguage: "en", languages: ["en", "cn"], hideLocale: "default-locale" });',
      "content/docs/a.mdx": "---\ntitle: A\n---",
      "content/docs/b.mdx": "---\ntitle: B\n---",
      "content/docs/a.cn.mdx": "---\ntitle: A (cn)\n---",
    });
    expect(outline(docs.navigation)).toBe(
      "language:en[A(/docs/a) B(/docs/b)] language:cn[A (cn)(/cn/docs/a) B(/docs/b)]",
    );
  });

  it("has a tab for each further collection, at the address of its loader", async () => {
    const docs = await load({
      "source.config.ts":
        'export const docs = defineDocs({ dir: "content" });\nexport const posts = defineCollections({ type: "doc", dir: "content/news" });\n',
      "loaders/source.ts":
        'export const source = loader({ baseUrl: "/", source: docs.toFumadocsSource() });\n' +
        'export const news = loader({ baseUrl: "/latest", source: createMDXSource(posts) });\n',
      "content/index.mdx": "---\ntitle: Trains\n---",
      "content/news/opened.mdx": "---\ntitle: Opened\n---",
    });
    expect(outline(docs.navigation)).toBe("tab:Documentation[Trains(/)] tab:News[Opened(/latest/opened)]");
  });

  it("lists the pages that a meta.json omits after its own ones, if these are less than half", async () => {
    const files = {
      "source.config.ts": "export default {};",
      "content/docs/meta.json": '{"pages": ["b", "gone"]}',
      "content/docs/a.mdx": "---\ntitle: A\n---",
      "content/docs/b.mdx": "---\ntitle: B\n---",
    };
    expect(outline((await load(files)).navigation)).toBe("B(/docs/b)");
    const more = { ...files, "content/docs/c.mdx": "---\ntitle: C\n---" };
    expect(outline((await load(more)).navigation)).toBe("B(/docs/b) A(/docs/a) C(/docs/c)");
  });

  it("has the languages of its file names if a program computes the list", async () => {
    const docs = await load({
      "source.config.ts": "export default {};",
      "lib/i18n.ts":
        'import { names } from "names";\nexport const i18n = defineI18n({ defaultLanguage: "en", languages: Object.keys(names) });',
      "content/docs/a.mdx": "---\ntitle: A\n---",
      "content/docs/a.fr.mdx": "---\ntitle: A (fr)\n---",
    });
    expect(docs.problems).toEqual([]);
    expect(outline(docs.navigation)).toBe("language:en[A(/en/docs/a)] language:fr[A (fr)(/fr/docs/a)]");
  });
});
