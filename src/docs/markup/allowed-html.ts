import { type Value, ValueMap, valueText } from "./page-nodes.ts";

const INLINE =
  "a abbr b bdi bdo br cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr svg picture source";
const BLOCK =
  "address article aside blockquote center caption col colgroup dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr iframe li main nav ol p pre section summary table tbody td tfoot th thead tr ul video audio track";
const SVG =
  "svg g path circle rect line polyline polygon ellipse defs linearGradient radialGradient stop title desc text tspan clipPath mask symbol use pattern filter feFlood feBlend feGaussianBlur feOffset feColorMatrix feComposite feMerge feMergeNode";

const inlineTags = new Set(INLINE.split(" "));
const svgTags = new Set(SVG.split(" "));
const tags = new Set([...inlineTags, ...BLOCK.split(" "), ...svgTags]);
const voidTags = new Set("br hr img wbr col source track".split(" "));

/** Tags that are removed with their content, which is not text for readers. */
const droppedTags = new Set(
  "script style template noscript object embed applet frame frameset base meta link title head form input button select textarea option math noembed xmp plaintext".split(
    " ",
  ),
);
/** Removed tags whose content is kept. */
const unwrappedTags = new Set("form button select option noscript html body head".split(" "));
/** Those whose look or use readers miss. */
const controls = new Set("form button select".split(" "));

export function isAllowedTag(name: string): boolean {
  return tags.has(name);
}

export function isSvgTag(name: string): boolean {
  return svgTags.has(name);
}

export function isVoidTag(name: string): boolean {
  return voidTags.has(name);
}

export function isInlineTag(name: string): boolean {
  return inlineTags.has(name) || (svgTags.has(name) && name !== "title");
}

export function isDroppedTag(name: string): boolean {
  return droppedTags.has(name) && !unwrappedTags.has(name);
}

/** Whether a name is that of an HTML tag, allowed or not, or of a component. */
export function isKnownTag(name: string): boolean {
  return tags.has(name) || droppedTags.has(name) || unwrappedTags.has(name) || /^[A-Z]/.test(name);
}

/** Whether a name is that of an HTML tag which is replaced by its content, and readers miss nothing. */
export function isUnwrappedTag(name: string): boolean {
  return unwrappedTags.has(name) && !controls.has(name);
}

const GLOBAL = new Set("id class title lang dir role align valign tabindex hidden".split(" "));

const OWN: Record<string, string> = {
  a: "href name download",
  img: "src alt width height loading srcset sizes decoding fetchpriority border hspace vspace",
  br: "clear",
  source: "src srcset sizes type media width height",
  video: "src controls autoplay loop muted playsinline poster width height preload",
  audio: "src controls loop muted preload",
  track: "src kind srclang label default",
  iframe: "src width height title allow allowfullscreen loading frameborder",
  td: "colspan rowspan width height nowrap",
  th: "colspan rowspan scope width height nowrap",
  tr: "height",
  table: "width border cellpadding cellspacing",
  col: "span width",
  colgroup: "span",
  ol: "start reversed type",
  ul: "type",
  li: "value type",
  details: "open name",
  time: "datetime",
  data: "value",
  font: "color size face",
  use: "href",
  hr: "width size",
};

const SVG_ATTRIBUTES = new Set(
  (
    "viewBox fill stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-miterlimit stroke-opacity fill-rule fill-opacity clip-rule opacity d cx cy r rx ry x y x1 y1 x2 y2 dx dy " +
    "points transform width height offset stop-color stop-opacity gradientUnits gradientTransform preserveAspectRatio xmlns mask clip-path filter in in2 result mode values type stdDeviation operator flood-opacity flood-color patternUnits text-anchor font-size font-weight " +
    "fx fy fr spreadMethod maskUnits maskContentUnits mask-type clipPathUnits filterUnits primitiveUnits patternContentUnits patternTransform stroke-dashoffset paint-order color " +
    "color-interpolation-filters shape-rendering vector-effect font-family font-style letter-spacing dominant-baseline text-decoration overflow pathLength refX refY"
  ).split(" "),
);

const JSX_NAMES: Record<string, string> = {
  className: "class",
  htmlFor: "for",
  srcSet: "srcset",
  srcDoc: "srcdoc",
  autoPlay: "autoplay",
  playsInline: "playsinline",
  frameBorder: "frameborder",
  allowFullScreen: "allowfullscreen",
  colSpan: "colspan",
  rowSpan: "rowspan",
  tabIndex: "tabindex",
  dateTime: "datetime",
  noWrap: "nowrap",
};

const ownAttributes = new Map(Object.entries(OWN).map(([tag, names]) => [tag, new Set(names.split(" "))]));

/** The HTML spelling of an attribute that may be written in JSX spelling; null when it must not be printed on this tag. */
export function allowedAttribute(tag: string, written: string): string | null {
  const isJsxName = Object.hasOwn(JSX_NAMES, written);
  const name = isJsxName ? (JSX_NAMES[written] ?? written) : svgTags.has(tag) ? dashed(written) : written.toLowerCase();
  if (GLOBAL.has(name) || /^aria-[a-z]{1,30}$/.test(name)) return name;
  if (svgTags.has(tag) && SVG_ATTRIBUTES.has(name)) return name;
  // The spelling of SVG 1.1 drawings.
  if (tag === "use" && /^xlink:?href$/i.test(written)) return "href";
  return ownAttributes.get(tag)?.has(name) ? name : null;
}

