import { nameToEmoji } from "gemoji";

/** Syntax of MkDocs and others that people see as an icon, as a look, or not at all. It has no room for a sentence. */

const blank = (text: string) => text.replaceAll(/[^\n]/g, " ");

/** `:octicons-file-code-16:`, `:white_check_mark:`. */
const SHORTCODE = /(?<![\w:]):(?:(?:material|fontawesome|octicons|simple)-([a-z\d-]{1,60})|([a-z\d_+-]{1,50})):(?!\w)/g;
const MAX_PARTS = 6;
/** Different icons in a line. More could be read as a sentence. */
const MAX_ICONS = 4;

/** `{ loading=lazy }`, `{ .card #id }`, `{: target="_blank" }`. */
const LIST = /\{:?[ \t]{0,4}([#.\w][^{}\n]{0,300})\}/g;
const ATTRIBUTE = /[#.][\w:.-]{1,60}|([\w-]{1,40})=(?:"([^"]{0,100})"|'([^']{0,100})'|([^\s"'=]{1,100}))/g;
const NAMES =
  /^(?:id|class|width|height|loading|decoding|align|role|target|rel|type|tabindex|start|value|media|style|markdown|linenums|hl_lines|data-[a-z-]{1,20})$/;
const MAX_ATTRIBUTES = 6;
const MAX_WORDS = 3;

export function withoutSyntaxOfTools(body: string): string {
  return body
    .split("\n")
    .map((line) => withoutIcons(line).replaceAll(LIST, (list, inner: string) => (isLook(inner) ? blank(list) : list)))
    .join("\n")
    .replaceAll(INCLUDED, blank);
}

function withoutIcons(line: string): string {
  const seen = new Set<string>();
  return line.replaceAll(SHORTCODE, (code: string, icon: string | undefined, emoji: string = "") => {
    const isKnown = icon === undefined ? Object.hasOwn(nameToEmoji, emoji) : icon.split("-").length <= MAX_PARTS;
    if (isKnown) seen.add(code);
    return isKnown && seen.size <= MAX_ICONS ? blank(code) : code;
  });
}

/** A list that is no sentence: a few attributes that change how something looks. */
function isLook(list: string): boolean {
  const attributes = [...list.matchAll(ATTRIBUTE)];
  const isRestEmpty = list.replaceAll(ATTRIBUTE, "").trim() === "";
  return (
    isRestEmpty &&
    attributes.length <= MAX_ATTRIBUTES &&
    attributes.every(([mark, name, ...values]) => {
      const words = (name === undefined ? mark : values.join("")).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
      return words.length <= MAX_WORDS && (name === undefined || NAMES.test(name));
    })
  );
}

/** A path that `--8<-- "path"` includes, and the name of what a plugin documents: `::: package.Class`. */
const INCLUDED = /^([ \t]{0,40})(?:-{1,4}8<-{1,4}[ \t]{1,4}"[^"\s]{1,200}"|::: [\w.-]{1,100})[ \t]*$/gm;

const DEFINITION = /^( {0,3}\[)([^\]\n]{1,300})(?=\]:[ \t]*\S)/gm;
/** A label behind the text of its link may be this long. */
const MAX_LABEL = 3;
/** What mkdocstrings documents: `[App][textual.app.App]`. */
const IDENTIFIER = /^[\w.]{1,60}$/;

/** Without labels of link definitions: a link with the same text shows them, and others are too short for a sentence. */
export function withoutLabels(body: string): string {
  const nameOf = (label: string) => label.replaceAll(/\s+/g, " ").toLowerCase();
  const labels = new Map<string, boolean>();
  for (const [mark, , label = ""] of body.matchAll(DEFINITION)) {
    const words = label.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    if (!mark.trimStart().startsWith("[^")) labels.set(nameOf(label), words.length <= MAX_LABEL);
  }
  const used = new Set<string>();
  const withoutReferences = body.replaceAll(/\[([^[\]]{1,300})\](?!:)/g, (reference, label: string, at: number) => {
    const isShort = labels.get(nameOf(label)) ?? IDENTIFIER.test(label);
    used.add(nameOf(label));
    return isShort && body[at - 1] === "]" ? blank(reference) : reference;
  });
  return withoutReferences.replaceAll(DEFINITION, (mark, opening: string, label: string) =>
    used.has(nameOf(label)) ? opening + blank(label) : mark,
  );
}
