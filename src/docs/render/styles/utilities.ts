import type { UnoGenerator } from "@unocss/core";
import { scopeCss } from "./scope-css.ts";

/** Makes the styles of Tailwind's utility classes that a page uses. */
export interface Utilities {
  /** CSS for the content; `""` where none of the names is a utility. */
  css(classNames: ReadonlySet<string>): Promise<string>;
}

const MAX_NAMES = 1_000;
const MAX_NAME = 80;

/** UnoCSS with its preset of Tailwind's names: it knows patterns of names, and runs nothing of a page. */
export function createUtilities(): Utilities {
  let ready: Promise<UnoGenerator<object>> | null = null;
  const known = new Map<string, string>();
  return {
    async css(classNames) {
      const names = [...classNames]
        .filter((name) => name.length <= MAX_NAME && !/url|[<>@\\"']/i.test(name))
        .toSorted()
        .slice(0, MAX_NAMES);
      if (names.length === 0) return "";
      const key = names.join(" ");
      const before = known.get(key);
      if (before !== undefined) return before;
      ready ??= createGeneratorOfUtilities();
      const generator = await ready;
      const { css } = await generator.generate(new Set(names), { preflights: true, safelist: false });
      const scoped = scopeCss(css, () => null).css;
      if (known.size >= 200) known.clear();
      known.set(key, scoped);
      return scoped;
    },
  };
}

async function createGeneratorOfUtilities(): Promise<UnoGenerator<object>> {
  // Loaded with the first class of an author: many sites have none.
  const [{ createGenerator }, { default: presetWind3 }] = await Promise.all([
    import("@unocss/core"),
    import("@unocss/preset-wind3"),
  ]);
  const dark = { dark: '[data-theme="dark"]', light: '[data-theme="light"]' };
  return createGenerator({
    presets: [presetWind3({ preflight: "on-demand", dark })],
    theme: {
      colors: {
        primary: "var(--accent)",
        "primary-light": "var(--accent)",
        "primary-dark": "var(--accent)",
        "background-light": "var(--background)",
        "background-dark": "var(--background)",
      },
    },
  });
}
