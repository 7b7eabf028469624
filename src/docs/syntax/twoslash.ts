const CUT = /^[ \t]*\/\/ ?---cut(?:-(before|after|start|end))?---[ \t]*$/;
/** Settings of the compiler and questions about types. `@filename` stays, and so do comments of TypeScript such as `@ts-ignore`. */
const NOTE = /^[ \t]*\/\/(?: ?@(?!filename:)\w+(?::.*|[ \t]*)|[ \t]*\^[?|].*)$/;

/** The code that a block with `twoslash` shows: the rest is there for the compiler, which Docent does not run. */
export function withoutTwoslash(code: string): string {
  let shown: string[] = [];
  let isCut = false;
  for (const line of code.split("\n")) {
    const cut = CUT.exec(line);
    if (cut === null) {
      if (!isCut && !NOTE.test(line)) shown.push(line);
      continue;
    }
    const [, kind = "before"] = cut;
    if (kind === "before") shown = [];
    if (kind === "after") break;
    isCut = kind === "start";
  }
  return shown.join("\n");
}
