import {
  type Atrule, type CssNode, type Declaration, type List, type Rule, type Selector, clone, generate, parse, walk,
} from "css-tree/dist/csstree.esm"; // oxfmt-ignore

/** Styles for the content of a site's pages, and the parts that were removed. */
export interface ScopedCss {
  css: string;
  left: { line: number | null; message: string }[];
}

const SCOPE = ".content ";
const MAX_CHARACTERS = 300_000; // 100 KB take up to a second
const MAX_RULES = 5_000;
const MAX_DEPTH = 60;
const MAX_LEFT = 20;
const AT_RULES = new Set(["media", "supports", "container", "keyframes", "-webkit-keyframes"]);
// Functions that fetch a string instead of an address, or read what the author does not own.
const FETCHING = /^(?:-webkit-|-moz-)?(?:image|image-set|src|cross-fade|element|paint|expression|attr|env)$/i;
const REFUSED_PROPERTIES = /^(?:behavior|-moz-binding|-ms-behavior)$/i;
/** Elements around the content, which a selector may name. */
const OUTER = new Set(["html", "body", "main"]);
const DARK = /^(?:dark|theme-dark)$/;

/**
 * Rewrites styles so that they apply to the content of pages only, and load nothing but what `address` returns for a path as
 * written. Selectors are scoped to the content; rules for dark pages follow both the reader's system and the site's switch.
 * What cannot be scoped is removed. The content's box clips what it draws (`content.css`).
 */
