import { parse, walk } from "css-tree/dist/csstree.esm";
import { drawnText } from "./drawn-diagram.ts";
import { pageWords } from "./page-words.ts";
import { visibleTokens } from "./shown-text.ts";

/**
 * The part of a rendered page that people certainly see. Words can be hidden in countless ways, so this does not list
 * them: an element counts as seen only if no style of its author could hide it.
 */

// Layout and typography. Not colors, positions, overflow, opacity, transforms: each can make text invisible.
const HARMLESS =
  /^(?:--.*|text-(?:align|decoration|transform|wrap)|margin|padding|border|(?:margin|padding|border)-(?!image)[a-z-]+|border-radius|float|clear|vertical-align|list-style(?:-[a-z]+)?|font-(?:weight|style|family|variant)|gap|row-gap|column-gap|grid(?:-[a-z-]+)?|flex(?:-[a-z]+)?|order|(?:align|justify|place)-(?:items|content|self)|columns|column-count|table-layout|border-collapse|aspect-ratio|object-(?:fit|position)|cursor|white-space|word-break|overflow-wrap|box-shadow|transition(?:-[a-z-]+)?)$/;
const SIZED = /^(?:font-size|line-height|(?:min-|max-)?(?:width|height))$/;
const SHOWN_AS =
  /^(?:block|inline|inline-block|flex|inline-flex|grid|inline-grid|table(?:-[a-z]+)?|list-item|contents)$/;

function isHarmless(property: string, value: string): boolean {
  const name = property.trim().toLowerCase();
  const text = value.trim().toLowerCase();
  if (isFar(text)) return false;
  if (name === "display") return SHOWN_AS.test(text);
  if (name === "text-decoration") return LINES.test(text);
  if (name === "font-size") return isReadable(text);
  if (SIZED.test(name)) return !/^0?\.?0*(?:[a-z%]*|\.\d+(?:px|pt))$/.test(text) && !/^[01]px$/.test(text);
  return HARMLESS.test(name);
}

/** Thin lines in the text's color; a thick one would cover the text. */
const LINES =
  /^(?:(?:none|underline|overline|line-through|solid|dashed|dotted|double|wavy|inherit|auto|from-font|[012]px)(?:\s+|$))+$/;

/** Lengths that may move an element out of the page, or over other text. */
const isFar = (text: string) =>
  /-\d{3}|\d{4,9}(?:\.\d{1,9})?[a-z]|-\d{2,9}(?:\.\d{1,9})?(?:r?em|v[wh]|ch|%)|\d{3,9}(?:r?em|v[wh]|ch)/.test(text);

const SMALLEST: Record<string, number> = { px: 8, pt: 6, em: 0.5, rem: 0.5, "%": 50 };
const LARGEST: Record<string, number> = { px: 200, pt: 150, em: 12, rem: 12, "%": 1_200 };
const NAMED_SIZE = /^(?:(?:xx-|x-)?(?:small|large)|medium|smaller|larger|inherit|xxx-large)$/;

function isReadable(size: string): boolean {
  if (NAMED_SIZE.test(size)) return true;
  const [, number = "", unit = ""] = /^(\d{0,4}\.?\d{0,6})(px|pt|r?em|%)$/.exec(size) ?? [];
  const value = Number(number);
  return number !== "" && value >= (SMALLEST[unit] ?? Infinity) && value <= (LARGEST[unit] ?? 0);
}

/** Classes in the page's styles, and those of them that do more than layout and typography. */
export function classesOf(css: string): { known: Set<string>; doubtful: Set<string> } {
  const known = new Set<string>();
  const doubtful = new Set<string>();
  if (css === "") return { known, doubtful };
  walk(parse(css, { parseValue: false }), {
    visit: "Rule",
    enter(rule) {
      let isDoubtful = false;
      walk(rule.block, (node) => {
        if (node.type === "Declaration") {
          const value = node.value.type === "Raw" ? node.value.value : "";
          isDoubtful ||= !isHarmless(node.property, value);
        }
      });
      walk(rule.prelude, (node) => {
        if (node.type !== "ClassSelector") return;
        const name = node.name.replaceAll("\\", "");
        known.add(name);
        if (isDoubtful) doubtful.add(name);
      });
    },
  });
  return { known, doubtful };
}

/** Classes of Docent's own theme; some of them hide text. */
const OF_THE_THEME = /^(?:site-.*|diagram-frame)$/;
/** Elements whose text browsers never show, or only if they do not support the element. */
const NO_TEXT = new Set("svg video audio iframe rp mphantom annotation template noscript datalist".split(" "));

/** Elements whose title is their accessible name. Other titles are tooltips, which most screen readers skip. */
const NAMED_BY_TITLE = new Set(["iframe", "abbr"]);

type Attributes = readonly { name: string; value: string | null }[];
type Tag = { name: string; attributes: Attributes };

