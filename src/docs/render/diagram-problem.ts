// Kinds that are not in the library's small edition, which needs no others and is a tenth of the whole.
const MISSING = new Set(["mindmap", "architecture", "architecture-beta"]);
const MAX_DIAGRAM = 50_000;

/** Why the site's script will not draw a diagram; null when it will, if the source is right. */
export function diagramProblem(source: string): string | null {
  if (source.length > MAX_DIAGRAM) return `it has more than ${MAX_DIAGRAM} characters`;
  const body = source.replace(/^\s*---\n[^]*?\n---\n/, "");
  const first = body.split("\n").find((line) => line.trim() !== "" && !line.trimStart().startsWith("%%")) ?? "";
  const kind = /^\s*([\w-]+)/.exec(first)?.[1] ?? "";
  if (MISSING.has(kind)) return `Docent has no ${kind} diagrams`;
  return kind === "" ? "it does not say of which kind it is" : null;
}
