/** Colors that are legible as text: `light` on the light theme's background, `dark` on the dark one's. */
export interface Accent {
  light: string;
  dark: string;
}

type Rgb = readonly [number, number, number];

const DEFAULT: Accent = { light: "#0b6e63", dark: "#5ccfbd" };
// `--surface` in `tokens.css`: the background of selected entries, tinted by a tenth of the color itself.
const LIGHT_BACKGROUND: Rgb = [246, 248, 248];
const DARK_BACKGROUND: Rgb = [26, 32, 36];
const TINT = 0.1;
// WCAG 2.2, text of normal size.
const MIN_CONTRAST = 4.6;

type Colors = Readonly<Record<"primary" | "light" | "dark", string | null>>;

// The colors of a configuration are one object per version of the site, and every page uses them.
const known = new WeakMap<Colors, Accent>();

/** The project's colors, made darker or lighter only as far as legibility needs it. */
export function accentOf(colors: Colors): Accent {
  if (colors.primary === null) return DEFAULT;
  const found = known.get(colors);
  if (found !== undefined) return found;
  const accent = {
    light: legible(colors.primary, LIGHT_BACKGROUND),
    dark: legible(colors.light ?? colors.primary, DARK_BACKGROUND),
  };
  known.set(colors, accent);
  return accent;
}

function legible(color: string, background: Rgb): string {
  const wanted = parse(color);
  const towards: Rgb = luminance(background) > 0.5 ? [0, 0, 0] : [255, 255, 255];
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = wanted.map((value, index) => Math.round(value + ((towards[index] ?? 0) - value) * share));
    const candidate: Rgb = [mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0];
    const [red = 0, green = 0, blue = 0] = background.map(
      (value, index) => value + ((candidate[index] ?? 0) - value) * TINT,
    );
    if (contrast(candidate, [red, green, blue]) >= MIN_CONTRAST) return print(candidate);
  }
  return print(towards);
}

function parse(color: string): Rgb {
  const digits = color.slice(1);
  const full = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  const value = Number.parseInt(full, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function print(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** Contrast ratio of WCAG 2.2. */
export function contrast(a: Rgb, b: Rgb): number {
  const [bright, dim] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((bright ?? 0) + 0.05) / ((dim ?? 0) + 0.05);
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}
