/** Words with the same meaning for all chores, as parts of templates. */

/** Articles and similar words, which restrict nothing. */
export const THE = "[the|our|my|all|any|every|each|of|remaining|existing]*";

export const ADD = "add|append|insert|create|make|write|put|include|place";
export const REMOVE = "(remove|delete|drop|erase|strip|kill|rm|del|eliminate / get rid of / take out|down)";
export const FIX = "(fix|repair|correct|resolve|mend|fixing / clean|sort up|out)";
export const CHANGE = "change|update|set|make|use";
export const LOOK =
  "(find|list|report|show|identify|detect|count / show|tell|give me [a list of] / look|search|check|scan for / (give me / make|create [me] a list of) / (give me a report of|on))";
export const CHECK = "check|verify|validate|test|inspect|lint|audit";
export const TO = "(to|as|into|->|: / to be / should be [called] / should become / to :)";

export const NAV = "([the] navigation|nav|sidebar|toc|docs.json|menu)";

/** The text of something new, quoted or after a colon. */
export const TEXT =
  "([,] ([with|and|using] [the|this] [following] text|content|contents|body|markdown [:] / with [the|this] [:] / [that] [should] saying|reading|containing|says|reads|say|read [:] [this] [:] / [with] : / [,] text [:]) {text:quoted})";

/** Prepositions before a page that is the object of an instruction. */
export const ON = "on|of|in|to|from|for|at|into|onto";

export function aPage(slot: string): string {
  return `([the|our] page|pages|file|files|guide|article [called|named|titled|at] {${slot}:page.named} / [the|our] {${slot}:page} page|guide|article|file / [the] {${slot}:page})`;
}

/** A page that is certainly one: by its path, by its known title, or because it is called a page. */
export function surePage(slot: string): string {
  return `([the|our] page|file|guide|article [called|named|titled|at] {${slot}:page.named} / [the|our] {${slot}:page} page|guide|article|file / [the] {${slot}:page.path} [page|file])`;
}

/** The same, or one in quotation marks: anything that can be hidden is a page. */
export function shownPage(slot: string): string {
  return `(${surePage(slot)} / [the] {${slot}:quoted})`;
}

export function listOf(item: string): string {
  return `${item} [(, [and|&] / and|&) ${item}]*`;
}
