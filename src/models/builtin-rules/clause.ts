import { trimEndOf } from "#lib/trim.ts";
import { ANY_QUOTED, QUOTED, restore } from "./prompt-text.ts";

/** One call of a chore tool. Tools are known here by name and JSON input alone. */
export interface ChoreCall {
  tool: string;
  input: Record<string, unknown>;
}

/** One instruction, quotations set aside. */
export interface Clause {
  text: string;
  quotes: readonly string[];
}

/** One form of instruction. A clause that matches is understood in all its words. */
export interface Rule {
  /** Sentence to show to somebody whose request came near. */
  example: string;
  match(clause: Clause): ChoreCall[] | null;
  /**
   * The words of a clause that its calls carry out besides the values in them, such as "also in code". Every word that
   * is neither such, nor a value, nor a plain word of the rules' vocabulary is left over, and refuses the clause.
   */
  carriesOut?(clause: Clause): readonly string[];
  /** Its example changes pages all over the docs, so it is proposed only to somebody who said nearly the same. */
  isForAllDocs?: true;
}

/** What a slot may hold. Each is the source of an expression without groups. */
export const SLOT = {
  quoted: ANY_QUOTED,
  /** A page: quoted, or a path or a name in one word. */
  page: `(?:${ANY_QUOTED}|/?[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*(?:/[\\p{L}\\p{N}_.-]+)*/?|/)`,
  /** A path with a slash or an extension, quoted or not. */
  path: `(?:${ANY_QUOTED}|/?[\\p{L}\\p{N}_.*-]+(?:/[\\p{L}\\p{N}_.*-]+)+/?|/?[\\p{L}\\p{N}_.-]+/|/[\\p{L}\\p{N}_.-]+|[\\p{L}\\p{N}_-]+\\.(?:mdx?|markdown|json|ya?ml|png|jpe?g|gif|svg|webp))`,
  /** A name of up to five words that start with a capital, or quoted. */
  name: `(?:${ANY_QUOTED}|(?-i:\\p{Lu})[\\p{L}\\p{N}&'/-]*(?:\\s+(?:(?-i:\\p{Lu})|\\p{N}|(?:and|of|the|for|to|&)\\s)[\\p{L}\\p{N}&'/-]*){0,5}|[\\p{L}\\p{N}_-]+)`,
};

/** An expression over whole clauses; blanks stand for white space, ` ?` for some or none. */
export function pattern(source: string): RegExp {
  return new RegExp(`^${source.replaceAll(" ?", "\\s*").replaceAll(" ", "\\s+")}$`, "iu");
}

/** The words that a slot stands for, quotations resolved. */
export function valueOf(clause: Clause, slot: string | undefined): string {
  return restore(slot ?? "", clause.quotes).trim();
}

export function isQuoted(slot: string): boolean {
  return new RegExp(`^${QUOTED}$`).test(slot.trim());
}

/**
 * Whether unquoted words can only be meant literally: they look like a name or an identifier. "passive voice" or "a
 * better intro" describe what is wanted, which no rule can do; in quotes anything is literal.
 */
export function isLiteral(slot: string): boolean {
  const text = slot.trim();
  if (isQuoted(text)) return true;
  const words = text.split(/\s+/);
  if (words.length > 5 || new RegExp(ANY_QUOTED).test(text)) return false;
  if (text === "A") return true; // alone it is a name, before other words an article
  if (
    /^(?:an?|the|this|that|these|those|all|our|my|your|their|its|any|every|each|some|more|less|better|new|old|it|them|one|everything)$/i.test(
      words[0] ?? "",
    )
  ) {
    return false;
  }
  return words.every(
    (word) =>
      /[\p{Lu}\p{N}_./@#+-]/u.test(word) ||
      /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}/u.test(word),
  );
}

/** Whether a slot took a word of the rules for a name: "move a to the group" names no group. */
export function isOnlyNoun(slot: string | undefined): boolean {
  return /^(?:the\s+)?(?:new|old|same|other|group|section|tab|category|heading|page|file|guide|article|navigation|nav|sidebar|folder|directory|title|name|docs)$/i.test(
    (slot ?? "").trim(),
  );
}

/** Takes the phrases at the end of a clause that name a part of the docs. */
export function takeScope(clause: Clause): { text: string; scope: string[] | undefined } {
  let { text } = clause;
  const scope: string[] = [];
  for (;;) {
    const everywhere = EVERYWHERE.exec(text);
    if (everywhere) {
      text = text.slice(0, everywhere.index).trimEnd();
      continue;
    }
    const part = PART.exec(text);
    const found = part && (part[1] ?? part[2] ?? part[3] ?? part[4] ?? part[5]);
    if (!part || !found) break;
    const names = found
      .split(/\s*(?:,|\band\b)\s*/)
      .map((name) => valueOf(clause, name))
      .filter(Boolean);
    scope.unshift(...(part[1] === undefined ? names : names.map((name) => `${trimEndOf(name, "/")}/`)));
    text = text.slice(0, part.index).trimEnd();
  }
  return { text, scope: scope.length === 0 ? undefined : scope };
}

const ALL =
  "(?:the )?(?:whole |entire |complete |full )?(?:docs?|documentation|documents|site|website|repo|repository|project|docs site|wiki|knowledge base)";
const EVERYWHERE = new RegExp(
  `[,\\s]+(?:everywhere(?: in ${ALL})?|globally|site-?wide|docs-?wide|(?:in|across|on|throughout|over) (?:all|every|each)(?: of)?(?: the| our)?(?: documentation| docs| existing| other)?(?: pages?| files?| docs?| documents?| places?| articles?)(?: (?:of|in) ${ALL})?|(?:in|across|throughout|through|all over|over) (?:all(?: of)? )?(?:our )?${ALL}|throughout)$`.replaceAll(
    " ",
    "\\s+",
  ),
  "iu",
);
const PART = new RegExp(
  String.raw`[,\s]+(?:only )?(?:in|on|within|inside|under|below|across|from) (?:(?:all )?(?:the )?(?:pages|files|everything|page|docs)? ?(?:in|under|of|below|from)? ?)?(?:the )?(?:(?:folder|directory) (${SLOT.page})|(${SLOT.path}(?:(?:\s*,\s*| and )${SLOT.path})*)(?: (?:folder|directory|page|file))?|pages? (${SLOT.page}(?:(?:\s*,\s*| and )${SLOT.page})*)|(${SLOT.name}) (?:page|guide|article)|(${ANY_QUOTED}(?:(?:\s*,\s*| and )${ANY_QUOTED})*)(?: (?:page|guide|article|pages))?)(?: only)?$`.replaceAll(
    " ",
    "\\s+",
  ),
  "iu",
);
