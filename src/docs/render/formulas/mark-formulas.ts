import { startOfBody } from "#docs/syntax/lines.ts";
import { type TextRange } from "#docs/nodes.ts";
import { scanTag } from "#docs/markup/jsx-tag.ts";

/** How a site treats `$…$`: as formula, as text, or by its content. `$$…$$` is always a formula. */
export type DollarFormulas = "all" | "likely" | "none";

/** The value for the setting `latex` of docs.json. */
export function dollarFormulas(latex: boolean | null): DollarFormulas {
  if (latex === null) return "likely";
  return latex ? "all" : "none";
}

/** Replaces single dollars for the parser, which treats single ones as text. */
export const SINGLE = "$$$$";

/** As in `formulas.ts`. */
const MAX_FORMULA = 10_000;
const MAX_AHEAD = 10_000;
const MAX_LOOKED_AT = 200_000_000;

/**
 * Rewrites `$x^2$` to `$$$$x^2$$$$`, on the same line. A formula follows Pandoc's rule: no space inside the dollars, and
 * neither a letter nor a digit outside. So "$5 and $10" and "$HOME/$USER" stay text, and code, tags, expressions and front
 * matter are skipped. `MAX_LOOKED_AT` limits lookahead, so the time is bounded.
 */
export function markFormulas(source: string, formulas: DollarFormulas): string {
  if (formulas === "none" || !/\$[^\s$]/.test(source)) return source;
  let result = "";
  let done = 0;
  for (const { start, end, isSingle } of formulasIn(source, formulas)) {
    if (!isSingle) continue;
    result += source.slice(done, start) + SINGLE + source.slice(start + 1, end - 1) + SINGLE;
    done = end;
  }
  return result + source.slice(done);
}

/** The range of a formula including its dollars. */
export interface FormulaRange extends TextRange {
  isSingle: boolean;
}

/** The formulas in dollars, in the order of the source: `$…$` by the rule of `markFormulas`, `$$…$$`, and blocks. */
export function formulasIn(source: string, formulas: DollarFormulas): FormulaRange[] {
  const found: FormulaRange[] = [];
  if (!source.includes("$")) return found;
  let at = startOfBody(source);
  let left = MAX_LOOKED_AT;
  let lineStart = at === 0 || source[at - 1] === "\n";
  while (at < source.length && left > 0) {
    if (lineStart) {
      lineStart = false;
      const end = blockEnd(source, at);
      if (end > at) {
        if (/^[^`~$]{0,100}\$\$/.test(source.slice(at, end)) && !isModule(source, at))
          found.push({ start: at, end, isSingle: false });
        at = end;
        lineStart = true;
        continue;
      }
    }
    const character = source[at] ?? "";
    if ("`<{$".includes(character)) left -= MAX_AHEAD;
    if (character === "\n") lineStart = true;
    else if (character === "\\") at += 1;
    else if (character === "`") at = codeEnd(source, at) - 1;
    else if (character === "<") at += Math.max(1, scanTag(source.slice(at, at + MAX_AHEAD), 0)?.end ?? 1) - 1;
    else if (character === "{") at = expressionEnd(source, at) - 1;
    else if (character === "$") {
      const run = /\$+/y;
      run.lastIndex = at;
      const width = run.exec(source)?.[0].length ?? 1;
      const end = width === 1 ? formulaEnd(source, at) : closing(source, at, width);
      if (width === 1 && end !== null && isAccepted(source.slice(at + 1, end), formulas)) {
        found.push({ start: at, end: end + 1, isSingle: true });
        at = end;
      } else if (width > 1) {
        if (end !== null) found.push({ start: at, end: end + width, isSingle: false });
        at = (end ?? at) + width - 1;
      }
    }
    at += 1;
  }
  return found;
}

/** The end of a fence, a block of `$$` or a module statement that begins on this line; its start if it does not end. */
function blockEnd(source: string, start: number): number {
  const lineEnd = endOfLine(source, start);
  const line = source.slice(start, Math.min(lineEnd, start + 2_000));
  if (isModule(source, start)) {
    const blank = source.indexOf("\n\n", start);
    return blank === -1 ? source.length : blank + 1;
  }
  const fence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,}|\${2,}(?![^\n]*\$))/.exec(line)?.[1];
  if (fence === undefined) return start;
  for (let at = lineEnd + 1; at < source.length;) {
    const end = endOfLine(source, at);
    if (
      source
        .slice(at, Math.min(end, at + 500))
        .trimStart()
        .startsWith(fence)
    )
      return end + 1;
    at = end + 1;
  }
  return source.length;
}

const isModule = (source: string, start: number) => /^(?:import|export)\s/.test(source.slice(start, start + 10));

function endOfLine(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end;
}

/** The offset after a run of backticks and its matching closing run; after the first run if there is no match. */
function codeEnd(source: string, start: number): number {
  let width = 1;
  while (source[start + width] === "`") width += 1;
  const near = source.slice(start + width, start + width + MAX_AHEAD);
  const paragraph = near.slice(0, near.search(/\n[ \t]*\n|$/));
  const end = new RegExp(`(?<!\`)\`{${width}}(?!\`)`).exec(paragraph);
  return end === null ? start + width : start + width + end.index + width;
}

/** The offset after the `}` on the same line that ends an expression. */
function expressionEnd(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length && at < start + MAX_FORMULA && source[at] !== "\n"; at += 1) {
    if (source[at] === "{") depth += 1;
    else if (source[at] === "}" && --depth === 0) return at + 1;
  }
  return start + 1;
}

function closing(source: string, start: number, width: number): number | null {
  const near = source.slice(start + width, start + width + MAX_AHEAD);
  const end = near.indexOf("$".repeat(width));
  return end === -1 || near.slice(0, end).includes("\n\n") ? null : start + width + end;
}

/** The offset of the dollar that closes the formula opened by this one; null when it opens none. */
function formulaEnd(source: string, start: number): number | null {
  if (/[\w$\\]/.test(source[start - 1] ?? "") || /[\s$]/.test(source[start + 1] ?? " ")) return null;
  for (let at = start + 1; at < source.length && at < start + MAX_FORMULA; at += 1) {
    const character = source[at];
    if (character === "\n" || character === "`") return null;
    if (character === "\\") at += 1;
    else if (character === "$")
      return /\s/.test(source[at - 1] ?? "") || /[\w$]/.test(source[at + 1] ?? "") ? null : at;
  }
  return null;
}

const WORDS = /\b(?!(?:log|lim|max|min|sin|cos|tan|exp|mod|det|gcd|arg|sup|inf|deg|dim|ker|sgn|lcm)\b)[A-Za-z]{3,}\b/;

const isAccepted = (tex: string, formulas: DollarFormulas) =>
  formulas === "all" || (formulas === "likely" && isLikely(tex));

/** Commands, indices and powers indicate a formula; otherwise it has to be short, and without words. */
function isLikely(tex: string): boolean {
  if (/^[A-Z][A-Z0-9_]{2,}$|^\d[\d.,]+[kKmMbB]?$/.test(tex)) return false; // a variable of a shell, a price
  if (/\\[A-Za-z]|[\w)\]}]\s?[\^_]\s?[\w{(\\*+-]/.test(tex)) return true;
  return (
    tex.length <= 60 && !WORDS.test(tex) && /[A-Za-z]|[=<>+*/^!]/.test(tex) && !/^\d[\d.,]*[A-Za-z]{0,2}\b\s/.test(tex)
  );
}
