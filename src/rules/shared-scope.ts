import type { ChoreCall } from "./chores/chore-form.ts";
import { hasTrait } from "./chores/chore-traits.ts";
import type { KnownNames } from "./grammar/names.ts";
import { mayTouch } from "./overlaps.ts";
import { quoteToken, type Token, wordToken } from "./grammar/tokens.ts";
import { type Asked, type Meanings, readClause } from "./read-clause.ts";
import { CHORE_VERBS, LANGUAGE_VERBS } from "./grammar/vocabulary.ts";

/**
 * Which part of the docs the instructions of one sentence are held to. One that is named in front holds for all of them: “In guides/,
 * replace … and fix broken links”. One behind the last of several could hold for that alone, or for those before it: nobody can tell.
 */
export interface Front {
  tokens: readonly Token[];
  /** What it comes to: `in`, `except` and the like. */
  scope: Readonly<Record<string, unknown>>;
}

/** An instruction of a sentence, and what it means. */
export interface Part {
  tokens: readonly Token[];
  calls: readonly ChoreCall[];
}

const COMMA: Token = { ...wordToken(","), kind: "sign" };
const MAX_FRONT_TOKENS = 24;
const BEGINS = new Set(
  `in on under within inside across throughout for from over below beneath outside except excluding apart aside other only just not without leaving
  leave skip but everywhere also even including regardless whatever ignoring case-sensitive case-insensitive case-insensitively as exactly singular keep
  do don't though at ( no exactly redirect redirecting redirected point send`.split(/\s+/),
);
const PLACES = new Set(
  "in on under within inside across throughout for from at below beneath over outside except excluding".split(" "),
);
const SAYS_WHERE =
  /\b(?:everywhere|globally|site-?wide|docs-wide|throughout|(?:in|on|across|over|for|from|of) (?:all|every|each|(?:the )?(?:whole|entire)))\b/;
const VERBS: ReadonlySet<string> = new Set([...CHORE_VERBS, ...LANGUAGE_VERBS, "please", "also", "then"]);

/** The part of the docs that a sentence names before its first instruction. */
export function frontOf(tokens: readonly Token[], asked: Asked): Front | undefined {
  const [first] = tokens;
  if (first?.kind !== "word" || !BEGINS.has(first.norm)) return undefined;
  let nearest: Front | undefined;
  for (let at = 1; at < tokens.length && at <= MAX_FRONT_TOKENS && asked.budget.steps >= 0; at += 1) {
    const token = tokens[at];
    const isEnd =
      token?.kind !== "quote" && (token?.norm === "," || token?.norm === ":" || VERBS.has(token?.norm ?? ""));
    if (!isEnd) continue;
    const head = tokens.slice(0, at);
    const scope = scopeIn(head, asked);
    if (scope !== null) return { tokens: head, scope };
    // “On quickstart”: whether that is a page, the instruction behind it tells.
    if (at > 1 && PLACES.has(first.norm)) nearest ??= { tokens: head, scope: {} };
  }
  return nearest;
}

/** The same with the page that the first instruction is about, where its words alone do not tell. */
export function frontBy(front: Front, calls: readonly ChoreCall[]): Front {
  const page = calls[0]?.input["page"];
  return Object.keys(front.scope).length > 0 || typeof page !== "string" ? front : { ...front, scope: { in: [page] } };
}

/** What words are as the restriction of an instruction; null when they are none. */
function scopeIn(words: readonly Token[], asked: Asked): Readonly<Record<string, unknown>> | null {
  const whole = [wordToken("replace"), quoteToken("a"), wordToken("with"), quoteToken("b"), ...words];
  const meanings = readClause(whole, asked);
  const [calls] = meanings;
  if (!calls || meanings.length > 1 || calls.length !== 1) return null;
  const { from, to, ...scope } = calls[0]?.input ?? {};
  return from === "a" && to === "b" && Object.keys(scope).length > 0 ? scope : null;
}

/** What the introduction of a list restricts what stands below it to; null when it does not. */
export function scopeOfLead(words: readonly Token[], asked: Asked): Readonly<Record<string, unknown>> | null {
  return (
    scopeIn(words, asked) ?? scopeIn([wordToken("in"), ...words], asked) ?? scopeIn([wordToken("on"), ...words], asked)
  );
}

/** The meanings of an instruction behind a part of the docs that is named in front. It is none where it cannot keep to that. */
export function heldBy(
  { tokens, scope }: Front,
  part: readonly Token[],
  read: (words: readonly Token[]) => Meanings,
): Meanings {
  const held = read([...tokens, COMMA, ...part]);
  if (held.length > 0) return held;
  // “On quickstart, set the title to "A" and hide it”: it is about that page without saying so once more.
  return read(part).filter((calls) => calls.every(({ input }) => isWithin(input, scope)));
}

function isWithin(input: Readonly<Record<string, unknown>>, scope: Front["scope"]): boolean {
  const own = typeof input["page"] === "string" ? [input["page"]] : input["in"];
  return own !== undefined && JSON.stringify(own) === JSON.stringify(scope["in"]) && scope["except"] === undefined;
}

