import { invisibleRuns, nameOfCharacter } from "#lib/invisible-text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const SPECIAL = /[&<>"']/g;

/**
 * Text as HTML, with invisible characters replaced by their names: bidi controls can make a text look different from
 * what it is (CVE-2021-42574), and others can hide instructions for machines.
 */
export function visibleHtml(text: string): string {
  let html = "";
  let at = 0;
  // A byte order mark is valid at the start of a file only, not of a part of a line.
  for (const { start, end, text: hidden } of invisibleRuns(`\n${text}`)) {
    html += escaped(text.slice(at, start - 1));
    for (const character of hidden) {
      const name = nameOfCharacter(character);
      html += `<span class="control" title="Control character ${name}">${name}</span>`;
    }
    at = end - 1;
  }
  return html + escaped(text.slice(at));
}

const escaped = (text: string) => text.replace(SPECIAL, (character) => ENTITIES[character] ?? character);

export function hasInvisibleText(text: string): boolean {
  return invisibleRuns(`\n${text}`).length > 0;
}
