import type { ElementNode } from "#content/render/page-tree.ts";
import type { Printer } from "#content/render/printer.ts";
import { printTag } from "#content/render/print-tag.ts";
import { elementNode } from "#content/render/page-tree.ts";
import { escapeHtml } from "#content/render/html.ts";
import { printBadge, printBox, printCallout, printColour, printLatex, printTooltip } from "./callouts.ts";
import { printCard, printCardGrid, printColumn, printFrame, printTile } from "./cards.ts";
import {
  printDisclosure, printField, printGroup, printPrompt, printStep, printSteps, printTree, printTreeFile, printTreeFolder, printUpdate, printView,
} from "./sections.ts"; // oxfmt-ignore
import { printCodeBlock, printCodeGroup, printLoneTab, printTabs } from "./tabs.ts";

/** Prints one component. What it returns is HTML, so every text in it went through the printer or `escapeHtml`. */
export type Component = (element: ElementNode, printer: Printer) => string;

const printDescription: Component = (element, printer) => printer.blocks(element.children);
const printAccordion = printDisclosure("accordion");

/**
 * The components that pages may use without defining them: today's Mintlify dialect, and the few names of Nextra,
 * Docusaurus and Fumadocs that mean the same. A page's own component of the same name comes first.
 */
export const COMPONENTS: Record<string, Component> = {
  Note: printCallout,
  Info: printCallout,
  Important: printCallout,
  Tip: printCallout,
  Check: printCallout,
  Success: printCallout,
  Warning: printCallout,
  Danger: printCallout,
  Error: printCallout,
  Callout: printCallout,
  Admonition: printCallout,
  Card: printCard,
  CardGroup: printCardGrid,
  Cards: printCardGrid,
  "Cards.Card": printCard,
  Columns: printCardGrid,
  Column: printColumn,
  Tiles: printCardGrid,
  Tile: printTile,
  Frame: printFrame,
  Steps: printSteps,
  Step: printStep,
  Tabs: printTabs,
  Tab: printLoneTab,
  "Tabs.Tab": printLoneTab,
  TabItem: printLoneTab,
  CodeGroup: printCodeGroup(""),
  RequestExample: printCodeGroup(" request-example"),
  ResponseExample: printCodeGroup(" response-example"),
  CodeBlock: printCodeBlock,
  Accordion: printAccordion,
  Expandable: printDisclosure("expandable"),
  Details: printAccordion,
  AccordionGroup: printGroup("accordion-group"),
  Accordions: printGroup("accordion-group"),
  ParamField: printField,
  ResponseField: printField,
  Property: printField,
  Properties: printGroup("fields"),
  Update: printUpdate,
  Tree: printTree,
  "Tree.Folder": printTreeFolder,
  "Tree.File": printTreeFile,
  FileTree: printTree,
  "FileTree.Folder": printTreeFolder,
  "FileTree.File": printTreeFile,
  Badge: printBadge,
  Tooltip: printTooltip,
  Panel: printBox("panel"),
  Banner: printBox("content-banner"),
  Prompt: printPrompt,
  View: printView,
  Latex: printLatex,
  Color: printColour,
  "Color.Row": printColour,
  "Color.Item": printColour,
  Icon: (element, printer) => printer.icon(element) || (printer.icon(element, "name") ?? ""),
  Link: (element, printer) => printTag({ ...element, name: "a" }, printer),
  Image: (element, printer) => printTag({ ...element, name: "img" }, printer),
  "React.Fragment": (element, printer) => printer.nodes(element.children),
  Fragment: (element, printer) => printer.nodes(element.children),
  // What is meant for agents is in the page's Markdown.
  Visibility: (element, printer) =>
    printer.text(element, "for") === "agents" ? "" : printDescription(element, printer),
  GitHub: printRepository,
  "GitHub.Repo": printRepository,
  Mermaid: (element, printer) =>
    `<pre class="mermaid" data-diagram="mermaid" tabindex="0"><code>${escapeHtml(printer.text(element, "chart") ?? "")}</code></pre>\n`,
  Snippet: (element, printer) => printer.nodes(element.children),
};

function printRepository(element: ElementNode, printer: Printer): string {
  const name = printer.text(element, "repo") ?? printer.text(element, "url") ?? "";
  const href = /^[\w.-]+\/[\w.-]+$/.test(name) ? `https://github.com/${name}` : (printer.text(element, "href") ?? name);
  if (href === "") return printer.nodes(element.children);
  return printCard(elementNode("Card", element.children, [["title", name], ["href", href], ["icon", "github"]]), printer); // oxfmt-ignore
}
