import { describe, expect, it } from "vitest";
import english from "./languages/en.json" with { type: "json" };
import type { Forms, Words } from "./site-language.ts";
import { fillIn, languageTag, siteLanguage } from "./site-language.ts";

const CODES = "ar de en es fr he id it ja ko nl pl pt-BR ru tr uk zh-Hans zh-Hant".split(" ");
/** The placeholders of each text; for plural forms, which may spell out "one", whether there are no others. */
const filledIn = (words: Words) =>
  Object.entries(words).map(([name, text]: [string, string | Forms]) => {
    const isText = typeof text === "string";
    const found = (isText ? text : Object.values(text).join(" ")).match(/\{[^}]*\}/g) ?? [];
    return `${name} ${(isText ? found : found.filter((each) => each !== "{count}")).toSorted().join(" ")}`;
  });

describe("the words of the interface", () => {
  it.each(CODES)("in %s have the same placeholders as in English", (code) => {
    const { words, wordsTag } = siteLanguage(code);
    expect(wordsTag).toBe(code);
    expect(filledIn(words).toSorted()).toEqual(filledIn(english).toSorted());
  });

  it("are all translated: no two languages share a sentence", () => {
    const sentences = CODES.map((code) => siteLanguage(code).words.whyNoAnswer);
    expect(new Set(sentences).size).toBe(CODES.length);
  });

  it.each([
    ["ru", 1, "1 поле"],
    ["ru", 3, "3 поля"],
    ["ru", 25, "25 полей"],
    ["ar", 2, "حقلان"],
    ["ar", 11, "11 حقلًا"],
    ["en", 1, "1 field"],
    ["ja", 4, "4 個のフィールド"],
  ])("count as %s does: %i", (code, count, text) => {
    const language = siteLanguage(code);
    expect(language.counted(language.words.fieldCount, count)).toBe(text);
  });
});

describe("the language of a code", () => {
  it.each<[string | null, string, "ltr" | "rtl", string]>([
    ["cn", "zh-Hans", "ltr", "搜索"],
    ["zh-TW", "zh-TW", "ltr", "搜尋"],
    ["jp", "ja", "ltr", "検索"],
    ["pt-br", "pt-BR", "ltr", "Buscar"],
    ["fr-CA", "fr-CA", "ltr", "Rechercher"],
    ["AR", "ar", "rtl", "بحث"],
    ["he", "he", "rtl", "חיפוש"],
    ["fa", "fa", "rtl", "Search"],
    ["sv", "sv", "ltr", "Search"],
    [null, "en", "ltr", "Search"],
    ["<script>", "en", "ltr", "Search"],
  ])("%s is %s, %s", (code, tag, direction, search) => {
    const { words, ...language } = siteLanguage(code);
    expect([language.tag, language.direction, words.search]).toEqual([tag, direction, search]);
  });

  it("is null when the code is not a language code", () => {
    expect(["not a code", "", "x".repeat(5_000)].map(languageTag)).toEqual([null, null, null]);
  });

  it("leaves unknown names in braces unchanged", () => {
    expect(fillIn("{name} of {other}", { name: "$&" })).toBe("$& of {other}");
  });
});