export function scopeCss(source: string, address: (written: string) => string | null): ScopedCss {
  const left: ScopedCss["left"] = [];
  const leave = (node: CssNode | null, message: string) => {
    if (left.length < MAX_LEFT) left.push({ line: node?.loc?.start.line ?? null, message });
  };
  if (source.length > MAX_CHARACTERS || nestsDeeply(source)) {
    leave(
      null,
      source.length > MAX_CHARACTERS ? "the styles are larger than 300 KB" : "the styles are nested too deeply",
    );
    return { css: "", left };
  }
  let rules = 0;
  const place = (nodes: List<CssNode>): string => {
    let css = "";
    nodes.forEach((node) => {
      rules += 1;
      if (rules > MAX_RULES) {
        if (rules === MAX_RULES + 1) leave(node, `there are more than ${MAX_RULES} rules`);
      } else if (node.type === "Rule") css += placeRule(node);
      else if (node.type === "Atrule") css += placeAtRule(node);
      else if (node.type === "Raw" && node.value.trim() !== "") leave(node, "a part is no CSS");
    });
    return css;
  };
  const placeAtRule = (rule: Atrule): string => {
    const name = rule.name.toLowerCase();
    const prelude = rule.prelude === null ? "" : generate(rule.prelude);
    if (name === "layer" && rule.block !== null) return place(rule.block.children);
    if (!AT_RULES.has(name) || rule.block === null || /[\\<]|url\(/i.test(prelude)) {
      leave(rule, `@${rule.name.slice(0, 30)} cannot be used here`);
      return "";
    }
    if (name.endsWith("keyframes")) {
      const frames = rule.block.children.toArray().filter((each): each is Rule => each.type === "Rule");
      const body = frames.map((each) => `${generate(each.prelude)}{${declarations(each)}}`).join("");
      return /^[\w-]{1,60}$/.test(prelude) ? `@${name} ${prelude}{${body}}` : "";
    }
    const inner = place(rule.block.children);
    return inner === "" ? "" : `@${name} ${prelude}{${inner}}`;
  };
  const placeRule = (rule: Rule): string => {
    if (rule.prelude.type !== "SelectorList") {
      leave(rule, "a selector cannot be read");
      return "";
    }
    const body = declarations(rule);
    if (body === "") return "";
    const [light, dark]: [string[], string[]] = [[], []];
    rules += rule.prelude.children.size - 1;
    if (rules > MAX_RULES) return "";
    rule.prelude.children.forEach((selector) => {
      const placed = selector.type === "Selector" ? placeSelector(selector) : null;
      if (placed === null) leave(rule, "a selector reaches out of the content of a page");
      else (placed.isDark ? dark : light).push(placed.text);
    });
    const plain = light.length === 0 ? "" : `${light.join(",")}{${body}}`;
    const on = (root: string) => `${dark.map((text) => root + text).join(",")}{${body}}`;
    if (dark.length === 0) return plain;
    return `${plain}${on(':root[data-theme="dark"] ')}@media (prefers-color-scheme:dark){${on(':root:not([data-theme="light"]) ')}}`;
  };
  const declarations = (rule: Rule): string =>
    rule.block.children
      .toArray()
      .flatMap((node) => {
        if (node.type === "Declaration") return declaration(node);
        leave(node, "a rule inside of a rule cannot be used here");
        return [];
      })
      .join(";");
  const declaration = (node: Declaration): string[] => {
    let refused: string | null = REFUSED_PROPERTIES.test(node.property) ? node.property : null;
    walk(node.value, (each) => {
      if (each.type === "Function" && FETCHING.test(each.name)) refused = `${each.name}()`;
      if (each.type === "Raw" && /[\\@<{]|url|src|image/i.test(each.value)) refused = "a value that cannot be read";
      if (each.type !== "Url") return;
      const href = localAddress(each.value, address);
      if (href === null) refused = `url(${each.value.slice(0, 80)})`;
      else each.value = href;
    });
    const value = generate(node.value);
    if (refused === null && /\\/.test(value) && !/^content$/i.test(node.property)) refused = "an escape";
    if (refused === null && /<\//.test(value)) refused = "</";
    if (refused === null && /^[\w-]{1,100}$/.test(node.property))
      return [`${node.property}:${value}${node.important === false ? "" : "!important"}`];
    leave(node, `${node.property.slice(0, 60)} is left out: ${refused ?? "it is no property"}`);
    return [];
  };
  try {
    const sheet = parse(source, { positions: true, parseCustomProperty: true });
    const css = sheet.type === "StyleSheet" ? place(sheet.children) : "";
    return css.length > 2 * MAX_CHARACTERS
      ? { css: "", left: [{ line: null, message: "the styles are too large" }] }
      : { css, left };
  } catch {
    leave(null, "the styles cannot be read");
    return { css: "", left };
  }
}

function localAddress(written: string, address: (written: string) => string | null): string | null {
  if (/^#[\w-]{1,100}$/.test(written)) return written;
  if (/^data:(?:image\/(?:png|jpeg|gif|webp|svg\+xml)|font\/woff2?)[;,][^\s"'\\()<>]*$/i.test(written)) return written;
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|\\)|[\s"'\\()<>]/i.test(written)) return null;
  const href = address(written);
  return href !== null && /^\/(?!\/)[^\s"'\\()<>]*$/.test(href) ? href : null;
}

/** Scopes a selector to the content, dropping its references to the page around it. Null for one that leaves the content. */
function placeSelector(written: Selector): { text: string; isDark: boolean } | null {
  const selector = clone(written) as Selector;
  let isDark = false;
  let isOut = false;
  walk(selector, (node) => {
    if (node.type === "NestingSelector" || node.type === "Raw") isOut = true;
    if (node.type === "PseudoClassSelector" && /^(?:host|host-context|scope)$/i.test(node.name)) isOut = true;
  });
  const parts = selector.children.toArray();
  while (parts.length > 0) {
    const end = parts.findIndex((part) => part.type === "Combinator");
    const compound = end === -1 ? parts : parts.slice(0, end);
    const isDarkPart = compound.some(isDarkSelector);
    if (compound.length === 0 || !compound.every((part) => isOuter(part) || isDarkSelector(part))) break;
    isDark ||= isDarkPart;
    // The author must not style the page itself; rules for everything inside it are fine.
    if (end === -1) return null;
    parts.splice(0, end + 1);
  }
  const text = parts.map((part) => generate(part)).join("");
  if (isOut || parts[0]?.type === "Combinator" || text === "" || /[<{}\n]/.test(text)) return null;
  return { text: SCOPE + text, isDark };
}

function isOuter(part: CssNode): boolean {
  if (part.type === "TypeSelector") return OUTER.has(part.name.toLowerCase());
  if (part.type === "PseudoClassSelector") return part.name.toLowerCase() === "root";
  return false;
}

function isDarkSelector(part: CssNode): boolean {
  if (part.type === "ClassSelector") return DARK.test(part.name);
  return part.type === "AttributeSelector" && /^data-theme$/i.test(part.name.name) && /dark/.test(generate(part));
}

/** Whether brackets nest deeper than the parser's stack allows. */
function nestsDeeply(source: string): boolean {
  let depth = 0;
  for (const character of source) {
    if ("{([".includes(character)) depth += 1;
    else if ("})]".includes(character) && depth > 0) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
