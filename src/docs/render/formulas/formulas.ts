import type { renderToString } from "temml";
import { createLruCache } from "#lib/lru-cache.ts";
import { createPageTime, type PageTime } from "#docs/markup/page-time.ts";
import { trimEndOf } from "#lib/trim.ts";
import { escapeHtml } from "#docs/markup/html.ts";

/** A formula as MathML, or why it is invalid. */
export type Formula = { mathml: string } | { problem: string };

/** Draws TeX. */
export interface Formulas extends PageTime {
  /** Loads the library. Most sites have no formulas, and it takes 4 MB. */
  load(): Promise<void>;
  /** Call `load` first. */
  formula(tex: string, display: boolean): Formula;
}

// 10,000 characters take 0.1 s; the longest of 27 real pages with formulas has 600.
const MAX_CHARACTERS = 10_000;
const MAX_EXPANSIONS = 1_000;
const MAX_EMS = 20;
const MAX_CACHED_CHARACTERS = 4_000_000;
const PAGE_TIME_MS = 800;

/**
 * Temml, which converts TeX to MathML: no script, fonts or style sheet is needed to read it. Macros end with their formula,
 * and nothing that names an address, a class or a style is trusted. `now` returns milliseconds of CPU time.
 */
export function createFormulas(now: () => number): Formulas {
  const cache = createLruCache<string, Formula>({
    maxWeight: MAX_CACHED_CHARACTERS,
    weigh: (formula) => 200 + ("mathml" in formula ? formula.mathml : formula.problem).length,
  });
  const { hasTime, ...time } = createPageTime(now, PAGE_TIME_MS);
  let temml: Temml | null = null;

  return {
    ...time,
    async load() {
      // Loaded lazily: few pages have formulas. Its types describe its CommonJS form.
      temml ??= (await import("temml")).default as unknown as Temml;
    },
    formula(tex, display) {
      if (tex.length > MAX_CHARACTERS) return { problem: `it has more than ${MAX_CHARACTERS} characters` };
      const key = `${display ? "block" : "inline"} ${tex}`;
      const known = cache.get(key);
      if (known) return known;
      if (temml === null) return { problem: "formulas are not ready" };
      if (!hasTime()) return { problem: "the page has more formulas than there is time for" };
      const formula = draw(temml, tex, display);
      cache.set(key, formula);
      return formula;
    },
  };
}

interface Temml {
  renderToString: typeof renderToString;
}

function draw(temml: Temml, tex: string, display: boolean): Formula {
  try {
    const mathml = temml.renderToString(tex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: MAX_EXPANSIONS,
      maxSize: [MAX_EMS, MAX_EMS],
    });
    if (!mathml.startsWith("<math")) return { problem: "it refers to another formula" };
    if (negativeEms(mathml) > MAX_EMS) return { problem: "it draws outside of its place" };
    // The source is included for search, for Markdown and for screen readers.
    return { mathml: mathml.replace(/^<math/, `<math alttext="${escapeHtml(tex.replace(/\s+/g, " ").trim())}"`) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: "it is nested too deeply" };
    const [first = ""] = (error instanceof Error ? error.message : "").split(/ at (?:position|end)|\n/);
    return { problem: first === "" ? "it cannot be read" : trimEndOf(first, ".: \t").slice(0, 200) };
  }
}

/** How far the parts of a formula are shifted back over the content before it: if far enough, beyond the page's frame. */
function negativeEms(mathml: string): number {
  const moves = mathml.match(/-\d+(?:\.\d+)?(?:em|ex|pt|px|cm|in)/g) ?? [];
  const size = (move: string) =>
    Number.parseFloat(move.slice(1)) * (/cm|in/.test(move) ? 3 : /p[tx]/.test(move) ? 0.1 : 1);
  return moves.reduce((sum, move) => sum + size(move), 0);
}