// strokeWidth -> stroke-width, but viewBox and similar attributes keep their case.
function dashed(name: string): string {
  return SVG_ATTRIBUTES.has(name) ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const WITHOUT_EFFECT =
  /^(?:key|ref|target|rel|referrerpolicy|crossorigin|xmlns(?::[a-z]+)?|version|sizes|as|data-[a-z0-9-]+|aria-[a-z]+|\.\.\.|fetchpriority|decoding|loading|nozoom|zoom|scrolling|style|charset|itemprop|itemscope|itemtype|preload|cite|focusable|compact|markdown|enable-?background|(?:webkit|moz|ms|o)allowfullscreen|allowtransparency|margin(?:width|height)|v-(?:pre|cloak)|(?:xml|sketch|serif|inkscape|sodipodi):[\w-]+)$/i;

const OF_FRAMES = /^(?:frameborder|allowfullscreen|allow)$/i;

/** Whether readers miss nothing without the attribute: the site sets its own (`target`, `rel`), or it has no visible effect. */
export function isWithoutEffect(tag: string, written: string): boolean {
  return WITHOUT_EFFECT.test(written) || (OF_FRAMES.test(written) && tag !== "iframe");
}

/** Features of a frame that concern only its own content: no camera, microphone, location or payment. */
const FRAME_FEATURES = new Set(
  "accelerometer autoplay clipboard-write encrypted-media fullscreen gyroscope picture-in-picture web-share".split(" "),
);

/** The `allow` of a frame, and the features that pages may not grant. */
export function safeFeatures(text: string): { allow: string | null; leftOut: readonly string[] } {
  const written = text
    .split(";")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const kept = written.filter((each) => FRAME_FEATURES.has(each.split(/\s/)[0]!.toLowerCase()));
  const leftOut = written.filter((each) => !kept.includes(each));
  return { allow: kept.length === 0 ? null : kept.join("; "), leftOut };
}

// Also with variants of Tailwind: `[&>p]:mt-0`, `before:content-['x']`.
const CLASS_NAME = /^[\w:./[\]%#,()!&>~+*'"=@$-]{1,200}$/;

/** Parts of our components that the theme hides until they are wanted: on an author's element, nothing would show them. */
const HIDING = new Set(["tab-panel", "tab-input", "heading-anchor", "code-copy", "tooltip-text"]);

/**
 * Class names from the page's author, and those that pages may not have. Ours are not protected: a page can only break its own
 * appearance.
 */
export function safeClasses(value: string): { names: readonly string[]; leftOut: readonly string[] } {
  const written = value.split(/\s+/).filter((name) => name !== "");
  const names = written.filter((name) => CLASS_NAME.test(name) && !HIDING.has(name));
  return { names, leftOut: written.filter((name) => !names.includes(name)) };
}

/** Ids keep every character that may be in a fragment. */
export function safeId(value: string): string | null {
  return /^[^\s"'<>`]{1,200}$/.test(value) ? value.normalize("NFC") : null;
}

const STYLE_PROPERTIES =
  /^(?:color|background|background-color|opacity|display|visibility|float|clear|width|height|(?:min|max)-(?:width|height)|margin|padding|border|(?:margin|padding|border)-[a-z-]+|border-radius|box-shadow|outline|text-(?:align|decoration|transform|indent|overflow)|vertical-align|white-space|word-break|overflow-wrap|font|font-(?:size|weight|style|family|variant)|line-height|letter-spacing|list-style(?:-type)?|overflow(?:-[xy])?|object-(?:fit|position)|aspect-ratio|flex|flex-[a-z]+|order|gap|row-gap|column-gap|(?:align|justify|place)-(?:items|content|self)|grid-[a-z-]+|columns|column-count|table-layout|border-collapse|transform|filter|cursor|word-wrap|word-spacing|text-shadow|border-spacing|box-sizing|caption-side|direction|hyphens|mix-blend-mode|mask-type|fill|fill-(?:opacity|rule)|clip-rule|stroke|stroke-[a-z]+|stop-(?:color|opacity)|text-anchor|paint-order|shape-rendering)$/;
const STYLE_WITHOUT_EFFECT = /^(?:enable-background|-inkscape-.*)$/;

/** The harmless declarations of a `style`, from a string or JSX object, null when none is left; and the removed ones. */
export function safeStyle(value: Value): { style: string | null; leftOut: readonly string[] } {
  const declarations: [string, string][] =
    value instanceof ValueMap
      ? [...value.entries].map(([name, item]) => [
          name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
          typeof item === "number" &&
          item !== 0 &&
          !/opacity|weight|line-height|order|flex|z-index|ratio|count/i.test(name)
            ? `${item}px`
            : valueText(item),
        ])
      : valueText(value)
          .split(";")
          .map((part) => {
            const [name = "", ...text] = part.split(":");
            return [name.trim().toLowerCase(), text.join(":").trim()];
          });
  const isHarmless = ([name, text]: [string, string]) => STYLE_PROPERTIES.test(name) && isSafeStyleValue(text);
  const written = declarations.filter(([name, text]) => name !== "" || text !== "");
  const kept = written.filter(isHarmless);
  const leftOut = written
    .filter((each) => !kept.includes(each) && !STYLE_WITHOUT_EFFECT.test(each[0]))
    .map(([name, text]) => (text === "" ? name : `${name}: ${text}`));
  return { style: kept.length === 0 ? null : kept.map(([name, text]) => `${name}:${text}`).join(";"), leftOut };
}

// Escapes and comments can hide `url(`; quotes, braces and at-signs are not needed in these properties.
function isSafeStyleValue(text: string): boolean {
  return (
    text !== "" &&
    text.length <= 200 &&
    /^[\w\s#%.,()+*/-]+(?:!important)?$/.test(text) &&
    !/url|expression|image|src|element|attr|env|\/\*|import\b/i.test(text)
  );
}
