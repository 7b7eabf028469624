/** Converts a line of Markdown to plain text for a mail, without code and emphasis marks. Links stay unchanged. */
export const withoutMarks = (text: string): string =>
  text.replaceAll("`", "").replaceAll(/\*\*(?=\S)|(?<=\S)\*\*/g, "");

/** Makes a name safe for a mail from this server: mail programs turn text that looks like an address into a link. */
export const withoutAddresses = (name: string): string => name.replaceAll(/[^\p{L}\p{M}\p{N} '’-]+/gu, " ").trim();
