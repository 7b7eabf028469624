import type { Heading, Nodes, Parent, Root } from "mdast";
import { htmlTokens } from "#docs/markup/html-tokens.ts";
import { anchorsByNode, headingText } from "#docs/links/headings.ts";
import { AppError } from "#lib/app-error.ts";
import { noSuchName } from "./names.ts";

/** A heading with everything below it up to the next heading of the same or a higher level, by offsets. */
export interface Section {
  title: string;
  depth: number;
  /** Ids of its heading and of all anchors inside. */
  anchors: string[];
  start: number;
  /** Whether its heading is in a quote or a list item, whose marks begin its lines. */
  isHeld: boolean;
  /** After the heading's line. */
  bodyStart: number;
  end: number;
}

/** Every section of a page in document order; sections inside of components end with their component. */
export function sectionsOf(root: Root): Section[] {
  const ids = anchorsByNode(root);
  const sections: Section[] = [];
  const visit = (parent: Parent, isHeld: boolean): void => {
    for (const [index, node] of parent.children.entries()) {
      if (node.type === "heading") sections.push({ ...sectionOf(node, parent.children.slice(index + 1), ids), isHeld });
      else if ("children" in node && node.type !== "paragraph") visit(node, isHeld || !node.type.startsWith("mdxJsx"));
    }
  };
  visit(root, false);
  return sections;
}

function sectionOf(
  heading: Heading,
  rest: readonly Nodes[],
  ids: ReturnType<typeof anchorsByNode>,
): Omit<Section, "isHeld"> {
  const next = rest.findIndex((node) => node.type === "heading" && node.depth <= heading.depth);
  const below = next === -1 ? rest : rest.slice(0, next);
  // `</details>` of a box around the heading ends its section, like the element in MDX.
  const tags = unpairedTags(below.map((node) => (node.type === "html" ? node.value : null)));
  const inside = below.slice(0, tags.find(({ tag }) => tag.startsWith("</"))?.piece);
  const last = inside.at(-1) ?? heading;
  const anchors: string[] = [];
  const collect = (node: Nodes): void => {
    const anchor = ids.get(node);
    if (anchor) anchors.push(anchor.id);
    if ("children" in node) for (const child of node.children) collect(child);
  };
  for (const node of [heading, ...inside]) collect(node);
  return {
    title: headingText(heading),
    depth: heading.depth,
    anchors,
    start: heading.position?.start.offset ?? 0,
    bodyStart: heading.position?.end.offset ?? 0,
    end: last.position?.end.offset ?? 0,
  };
}

/** Void elements (HTML, 13.1.2), and those whose end tag may be omitted. */
const ENDLESS =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|option|thead|tbody|tfoot)$/i;

/** The tags without a counterpart in a sequence of HTML pieces, as `<name>` and `</name>`, each with its piece. */
export function unpairedTags(pieces: readonly (string | null)[]): { tag: string; piece: number }[] {
  const open: { tag: string; piece: number }[] = [];
  for (const [piece, html] of pieces.entries()) {
    for (const token of html === null ? [] : htmlTokens(html)) {
      if (token.kind === "text" || ENDLESS.test(token.name) || (token.kind === "open" && token.selfClosing)) continue;
      if (token.kind === "open") open.push({ tag: `<${token.name}>`, piece });
      else if (open.at(-1)?.tag === `<${token.name}>`) open.pop();
      else open.push({ tag: `</${token.name}>`, piece });
    }
  }
  return open;
}

/** The section with a title or an anchor. Throws `AppError` with the existing titles. */
export function findSection(sections: readonly Section[], requested: string): Section {
  const fold = (text: string) =>
    text
      .replace(/^#+\s*/, "")
      .replaceAll(/\s+/g, " ")
      .trim()
      .toLowerCase();
  const name = fold(requested);
  const found = sections.filter((section) => fold(section.title) === name || section.anchors[0] === name);
  const [section, second] = found;
  if (section && !second) return section;
  if (section) throw new AppError("invalid", `The page has ${found.length} sections “${requested}”.`);
  throw noSuchName(
    "The page",
    "section",
    requested,
    sections.map(({ title }) => title),
  );
}
