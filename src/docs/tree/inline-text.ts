import { decodeNamedCharacterReference } from "decode-named-character-reference";

const LONGEST = 500;
/** Code, whose content is as written, and escaped characters, which mark nothing. */
const AS_WRITTEN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)|\\([!-/:-@[-`{-~])/g;

/** Inline Markdown as visible text, close enough for a title. */
export function inlineText(inline: string): string {
  const held: string[] = [];
  const hold = (text: string) => `\u{e000}${held.push(text) - 1}\u{e001}`;
  return (
    inline
      .slice(0, LONGEST)
      .replaceAll(/[\u{e000}\u{e001}]/gu, "")
      .replaceAll(AS_WRITTEN, (_, __, code: string | undefined, escaped: string | undefined) =>
        hold(code?.trim() ?? escaped ?? ""),
      )
      .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/<(?:\/?[A-Za-z]|!--)[^>]*>/g, "")
      .replaceAll(/%?\{#[^}]*\}%?\s*$/g, "")
      // Python-Markdown: `Title ## {: #id .class }`
      .replace(/(?:[ \t]#{1,6})?[ \t]?\{(?::[ \t]?[#.]|[ \t]#)[^{}]*\}\s*$/, "")
      .replaceAll(/(\*\*|\*|~~)(?=\S)(.+?)\1/g, "$2")
      .replaceAll(/(?<![\p{L}\p{N}_])(__|_)(?=\S)(.+?)\1(?![\p{L}\p{N}_])/gu, "$2")
      .replaceAll(/&([a-z0-9]{1,31});/gi, (written, name: string) => decodeNamedCharacterReference(name) || written)
      .replaceAll(/\u{e000}(\d+)\u{e001}/gu, (_, index: string) => held[Number(index)] ?? "")
      .replaceAll(/\s+/g, " ")
      .trim()
  );
}
