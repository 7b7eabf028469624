// Diagram types that the library's small edition lacks. The site only needs that edition, a tenth of the whole.
const MISSING = new Set(["mindmap", "architecture", "architecture-beta"]);
const MAX_DIAGRAM = 50_000;

/** What the source of a diagram begins with, by the detectors of Mermaid 12, which look at nothing but its start. */
const KINDS =
  /^(?:graph|flowchart|swimlane-beta|C4(?:Context|Container|Component|Dynamic|Deployment)|agentflow-beta|block|classDiagram|cynefin-beta|erDiagram|eventmodeling|gantt|gitGraph|info|ishikawa|journey|kanban|packet|pie|quadrantChart|radar-beta|railroad(?:-abnf|-ebnf|-peg)?-beta|requirement|sankey|sequenceDiagram|stateDiagram|timeline|treeView-beta|treemap|usecase-beta|venn-beta|wardley-beta|xychart)/;
/** Those that Mermaid reads in any case. */
const ANY_CASE = /^(?:ishikawa|railroad|wardley)/i;

/** Why the site's script cannot draw a diagram; null when it can, provided that the rest of the source is valid. */
export function diagramProblem(source: string): string | null {
  if (source.length > MAX_DIAGRAM) return `it has more than ${MAX_DIAGRAM} characters`;
  const body = source.replace(/^\s*---\n[^]*?\n---\n/, "").replaceAll(/%%\{[^]{0,2000}?\}%%/g, "");
  const first = body.split("\n").find((line) => line.trim() !== "" && !line.trimStart().startsWith("%%"));
  if (first === undefined) return "it is empty";
  const start = first.trimStart();
  const kind = /^[\w-]+/.exec(start)?.[0] ?? "";
  if (MISSING.has(kind)) return `Docent has no ${kind} diagrams`;
  if (KINDS.test(start) || ANY_CASE.test(start)) return null;
  const shown = kind === "" ? start.slice(0, 20) : kind.slice(0, 40);
  return `it begins with "${shown}", which is not a kind of diagram`;
}
