import { attributes } from "#docs/markup/html.ts";
import { matchesInProse } from "./lines.ts";
import { composed, replaceMatches, type Rewritten, unchanged } from "./rewriter.ts";

const MAX_ABBREVIATIONS = 1_000;

/** Headings, definitions, images, labels and addresses of links, and tags: a tag in them would break them. */
const NOT_TEXT = [
  String.raw`^#[^\n]*`,
  String.raw`^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[^\n]*`,
  String.raw`!\[[^\]\n]{0,1000}\]`,
  // Without an address or a label of its own, the text between brackets is the label of a link.
  String.raw`\[[^\]\n]{1,200}\](?:\[\]|(?![[(]))`,
  String.raw`\]\([^)\n]{0,1000}\)`,
  String.raw`\]\[[^\]\n]{0,200}\]`,
  String.raw`<[^<>\n]{0,1000}>`,
  String.raw`\bhttps?:\/\/\S{0,1000}`,
].join("|");

/** `*[HTML]: Hyper Text Markup Language`: explains the word wherever the page uses it. */
export function abbreviations(source: string): Rewritten {
  if (!source.includes("*[")) return unchanged(source);
  const known = new Map<string, string>();
  const definitions = /^[ \t]{0,3}\*\[(?<name>[^\]\n]{1,100})\]:[ \t]{0,10}(?<text>[^\n]{0,500})$/gm;
  const without = replaceMatches(source, matchesInProse(source, definitions), ({ groups }) => {
    const name = groups?.["name"] ?? "";
    // What is beyond stays on the page as it is written.
    if (known.size >= MAX_ABBREVIATIONS && !known.has(name)) return null;
    known.set(name, groups?.["text"]?.trim() ?? "");
    return "";
  });
  if (known.size === 0) return unchanged(source);
  const names = [...known.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replace(/[^\w\s]/g, String.raw`\$&`));
  const uses = new RegExp(String.raw`${NOT_TEXT}|(?<![\w-])(?<name>${names.join("|")})(?![\w-])`, "gm");
  const shown = replaceMatches(without.source, matchesInProse(without.source, uses), ({ groups }) => {
    const name = groups?.["name"];
    return name === undefined ? null : `<abbr${attributes({ title: known.get(name) ?? "" })}>${name}</abbr>`;
  });
  return composed(without, shown);
}
