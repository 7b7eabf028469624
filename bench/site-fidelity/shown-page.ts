import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document;
type Element = DefaultTreeAdapterTypes.Element;
type Matches = (element: Element) => boolean;

/** What a page shows, in a form that does not depend on who built it. */
export interface ShownPage {
  title: string | null;
  /** Level, id and words of each heading below the title. */
  headings: string[];
  words: string[];
  links: string[];
  images: string[];
  code: string[];
  callouts: number;
  /** Titles of tabs, which tools place before or beside what they open. */
  tabs: string[];
  /** Title and address of each link of the navigation. */
  navigation: { title: string; address: string }[];
}

interface Parts {
  /** The parts that make up the page, outermost first found; all of them are read. */
  content: Matches;
  title: Matches;
  /** What the tool adds to a page. */
  added: Matches;
  callout: Matches;
  navigation: Matches;
  /** Links in the navigation that do not belong to it. */
  notNavigation?: Matches;
}

const classes = (element: Element): string[] =>
  (element.attrs.find(({ name }) => name === "class")?.value ?? "").split(/\s+/);
const attributeOf = (element: Element, key: string): string | null =>
  element.attrs.find(({ name }) => name === key)?.value ?? null;
const has =
  (...names: string[]): Matches =>
  (element) =>
    classes(element).some((each) => names.includes(each));
const isTag =
  (...names: string[]): Matches =>
  (element) =>
    names.includes(element.tagName);
const any =
  (...all: Matches[]): Matches =>
  (element) =>
    all.some((matches) => matches(element));
const hasClassLike =
  (pattern: RegExp): Matches =>
  (element) =>
    classes(element).some((each) => pattern.test(each));

const UNREAD = any(isTag("script", "style", "template", "button", "svg", "select", "noscript"), has("sr-only"));
const isTab: Matches = (element) =>
  attributeOf(element, "role") === "tab" ||
  has("tab-label")(element) ||
  (element.tagName === "label" && attributeOf(element, "for") !== null);
const none: Matches = () => false;

/** Where a tool's default theme has the parts of a page. */
export const PARTS = {
  docent: {
    content: has("content"),
    title: isTag("h1"),
    added: any(has("heading-anchor", "footnote-back", "site-unseen"), isTag("dialog")),
    callout: has("callout"),
    navigation: none,
  },
  mkdocs: {
    content: has("md-content__inner"),
    title: isTag("h1"),
    added: any(
      has(
        "headerlink",
        "md-content__button",
        "md-source-file",
        "md-feedback",
        "md-tags",
        "footnote-backref",
        "linenos",
      ),
      hasClassLike(/^__codelineno/),
    ),
    callout: (element) => has("admonition")(element) && element.tagName !== "details",
    navigation: has("md-nav--primary"),
    notNavigation: any(has("md-nav--secondary", "md-nav__source", "md-nav__button"), isTag("label")),
  },
  docusaurus: {
    content: any(has("theme-doc-markdown"), has("markdown")),
    title: isTag("h1"),
    added: any(has("hash-link"), hasClassLike(/^(?:buttonGroup|codeBlockLineNumber|tocCollapsible)/)),
    callout: has("theme-admonition"),
    navigation: has("theme-doc-sidebar-menu"),
    // A category without a page of its own refers to its first page until scripts run.
    notNavigation: has("menu__link--sublist-caret"),
  },
  vitepress: {
    content: has("vp-doc", "VPHero", "VPFeatures"),
    // The title of a home page has the text below it in the same heading.
    title: (element) => has("name")(element) || (element.tagName === "h1" && !has("heading")(element)),
    added: any(has("header-anchor", "lang", "line-numbers-wrapper", "VPDocFooter", "vpi-external-link-icon")),
    callout: (element) => has("custom-block")(element) && element.tagName !== "details",
    navigation: has("VPSidebar"),
  },
  starlight: {
    content: has("sl-markdown-content", "hero", "sl-banner"),
    title: isTag("h1"),
    added: any(has("sl-anchor-link", "data-footnote-backref"), hasClassLike(/^sr-/)),
    callout: has("starlight-aside"),
    navigation: has("sidebar-content"),
  },
} satisfies Record<string, Parts>;

