import { fillVariables, type Variables } from "#docs/variables.ts";

/** A page's source made ready for the parser, with the way back to its own line numbers. */
export interface PreparedSource {
  source: string;
  /** Line in the page's file. */
  lineOf(line: number): number;
}

/**
 * Fills in `{{name}}` for the names that are known, and sets `:::` lines apart, so that each becomes a paragraph of
 * its own. Code fences are left as they are, apart from variables.
 */
export function prepareSource(source: string, variables: Variables): PreparedSource {
  return separateDirectives(fillVariables(source, variables));
}

function separateDirectives(source: string): PreparedSource {
  if (!/^[ \t]{0,8}:::/m.test(source)) return { source, lineOf: (line) => line };
  const lines = source.split("\n");
  const result: string[] = [];
  const origin: number[] = [];
  let fence: string | null = null;
  const push = (line: string, index: number) => {
    result.push(line);
    origin.push(index + 1);
  };
  for (const [index, line] of lines.entries()) {
    const marker = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && marker !== undefined) fence = marker;
    else if (fence !== null && marker?.startsWith(fence)) fence = null;
    const isDirective = fence === null && /^[ \t]{0,8}:{3,8}(?:[ \t]*$|[ \t]*[a-z])/i.test(line);
    if (isDirective) push("", index);
    push(isDirective ? line.trim() : line, index);
    if (isDirective) push("", index);
  }
  return { source: result.join("\n"), lineOf: (line) => origin[line - 1] ?? line };
}
