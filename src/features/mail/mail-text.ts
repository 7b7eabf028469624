/** Converts a line of Markdown to plain text for a mail, without code and emphasis marks. Links stay unchanged. */
export const withoutMarks = (text: string): string =>
  text.replaceAll("`", "").replaceAll(/\*\*(?=\S)|(?<=\S)\*\*/g, "");
