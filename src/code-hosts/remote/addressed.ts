/** First characters of a line that ends the pull request's own answers. */
const ANSWER = "<!-- docent-answer ";

/** What says that a comment is Docent's answer to another: seen by no reader, and never answered itself. */
export const answerMark = (commentId: string) => `${ANSWER}${commentId} -->`;

export const isAnswer = (body: string): boolean => body.split("\n").some((line) => line.startsWith(ANSWER));

/** An account's or app's name as people mention it. */
export const isMentionName = (text: string): boolean => /^[a-z\d](?:[\w.-]{0,98}[a-z\d])?$/i.test(text);

/**
 * What a comment asks of the agent: the text from the first line that begins with `@name` on, without the mention. Null
 * when there is no such line; lines of code, of quotations and of hidden comments are none. Empty when nothing follows.
 */
export function readRequest(body: string, names: readonly string[]): string | null {
  const mention = new RegExp(`^ {0,3}@(?:${names.map(escaped).join("|")})(?![\\w/-]|\\.\\w)[ \\t]*[:,]?[ \\t]*`, "i");
  const lines = withoutHidden(body.replaceAll(/\r\n?/g, "\n")).split("\n");
  const request: string[] = [];
  let fence: string | null = null;
  let isAsked = false;
  let isBlank = true;
  for (const line of lines) {
    const mark = /^\s{0,12}(`{3,}|~{3,})/.exec(line)?.[1];
    const isCode = fence !== null || mark !== undefined || (isBlank && /^(?: {4}|\t)/.test(line));
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    isBlank = line.trim() === "";
    const found = isCode ? null : mention.exec(line);
    isAsked ||= found !== null;
    if (isAsked) request.push(found ? line.slice(found[0].length) : line);
  }
  return isAsked ? request.join("\n").trim() : null;
}

/** Without what hosts show to nobody; what is not closed hides the rest, as it does there. */
function withoutHidden(text: string): string {
  let shown = "";
  for (let at = 0; ;) {
    const start = text.indexOf("<!--", at);
    if (start < 0) return shown + text.slice(at);
    shown += text.slice(at, start);
    const end = text.indexOf("-->", start);
    if (end < 0) return shown;
    at = end + 3;
  }
}

const escaped = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
