/**
 * Whether unquoted words can be a term: not a version, an address, a format or a component, which nobody wants to replace
 * everywhere.
 */
export function isPlainName(term: string): boolean {
  return (
    !/\p{N}|[/\\]|\.(?:mdx?|markdown|json|ya?ml|png|jpe?g|gif|svg|webp|[jt]sx?)$/iu.test(term) &&
    !THING.test(term.trim())
  );
}
const THING =
  /^(?:commas?|semicolons?|colons?|periods?|full stops?|dots?|dash(?:es)?|(?:em|en)[ -]dash(?:es)?|hyphens?|slash(?:es)?|asterisks?|quotes|quotation marks?|apostrophes?|ellips[ei]s|exclamation marks?|question marks?|parenthes[ei]s|brackets?|emojis?|bullets?|numbers?|digits?|capitals?|(?:upper|lower)[ -]?case|title[ -]case|(?:upper|lower)case letters?|spaces?|tabs?|line ?breaks?|newlines?|blank lines?|bold|italics?|(?:tab|accordion|card|column|step|callout|note|warning|tip|frame|table|list|image|icon|badge|update|panel|tooltip|tree|expandable|steps?|code ?)(?:s|es|list|group)?|(?:accordion|card|code|step) ?groups?|code ?blocks?|param ?fields?|response ?fields?|mermaid|(?:british|american|simple|plain) english|(?:passive|active)(?: voice)?|(?:imperial|metric|si)(?: units?)?|(?:roman|arabic) numerals?|screenshots?|diagrams?|pictures?|videos?|contractions?|abbreviations?|acronyms?|placeholders?|typos?|jargon|slang|(?:first|second|third) person|(?:past|present|future) tense|(?:png|svg|jpe?g|gif|webp|html|mdx?|markdown|ya?ml|json|pdf|jsx|tsx)s?)$/i;

/**
 * Whether unquoted words can only be literal: each looks like a name or an identifier. “passive voice” or “a better intro”
 * describe a result, which no rule can produce.
 */
export function isLiteral(term: string): boolean {
  const words = term.trim().split(/\s+/);
  if (term === "A") return true; // alone it is a name, before other words an article
  if (words.length > 5 || DESCRIBES.test(words[0] ?? "")) return false;
  return words.every((word) => /[\p{Lu}\p{N}_./@#+-]/u.test(word) || UNSPACED.test(word));
}
const UNSPACED = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}/u;
const DESCRIBES =
  /^(?:an?|the|this|that|these|those|all|our|my|your|their|its|any|every|each|some|more|less|better|new|old|it|them|one|everything|nothing|something)$/i;

/** Whether words only describe a result, or refer to something mentioned before. */
export function describes(term: string): boolean {
  return DESCRIBES.test(term.trim().split(/\s+/)[0] ?? "");
}
