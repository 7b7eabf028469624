const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// Marks that change the direction of what follows: with them, text can look different from what it is (CVE-2021-42574).
const DIRECTION_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const SPECIAL = /[&<>"'\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu;

/** Text as HTML, in which control characters are named in place of working. */
export function visibleText(text: string): string {
  return text.replace(SPECIAL, (character) => {
    const entity = ENTITIES[character];
    if (entity !== undefined) return entity;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `<span class="control" title="Control character U+${code}">U+${code}</span>`;
  });
}

export function hasDirectionMark(text: string): boolean {
  return DIRECTION_MARK.test(text);
}
