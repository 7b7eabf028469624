import { type Token, wordToken } from "./grammar/tokens.ts";
import { startsWithVerb } from "./grammar/vocabulary.ts";

/** “… should be removed from …” is “remove … from …”. Only verbs that begin an instruction of a chore. */
const VERBS: Readonly<Record<string, string>> = {
  removed: "remove", deleted: "delete", dropped: "drop", renamed: "rename", replaced: "replace", changed: "change", updated: "update", moved: "move",
  hidden: "hide", unhidden: "unhide", added: "add", appended: "append", inserted: "insert", created: "create", set: "set", redirected: "redirect",
  forwarded: "forward", fixed: "fix", corrected: "correct", repaired: "repair", marked: "mark", tagged: "tag", checked: "check", swapped: "swap",
  converted: "convert", turned: "turn", put: "put", placed: "place", listed: "list", given: "give",
}; // oxfmt-ignore

/** “Could we get …” has lost its first words where this is read. */
const WISHES: readonly (readonly string[])[] = [
  ...["i", "we"].flatMap((who) => [
    [who, "want"],
    [who, "need"],
    [who, "would", "like"],
    [who, "would", "love"],
    [`${who}'d`, "like"],
    [`${who}'d`, "love"],
  ]),
  ["get"],
  ["there", "should", "be"],
];
const MODALS: readonly (readonly string[])[] = [
  ["should", "be"],
  ["must", "be"],
  ["is", "to", "be"],
  ["are", "to", "be"],
  ["needs", "to", "be"],
  ["need", "to", "be"],
  ["has", "to", "be"],
  ["have", "to", "be"],
];
const HAVING: readonly (readonly string[])[] = [
  ["should", "have"],
  ["should", "get"],
  ["should", "carry"],
  ["must", "have"],
  ["needs"],
];
/** What may follow “should”, so that “I'd like … to become …” says no more than “… should become …”. */
const AFTER_SHOULD =
  /^(?:be|become|have|get|come|go|stand|redirect|forward|lead|point|read|say|use|live|move|appear|show)$/;

/**
 * The same request in the order of an instruction: “the page a/b should be hidden”, “I'd like "x" to be replaced with "y"”, “we need a note
 * on …”. Past, future and conditional forms are none of these, and every word that is not a sign of the wish stays where it can refuse it.
 */
export function restated(tokens: readonly Token[]): Token[][] {
  const wish = WISHES.find((words) => stands(tokens, 0, words));
  const rest = wish ? tokens.slice(wish.length) : tokens;
  const found = [...passive(rest, MODALS), ...having(rest)];
  if (!wish) return [...found, ...fronted(rest), ...postponed(rest), ...onPage(rest)];
  const to = rest.findIndex(({ norm }, at) => at > 0 && norm === "to" && AFTER_SHOULD.test(rest[at + 1]?.norm ?? ""));
  if (to > 0) {
    const stated = [...rest.slice(0, to), wordToken("should"), ...rest.slice(to + 1)];
    return [...found, stated, ...passive(stated, MODALS), ...having(stated)];
  }
  // “We need the redirect” keeps it; “we need a redirect” asks for one.
  const isNew = /^(?:a|an|another)$/.test(rest[0]?.norm ?? "");
  const asked = isNew ? ["add", "give me", "run"].map((verb) => [...words(verb), ...rest]) : [];
  return [...found, ...passive(rest, [[]]), ...asked];
}

/** What the docs consist of. “Secrets must be hidden” and “tokens should have the tag "x"” are rules about things, whatever page has that name. */
const OF_DOCS =
  /^(?:pages?|files?|guides?|articles?|docs|documentation|site|groups?|sections?|headings?|titles?|names?|links?|anchors?|images?|pictures?|screenshots?|descriptions?|tags?|icons?|keywords?|alt|notes?|warnings?|tips?|redirects?|entr(?:y|ies)|navigation|nav|sidebar|mentions?|occurrences?|instances?|references?|terms?|words?|phrases?|spelling|text|changelog|everything|it|they|[\p{L}\p{N}_.*-]*\/.*|.*\.(?:mdx?|svg|png|jpe?g|gif|webp|ya?ml|json))$/iu;
