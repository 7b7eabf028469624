import { createHmac } from "node:crypto";

/** First characters of a line that ends the pull request's own answers. */
const ANSWER = "<!-- docent-answer ";

/** What says that a comment is Docent's answer to another: seen by no reader, and never answered itself. */
export const answerMark = (commentId: string) => `${ANSWER}${commentId} -->`;

/** The same where the comment is looked for later: nobody can write one before Docent has. */
export function sealedAnswerMark(commentId: string, { key, projectId }: { key: Buffer; projectId: string }): string {
  const seal = createHmac("sha256", key).update(`${projectId} ${commentId}`).digest("hex");
  return answerMark(`${commentId} ${seal.slice(0, 32)}`);
}

export const isAnswer = (body: string): boolean => body.split("\n").some((line) => line.startsWith(ANSWER));

/** An account's or app's name as people mention it. */
export const isMentionName = (text: string): boolean => /^[a-z\d](?:[\w.-]{0,98}[a-z\d])?$/i.test(text);

/** Elements in which people show what others wrote. */
const QUOTING_TAGS = /<(\/?)(?:pre|blockquote|code)\b/gi;

/**
 * What a comment asks of the agent: the text from the first line that begins with `@name` on, without the mention. Null
 * when there is no such line; lines of code, of quotations and of hidden comments are none, whatever stands in them: people
 * quote what others wrote. Empty when nothing follows.
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
    // Code shows what anywhere else is a hidden comment.
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

/** A line without what hosts show to nobody; what is not closed hides the rest, as it does there. */
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
