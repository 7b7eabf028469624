/**
 * A text as words within a line of Markdown: a parser reads the same text, with white space joined. Only what would have a
 * meaning is escaped, because people and models read the source, too.
 */
export function markdownWords(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const isStruck = line.indexOf("~") !== line.lastIndexOf("~");
  return line
    .replaceAll(/\\(?=[!-/:-@[-`{-~]|$)|[`*~[\]]|<(?=[a-z/!?])|&(?=#?\w+;)/gi, (mark) =>
      mark === "~" && !isStruck ? mark : `\\${mark}`,
    )
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/(?<=^| )#+$/, "\\$&");
}

/** The same for the start of a line, where a list, a quote, a heading or a rule could begin. */
export const markdownLine = (text: string): string =>
  markdownWords(text).replace(/^(?=[-+=>#])|^\d{1,9}(?=[.)](?: |$))/, "$&\\");

/** An address as the destination of a link. */
export function markdownDestination(address: string): string {
  const written = address.replaceAll(/&(?=#?\w+;)/g, "%26");
  return isBalanced(written) ? written : written.replaceAll("(", "%28").replaceAll(")", "%29");
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    else if (character === ")" && (depth -= 1) < 0) return false;
  }
  return depth === 0;
}
