import GithubSlugger, { slug as githubSlug } from "github-slugger";
import type { DialectName } from "./dialect.ts";
import { decodeLoose } from "./hrefs.ts";
import type { PageRules, TextStep } from "./page-rules.ts";

interface Slugger {
  /** The id of the next heading with this text. */
  slug(text: string): string;
}

/**
 * Gives headings the ids that a tool gives them, because links to headings use these. Docusaurus, Starlight, Nextra, Fumadocs
 * and GitBook use GitHub's rules; mdBook's differ from them only for capital letters outside ASCII.
 */
export function createSlugger(dialect: DialectName, headingIds: readonly TextStep[] | null = null): Slugger {
  if (headingIds !== null) return countUp((text) => textAfter(headingIds, text), "-");
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

/** Patterns take quadratic time at most; no heading of a real page is longer. */
const MAX_TEXT = 500;

/** A text after the steps of a function in a configuration. */
export function textAfter(steps: readonly TextStep[], text: string): string {
  return steps.reduce((now, step) => after(step, now).slice(0, MAX_TEXT), text.slice(0, MAX_TEXT));
}

function after(step: TextStep, text: string): string {
  switch (step.kind) {
    case "normalize":
      return text.normalize(step.form);
    case "slice":
      return text.slice(step.from, step.to ?? undefined);
    case "replace":
      return text.replace(new RegExp(step.pattern, step.flags), step.by);
    case "slug":
      return step.of === "github" ? githubSlug(text) : vitepressSlug(text);
    case "encode":
      return encodeURIComponent(text.toWellFormed());
    default:
      return text[step.kind]();
  }
}

/**
 * The id that a link in Markdown refers to. VitePress 2 derives it from the text after the `#` as it does from that of a
 * heading, so that `#Set Up` and `#set-up` are the same link; VitePress 1 uses the text as it is.
 */
export function linkedId(hash: string, { headingIds, areLinksTexts }: Omit<PageRules, "calloutTitles">): string {
  if (!areLinksTexts || hash === "" || hash.includes(":~:")) return hash;
  const text = decodeLoose(hash);
  return headingIds === null ? vitepressSlug(text) : textAfter(headingIds, text);
}
