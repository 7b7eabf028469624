import type { Code, Nodes } from "mdast";
import { jsxOfHtml, quotedAttribute } from "./jsx-text.ts";
import {
  attribute,
  closeOf,
  isTitle,
  markedLineEnd,
  type MarkedElement,
  type NativeForm,
  prefixAt,
  type ReadBlocks,
  startOf,
} from "./tool-marks.ts";

/** Callouts that `:::` can write, in Markdown too. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  Note: "note",
  Info: "info",
  Tip: "tip",
  Check: "check",
  Warning: "warning",
  Danger: "danger",
};

/** Whether a block needs no component: HTML, the settings of a block of code, a callout that `:::` can write. */
export function isPlainBlock(source: string, node: MarkedElement, codes: ReadBlocks["codes"]): boolean {
  const name = calloutOf(node);
  if (/^[a-z]/.test(name)) return !/[*_`[\\<&]/.test(source.slice(startOf(node), markedLineEnd(source, startOf(node))));
  return isNothing(name) || ownCode(node, codes) !== null || isDirective(source, node);
}

/** A table of contents in the text is left out: every native page has one beside it. */
const isNothing = (name: string): boolean => name === "Fragment" || name === "TOCInline";

/** A callout at the top level, with plain text as its title. */
function isDirective(source: string, node: MarkedElement): boolean {
  const [title] = node.children as Nodes[];
  const words = isTitle(title) && title !== undefined && "children" in title ? (title.children as Nodes[]) : [];
  const others = node.attributes.filter(
    (each) => each.type === "mdxJsxAttribute" && !/^(?:title|type)$/.test(each.name),
  );
  return (
    Object.hasOwn(DIRECTIVES, calloutOf(node)) &&
    words.every(({ type }) => type === "text") &&
    others.length === 0 &&
    prefixAt(source, startOf(node)) === ""
  );
}

/** `<Callout type="info">` looks the same as `<Info>`. */
function calloutOf({ name, attributes }: MarkedElement): string {
  if (name !== "Callout") return name ?? "";
  const [only, ...others] = attributes.filter((each) => each.type === "mdxJsxAttribute" && each.name !== "title");
  if (only?.type !== "mdxJsxAttribute" || others.length > 0 || only.name !== "type") return name;
  const named = Object.entries(DIRECTIVES).find(([, type]) => type === only.value || (type === "check" && only.value === "success")); // oxfmt-ignore
  return named?.[0] ?? name;
}

/** The block of code that a `CodeBlock` of GitBook only gives settings to. */
export function ownCode(element: MarkedElement, codes: ReadBlocks["codes"]): Code | null {
  const [only, ...others] = element.children;
  return element.name === "CodeBlock" && only?.type === "code" && others.length === 0 && codes.has(only) ? only : null;
}

/** Addresses by the names of definitions. */
export type Definitions = ReadonlyMap<string, string>;

/** The opening and the closing tag of a block. */
export function tagsOf(
  source: string,
  node: MarkedElement,
  { form, definitions }: { form: NativeForm; definitions: Definitions },
): { open: string; close: string } {
  const name = calloutOf(node);
  if (isNothing(name)) return { open: "", close: "" };
  const isCallout = Object.hasOwn(DIRECTIVES, name) || /^(?:Important|Error|Callout)$/.test(name);
  const title = attribute(node, "title");
  if (form.hasDirectives && isDirective(source, node) && (form.format === "md" || !/[{<]/.test(title ?? "")))
    return { open: `:::${DIRECTIVES[name]}${title === null ? "" : ` ${title}`}`, close: ":::" };
  const holder = node.children[0];
  const marked = isCallout && isTitle(holder) && holder !== undefined ? jsxTitle(holder, definitions) : null;
  const attributes = node.attributes.flatMap((each) => {
    if (each.type !== "mdxJsxAttribute" || each.name.startsWith("data-")) return [];
    if (each.name === "type" && name !== node.name) return [];
    if (each.name === "title" && marked !== null) return [`title={<>${marked}</>}`];
    return [typeof each.value === "string" ? `${each.name}=${quotedAttribute(each.value)}` : each.name];
  });
  const tag = [name, ...attributes].join(" ");
  const isWhole = node.children.length === 0 && closeOf(source, node) === markedLineEnd(source, startOf(node));
  return isWhole && !/^(?:Tab|Step|Column|Accordion)$/.test(name)
    ? { open: `<${tag} />`, close: "" }
    : { open: `<${tag}>`, close: `</${name}>` };
}

/** A title with formatting as JSX; null if it is only text. */
function jsxTitle(holder: Nodes, definitions: Definitions): string | null {
  const children = "children" in holder ? (holder.children as Nodes[]) : [];
  return children.every(({ type }) => type === "text")
    ? null
    : children.map((child) => jsxOf(child, definitions)).join("");
}

const TAGS: Readonly<Record<string, string>> = { strong: "strong", emphasis: "em", delete: "del" };

function jsxOf(node: Nodes, definitions: Definitions): string {
  if (node.type === "text") return /[{}<>&]|^\s|\s$/.test(node.value) ? `{${JSON.stringify(node.value)}}` : node.value;
  if (node.type === "inlineCode") return `<code>{${JSON.stringify(node.value)}}</code>`;
  if (node.type === "html") return jsxOfHtml(node.value).text;
  const inner = "children" in node ? (node.children as Nodes[]).map((child) => jsxOf(child, definitions)).join("") : "";
  const url =
    node.type === "link" ? node.url : node.type === "linkReference" ? definitions.get(node.identifier) : undefined;
  if (url !== undefined) return `<a href=${quotedAttribute(url)}>${inner}</a>`;
  const tag = TAGS[node.type];
  return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`;
}
