// The font that each page of the dashboard loads: the Latin file of Inter with what pages show. `npm run fix` writes it (decision 130).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
// The package has no types of its own.
const subsetFont = require("subset-font") as (font: Buffer, text: string, options: object) => Promise<Buffer>;

export const DASHBOARD_FONT = "src/kit/pages/fonts/inter-latin.woff2";

export async function dashboardFont(): Promise<Buffer> {
  const ranges = JSON.parse(readFileSync(require.resolve("@fontsource-variable/inter/unicode.json"), "utf8")) as Record<string, string>; // oxfmt-ignore
  // Combining marks are in the file with further letters, too; without them a sixth of the bytes is saved.
  const text = charactersOf(ranges["latin"]!).replaceAll(/\p{Mark}/gu, "");
  const whole = readFileSync(require.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"));
  return subsetFont(whole, text, {
    targetFormat: "woff2",
    // Those that apply by themselves, and the digits of one width. Fractions and the like are left out: no style asks for them.
    keepFeatures: ["calt", "ccmp", "kern", "locl", "tnum"],
    variationAxes: { wght: { min: 400, max: 900 } },
    // The address of the licence; the copyright is kept anyway. The licence wants both in each copy.
    preserveNameIds: [14],
  });
}

/** The characters of `U+0000-00FF,U+0131`. */
const charactersOf = (ranges: string): string =>
  ranges.replaceAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?,?/g, (_, first: string, last: string = first) => {
    const [start, end] = [Number.parseInt(first, 16), Number.parseInt(last, 16)];
    return String.fromCodePoint(...Array.from({ length: end - start + 1 }, (_each, index) => start + index));
  });
