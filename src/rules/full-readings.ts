import { isLabel, isReason, topicOf, withQuotedNames } from "./asides.ts";
import { TALK } from "./grammar/modifiers.ts";
import { startsWithVerb } from "./grammar/vocabulary.ts";

/**
 * What a sentence may say in full, in the order of trust; those of one row must agree. A label or a reason in front is left out,
 * what names a part of the docs is kept.
 */
export function fullReadings(text: string, lead: string | null, quotes: readonly string[]): Row[] {
  if (lead !== null) return underLead(lead, text, quotes);
  const rows: Row[] = [{ candidates: [text] }];
  const labelled = /^([^:\uE000]{1,80}):\s+(\S.*)$/su.exec(text);
  const [, label = "", rest = ""] = labelled ?? [];
  if (labelled) rows.push(...underLead(label, rest, quotes));
  const because = BECAUSE.exec(text);
  const why = withQuotedNames(because?.[2] ?? "", quotes);
  // “… from the git history since 2.6.0 was released”: where to begin, and no reason.
  if (because?.[1] !== undefined && isReason(why) && !/\bchangelog\b/i.test(because[1]))
    rows.push({ candidates: [because[1]], reason: why });
  const asked =
    /^(.{3,200}?)(?:,|\s[-–—])\s+((?:(?:please|pls|so)\b|(?:can|could) (?:you|we|somebody|someone)\b).*)$/isu.exec(
      text,
    );
  const [, said = "", request = ""] = asked ?? [];
  const reason = withQuotedNames(said, quotes);
  if (isReason(reason)) rows.push({ candidates: [request.replace(ASKS, "")], reason });
  return rows;
}
/** “Remove the page X because nobody uses it”, “… - it is obsolete”: the reason behind. */
const BECAUSE = /^(.{10,}?)(?:,? because|,? since|,? as|\s[-–—])\s+(.{3,200})$/isu;
const ASKS = /^(?:(?:so )?(?:can|could) (?:you|we|somebody|someone)(?: please| kindly)?|please|pls|so)[\s,]+/i;

/** Sentences that must agree. `tools`: what they may call at all; `reason`: what has to be the reason for it. */
interface Row {
  candidates: string[];
  tools?: RegExp;
  reason?: string;
}

function underLead(lead: string, text: string, quotes: readonly string[]): Row[] {
  const bare = lead.replace(/^(?:please|pls)\s+/i, "");
  const row = (...candidates: string[]): Row => ({ candidates });
  if (TALK.test(bare)) return [row(`${bare}: ${text}`)];
  if (isLabel(bare)) return [row(text), row(`${bare} ${text}`), ...withPlaceholder(bare, text)];
  const reason = withQuotedNames(bare, quotes);
  const explained: Row[] = isReason(reason) ? [{ candidates: [text], reason }] : [];
  const tools = topicOf(bare);
  if (tools !== null) return [row(`${bare}: ${text}`), { candidates: [text], tools }];
  const scope = bare.replace(/^(?:for|on|in|under)\s+/i, "");
  const rows = [
    row(`${bare}: ${text}`),
    // “Add a tip to quickstart: "A" and index: "B"” is no list of pages.
    row(`in ${scope}, ${text}`, `on ${scope}, ${text}`, ...(startsWithVerb(bare) ? [] : [`${bare}, ${text}`])),
    row(`${text} on ${scope}`, `${text} in ${scope}`),
    row(`${bare} ${text}`),
  ];
  return [...explained, ...withPlaceholder(bare, text), ...rows];
}

const NOUNS: Readonly<Record<string, string>> = {
  pages: "the page ", files: "the page ", redirects: "the redirect ", images: "the image ", groups: "the group ", terms: "the term ", words: "the term ",
}; // oxfmt-ignore

/** “Delete these pages: …” is “Delete the page …” for each item: the noun says what an item is. */
function withPlaceholder(lead: string, text: string): Row[] {
  const found = /\b(?:these|the following|those)(?: (pages|terms|words|redirects|files|images|groups|replacements))?\b/i.exec(lead); // oxfmt-ignore
  if (!found) return [];
  // “Replace these terms: "a" with "b"”: both sides are quoted, so that the noun would stand before a pair.
  const isPair = /^\uE000\d+\uE001\s+(?:with|by|to|->|→)/.test(text) && /^(?:terms|words)$/i.test(found[1] ?? "");
  const noun = isPair ? "" : (NOUNS[found[1]?.toLowerCase() ?? ""] ?? "");
  const withNoun = (words: string): Row => ({
    candidates: [lead.slice(0, found.index) + words + text + lead.slice(found.index + found[0].length)],
  });
  return noun === "the page " ? [withNoun(noun), withNoun("")] : [withNoun(noun)];
}
