import type { ChoreCall } from "./chores/chore-form.ts";
import type { SlotContext } from "./grammar/slots.ts";
import { startsWithVerb } from "./grammar/vocabulary.ts";
import { quoteToken, type Token, wordToken } from "./grammar/tokens.ts";

/** What “it” means after an instruction: the page or the group that it was about. After one about several it means none. */
export function whatItIs(before: readonly ChoreCall[]): SlotContext["it"] {
  const last = before.at(-1);
  if (!last || !isOfOne(before)) return {};
  const { tool, input } = last;
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  if (tool === "rename_group") return { group: text(input["to"]) };
  if (tool === "move_group") return { group: text(input["group"]) };
  if (tool === "move_page") {
    const [page = "", to] = [text(input["page"]), text(input["to"])];
    const name = page.split("/").at(-1) ?? page;
    return { page: to === undefined ? (text(input["title"]) ?? page) : to.endsWith("/") ? to + name : to };
  }
  // After “add a note to the page”, “it” may be the note: only what was done to the page itself is meant for certain.
  return tool === "set_front_matter" && input["add"] !== true ? { page: text(input["page"]) } : {};
}

const isOfOne = (calls: readonly ChoreCall[]): boolean =>
  ["page", "group", "from", "in"].every(
    (key) => new Set(calls.map(({ input }) => JSON.stringify(input[key]))).size < 2,
  );

/**
 * A clause in full that leaves out what the one before said: “and the description to "B"”, “and with "place" in guides/”. Few
 * forms, each of which can be completed in one way only.
 */
export function completed(
  clause: readonly Token[],
  before: readonly ChoreCall[],
  sentence: readonly Token[],
): Token[][] {
  const last = before.at(-1);
  if (!last || !isOfOne(before)) return [];
  const { tool, input } = last;
  const found: Token[][] = [];
  const page = typeof input["page"] === "string" ? input["page"] : undefined;
  const norms = clause.map(({ norm }) => norm);
  if (tool === "set_front_matter" && page !== undefined && norms.includes("to")) {
    found.push([wordToken("set"), ...clause, wordToken("on"), quoteToken(page)]);
  }
  if (tool === "replace_term" && typeof input["from"] === "string") {
    const from = quoteToken(input["from"]);
    if (norms[0] === "with" || norms[0] === "in") found.push([wordToken("replace"), from, ...clause]);
    const pronoun = clause.findIndex(
      ({ norm }, at) => norm === "it" && /^(?:replace|change)$/.test(norms[at - 1] ?? ""),
    );
    if (pronoun > 0) found.push(clause.map((token, at) => (at === pronoun ? from : token)));
  }
  const isFronted = /^(?:on|in)$/.test(sentence[0]?.norm ?? "") && sentence[0] !== clause[0];
  if (page !== undefined && isFronted) {
    found.push([...clause, wordToken("on"), quoteToken(page)]);
    const head = [wordToken("on"), quoteToken(page), { ...wordToken(","), kind: "sign" as const }];
    found.push([...head, ...clause]);
  }
  const same = norms.findIndex((norm, at) => norm === "same" && norms[at + 1] === "page");
  if (page !== undefined && same > 0) {
    found.push([
      ...clause.slice(0, norms[same - 1] === "the" ? same - 1 : same),
      quoteToken(page),
      ...clause.slice(same + 2),
    ]);
  }
  return found;
}

/** A clause that begins with a thing, behind the nearest verb that a clause of its sentence begins with; null where there is none. */
export function withVerbOf(sentence: readonly Token[], clause: readonly Token[]): Token[] | null {
  const from = sentence.findIndex((token) => token === clause[0]);
  if (from <= 0 || !/^(?:the|a|an)$/.test(clause[0]?.norm ?? "")) return null;
  const isStart = (at: number) => at === 0 || /^(?:[,;&]|and|then|also|please)$/.test(sentence[at - 1]?.norm ?? "");
  const verb = sentence.findLast((token, at) => at < from && isStart(at) && startsWithVerb(token.text));
  return verb === undefined ? null : [verb, ...clause];
}
