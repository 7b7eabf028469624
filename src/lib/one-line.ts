/** A text on one line: line breaks, control and format characters become a space. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
