import { type HighlighterCore, createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { bundledLanguages } from "shiki/langs";
import { createLruCache } from "#lib/lru-cache.ts";
import { createPageTime, type PageTime } from "#docs/markup/page-time.ts";

/** A piece of a line: `name` is one of `tokenNames`, null for plain text. */
export interface CodeToken {
  text: string;
  name: string | null;
}

export interface Highlighter extends PageTime {
  /** Loads the grammars of these languages; unknown names are ignored. */
  load(languages: Iterable<string>): Promise<void>;
  /** Lines of tokens; null when the language is unknown or the time limit of the page is reached. */
  tokens(code: string, language: string): CodeToken[][] | null;
}

const THEME = "css-variables";
const MAX_CACHED_CHARACTERS = 8_000_000;
const MAX_CODE_CHARACTERS = 200_000;
// Loading a grammar and highlighting its first block, if begun just before the limit, take up to 0.4 s more, and twice that
// on a shared core. The total stays far below the time after which the process is killed.
const PAGE_TIME_MS = 800;

// MDX has a grammar, but this theme colors almost none of it.
const ALIASES: Record<string, string> = {
  mdx: "html",
  curl: "bash", "shell-session": "bash", console: "bash", terminal: "bash", env: "dotenv", golang: "go", node: "javascript",
  "react": "jsx", text: "", txt: "", plain: "", plaintext: "", none: "", mermaid: "", proto3: "proto", http: "http",
}; // oxfmt-ignore

/** Grammars that most pages need: compiled ahead, because the first use of one takes up to 0.4 s. */
export const COMMON_LANGUAGES = [
  "bash",
  "json",
  "python",
  "typescript",
  "javascript",
  "yaml",
  "tsx",
  "go",
  "html",
  "sql",
];

/** For pages that are not shown: colors are two thirds of the cost of a page with code. */
export const UNCOLOURED: Highlighter = {
  load: () => Promise.resolve(),
  tokens: () => null,
  startPage: () => undefined,
  ranOut: () => false,
};

/**
 * Shiki on its JavaScript engine with one theme of CSS variables, each printed as a class. Lines over 2,000 characters stay
 * plain (50 KB of `[` in one line takes 10 s otherwise), and recent blocks are cached. `now` returns milliseconds of CPU
 * time rather than wall-clock time.
 */
export async function createHighlighter(now: () => number): Promise<Highlighter> {
  const core = await createHighlighterCore({
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: "--token-", fontStyle: false })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const cache = createLruCache<string, { lines: CodeToken[][]; characters: number }>({
    maxWeight: MAX_CACHED_CHARACTERS,
    weigh: ({ characters }) => characters,
  });
  const { hasTime, ...time } = createPageTime(now, PAGE_TIME_MS);

  return {
    ...time,
    async load(languages) {
      for (const language of languages) {
        const name = languageName(language);
        if (name === null || core.getLoadedLanguages().includes(name) || !hasTime()) continue;
        // All but the common grammars are loaded lazily: there are over two hundred, and a page needs few.
        await core.loadLanguage(bundledLanguages[name as keyof typeof bundledLanguages]);
      }
    },
    tokens(code, language) {
      const name = languageName(language);
      if (name === null || code.length > MAX_CODE_CHARACTERS || !core.getLoadedLanguages().includes(name)) return null;
      const key = `${name}\n${code}`;
      const known = cache.get(key);
      if (known) return known.lines;
      if (!hasTime()) return null;
      const lines = tokenize(core, code, name);
      cache.set(key, { lines, characters: key.length });
      return lines;
    },
  };
}

function tokenize(core: HighlighterCore, code: string, language: string): CodeToken[][] {
  const lines = core.codeToTokensBase(code, {
    lang: language,
    theme: THEME,
    tokenizeMaxLineLength: 2_000,
    tokenizeTimeLimit: 0, // it measures wall-clock time; the render process is killed by CPU time
  });
  return lines.map((line) => {
    const merged: CodeToken[] = [];
    for (const { content, color } of line) {
      const name = /^var\(--token-token-([a-z-]+)\)$/.exec(color ?? "")?.[1] ?? null;
      const last = merged.at(-1);
      if (last && (last.name === name || /^\s*$/.test(content))) last.text += content;
      else merged.push({ text: content, name });
    }
    return merged;
  });
}

/** Shiki's name of a language; null when Shiki does not support it. */
function languageName(written: string): string | null {
  const lower = written.toLowerCase();
  const name = Object.hasOwn(ALIASES, lower) ? (ALIASES[lower] ?? "") : lower;
  return name !== "" && Object.hasOwn(bundledLanguages, name) ? name : null;
}
