import { distance } from "fastest-levenshtein";

const MAX_LINES = 50_000;
const MAX_COMPARED_CHARACTERS = 200;
const SHOWN = 3;

/** The lines of the file nearest to a text that was not found, for an error message. */
export function nearestLines(text: string, wanted: string): string {
  const lines = text.split(/\r\n|\n/).slice(0, MAX_LINES);
  const wantedLines = wanted
    .split(/\r\n|\n/)
    .map(squeeze)
    .filter((line) => line !== "");
  const first = wantedLines[0] ?? "";
  const exact = runOf(lines, wantedLines);
  if (exact !== null) {
    return `Lines ${exact.from} to ${exact.to} differ from it in white space only; they read:\n${quoted(lines, exact.from, exact.to)}`;
  }
  const scored = lines
    .map((line, index) => ({ line: index + 1, text: line, score: score(first, squeeze(line)) }))
    .filter((candidate) => candidate.score < 0.5)
    .sort((a, b) => a.score - b.score || a.line - b.line)
    .slice(0, SHOWN);
  if (scored.length === 0) return "No line of the file is like it. Read the file again.";
  const list = scored.map((candidate) => `${candidate.line}| ${candidate.text.slice(0, 300)}`).join("\n");
  return `The nearest lines of the file to its first line are:\n${list}`;
}

function runOf(lines: readonly string[], wanted: readonly string[]): { from: number; to: number } | null {
  if (wanted.length === 0 || wanted.length > 200) return null;
  const filled = lines.flatMap((line, index) =>
    squeeze(line) === "" ? [] : [{ line: index + 1, text: squeeze(line) }],
  );
  for (let start = 0; start + wanted.length <= filled.length; start += 1) {
    if (wanted.every((text, offset) => filled[start + offset]?.text === text)) {
      return { from: filled[start]?.line ?? 1, to: filled[start + wanted.length - 1]?.line ?? 1 };
    }
  }
  return null;
}

function quoted(lines: readonly string[], from: number, to: number): string {
  return lines
    .slice(from - 1, Math.min(to, from + 20))
    .map((line, index) => `${from + index}| ${line.slice(0, 300)}`)
    .join("\n");
}

function score(wanted: string, line: string): number {
  if (line === "" || wanted === "") return 1;
  const a = wanted.slice(0, MAX_COMPARED_CHARACTERS);
  const b = line.slice(0, MAX_COMPARED_CHARACTERS);
  if (a.length >= 8 && b.includes(a)) return 0.1;
  const longest = Math.max(a.length, b.length);
  if (Math.abs(a.length - b.length) > longest / 2) return 1;
  return distance(a, b) / longest;
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}