/** Words that restrict instructions, and what they come to in one that has them. */
export interface Limit {
  tool: string;
  scope: Readonly<Record<string, unknown>>;
}

/** The keys of an input that restrict what an instruction does, or say how. */
export const RESTRICTS = /^(?:in|except|only|includeCode|letterCase|wholeWord|plural|redirect|redirectTo)$/;

/** What a restriction adds to an instruction; null where it makes another one of it. */
export function limitBy(held: readonly ChoreCall[], bare: readonly ChoreCall[]): Limit | null {
  const [call] = held;
  if (!call || !isSameTools(held, bare)) return null;
  const added = Object.entries(call.input).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(bare[0]?.input[key])); // oxfmt-ignore
  return added.length > 0 ? { tool: call.tool, scope: Object.fromEntries(added) } : null;
}

/**
 * Whether an instruction could be meant with a restriction that stands elsewhere. Whether its chore can keep to it is no matter:
 * “fix broken links and replace … except in guides/” may spare the links there as well.
 */
export function mayBeMeant({ tool, scope }: Limit, { tokens, calls }: Part, names: KnownNames): boolean {
  const isEverywhere = SAYS_WHERE.test(tokens.map(({ norm }) => norm).join(" "));
  return calls.some(({ tool: own, input }) => {
    const isWide = hasTrait(own, "isHeldToAPart") || (own === "set_front_matter" && input["in"] !== undefined);
    return Object.entries(scope).some(([key, value]) => {
      if (key === "in") return isWide && input["in"] === undefined && !isEverywhere;
      if (key === "except") return isWide && input["except"] === undefined && mayTouch(input, { in: value }, names);
      return own === tool && input[key] === undefined;
    });
  });
}

/** Whether an instruction that a semicolon parts from a place in front could be held to it, and does not say how far it goes itself. */
export function mayBeHeld({ tokens, scope }: Front, part: Part, asked: Asked): boolean {
  const { in: within, ...rest } = scope;
  const norms = part.tokens.map(({ norm }) => norm);
  const isEverywhere = SAYS_WHERE.test(norms.join(" ")) || norms.some((norm) => /^(?:all|every|each)$/.test(norm));
  const open = isEverywhere || within === undefined ? rest : scope;
  if (mayBeMeant({ tool: "", scope: open }, part, asked.names)) return true;
  if (isEverywhere) return false;
  return readClause([...tokens, COMMA, ...part.tokens], asked).some((one) => !isSame(one, part.calls));
}

/** “Check links in guides/ and fix broken links”: those that were found there, or all of them? */
export function mayBeOfWhatIsFound({ calls }: Part, next: Part, { names }: Asked): boolean {
  return calls.some(({ tool, input: { in: within, except } }) => {
    if (!hasTrait(tool, "readsOnly")) return false;
    const scope = { ...(within !== undefined && { in: within }), ...(except !== undefined && { except }) };
    return mayBeMeant({ tool, scope }, next, names);
  });
}

/** “Use "+" as list markers in api/ and title case for headings”: without a verb of its own it may go on with all that stands before it. */
export function mayGoOnIn({ calls }: Part, next: Part, { names }: Asked): boolean {
  const [first] = next.tokens;
  if (first?.kind === "word" && VERBS.has(first.norm)) return false;
  return calls.some(({ tool, input }) => {
    const limits = Object.entries(input).filter(([key]) => RESTRICTS.test(key));
    return limits.length > 0 && mayBeMeant({ tool, scope: Object.fromEntries(limits) }, next, names);
  });
}

/** Whether what restricts an instruction at its end could restrict one before it in the sentence as well. */
export function mayBeShared(
  { tokens, calls }: Part,
  before: readonly Part[],
  { names }: Asked,
  read: (words: readonly Token[]) => Meanings,
): boolean {
  if (before.length === 0) return false;
  for (const [at, token] of tokens.entries()) {
    if (at === 0 || token.kind === "quote" || !BEGINS.has(token.norm)) continue;
    let end = at;
    while (end > 1 && /^(?:[,(-]|and|but|though)$/.test(tokens[end - 1]?.norm ?? "")) end -= 1;
    const bare = read(tokens.slice(0, end)).find((one) => isSameTools(one, calls) && !isSame(one, calls));
    if (!bare) continue;
    const ending = tokens.slice(at);
    const limit = limitBy(calls, bare);
    // “… and redirect it to …” speaks of one page.
    const isOfOne = limit?.scope["redirectTo"] !== undefined && ending.some(({ norm }) => /^its?$/.test(norm));
    if (isOfOne) continue;
    if (limit && before.some((part) => mayBeMeant(limit, part, names))) return true;
    const isShared = before.some((part) => {
      if (SAYS_WHERE.test(part.tokens.map(({ norm }) => norm).join(" "))) return false;
      return read([...part.tokens, ...ending]).some((one) => !isSame(one, part.calls));
    });
    if (isShared) return true;
  }
  return false;
}

const isSame = (one: readonly ChoreCall[], other: readonly ChoreCall[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
const isSameTools = (one: readonly ChoreCall[], other: readonly ChoreCall[]): boolean =>
  one.length === other.length && one.every(({ tool }, at) => tool === other[at]?.tool);
