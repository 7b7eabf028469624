/** Whose fault a finding is: ours, or that of the repository's authors. */
export type Fault = "ours" | "author";

export interface Cause {
  fault: Fault;
  name: string;
}

/** Warnings about the repository itself: a missing file, invalid MDX. All others count as ours. */
const AUTHORS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/there is no such file/, "names a file that is not in the repository"],
  [/^MDX syntax error|^Repaired for display|shown as plain Markdown because/, "is no valid MDX"],
  [/^There is no icon/, "icon in no free set"],
  [/^The YAML|front ?matter/i, "front matter is no YAML"],
  [/exports no /, "imports a name that is not exported"],
];
/** Names that a browser or React defines: a page that uses them is correct. */
const KNOWN_NAMES = /^(?:window|document|navigator|location|localStorage|sessionStorage|fetch|console|process|globalThis|React|use[A-Z]\w*|create[A-Z]\w*|set[A-Z]\w*|clear[A-Z]\w*|[A-Z][a-z]\w*)$/; // oxfmt-ignore

/**
 * The cause of a warning, so that warnings with one cause are counted together. `source` is the page's own: a component that it
 * does not import or define, and that no host documents, is a mistake of its author.
 */
export function causeOf(message: string, source = ""): Cause {
  for (const [pattern, name] of AUTHORS) if (pattern.test(message)) return { fault: "author", name };
  const component = /^<([\w.]+)> is not a component of this site/.exec(message)?.[1];
  if (component !== undefined && !isBrought(source, component))
    return { fault: "author", name: "uses a component that nothing defines" };
  const name = /: ([\w$]+) is not defined in this page/.exec(message)?.[1];
  if (name !== undefined && !KNOWN_NAMES.test(name) && !isBrought(source, name))
    return { fault: "author", name: "uses a name that nothing defines" };
  const words = message
    .replaceAll(/https?:\/\/\S+/g, "ADDRESS")
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\{[^]*\}/g, "{…}")
    .replaceAll(/line \d+/g, "line N")
    .slice(0, 140);
  return { fault: "ours", name: words };
}

/** Components that hosts of this format document, and that a page may use without a definition. */
const DOCUMENTED = new Set(
  `Accordion AccordionGroup Badge Banner Callout Card CardGroup Check CodeBlock CodeGroup Color Column Columns Danger Expandable
  Frame Icon Image Info Latex Link MDXComponents Mermaid Note Panel ParamField Prompt RequestExample ResponseExample ResponseField Snippet
  Step Steps Tab Tabs Tile Tiles Tip Tooltip Tree Update Video View Visibility Warning`.split(/\s+/),
);

function isBrought(source: string, name: string): boolean {
  const [first = name] = name.split(".");
  if (DOCUMENTED.has(first)) return true;
  return source
    .split("\n")
    .some(
      (line) => /^\s*(?:import|export|const|let|var|function)\b/.test(line) && line.split(/[^\w$]+/).includes(first),
    );
}
