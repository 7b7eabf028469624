import { expect, it } from "vitest";
import { findLanguageFolders } from "./language-folders.ts";

it("treats folders as languages when their pages also exist in another language", () => {
  const folders = findLanguageFolders([
    "a.mdx",
    "b/c.mdx",
    "fr/a.md",
    "pt-BR/b/c.mdx",
    "go/install.mdx",
    "cn/a.mdx",
    "api/a.mdx",
  ]);
  expect(["a.mdx", "fr/a.md", "fr/new.mdx", "pt-BR/b/c.mdx", "go/install.mdx", "cn/x", "api/a.mdx"].map(folders.of)).toEqual([
    "", "fr", "fr", "pt-BR", "", "cn", "",
  ]); // oxfmt-ignore
  expect(folders.twins("a.mdx")).toEqual(["fr/a.md", "cn/a.mdx"]);
  expect(folders.twins("pt-BR/b/c.mdx")).toEqual(["b/c.mdx"]);
  expect(folders.twins("go/install.mdx")).toEqual([]);
  expect(folders.inFolder("fr/a.md", "cn")).toBe("cn/a.md");
  expect(folders.inFolder("fr/a.md", "")).toBe("a.md");
});

it("finds languages that all have a folder of their own", () => {
  const folders = findLanguageFolders(["en/a.mdx", "fr/a.mdx", "blog/x.mdx"]);
  expect(folders.of("en/a.mdx")).toBe("en");
  expect(folders.of("blog/x.mdx")).toBe("");
  expect(folders.twins("en/a.mdx")).toEqual(["fr/a.mdx"]);
});
