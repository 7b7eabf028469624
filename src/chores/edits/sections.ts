import type { Heading, Nodes, Parent, Root } from "mdast";
import { anchorsByNode, headingText } from "#docs/links/headings.ts";
import { AppError } from "#lib/app-error.ts";
import { firstClosing } from "./html-tags.ts";
import { noSuchName } from "./no-such-name.ts";

/** A heading with everything below it up to the next heading of its depth or above, by offsets. */
export interface Section {
  title: string;
  depth: number;
  /** Ids of its heading and of all anchors inside. */
  anchors: string[];
  start: number;
  /** Its heading stands in a quote or an item of a list, whose marks begin its lines. */
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
  // `</details>` of a box around the heading ends its section, as the element does in MDX.
  const closing = firstClosing(below.map((node) => (node.type === "html" ? node.value : null)));
  const inside = closing === -1 ? below : below.slice(0, closing);
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

/** The one section that a person means by its title or its anchor. Throws `AppError` with the titles there are. */
export function findSection(sections: readonly Section[], wanted: string): Section {
  const fold = (text: string) =>
    text
      .replace(/^#+\s*/, "")
      .replaceAll(/\s+/g, " ")
      .trim()
      .toLowerCase();
  const name = fold(wanted);
  const found = sections.filter((section) => fold(section.title) === name || section.anchors[0] === name);
  const [section, second] = found;
  if (section && !second) return section;
  if (section) throw new AppError("invalid", `The page has ${found.length} sections “${wanted}”.`);
  throw noSuchName(
    "The page",
    "section",
    wanted,
    sections.map(({ title }) => title),
  );
}
