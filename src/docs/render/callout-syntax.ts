import {
  Content,
  type MarkdownNode,
  type PageNode,
  type Value,
  elementNode,
  textNode,
} from "#docs/markup/page-nodes.ts";

const ALERTS: Record<string, string> = {
  NOTE: "Note",
  TIP: "Tip",
  IMPORTANT: "Info",
  WARNING: "Warning",
  CAUTION: "Danger",
};

const DIRECTIVES: Record<string, string> = {
  note: "Note",
  info: "Info",
  important: "Info",
  tip: "Tip",
  hint: "Tip",
  success: "Check",
  check: "Check",
  warning: "Warning",
  attention: "Warning",
  caution: "Danger",
  danger: "Danger",
  error: "Danger",
  details: "Accordion",
};

/** What VitePress has besides GitHub's. */
const MORE_ALERTS: Record<string, string> = { INFO: "Info", DANGER: "Danger" };

/**
 * GitHub's alert, a quote that starts with `[!NOTE]`, as a callout; null for any other quote. With `hasTitles` the rest of
 * that line is its title, as in VitePress.
 */
export function alertOf(quote: MarkdownNode, { hasTitles }: { hasTitles: boolean }): PageNode | null {
  const [paragraph, ...rest] = quote.children;
  if (paragraph?.kind !== "markdown" || paragraph.node.type !== "paragraph") return null;
  const [first, ...inline] = paragraph.children;
  const text = leadingText(first);
  const match = text === null ? null : /^\[!([A-Z]+)\][ \t]*/i.exec(text);
  if (!match || text === null) return null;
  const kind = match[1]?.toUpperCase() ?? "";
  const name = ALERTS[kind] ?? (hasTitles ? MORE_ALERTS[kind] : undefined);
  const remaining = text.slice(match[0].length);
  if (name === undefined || (!hasTitles && /^[^\n]/.test(remaining))) return null;
  const written = [textNode(remaining.replace(/^\n/, "")), ...inline];
  const { line, after } = hasTitles && !remaining.startsWith("\n") ? firstLine(written) : { line: [], after: written };
  const children = after.filter((node) => leadingText(node) !== "");
  // The line end after the marker can be a node of its own.
  if (isBreak(children[0])) children.shift();
  const title: [string, Value][] = line.length === 0 ? [] : [["title", new Content(line)]];
  const content = children.length > 0 ? [{ ...paragraph, children }, ...rest] : rest;
  // Some tools have titles for these kinds.
  return { ...elementNode(name, content, [["alert", kind], ...title]), line: quote.line };
}

const isBreak = (node: PageNode | undefined): boolean => node?.kind === "markdown" && node.node.type === "break";

function firstLine(nodes: readonly PageNode[]): { line: PageNode[]; after: PageNode[] } {
  const line: PageNode[] = [];
  for (const [index, node] of nodes.entries()) {
    const text = leadingText(node) ?? "";
    const end = text.indexOf("\n");
    if (end !== -1 || isBreak(node)) {
      if (end > 0) line.push(textNode(text.slice(0, end)));
      return { line, after: [textNode(text.slice(end + 1)), ...nodes.slice(index + 1)] };
    }
    if (text !== "" || leadingText(node) === null) line.push(node);
  }
  return { line, after: [] };
}

/**
 * Moves the nodes between `:::note Title` and `:::` into a callout. Nested ones have more colons or their own end. `onText` is
 * called for each mark without its counterpart, which is shown as text.
 */
export function joinDirectives(
  nodes: PageNode[],
  onText: (line: number | null, message: string) => void = () => undefined,
): PageNode[] {
  if (!nodes.some((node) => fenceOf(node) !== null)) return nodes;
  const result: PageNode[] = [];
  const open: { start: PageNode; name: string; title: string; children: PageNode[] }[] = [];
  const current = () => open.at(-1)?.children ?? result;
  for (const node of nodes) {
    const fence = fenceOf(node);
    if (fence === null) current().push(node);
    else if (fence.name === "" && open.length === 0) {
      onText(node.line, "::: is shown as text: no container that pages may use is open.");
      current().push(node);
    } else if (fence.name !== "") open.push({ start: node, name: fence.name, title: fence.title, children: [] });
    else {
      const done = open.pop();
      if (done)
        current().push({
          ...elementNode(done.name, done.children, done.title ? [["title", done.title]] : []),
          line: done.start.line,
        });
    }
  }
  // An unclosed one was perhaps not meant as a directive: its line is shown as written.
  for (const left of open) {
    onText(left.start.line, "The mark of a container is shown as text: no line of ::: closes it.");
    result.push(left.start, ...left.children);
  }
  return result;
}

function fenceOf(node: PageNode): { name: string; title: string } | null {
  if (node.kind !== "markdown" || node.node.type !== "paragraph") return null;
  const text = node.children.map((child) => leadingText(child) ?? "\u0000").join("");
  if (text.trim().includes("\n")) return null;
  const match = /^:{3,8}[ \t]*(?:$|([a-z]+)[ \t]*(?:\[([^\]]*)\]$|\{[^}]*\}$|(.*)))/is.exec(text.trim());
  if (!match) return null;
  const [, written, bracketed, plain] = match;
  if (written === undefined) return { name: "", title: "" };
  const name = DIRECTIVES[written.toLowerCase()];
  return name === undefined ? null : { name, title: (bracketed ?? plain ?? "").trim() };
}

function leadingText(node: PageNode | undefined): string | null {
  return node?.kind === "markdown" && node.node.type === "text" ? node.node.value : null;
}
