import { posix } from "node:path";
import { createLruCache } from "#lib/lru-cache.ts";
import { type ScopedCss, scopeCss } from "./scope-css.ts";
import { createUtilities } from "./utilities.ts";

/** The styles of a page that are not the theme's: the site's own files, the page's own, and the utility classes that it uses. */
export interface PageStyles {
  css(page: {
    /** The site's files. `warn` hears of what is left out of them. */
    stylesheets: {
      files: readonly { path: string; source: string }[];
      warn: ((at: { path: string; line: number | null }, message: string) => void) | null;
    };
    /** What the page holds in `<style>`. */
    own: {
      styles: readonly { line: number | null; source: string }[];
      warn(line: number | null, message: string): void;
    };
    classNames: ReadonlySet<string>;
  }): Promise<string>;
}

/** Files that are read. */
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

/** The address of a file of the repository, as a style sheet at the root of the site names it; null for one outside. */
function siteAddress(written: string): string | null {
  const path = posix.normalize(written.replace(/^\/+/, ""));
  return path.startsWith("..") ? null : `/${encodeURI(path)}`;
}
