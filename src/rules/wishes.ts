import { type Token, wordToken } from "./grammar/tokens.ts";

/** “… should be removed from …” means “remove … from …”. Only verbs that begin an instruction of a chore. */
const VERBS: Readonly<Record<string, string>> = {
  removed: "remove", deleted: "delete", renamed: "rename", replaced: "replace", changed: "change", updated: "update", moved: "move", hidden: "hide",
  added: "add", set: "set", redirected: "redirect", fixed: "fix", corrected: "correct", repaired: "repair", marked: "mark", checked: "check",
}; // oxfmt-ignore

const WISH = /^(?:(?:i|we) (?:want|would like|would love)|(?:i|we)'d (?:like|love)) /;
const NEED = /^(?:i|we) need (?=an? )/;

/** The parts of docs. “Secrets must be hidden” is a rule about things, even if a page has that name. */
const OF_DOCS =
  /^(?:pages?|files?|guides?|groups?|sections?|headings?|links?|anchors?|images?|descriptions?|tags?|icons?|keywords?|redirects?|navigation|mentions?|occurrences?|terms?|words?|[\p{L}\p{N}_.*-]*\/.*|.*\.(?:mdx?|svg|png|jpe?g|gif|webp))$/iu;
const isOfDocs = (tokens: readonly Token[]): boolean =>
  tokens.some(({ kind, norm }) => kind === "quote" || (OF_DOCS.test(norm) && (tokens.length > 1 || /[/.]/.test(norm))));

/**
 * The same request in the word order of an instruction: “the page a/b should be hidden”, “I'd like "x" to be replaced with "y"”,
 * “we need a redirect from …”. Past, future and conditional forms do not count. Only the words of the wish are left out.
 */
export function restated(tokens: readonly Token[]): readonly Token[] | null {
  const start = tokens.slice(0, 4).map(({ norm }) => norm).join(" "); // oxfmt-ignore
  const need = NEED.exec(`${start} `);
  if (need) return [wordToken("add"), ...tokens.slice(2)];
  const wish = WISH.exec(`${start} `)?.[0].trim().split(" ").length ?? 0;
  const rest = tokens.slice(wish);
  const modals = wish > 0 ? ["to be"] : ["should be", "must be"];
  const at = rest.findIndex(
    (token, index) => index > 0 && modals.includes(`${token.norm} ${rest[index + 1]?.norm ?? ""}`),
  );
  const verb = at < 0 ? undefined : VERBS[rest[at + 2]?.norm ?? ""];
  if (verb === undefined || !isOfDocs(rest.slice(0, at))) return null;
  return [wordToken(verb), ...rest.slice(0, at), ...rest.slice(at + 3)];
}
