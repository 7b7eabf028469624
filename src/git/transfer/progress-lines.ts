/** Splits git's progress output into lines, which end with `\n` or `\r`. */
export function createLineSplitter(onLine: (line: string) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split(/[\r\n]+/);
    rest = (lines.pop() ?? "").slice(0, 10_000);
    for (const line of lines) if (line.trim() !== "") onLine(line.trimEnd());
  };
}
