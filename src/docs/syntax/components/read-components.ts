import type { DialectName } from "#docs/dialect.ts";
import { Content, type ElementNode, type PageNode, type Value } from "#docs/markup/page-nodes.ts";
import { TITLE } from "#docs/syntax/markers.ts";
import { docusaurusTags } from "./docusaurus.ts";
import { fumadocsTags } from "./fumadocs.ts";
import { gitbookTags, mkdocsTags, vitepressTags } from "./html.ts";
import { nextraTags } from "./nextra.ts";
import { starlightTags } from "./starlight.ts";
import { type TagReader, type TagReaders, renamed } from "./reader.ts";

const READERS: Partial<Record<DialectName, TagReaders>> = {
  docusaurus: docusaurusTags,
  starlight: starlightTags,
  vitepress: vitepressTags,
  mkdocs: mkdocsTags,
  gitbook: gitbookTags,
  nextra: nextraTags,
  fumadocs: fumadocsTags,
};

const CALLOUTS: ReadonlySet<string> = new Set([
  "Note",
  "Info",
  "Important",
  "Tip",
  "Check",
  "Warning",
  "Danger",
  "Error",
  "Callout",
]);

export const isCallout = (name: string | null): boolean => CALLOUTS.has(name ?? "");

/** Translates a tool's components to ours, innermost first. Components that the page defines were expanded before. */
export function readComponents(
  nodes: readonly PageNode[],
  dialect: DialectName,
  calloutTitles: Readonly<Record<string, string>> = {},
): PageNode[] {
  if (dialect === "native") return [...nodes];
  const read = (node: PageNode): PageNode[] => {
    const children = node.children.flatMap(read);
    if (node.kind === "markdown") return [{ ...node, children }];
    const props = new Map(
      [...node.props].map(([name, value]): [string, Value] =>
        value instanceof Content ? [name, new Content(value.nodes.flatMap(read))] : [name, value],
      ),
    );
    const element = withTitle({ ...node, props, children });
    const translated = tagReader(element.name, dialect)?.(element) ?? [element];
    return translated.map((each) => (each.kind === "element" ? withUsualTitle(each, calloutTitles) : each));
  };
  return nodes.flatMap(read);
}

/** The title that the tool shows on this page for a callout without one. */
function withUsualTitle(element: ElementNode, titles: Readonly<Record<string, string>>): ElementNode {
  const { name, props } = element;
  const kind = name === "Accordion" ? "details" : (props.get("label") ?? props.get("alert"));
  const title = typeof kind === "string" && Object.hasOwn(titles, kind.toLowerCase()) && titles[kind.toLowerCase()];
  if (!title || props.has("title") || (name !== "Accordion" && !CALLOUTS.has(name))) return element;
  // Only a title of the page's own makes an anchor.
  return { ...element, props: new Map([...props, [name === "Accordion" ? "summary" : "title", title]]) };
}

/** Translates a tag of the tool to native nodes; null if the tool has none of this name. */
export function tagReader(name: string, dialect: DialectName): TagReader | null {
  const readers = READERS[dialect] ?? {};
  return (Object.hasOwn(readers, name) ? readers[name] : undefined) ?? readerOfIcon(name, dialect);
}

/** React icon sets have one component per icon. */
function readerOfIcon(name: string, dialect: DialectName): TagReader | null {
  const icon = dialect === "nextra" || dialect === "fumadocs" ? /^([A-Z]\w+)Icon$/.exec(name)?.[1] : undefined;
  if (icon === undefined) return null;
  const words = icon.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[a-z])(?=\d)/g, "-").toLowerCase();
  return (element) => (element.children.length > 0 ? [element] : [renamed(element, "Icon", [["icon", words]])]);
}

/** Parses a Markdown title, which a callout shows formatted and other components show as text. */
function withTitle(element: ElementNode): ElementNode {
  const [title] = element.children;
  if (title?.kind !== "element" || title.name !== TITLE) return element;
  const children = element.children.slice(1);
  if (!CALLOUTS.has(element.name)) return { ...element, children };
  return { ...element, props: new Map([...element.props, ["title", new Content(title.children)]]), children };
}
