import { isPlainClassCode, isPlainClasses, isPlainStyle, isPlainStyleCode } from "./unsafe-style.ts";

/** An attribute of a tag: its text, or the source of its expression, or neither if it has no value. */
export interface ElementAttribute {
  name: string;
  text: string | null;
  code: string | null;
  /** Why its expression must not be added. */
  codeReason: string | null;
}

/** A tag in any syntax: raw HTML, MDX, or JSX inside an expression. */
export interface MarkupElement {
  name: string;
  attributes: readonly ElementAttribute[];
}

/** `attribute` is the one at fault; null for the whole element. */
export interface ElementReason {
  reason: string;
  attribute: ElementAttribute | null;
}

export const SCRIPT = "A script element may not be added";
export const EMBEDDING = "An embedding element may not be added";
export const HANDLER = "An event handler may not be added";
export const ADDRESS = "A script address may not be added";
export const RAW = "Raw markup may not be added";
export const SPREAD = "Attributes put together by code may not be added";
export const OVERLAY = "Markup that can cover the page may not be added";
export const UNKNOWN_ELEMENT = "An element that is not among those that pages need may not be added (write it as code)";
export const UNKNOWN_ATTRIBUTE = "An attribute that is not among those that pages need may not be added";
export const ASKS = "Markup that asks readers for what they type, or sends it, may not be added";

/** Methods that JavaScript calls implicitly when it converts or awaits an object. */
export const CALLED_UNSEEN: ReadonlySet<string> = new Set([
  "toString",
  "valueOf",
  "toJSON",
  "toLocaleString",
  "then",
  "__proto__",
]);

const EMBEDDING_ELEMENTS =
  /^(?:iframe|object|embed|applet|portal|frame|frameset|base|meta|link|form|style|template|noscript|foreignobject)$/;
const ASKING_ELEMENTS = /^(?:textarea|select|keygen)$/;
const HARMLESS_INPUTS = /^(?:checkbox|radio)$/i;
const SENDING_ATTRIBUTES = /^(?:formaction|ping|formmethod)$/i;
const ADDRESS_ATTRIBUTES =
  /^(?:href|src|srcset|to|url|action|formaction|poster|data|cite|background|xlink:href|img|image)$/i;
// Event handlers of HTML; a component may have other attributes such as "once" and "only".
const HANDLERS =
  /^on(?:abort|after|animation|auxclick|before|begin|blur|cancel|canplay|change|click|close|contextmenu|copy|cut|dblclick|drag|drop|end|error|focus|form|hashchange|input|invalid|key|load|message|mouse|offline|page|paste|pause|play|pointer|popstate|progress|repeat|reset|resize|scroll|search|select|show|slot|storage|submit|suspend|time|toggle|touch|transition|unload|volume|wait|wheel)/i;
// The HTML and SVG elements that pages need. An allowlist, so that future additions to the standards are refused.
const ELEMENTS: ReadonlySet<string> = new Set(
  `a abbr address article aside audio b bdi bdo big blockquote br button caption center cite code col colgroup data dd del
  details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend li
  main mark menu meter nav nobr ol optgroup option p picture pre progress q rp rt ruby s samp search section small source span
  strike strong sub summary sup table tbody td tfoot th thead time tr track tt u ul var video wbr
  svg g path circle ellipse line polyline polygon rect text tspan defs lineargradient radialgradient stop clippath mask symbol
  math mi mn mo ms mrow mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mtext mspace semantics`.split(
    /\s+/,
  ),
);
const ATTRIBUTES: ReadonlySet<string> = new Set(
  `id class classname title lang dir role hidden translate tabindex style key slot part
  href target rel download hreflang src srcset sizes alt width height loading decoding fetchpriority crossorigin referrerpolicy
  align valign bgcolor border cellpadding cellspacing colspan rowspan scope headers abbr nowrap span color face size clear compact noshade
  start type reversed value open name checked disabled readonly defaultchecked for htmlfor datetime cite label kind srclang default media
  controls poster muted loop autoplay playsinline preload min max low high optimum allowfullscreen
  xmlns viewbox preserveaspectratio fill fill-opacity fill-rule clip-rule stroke stroke-width stroke-linecap stroke-linejoin
  stroke-dasharray stroke-opacity stroke-miterlimit fillopacity fillrule cliprule strokewidth strokelinecap strokelinejoin
  strokedasharray strokeopacity strokemiterlimit opacity d cx cy r rx ry x y x1 y1 x2 y2 dx dy points transform gradientunits
  gradienttransform offset stop-color stop-opacity stopcolor stopopacity text-anchor textanchor font-size font-family font-weight
  fontsize fontfamily fontweight dominant-baseline focusable version display mathvariant stretchy
  markdown data-theme data-lang data-language data-line data-line-numbers data-title data-label data-icon data-footnote-ref data-footnote-backref`.split(
    /\s+/,
  ),
);
// Standard elements that no page needs: a component in raw HTML must not have such a name.
const OTHER_STANDARD =
  /^(?:animate.*|set|discard|handler|listener|use|image|script|title|head|body|html|xmp|noembed|noframes|plaintext|marquee|bgsound|dialog|slot|canvas|listing|isindex|output|fieldset|datalist|map|area|selectedcontent|fencedframe|annotation.*|mglyph|malignmark|maction|desc|metadata|pattern|filter|fe[a-z]+|marker|textpath|view|switch|basefont|command|content|shadow|element|param|math|svg)$/;
