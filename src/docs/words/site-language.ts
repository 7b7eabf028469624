import { memoize } from "#lib/memoize.ts";
import ar from "./languages/ar.json" with { type: "json" };
import de from "./languages/de.json" with { type: "json" };
import english from "./languages/en.json" with { type: "json" };
import es from "./languages/es.json" with { type: "json" };
import fr from "./languages/fr.json" with { type: "json" };
import he from "./languages/he.json" with { type: "json" };
import id from "./languages/id.json" with { type: "json" };
import it from "./languages/it.json" with { type: "json" };
import ja from "./languages/ja.json" with { type: "json" };
import ko from "./languages/ko.json" with { type: "json" };
import nl from "./languages/nl.json" with { type: "json" };
import pl from "./languages/pl.json" with { type: "json" };
import pt from "./languages/pt.json" with { type: "json" };
import ru from "./languages/ru.json" with { type: "json" };
import tr from "./languages/tr.json" with { type: "json" };
import uk from "./languages/uk.json" with { type: "json" };
import zh from "./languages/zh.json" with { type: "json" };
import zhHant from "./languages/zh-Hant.json" with { type: "json" };

/** A text with a number in it, by the plural forms of its language. */
export type Forms = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/**
 * Every text of a site's interface that readers see or hear, with placeholders in braces. A name of `en.json` that another
 * language lacks is a type error. Names such as HTTP and OpenAPI are not translated.
 */
export type Words = {
  readonly [Name in keyof typeof english]: (typeof english)[Name] extends string ? string : Forms;
};

/** The language of a page and of the interface around it. */
export interface SiteLanguage {
  /** BCP 47, for `lang`, `hreflang` and dates. */
  tag: string;
  direction: "ltr" | "rtl";
  /** English if the interface is not translated to the language. */
  words: Words;
  /** The language of `words`. */
  wordsTag: string;
  /** A text with a number in it. */
  counted(forms: Forms, count: number): string;
}

const WORDS: Readonly<Record<string, Words>> = {
  ar,
  de,
  en: english,
  es,
  fr,
  he,
  id,
  it,
  ja,
  ko,
  nl,
  pl,
  pt,
  ru,
  tr,
  uk,
  zh,
  "zh-Hant": zhHant,
};

/** Codes of the docs.json reference that are not language tags, or those of a country. */
const WRITTEN_CODES: Readonly<Record<string, string>> = { cn: "zh-Hans", jp: "ja", "jp-jp": "ja", "ja-jp": "ja" };

/** ISO 15924 codes of the scripts that run from right to left. */
const RIGHT_TO_LEFT = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Syrc", "Thaa"]);

/** The BCP 47 tag of a docs.json language code, such as `cn`; null when it is not a language. */
export function languageTag(code: string): string | null {
  const lower = code.trim().toLowerCase();
  const written = Object.hasOwn(WRITTEN_CODES, lower) ? WRITTEN_CODES[lower] : undefined;
  try {
    return Intl.getCanonicalLocales(written ?? lower.slice(0, 35))[0] ?? null;
  } catch {
    return null;
  }
}

/** The language of a docs.json language code; English without a code and for an unknown one. */
export const siteLanguage = (code: string | null): SiteLanguage => languageOfCode(code ?? "en");

// Used by every page: parsing a tag takes a tenth of the time of a page.
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
