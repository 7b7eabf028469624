/** A line of Markdown as people read it in a mail: without the marks of code and strong words. Its links stay as written. */
export const withoutMarks = (text: string): string =>
  text.replaceAll("`", "").replaceAll(/\*\*(?=\S)|(?<=\S)\*\*/g, "");
