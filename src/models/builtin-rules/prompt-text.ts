/** A prompt in which everything quoted stands aside, so that no word in it can be taken for an instruction. */
export interface ProtectedText {
  /** The prompt with a mark in place of each quotation. */
  text: string;
  quotes: readonly string[];
  /** The one quotation that nothing sets off: a text that runs to the end of the prompt. */
  openEnded: string | null;
}

const OPEN = "\uE000";
const CLOSE = "\uE001";
/** Source of an expression that matches one mark; its group is the number of the quotation. */
export const QUOTED = `${OPEN}(\\d+)${CLOSE}`;
/** The same without a group. */
export const ANY_QUOTED = `${OPEN}\\d+${CLOSE}`;

const TEXT_FOLLOWS =
  /\b(?:(?:with|and|using)\s+)?(?:the\s+)?(?:following\s+)?(?:text|content|contents|body|markdown)\s*:\s*/i;
// A quotation opens after white space or a bracket and closes before white space or punctuation: an apostrophe is none.
const QUOTATIONS =
  /(?<=^|[\s([{:,=>→])(?:"([^"\n]{1,4000})"|'((?:[^'\n]|'(?=\p{L})){1,400})'|`([^`\n]{1,4000})`)(?=$|[\s.,;:!?)\]}→<-])|“([^”\n]{1,4000})”|‘((?:[^’\n]|’(?=\p{L})){1,400})’|«\s?([^»\n]{1,4000}?)\s?»|„([^“”\n]{1,4000})[“”]|「([^」\n]{1,4000})」/gu;

/** Sets quotations, fenced blocks, and a text that runs to the end (`with the text: …`) aside. */
export function protectQuotes(prompt: string): ProtectedText {
  const quotes: string[] = [];
  const keep = (quote: string) => `${OPEN}${quotes.push(quote) - 1}${CLOSE}`;
  let text = prompt.replaceAll(/[\uE000\uE001]/g, "").replaceAll("\r\n", "\n");
  text = protectFences(text, keep);
  let openEnded: string | null = null;
  const follows = TEXT_FOLLOWS.exec(text);
  if (follows) {
    const start = follows.index + follows[0].length;
    const rest = text.slice(start);
    const isSetOff = rest.startsWith(OPEN) || /^["'`“‘«„「]/.test(rest);
    if (!isSetOff && rest.trim() !== "") {
      openEnded = restore(rest, quotes).trim();
      text = `${text.slice(0, start)}${keep(openEnded)}`;
    }
  }
  text = text.replaceAll(QUOTATIONS, (_whole, ...groups: (string | undefined)[]) =>
    keep(groups.slice(0, 8).find((group) => group !== undefined) ?? ""),
  );
  return { text, quotes, openEnded };
}

/** A fenced block, closed or not, belongs to the line before it. */
function protectFences(text: string, keep: (quote: string) => string): string {
  const result: string[] = [];
  let open: { fence: string; body: string[] } | null = null;
  for (const line of text.split("\n")) {
    const fence = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (open === null && fence === undefined) result.push(line);
    else if (open === null) open = { fence: fence ?? "", body: [] };
    else if (fence?.startsWith(open.fence) && line.trim() === fence) {
      result.push(`${result.pop() ?? ""} ${keep(open.body.join("\n"))}`);
      open = null;
    } else open.body.push(line);
  }
  if (open !== null) result.push(`${result.pop() ?? ""} ${keep(open.body.join("\n"))}`);
  return result.join("\n");
}

/** Text with its marks replaced by what they stand for, quoted again for people. */
export function restore(
  text: string,
  quotes: readonly string[],
  quote: (value: string) => string = (value) => value,
): string {
  return text.replaceAll(new RegExp(QUOTED, "g"), (_mark, number: string) => quote(quotes[Number(number)] ?? ""));
}

/** The instruction of each clause as a person wrote it, for answers. */
export function wordsOf(clause: string, quotes: readonly string[]): string {
  const words = restore(clause, quotes, (value) => `"${value.length > 80 ? `${value.slice(0, 80)}…` : value}"`);
  return words.replaceAll(/\s+/g, " ").trim();
}
