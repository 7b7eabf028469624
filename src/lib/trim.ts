/**
 * A text without the given characters at its end. A pattern (`/\/+$/`) would restart at each of them: a text of 400,000
 * slashes and a letter took minutes.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A text without the given characters at its start. */
export function trimStartOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** A text without the given characters at both ends: `trimOf("/docs/", "/")` is `docs`. */
export function trimOf(text: string, characters: string): string {
  return trimStartOf(trimEndOf(text, characters), characters);
}

/**
 * The words of a Markdown heading (`# Words #`), given the text after its opening marks. Blanks before the words stay, and
 * so does the mark of `# C#`.
 */
export function withoutClosingMarks(text: string): string {
  const trimmed = trimEndOf(text, " \t");
  const words = trimEndOf(trimmed, "#");
  return words === "" || /[ \t]$/.test(words) ? trimEndOf(words, " \t") : trimmed;
}
