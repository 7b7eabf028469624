import { createHmac } from "node:crypto";

/** Start of the line that ends Docent's own answers. */
const ANSWER = "<!-- docent-answer ";

/** Marks a comment as Docent's answer to another: invisible to readers, and never answered itself. */
export const answerMark = (commentId: string) => `${ANSWER}${commentId} -->`;

/** The same for a comment that is searched for later: no one else can write the mark before Docent does. */
export function sealedAnswerMark(commentId: string, { key, projectId }: { key: Buffer; projectId: string }): string {
  const seal = createHmac("sha256", key).update(`${projectId} ${commentId}`).digest("hex");
  return answerMark(`${commentId} ${seal.slice(0, 32)}`);
}

export const isAnswer = (body: string): boolean => body.split("\n").some((line) => line.startsWith(ANSWER));

/** Whether a name can be mentioned: an account's or app's name. */
export const isMentionName = (text: string): boolean => /^[a-z\d](?:[\w.-]{0,98}[a-z\d])?$/i.test(text);

/** Elements in which people quote others. */
const QUOTING_TAGS = /<(\/?)(?:pre|blockquote|code)\b/gi;

/**
 * The request in a comment: the text from the first line that begins with `@name`, without the mention. Null when there
 * is no such line; lines in code, quotations and HTML comments do not count, since people quote others there. Empty
 * when nothing follows the mention.
 */
export function readRequest(body: string, names: readonly string[]): string | null {
  const mention = new RegExp(`^ {0,3}@(?:${names.map(escaped).join("|")})(?![\\w/-]|\\.\\w)[ \\t]*[:,]?[ \\t]*`, "i");
  const request: string[] = [];
  let fence: { mark: string; indent: number } | null = null;
  let isHidden = false;
  let quotes = 0;
  let isAsked = false;
  let isBlank = true;
  for (const written of body.replaceAll(/\r\n?/g, "\n").split("\n")) {
    const wasHidden = isHidden;
    let line = written;
    // Inside code, `<!--` is visible text.
    if (fence === null) ({ shown: line, isHidden } = withoutHidden(written, isHidden));
    const [, space = "", mark] = /^(\s{0,12})(`{3,}|~{3,})/.exec(line) ?? [];
    const isCode = fence !== null || mark !== undefined || (isBlank && /^(?: {4}|\t)/.test(line));
    if (fence === null) fence = mark === undefined ? null : { mark, indent: space.length };
    else if (mark?.startsWith(fence.mark) && line.trim() === mark && space.length <= fence.indent + 3) fence = null;
    isBlank = line.trim() === "";
    const isQuoted = quotes > 0;
    if (isQuoted || /^ {0,3}</.test(line)) quotes = quotesAfter(line, quotes);
    const found = isCode || isQuoted || wasHidden ? null : mention.exec(line);
    isAsked ||= found !== null;
    if (isAsked && !(wasHidden && isBlank)) request.push(found ? line.slice(found[0].length) : line);
  }
  return isAsked ? request.join("\n").trim() : null;
}

function quotesAfter(line: string, before: number): number {
  let quotes = before;
  for (const [, slash] of line.matchAll(QUOTING_TAGS)) quotes = Math.max(0, quotes + (slash === "/" ? -1 : 1));
  return quotes;
}

/** A line without HTML comments; an unclosed one hides the rest, as it does on the hosts. */
function withoutHidden(line: string, wasHidden: boolean): { shown: string; isHidden: boolean } {
  let shown = "";
  let isHidden = wasHidden;
  for (let at = 0; ;) {
    if (isHidden) {
      const end = line.indexOf("-->", at);
      if (end < 0) return { shown, isHidden };
      at = end + 3;
    }
    const start = line.indexOf("<!--", at);
    isHidden = start >= 0;
    if (!isHidden) return { shown: shown + line.slice(at), isHidden };
    shown += line.slice(at, start);
    at = start;
  }
}

const escaped = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