/** Redirects and guides as such are things as well. */
const isOfDocs = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ kind, norm }) =>
      kind === "quote" || (OF_DOCS.test(norm) && (tokens.length > 1 || /[/.]|^(?:it|they)$/.test(norm))),
  );

/** “X should be removed from Y” as “remove X from Y”. */
function passive(tokens: readonly Token[], modals: typeof MODALS): Token[][] {
  for (let at = 1; at < tokens.length; at += 1) {
    if (!isOfDocs(tokens.slice(0, at))) continue;
    const modal = modals.find((said) => stands(tokens, at, said));
    const verb = modal && VERBS[tokens[at + modal.length]?.norm ?? ""];
    if (verb !== undefined && modal)
      return [[wordToken(verb), ...tokens.slice(0, at), ...tokens.slice(at + modal.length + 1)]];
  }
  return [];
}

/** “The page X should have a note …” as “give the page X a note …”, and as “on the page X, add a note …”. */
function having(tokens: readonly Token[]): Token[][] {
  for (let at = 1; at < tokens.length; at += 1) {
    const said = HAVING.find((each) => stands(tokens, at, each));
    if (!said || !isOfDocs(tokens.slice(0, at))) continue;
    const [what, had] = [tokens.slice(0, at), tokens.slice(at + said.length)];
    return [
      [wordToken("give"), ...what, ...had],
      [wordToken("on"), ...what, { ...wordToken(","), kind: "sign" }, wordToken("add"), ...had],
    ];
  }
  return [];
}

const PREPOSITION = /^(?:in|on|to|from|of|for|as|at|under|below|after|before|behind|above)$/;
const ARTICLE = /^(?:the|a|an|all|every|each)$/;

/** “The group X please put behind Y” as “put the group X behind Y”; with a preposition, as “…, put …” and as “put … to …”. */
function fronted(tokens: readonly Token[]): Token[][] {
  const at = tokens.findIndex(({ norm }, index) => index > 0 && norm === "please");
  const [verb, ...had] = tokens.slice(at + 1);
  if (at <= 0 || !verb || !startsWithVerb(verb.text)) return [];
  const what = tokens.slice(0, tokens[at - 1]?.norm === "," ? at - 1 : at);
  // “In any case please …” is “anyway”.
  if (stands(what, 0, ["in", "any", "case"])) return [];
  if (!PREPOSITION.test(what[0]?.norm ?? "")) return [[verb, ...what, ...had]];
  return [
    [...what, { ...wordToken(","), kind: "sign" }, verb, ...had],
    [verb, ...had, ...what],
  ];
}

/** “Delete from the page X the section Y” as “delete the section Y from the page X”. */
function postponed(tokens: readonly Token[]): Token[][] {
  const [verb, preposition] = tokens;
  if (!verb || !startsWithVerb(verb.text) || !PREPOSITION.test(preposition?.norm ?? "")) return [];
  const starts = [...tokens.keys()].filter((at) => at > 2 && ARTICLE.test(tokens[at]?.norm ?? ""));
  return starts.slice(0, 3).map((at) => [verb, ...tokens.slice(at), ...tokens.slice(1, at)]);
}

/** “On the page X, add the keyword "y"” as “add the keyword "y" to the page X”. */
function onPage(tokens: readonly Token[]): Token[][] {
  const comma = tokens.findIndex(({ norm, kind }) => kind === "sign" && norm === ",");
  const verb = tokens[comma + 1];
  if (!/^(?:on|in)$/.test(tokens[0]?.norm ?? "") || comma < 2 || comma > 10 || !verb || !startsWithVerb(verb.text))
    return [];
  const [page, said] = [tokens.slice(1, comma), tokens.slice(comma + 1)];
  // “In guides/, move X” does not say where to.
  const isAdding = /^(?:add|append|insert)$/.test(verb.norm);
  return ["on", "from", "of", ...(isAdding ? ["to"] : [])].map((preposition) => [
    ...said,
    wordToken(preposition),
    ...page,
  ]);
}

const words = (text: string): Token[] => text.split(" ").map(wordToken);

function stands(tokens: readonly Token[], from: number, said: readonly string[]): boolean {
  return said.every((word, index) => tokens[from + index]?.kind === "word" && tokens[from + index]?.norm === word);
}
