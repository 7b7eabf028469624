import GithubSlugger from "github-slugger";
import type { DialectName } from "#docs/dialect.ts";

interface Slugger {
  /** The id of the next heading with this text. */
  slug(text: string): string;
}

/**
 * Gives headings the ids that a tool gives them, because links to headings use these. Docusaurus, Starlight, Nextra, Fumadocs
 * and GitBook use GitHub's rules; mdBook's differ from them only for capital letters outside ASCII.
 */
export function createSlugger(dialect: DialectName): Slugger {
  if (dialect === "vitepress") return countUp(vitepressSlug, "-");
  return dialect === "mkdocs" ? countUp(mkdocsSlug, "_") : new GithubSlugger();
}

function countUp(slugOf: (text: string) => string, separator: string): Slugger {
  // Python-Markdown never uses the empty id: a heading without letters or digits is `_1`.
  const counts = new Map<string, number>(separator === "_" ? [["", 0]] : []);
  return {
    slug(text) {
      const slug = slugOf(text);
      let id = slug;
      for (let count = counts.get(slug) ?? 0; counts.has(id); counts.set(slug, count))
        id = `${slug}${separator}${(count += 1)}`;
      counts.set(id, 0);
      return id;
    },
  };
}

/** `slugify` of `@mdit-vue/shared` 3, which VitePress 1 and 2 use. */
function vitepressSlug(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .replaceAll(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .replace(/^\d/, "_$&")
    .toLowerCase();
}

/** `slugify` of the extension `toc` of Python-Markdown 3, which supports ASCII only. */
function mkdocsSlug(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[^\w\s-]|[\u0080-\uFFFF]/g, "")
    .trim()
    .toLowerCase()
    .replaceAll(/[-\s]+/g, "-");
}