const isStandard = (name: string) =>
  ELEMENTS.has(name) || EMBEDDING_ELEMENTS.test(name) || ASKING_ELEMENTS.test(name) || OTHER_STANDARD.test(name);
const PLAIN_NAME = /^[A-Za-z][\w-]*$/;
const BUILD_NAMES =
  /^(?:v-|x-|hx-|data-(?:hx|turbo|controller|action|on)|ng-|client-?$|set-?$|is$|innerhtml$|innertext$|outerhtml$|as$|component$)/i;

export const isAddressAttribute = (name: string): boolean => ADDRESS_ATTRIBUTES.test(name);

/** Whether an address would run code instead of navigating. */
export function isScriptAddress(address: string): boolean {
  // Browsers remove control characters and line breaks before they parse the scheme.
  return /^(?:javascript|vbscript|data:(?:text\/(?:html|xml|javascript)|application\/(?:xhtml|xml|javascript)))/i.test(
    address.replace(/[\p{Cc}\p{Cf}\p{DI}\s]/gu, ""),
  );
}

/** Reasons why an element could run code, cover the page, or send a reader's input elsewhere. */
export function elementReasons({
  name,
  attributes,
  isComponent = false,
}: MarkupElement & { isComponent?: boolean }): ElementReason[] {
  const lower = name.toLowerCase();
  // A component may be named Link, Frame or Select; an element may not.
  const isElement = /^[a-z]/.test(name) && !(isComponent && !isStandard(lower));
  const whole = lower === "script" ? SCRIPT : isElement ? elementReason(lower, attributes) : null;
  const reasons: ElementReason[] = whole === null ? [] : [{ reason: whole, attribute: null }];
  for (const attribute of attributes) {
    const reason = attributeReason(attribute, isElement);
    if (reason !== null) reasons.push({ reason, attribute });
  }
  return reasons;
}

function elementReason(name: string, attributes: readonly ElementAttribute[]): string | null {
  if (EMBEDDING_ELEMENTS.test(name)) return EMBEDDING;
  if (ASKING_ELEMENTS.test(name) || (name === "input" && !isHarmlessInput(attributes))) return ASKS;
  return ELEMENTS.has(name) ? null : UNKNOWN_ELEMENT;
}

function attributeReason({ name, text, code, codeReason }: ElementAttribute, isElement: boolean): string | null {
  if (isElement ? /^on/i.test(name) : /^on[A-Z]/.test(name) || HANDLERS.test(name)) return HANDLER;
  if (/^(?:dangerouslySetInnerHTML|srcdoc)$/i.test(name)) return RAW;
  if (SENDING_ATTRIBUTES.test(name)) return ASKS;
  if (CALLED_UNSEEN.has(name)) return UNKNOWN_ATTRIBUTE;
  if (/style$/i.test(name)) {
    if (text !== null ? !isPlainStyle(text) : code !== null && !isPlainStyleCode(code)) return OVERLAY;
  }
  if (/class(?:Name)?$/i.test(name)) {
    if (text !== null ? !isPlainClasses(text) : code !== null && !isPlainClassCode(code)) return OVERLAY;
  }
  if (text !== null && isScriptAddress(text)) return ADDRESS;
  if (!isPlainAttribute(name, isElement)) return UNKNOWN_ATTRIBUTE;
  return codeReason;
}

/** A component may have any plain attribute names; an element only those in the list. */
function isPlainAttribute(name: string, isElement: boolean): boolean {
  if (isElement) return ATTRIBUTES.has(name.toLowerCase()) || /^aria-[a-z]+$/i.test(name);
  return PLAIN_NAME.test(name) && !BUILD_NAMES.test(name);
}

// SVG and other elements that change the page according to their attributes.
const ACTING = /^(?:animate.*|set|discard|handler|listener|use|image|script|command|param)$/i;
// Plain text without markup, code or anything that could be an address.
const WORDS = /^(?![./#?&])(?!.*(?:\/\/|[\p{L}\p{N}]:\S))[^<>{}\\]*$/su;

/**
 * Whether an attribute of a custom element contains text for readers: a team's own `<Listing caption="…">`. Changing
 * that text does not make it a new element.
 */
export function holdsWords(element: string, { name, text }: ElementAttribute): boolean {
  if (text === null || !WORDS.test(text)) return false;
  if (ELEMENTS.has(element.toLowerCase()) || ACTING.test(element)) return false;
  const isActive =
    isAddressAttribute(name) || SENDING_ATTRIBUTES.test(name) || /^on|style$|class(?:name)?$|doc$|html$/i.test(name);
  return !isActive && PLAIN_NAME.test(name) && !BUILD_NAMES.test(name);
}

const isHarmlessInput = (attributes: readonly ElementAttribute[]) =>
  attributes.some(({ name, text }) => /^type$/i.test(name) && text !== null && HARMLESS_INPUTS.test(text.trim()));
