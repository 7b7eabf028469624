import { posix } from "node:path";
import { createLruCache } from "#lib/lru-cache.ts";
import { type ScopedCss, scopeCss } from "./scope-css.ts";
import type { UnoGenerator } from "@unocss/core";

/** The styles of a page in addition to the theme: the site's files, the page's own, and the utility classes that it uses. */
export interface PageStyles {
  css(page: {
    /** The site's files. `warn` is called for each removed part. */
    stylesheets: {
      files: readonly { path: string; source: string }[];
      warn: ((at: { path: string; line: number | null }, message: string) => void) | null;
    };
    /** The page's `<style>` content. */
    own: {
      styles: readonly { line: number | null; source: string }[];
      warn(line: number | null, message: string): void;
    };
    classNames: ReadonlySet<string>;
  }): Promise<string>;
}

/** Maximum number of files that are read. */
export const MAX_STYLESHEETS = 10;
const MAX_CHARACTERS = 100_000;

export function createPageStyles(): PageStyles {
  const utilities = createUtilities();
  const scoped = createLruCache<string, ScopedCss>({ maxWeight: 4_000_000, weigh: ({ css }) => css.length + 1_000 });
  const scopeOnce = (source: string): ScopedCss => {
    const known = scoped.get(source);
    if (known !== undefined) return known;
    const made = scopeCss(source, siteAddress);
    scoped.set(source, made);
    return made;
  };
  return {
    async css({ stylesheets: { files, warn }, own, classNames }) {
      let css = await utilities.css(classNames);
      let left = MAX_CHARACTERS;
      for (const { path, source } of files) {
        left -= source.length;
        if (left < 0) {
          warn?.({ path, line: null }, `It is left out: the styles of a site may have ${MAX_CHARACTERS} characters.`);
          break;
        }
        const made = scopeOnce(source);
        css += made.css;
        for (const { line, message } of made.left) warn?.({ path, line }, `${message}.`);
      }
      left = MAX_CHARACTERS;
      for (const { line, source } of own.styles) {
        left -= source.length;
        if (left < 0) {
          own.warn(line, `<style> is left out: the styles of a page may have ${MAX_CHARACTERS} characters.`);
          break;
        }
        const made = scopeOnce(source);
        css += made.css;
        for (const { message } of made.left) own.warn(line, `<style>: ${message}.`);
      }
      return css;
    },
  };
}

/** The address of a repository file, as a style sheet at the root of the site names it; null for one outside. */
function siteAddress(written: string): string | null {
  const path = posix.normalize(written.replace(/^\/+/, ""));
  return path.startsWith("..") ? null : `/${encodeURI(path)}`;
}

/** Generates styles for the Tailwind utility classes that a page uses. */
interface Utilities {
  /** CSS for the content; `""` when none of the names is a utility. */
  css(classNames: ReadonlySet<string>): Promise<string>;
}

/** UnoCSS with its preset for Tailwind's names: it matches patterns of names, and runs no code of a page. */
function createUtilities(): Utilities {
  let ready: Promise<UnoGenerator<object>> | null = null;
  const known = new Map<string, string>();
  return {
    async css(classNames) {
      const names = [...classNames].filter((name) => !/url|[<@\\"]/i.test(name)).toSorted();
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
  // Loaded for the first class name of an author: many sites have none.
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
