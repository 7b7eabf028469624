import { readFrontMatter } from "#docs/front-matter.ts";
import { ADDRESS, ASKS, EMBEDDING, HANDLER, isScriptAddress, RAW, SCRIPT } from "./unsafe-element.ts";

export interface UnsafeMarkup {
  line: number;
  reason: string;
  /** The whole piece of markup, at most 2,000 characters. */
  text: string;
  /** Findings with the same key are equal, even if the text around or inside the markup differs. */
  key: string;
}

export const MAX_TEXT = 2_000;

/** Front matter values that a theme or another renderer may print unescaped, or follow. */
export function inspectFrontMatter(source: string): UnsafeMarkup[] {
  // Builds also accept front matter after a byte order mark and blank lines.
  const text = source.trimStart();
  const other = OTHER_LANGUAGE.exec(text);
  if (other) return [frontMatterFinding(IN_OTHER_LANGUAGE, other[0])];
  const { attributes } = readFrontMatter(text);
  const values = Object.entries(attributes).filter(([name, value]) => !isPlainValue(name, value));
  return [
    ...unsafeTexts(namedStringsIn(attributes)).map(({ reason, text: value }) => frontMatterFinding(reason, value)),
    ...values.map(([name, value]) => frontMatterFinding(LOADS, `${name}: ${JSON.stringify(value)}`)),
  ];
}

const frontMatterFinding = (reason: string, text: string): UnsafeMarkup => ({
  line: 1,
  reason,
  text: text.slice(0, MAX_TEXT),
  key: `${reason}\n${text}`,
});

const IN_OTHER_LANGUAGE = "Front matter in another language than YAML may not be added";
// Some builds select the language of front matter by the word after the dashes, and run `---js`.
const OTHER_LANGUAGE = /^(?:---+[ \t]*[^\s-][^\n]{0,200}|\+\+\+|;;;)/;
const LOADS =
  "Front matter that a generator may load code or tags from may not be added (remove it; a page gets its address by its place or a redirect)";
// Keys whose values generators load or print as code. A word without a dot or slash names a built-in layout.
const LOADING =
  /^(?:head|heads|scripts?|styles?|css|js|layout|template|component|components|import|imports|aside|meta|extra.*|plugins?|render.*|eval.*|data|pagination|permalink|computed|eleventy.*)$/i;
// Nested values of these keys are texts and addresses, judged one by one.
const NESTED =
  /^(?:tags?|keywords?|categories|authors?|sidebar|hero|features|actions|seo|og|twitter|openapi|api|asyncapi|groups|related|links|prev|next|toc|outline|contextual|aliases|redirect_from|search|metadata|banner|badge|icon)$/i;

function isPlainValue(name: string, value: unknown): boolean {
  if (LOADING.test(name)) {
    return value === null || typeof value === "boolean" || (typeof value === "string" && /^[\w-]*$/.test(value));
  }
  if (typeof value !== "object" || value === null || NESTED.test(name)) return true;
  return namedStringsIn(value).every((inner) => !LOADING.test(inner.name) && /^[^<>{}:/\\]*$/.test(inner.text));
}

// "JavaScript: the basics" is a title, which is never followed.
const LABEL_NAMES =
  /(?:title|description|name|group|tab|tags|anchor|dropdown|label|text|content|keywords?|summary|header)$/i;

/** Texts of a configuration that would run if they were printed or followed. `name` is the property of each text. */
export function unsafeTexts(texts: readonly { name: string; text: string }[]): { reason: string; text: string }[] {
  return texts.flatMap(({ name, text }) => {
    if (!LABEL_NAMES.test(name) && isScriptAddress(text)) return [{ reason: ADDRESS, text }];
    return PRINTED.filter(([pattern]) => pattern.test(text)).map(([, reason]) => ({ reason, text }));
  });
}

const PRINTED: readonly [RegExp, string][] = [
  [/<\s*script\b/i, SCRIPT],
  [/<\s*(?:iframe|object|embed|base|meta|link|form|style)\b/i, EMBEDDING],
  [/<[^>]{0,500}[\s/"']on[a-z]{3,20}\s*=/i, HANDLER],
  [/\]\(\s*(?:javascript|vbscript)\s*:/i, ADDRESS],
];

// For pages that cannot be parsed before or after the change: everything counts, including code blocks.
const PATTERNS: readonly [RegExp, string][] = [
  ...PRINTED,
  [/(?:javascript|vbscript)\s*:|data:text\/html/i, ADDRESS],
  [/\bdangerouslySetInnerHTML\b|\bsrcDoc\s*=/i, RAW],
  [/<\s*(?:input|textarea)\b|\bformaction\s*=/i, ASKS],
  [/^\s*(?:import|export)\b/, "Code in a page that cannot be read may not be added"],
];
const MAX_LINE = 20_000;

/** The same for a page that cannot be parsed, line by line. Prefers false positives. */
export function inspectLines(source: string): UnsafeMarkup[] {
  return source.split("\n").flatMap((full, index) => {
    const text = full.slice(0, MAX_LINE).trim();
    const reasons = new Set(PATTERNS.filter(([pattern]) => pattern.test(text)).map(([, reason]) => reason));
    return [...reasons].map((reason) => ({
      line: index + 1,
      reason,
      text: text.slice(0, MAX_TEXT),
      key: `${reason}\n${text}`,
    }));
  });
}

/** Every string in a JSON document, unescaped. */
export const stringsIn = (value: unknown): string[] => namedStringsIn(value).map(({ text }) => text);

/** The same, each with the name of its property, or of its list's property. */
export function namedStringsIn(value: unknown): { name: string; text: string }[] {
  const strings: { name: string; text: string }[] = [];
  const open: { name: string; item: unknown }[] = [{ name: "", item: value }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { name, item } = entry;
    if (typeof item === "string") strings.push({ name, text: item });
    else if (Array.isArray(item)) for (const part of item as unknown[]) open.push({ name, item: part });
    else if (typeof item === "object" && item !== null) {
      for (const key of Object.getOwnPropertyNames(item)) {
        open.push({ name: key, item: (item as Record<string, unknown>)[key] });
      }
    }
  }
  return strings;
}
