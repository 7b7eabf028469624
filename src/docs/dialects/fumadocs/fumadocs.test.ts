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
      "lib/i18n.ts":
        'export const i18n = defineI18n({ defaultLanguage: "en", languages: ["en", "cn"], hideLocale: "default-locale" });',
      "content/docs/a.mdx": "---\ntitle: A\n---",
      "content/docs/b.mdx": "---\ntitle: B\n---",
      "content/docs/a.cn.mdx": "---\ntitle: A (cn)\n---",
    });
    expect(outline(docs.navigation)).toBe(
      "language:en[A(/docs/a) B(/docs/b)] language:cn[A (cn)(/cn/docs/a) B(/docs/b)]",
    );
  });
});
