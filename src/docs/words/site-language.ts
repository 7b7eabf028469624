import { memoize } from "#lib/memoize.ts";
import { arabic } from "./arabic.ts";
import { chinese } from "./chinese.ts";
import { chineseTraditional } from "./chinese-traditional.ts";
import { dutch } from "./dutch.ts";
import { english, type Forms, type Words } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { hebrew } from "./hebrew.ts";
import { indonesian } from "./indonesian.ts";
import { italian } from "./italian.ts";
import { japanese } from "./japanese.ts";
import { korean } from "./korean.ts";
import { polish } from "./polish.ts";
import { portuguese } from "./portuguese.ts";
import { russian } from "./russian.ts";
import { spanish } from "./spanish.ts";
import { turkish } from "./turkish.ts";
import { ukrainian } from "./ukrainian.ts";

/** The language of a page, as the interface around it speaks. */
export interface SiteLanguage {
  /** BCP 47, for `lang`, `hreflang` and dates. */
  tag: string;
  direction: "ltr" | "rtl";
  /** English where we do not speak the language. */
  words: Words;
  /** The language of `words`. */
  wordsTag: string;
  /** A text with a number in it. */
  counted(forms: Forms, count: number): string;
}

const WORDS: Readonly<Record<string, Words>> = {
  ar: arabic,
  de: german,
  en: english,
  es: spanish,
  fr: french,
  he: hebrew,
  id: indonesian,
  it: italian,
  ja: japanese,
  ko: korean,
  nl: dutch,
  pl: polish,
  pt: portuguese,
  ru: russian,
  tr: turkish,
  uk: ukrainian,
  zh: chinese,
  "zh-Hant": chineseTraditional,
};

/** Codes of the docs.json reference that are no language tags, or those of a country. */
const WRITTEN_CODES: Readonly<Record<string, string>> = { cn: "zh-Hans", jp: "ja", "jp-jp": "ja", "ja-jp": "ja" };

/** ISO 15924 codes of the scripts that run from right to left. */
const RIGHT_TO_LEFT = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Syrc", "Thaa"]);

/** The BCP 47 tag of a code as a docs.json has it, such as `cn`; null for what names no language. */
export function languageTag(code: string): string | null {
  const lower = code.trim().toLowerCase();
  const written = Object.hasOwn(WRITTEN_CODES, lower) ? WRITTEN_CODES[lower] : undefined;
  try {
    return Intl.getCanonicalLocales(written ?? lower.slice(0, 35))[0] ?? null;
  } catch {
    return null;
  }
}

/** The language of a code as a docs.json has it; English for none and for what is no language. */
export const siteLanguage = (code: string | null): SiteLanguage => languageOfCode(code ?? "en");

// Every page asks: to look at a tag takes a tenth of the time that a page takes.
const languageOfCode = memoize((code): SiteLanguage => {
  const tag = languageTag(code) ?? "en";
  const { language, script } = new Intl.Locale(tag).maximize();
  const name = language === "zh" && script === "Hant" ? "zh-Hant" : language;
  const known = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  const wordsTag = known === undefined ? "en" : tag;
  let rules: Intl.PluralRules | null = null;
  return {
    tag,
    direction: RIGHT_TO_LEFT.has(script ?? "") ? "rtl" : "ltr",
    words: known ?? english,
    wordsTag,
    counted(forms, count) {
      rules ??= new Intl.PluralRules(wordsTag);
      return fillIn(forms[rules.select(count)] ?? forms.other, { count: String(count) });
    },
  };
});

/** A text with its `{name}`s filled in. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => values[name] ?? whole);
}