/** Elements, classes and styles that make text smaller or move it, relative to the element around them. */
const SMALLER = new Set(["sub", "sup", "small"]);
/** Widths, heights and shares of a row: in nested elements they hide nothing, because text stays visible beside its box. */
const BOXES: Record<string, RegExp> = {
  class: /(?:^|\s)(?:\w{2,3}:)?(?:(?:min-|max-)?[wh]|size|basis)-\[[^\s[\]]{1,20}\]/g,
  style:
    /(?:^|;)\s{0,9}(?:(?:min-|max-)?(?:width|height)|flex(?:-basis)?|grid-[a-z-]{1,30}|border-radius)\s{0,9}:[^;]{0,200}/g,
};
const SHIFTS: Record<string, RegExp> = {
  class: /(?:^|\s)(?:-\w|badge(?:\s|$))|\[-?[\d.]{1,9}(?:em|%)\]/,
  style: /[\s:(]-\.?\d|\d(?:em|%)|smaller/,
};
/** What is harmless once adds up in nested elements. */
const MOST_SHIFTS = 2;

/** Follows the open elements that make text smaller or move it. */
function createShifts() {
  const open: { name: string; shifts: number }[] = [];
  const isShift = ({ name, attributes }: Tag) =>
    SMALLER.has(name) ||
    attributes.some(
      ({ name: attribute, value }) =>
        SHIFTS[attribute]?.test((value ?? "").replaceAll(BOXES[attribute] ?? "", "")) === true,
    );
  return {
    /** Whether too many are nested with this one; opens it if not. */
    isTooDeep({ name, attributes }: Tag): boolean {
      const tag = { name: name.toLowerCase(), attributes };
      const shifts = (open.at(-1)?.shifts ?? 0) + Number(isShift(tag));
      if (shifts > MOST_SHIFTS) return true;
      open.push({ name: tag.name, shifts });
      return false;
    },
    close(name: string): void {
      const at = open.findLastIndex((each) => each.name === name);
      if (at !== -1) open.length = at;
    },
  };
}

/** The words of a rendered page that people surely see or hear from a screen reader, in order. */
export function seenWords({ html, css }: { html: string; css: string }): string[] {
  const { doubtful } = classesOf(css);
  const isUnsure = (attributes: Attributes) =>
    attributes.some(({ name, value }) => {
      if (name === "hidden" || (name === "aria-hidden" && value === "true")) return true;
      if (name === "class")
        return (value ?? "").split(/\s+/).some((each) => doubtful.has(each) || OF_THE_THEME.test(each));
      if (name === "color" || name === "bgcolor") return true;
      if (name !== "style") return false;
      const declarations = (value ?? "").split(";").filter((each) => each.trim() !== "");
      return declarations.some((each) => !isHarmless(each.replace(/:.*/s, ""), each.replace(/^[^:]*:/s, "")));
    });
  // Words in a drawing may be outside its area, have its color, or be in parts that are never drawn.
  const isDoubtful = ({ name, attributes }: Tag) =>
    NO_TEXT.has(name.toLowerCase()) || isUnsure(attributes) || opened.isTooDeep({ name, attributes });
  const opened = createShifts();
  let text = "";
  for (const token of visibleTokens(
    html.replaceAll(DIAGRAM, (_, tag: string, source: string) => tag + drawnWords(source)),
    isDoubtful,
  )) {
    if (token.kind === "text") text += token.text;
    else {
      const name = token.name.toLowerCase();
      if (token.kind === "close") opened.close(name);
      text += INLINE.has(name) ? "" : " ";
      if (token.kind === "open" && !isUnsure(token.attributes)) text += saidOf(name, token.attributes);
    }
  }
  return pageWords(text).map(({ word }) => word);
}

/** The source of a diagram. */
const DIAGRAM = /(<pre class="mermaid"[^<>]{0,200}><code>)([^<]*)/g;
/** The drawn words of a diagram's escaped source, escaped. */
const drawnWords = (escaped: string): string =>
  drawnText(escaped.replaceAll(/&(?:lt|gt|quot|amp|#39|#x27);/g, (entity) => ENTITIES[entity]!))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");

const ENTITIES: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
  "&#39;": "'",
  "&#x27;": "'",
};

/** Words that a screen reader says about an element in addition to its text. */
function saidOf(element: string, attributes: Attributes): string {
  const valueOf = (requested: string) => attributes.find(({ name }) => name === requested)?.value ?? null;
  const isDot = ["width", "height"].some((side) =>
    /^\s{0,9}0{0,9}[01]?(?:\.\d{0,9})?(?:px|%)?\s{0,9}$/.test(valueOf(side) ?? "auto"),
  );
  if (element === "img") return isDot ? "" : ` ${valueOf("alt") ?? ""} `;
  return NAMED_BY_TITLE.has(element) ? ` ${valueOf("title") ?? ""} ` : "";
}

const INLINE = new Set(
  "a abbr b bdi bdo code del dfn em i ins kbd mark q s samp small span strong sub sup u var wbr".split(" "),
);