/** Reads the HTML of a page. `address` normalises what links and pictures refer to. */
export function readShownPage(html: string, parts: Parts, address: (href: string) => string | null): ShownPage {
  const document = parse(html);
  const contents = outermost(document, parts.content);
  const page: ShownPage = { title: null, headings: [], words: [], links: [], images: [], code: [], tabs: [], callouts: 0, navigation: [] }; // oxfmt-ignore
  const heading = outermost(document, parts.title)[0];
  page.title = heading === undefined ? null : squeezed(textOf(heading, parts.added));
  for (const content of contents) {
    for (const element of elements(content, any(UNREAD, parts.added))) readElement(element, page, { parts, address });
    page.words.push(...wordsOf(textOf(content, any(parts.added, parts.title, isTag("pre"), isTab))));
  }
  for (const menu of outermost(document, parts.navigation))
    for (const link of elements(menu, parts.notNavigation ?? none)) {
      const href = link.tagName === "a" ? attributeOf(link, "href") : null;
      const target = href === null ? null : address(href);
      if (target !== null) page.navigation.push({ title: squeezed(textOf(link, none)), address: target });
    }
  return page;
}

function readElement(
  element: Element,
  page: ShownPage,
  { parts, address }: { parts: Parts; address: (href: string) => string | null },
): void {
  const { tagName } = element;
  if (parts.callout(element)) page.callouts += 1;
  if (isTab(element)) {
    page.tabs.push(squeezed(textOf(element, parts.added)));
    return;
  }
  if (/^h[2-6]$/.test(tagName) && !has("title")(element)) {
    const id = attributeOf(element, "id") ?? idWithin(element);
    page.headings.push(`${tagName} #${id ?? ""} ${squeezed(textOf(element, parts.added))}`);
  } else if (tagName === "a" && !has("toclink", "site-zoom")(element)) {
    const target = address(attributeOf(element, "href") ?? "");
    if (target !== null) page.links.push(target);
  } else if (tagName === "img") {
    page.images.push(pictureName(attributeOf(element, "src") ?? ""));
  } else if (tagName === "pre") page.code.push(codeOf(element, parts.added));
}

/** Some themes have the id on an element around the heading or in it. */
function idWithin(element: Element): string | null {
  for (const each of elements(element, none)) if (attributeOf(each, "id") !== null) return attributeOf(each, "id");
  const parent = element.parentNode;
  return parent !== null && "attrs" in parent ? attributeOf(parent, "id") : null;
}

/** The name of a picture's file without what a build adds to it. */
function pictureName(src: string): string {
  if (src.startsWith("data:")) return "data:";
  const file =
    decodeURI(src.replace(/[?#].*/s, ""))
      .split("/")
      .at(-1) ?? "";
  return file.replace(/(?:-[0-9a-f]{32}|\.[\w-]{8}(?:_\w+)?)?\.\w+$/, "").toLowerCase();
}

function codeOf(pre: Element, added: Matches): string {
  const text = rawText(pre, any(added, isTag("button")), { breaks: true });
  return text
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
/** Typographic quotation marks count as straight ones. */
const squeezed = (text: string): string =>
  text
    .replaceAll(/[\s\u200B]+/g, " ")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .trim();
const textOf = (element: Element, left: Matches): string => rawText(element, any(UNREAD, left), { breaks: false });

const INLINE = isTag("abbr", "b", "code", "del", "em", "i", "kbd", "mark", "s", "small", "span", "strong", "sub", "u", "font", "wbr", "var", "samp", "q", "ins"); // oxfmt-ignore

function rawText(element: Element, left: Matches, { breaks }: { breaks: boolean }): string {
  let text = "";
  for (const child of element.childNodes) {
    if ("value" in child) text += child.value;
    else if ("tagName" in child && !left(child)) {
      if (breaks && child.tagName === "br") text += "\n";
      const inner = rawText(child, left, { breaks });
      if (breaks) text += child.tagName === "div" ? `${inner}\n` : inner;
      else text += INLINE(child) ? inner : ` ${inner} `;
    }
  }
  return text;
}

function* elements(node: Node, left: Matches): Generator<Element> {
  if (!("childNodes" in node)) return;
  for (const child of node.childNodes) {
    if (!("tagName" in child) || left(child)) continue;
    yield child;
    yield* elements(child, left);
  }
}

function outermost(node: Node, matches: Matches): Element[] {
  if (!("childNodes" in node)) return [];
  return node.childNodes.flatMap((child) => {
    if (!("tagName" in child)) return [];
    return matches(child) ? [child] : outermost(child, matches);
  });
}
