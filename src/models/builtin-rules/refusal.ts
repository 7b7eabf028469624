import { choreForms } from "./chores/chore-forms.ts";
import { newAsked, readClause } from "./read-clause.ts";
import { tokensOf } from "./grammar/tokens.ts";
import { limitOf } from "./limits.ts";
import { nearestExample } from "./nearest-example.ts";
import { protectQuotes, wordsOf } from "./grammar/prompt-text.ts";
import { quotedReplacement, readingsOf, unsaidTerm } from "./quoted-replacement.ts";
import type { Clause } from "./read-sentence.ts";
import { trimClause } from "./courtesies.ts";
import { LANGUAGE_VERBS } from "./vocabulary.ts";

/** Why a clause is not carried out, as the end of a sentence. */
export function reasonFor(clause: Clause): string {
  const { text } = clause;
  const verb = /^\p{L}+/u.exec(text)?.[0].toLowerCase() ?? "";
  const limit = limitIn(clause);
  if (/^send one of these\b/i.test(text)) return "choose one of the sentences that follow, and send it alone";
  if (text.length > 1_000) return "it is too long for one instruction";
  if (LANGUAGE_VERBS.includes(verb)) return `to ${verb} text needs a language model, which the built-in rules are not`;
  const unnamed = UNNAMED.exec(text);
  if (unnamed) return `“${unnamed[1] ?? ""}” names no page. Say it of each by its name`;
  if (limit !== null) return `the built-in rules cannot keep to “${limit.phrase}”`;
  const unsaid = unsaidTerm(clause);
  if (unsaid !== null) return unsaid;
  if (/\b(?:in|on|except|from)\b[^.]{0,20}\bgroup\b/i.test(text)) {
    return "it is not clear which pages the group has: no group has this title, or several have. Name the folder or the pages";
  }
  if (verb === "rename") return "it does not say whether a page or a term shall be renamed";
  return "it is not among the instructions that the built-in rules know";
}
const UNNAMED = /\b(every|each|this|that|another) page\b/i;

/** The limit of a clause in the person's words; what is quoted limits nothing. */
function limitIn({ text, quotes }: Clause): ReturnType<typeof limitOf> {
  const words = wordsOf(text, quotes);
  const limit = limitOf(
    wordsOf(
      text,
      quotes.map((quote) => quote.replaceAll(/\S/g, "_")),
    ),
  );
  return (
    limit && {
      at: limit.at,
      phrase: words.slice(limit.at, limit.at + limit.phrase.length),
      before: words.slice(0, limit.before.length),
    }
  );
}

/**
 * A sentence to send instead, one that does no harm: the clause without what holds it back, held to a part of the docs
 * that has to be named; or the example with its verb and its object, which names pages that do not exist.
 */
export function hintFor(clause: Clause): string | null {
  const words = wordsOf(clause.text, clause.quotes);
  if (words.length > 300) return null;
  const limit = limitIn(clause);
  if (limit !== null) return heldToAPart(limit.before);
  const readings = readingsOf(clause);
  if (readings !== null) return ["Send one of these:", ...readings].join("\n");
  const quoted = quotedReplacement(clause);
  if (quoted !== null) return meaningOf(quoted) === null ? null : quoted;
  return unsaidTerm(clause) === null ? nearestExample(words, choreForms) : null;
}

/** Chores that can be held to a part of the docs. */
const IN_A_PART =
  /^(?:replace_term|check_links|fix_links|add_missing_descriptions|report_missing_alt|normalise_style)$/;

function heldToAPart(words: string): string | null {
  const bare = words === "" ? null : meaningOf(trimClause(words));
  if (bare?.some(({ input }) => "in" in input)) return null;
  const sentence = `${trimClause(words)} in "folder"`;
  const meaning = words === "" ? null : meaningOf(sentence);
  const isHeld = meaning?.every(({ tool, input }) => IN_A_PART.test(tool) && "in" in input);
  return isHeld ? sentence : null;
}

function meaningOf(sentence: string): ReturnType<typeof readClause>[number] | null {
  const { text, quotes } = protectQuotes(sentence);
  const meanings = readClause(tokensOf(text, quotes), newAsked());
  return meanings.length === 1 ? (meanings[0] ?? null) : null;
}
