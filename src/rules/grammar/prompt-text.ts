import { BEGINS_QUOTATION, quotationAt, replaceQuotations } from "./quotations.ts";

/** A prompt with all quotations replaced, so that no word in them can be read as an instruction. */
export interface ProtectedText {
  /** The prompt with a placeholder for each quotation. */
  text: string;
  quotes: readonly string[];
  /** The one quotation without delimiters: a text that extends to the end of the prompt. */
  openEnded: string | null;
  /** Whether a fenced block, or the quotation after "with the text:", is not closed. */
  isUnclosed: boolean;
}

const OPEN = "\uE000";
const CLOSE = "\uE001";
/** Source of an expression that matches one placeholder; its group is the number of the quotation. */
export const QUOTED = `${OPEN}(\\d+)${CLOSE}`;
/** The same without a group. */
export const ANY_QUOTED = `${OPEN}\\d+${CLOSE}`;

const TEXT_FOLLOWS =
  /\b(?:(?:with|and|using)\s+)?(?:the\s+)?(?:following\s+)?(?:text|content|contents|body|markdown)\s*:\s*/i;
/** Replaces quotations, fenced blocks, and a text that extends to the end (`with the text: …`) by placeholders. */
export function protectQuotes(prompt: string): ProtectedText {
  const quotes: string[] = [];
  const keep = (quote: string) => `${OPEN}${quotes.push(quote) - 1}${CLOSE}`;
  const plain = prompt.replaceAll(/[\uE000\uE001]/g, "").replaceAll("\r\n", "\n");
  let { text, isUnclosed } = protectFences(plain, keep);
  let openEnded: string | null = null;
  const follows = TEXT_FOLLOWS.exec(text);
  if (follows) {
    const start = follows.index + follows[0].length;
    const rest = text.slice(start);
    const isSetOff = rest.startsWith(OPEN) || BEGINS_QUOTATION.test(rest);
    if (!isSetOff && rest.trim() !== "") {
      openEnded = rest.trim();
      text = `${text.slice(0, start)}${keep(openEnded)}`;
    } else if (isSetOff && !rest.startsWith(OPEN)) {
      isUnclosed ||= quotationAt(rest, 0) === null;
    }
  }
  text = replaceQuotations(text, keep);
  return { text, quotes, openEnded, isUnclosed };
}

/** A fenced block, closed or not, is part of the line before it. */
function protectFences(text: string, keep: (body: string) => string): { text: string; isUnclosed: boolean } {
  const result: string[] = [];
  let open: { fence: string; lines: string[] } | null = null;
  const close = (lines: readonly string[]) => {
    const body = lines.slice(1, open === null ? -1 : undefined).join("\n");
    result.push(`${result.pop() ?? ""} ${keep(body)}`);
  };
  for (const line of text.split("\n")) {
    const fence = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (open === null && fence === undefined) result.push(line);
    else if (open === null) open = { fence: fence ?? "", lines: [line] };
    else if (fence?.startsWith(open.fence) && line.trim() === fence) {
      const { lines } = open;
      open = null;
      close([...lines, line]);
    } else open.lines.push(line);
  }
  if (open !== null) close(open.lines);
  return { text: result.join("\n"), isUnclosed: open !== null };
}

/** Text with its placeholders replaced by the quotations, quoted again for people. */
export function restore(
  text: string,
  quotes: readonly string[],
  quote: (value: string) => string = (value) => value,
): string {
  return text.replaceAll(new RegExp(QUOTED, "g"), (_mark, number: string) => quote(quotes[Number(number)] ?? ""));
}

/** The instruction of a clause as a person wrote it, for answers. */
export function wordsOf(clause: string, quotes: readonly string[]): string {
  const words = restore(clause, quotes, (value) => `"${value.length > 80 ? `${value.slice(0, 80)}…` : value}"`);
  return words.replaceAll(/\s+/g, " ").trim();
}
