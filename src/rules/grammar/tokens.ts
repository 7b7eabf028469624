import { ANY_QUOTED, QUOTED } from "./prompt-text.ts";

/** One word, quotation or punctuation mark of a clause. */
export interface Token {
  kind: "word" | "quote" | "sign";
  /** The text as written; for a quotation its content. */
  text: string;
  /** In lower case with a straight apostrophe; empty for a quotation. */
  norm: string;
  /** Its position in the clause. */
  at: number;
  end: number;
}

const TOKEN = new RegExp(
  `(?<quote>${ANY_QUOTED})|(?<arrow>->|=>|→|⇒)|(?<url>https?://[^\\s,;()\\uE000]+)|(?<word>(?:(?!->|=>)[^\\s,;:()→⇒\\uE000\\uE001])+)|(?<sign>[,;:()])`,
  "gu",
);
const MARK = new RegExp(QUOTED);
const ENDS = ".!?…";

/**
 * The tokens of a clause, with quotations in place of their placeholders. Final punctuation is dropped: it only ends the
 * clause.
 */
export function tokensOf(text: string, quotes: readonly string[]): Token[] {
  const tokens: Token[] = [];
  for (const { 0: whole, index: at, groups = {} } of text.matchAll(TOKEN)) {
    const end = at + whole.length;
    if (groups["quote"] !== undefined) {
      tokens.push({ kind: "quote", text: quotes[Number(MARK.exec(whole)?.[1])] ?? "", norm: "", at, end });
    } else if (groups["arrow"] !== undefined) {
      tokens.push({ kind: "sign", text: whole, norm: "->", at, end });
    } else if (groups["sign"] !== undefined) {
      tokens.push({ kind: "sign", text: whole, norm: whole, at, end });
    } else {
      const word = /[\p{L}\p{N}/*]/u.test(whole) ? withoutEnd(whole) : whole;
      const isSign = /^(?:[-–—+&]|--)$/.test(word);
      const norm = word.toLowerCase().replaceAll("’", "'").replaceAll(/[–—]/g, "-");
      if (word !== "" && !/^[.!?…]+$/.test(word))
        tokens.push({ kind: isSign ? "sign" : "word", text: word, norm, at, end });
    }
  }
  return tokens;
}

// Character by character: an expression that ends in “+$” restarts at each character of a run.
function withoutEnd(word: string): string {
  let end = word.length;
  while (end > 0 && ENDS.includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}

/** A quotation token for an omitted one. */
export function quoteToken(text: string): Token {
  return { kind: "quote", text, norm: "", at: -1, end: -1 };
}

/** A word token for an omitted one. */
export function wordToken(text: string): Token {
  return { kind: "word", text, norm: text, at: -1, end: -1 };
}

/** Tokens as readable text, with quotations in quotation marks. */
export function wordsIn(tokens: readonly Token[]): string {
  return tokens
    .map(({ kind, text }) => (kind === "quote" ? `"${text}"` : text))
    .join(" ")
    .replaceAll(/\s+([,;:)])/g, "$1")
    .replaceAll("( ", "(");
}
