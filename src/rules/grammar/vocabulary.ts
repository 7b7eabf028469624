/** Verbs that begin an instruction. */
export const CHORE_VERBS = [
  "add", "append", "apply", "audit", "call", "change", "check", "clean", "convert", "correct", "create", "delete", "describe",
  "drop", "erase", "exchange", "fill", "find", "fix", "flag", "generate", "give", "hide", "insert", "kill", "link", "list", "make", "mark", "move",
  "normalise", "normalize", "place", "point", "put", "reference", "redirect", "relocate", "remove", "rename", "repair",
  "replace", "report", "resolve", "run", "search", "set", "show", "sort", "standardise", "standardize", "substitute", "swap",
  "switch", "treat", "unhide", "update", "use", "validate", "verify", "write", "capitalise", "capitalize", "unify", "lint", "tell", "ensure", "strip", "rm", "mv", "mend", "rid", "retitle", "tag", "spell", "prefer", "enforce", "get rid of", "take out", "take",
]; // oxfmt-ignore

/** Verbs that request writing: listed only so that they are refused with the right reason. */
export const LANGUAGE_VERBS = [
  "improve", "rewrite", "rephrase", "reword", "translate", "localise", "localize", "summarise", "summarize", "explain",
  "document", "clarify", "expand", "shorten", "simplify", "polish", "proofread", "review", "draft", "compose", "elaborate",
  "restructure", "reorganise", "reorganize", "refactor", "modernise", "modernize", "paraphrase", "tighten", "condense",
  "outline", "brainstorm", "suggest", "optimise", "optimize", "research", "compare", "edit", "adapt", "enhance", "refine",
]; // oxfmt-ignore

const VERB = new RegExp(`^\\s*(?:${[...CHORE_VERBS, ...LANGUAGE_VERBS].join("|")})\\b`, "i");

/** Whether a sentence begins like an instruction. */
export const startsWithVerb = (text: string): boolean => VERB.test(text);
