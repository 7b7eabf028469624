import type { DialectName } from "#docs/dialect.ts";
import { matchesInProse } from "./lines.ts";
import { replaceMatches, type Rewritten, unchanged } from "./rewriter.ts";

/** The first and the last line, from 1. */
export interface Lines {
  first: number;
  last: number;
}

/** A file of the repository that a page includes, as the include is written. */
export interface Include {
  path: string;
  /** A named part of the file, or its lines. */
  part: { kind: "region" | "section" | "anchor"; name: string; lines?: Lines } | ({ kind: "lines" } & Lines) | null;
  /** `code`: a block of code; `text`: Markdown in its place, or code inside a fence; `value`: the value of a variable. */
  as: "code" | "text" | "value";
  /** Language of a code block; the file's extension when empty. */
  language: string;
  /** The text after the language. */
  info: string;
  /** The variable that has the text as its value. */
  name: string;
  /** Indentation of each line. */
  indent: string;
  /** Whether relative links in the file are resolved from its own folder. */
  keepsLinks: boolean;
}

interface Syntax {
  expression: RegExp;
  /** Also inside fences. */
  isEverywhere?: boolean;
  read(groups: Readonly<Record<string, string | undefined>>): Partial<Include> | null;
}

const PATH = String.raw`(?<path>[^\n"'<>{}|*]{1,500}?)`;

const SYNTAX: Partial<Record<DialectName, readonly Syntax[]>> = {
  vitepress: [
    {
      expression: new RegExp(
        String.raw`^(?<indent>[ \t]{0,20})<<<[ \t]{1,4}${PATH}(?:#(?<region>[\w*.-]{1,100}))?[ \t]{0,4}(?:\{(?<braces>[^}\n]{0,200})\})?[ \t]{0,4}(?:\[(?<title>[^\]\n]{0,200})\])?[ \t]{0,20}$`,
        "gm",
      ),
      read: ({ region, braces = "", title }) => {
        const [, lines = "", language = ""] = /^([\d,\s-]*)([\s\S]*)$/.exec(braces) ?? [];
        const info = [lines.trim() && `{${lines.trim()}}`, title && `[${title}]`].filter(Boolean).join(" ");
        return {
          as: "code",
          language: language.trim(),
          info,
          part: region === undefined ? null : { kind: "region", name: region },
        };
      },
    },
    {
      expression: new RegExp(
        String.raw`<!--[ \t]{0,4}@include:[ \t]{0,4}${PATH}(?:#(?<region>[^\s{}<>]{1,100}))?(?:\{(?<first>\d{0,6}),?(?<last>\d{0,6})\})?[ \t]{0,4}-->`,
        "g",
      ),
      read({ region, first, last }) {
        const lines = linesPart(first, last);
        return { part: region === undefined ? lines : { kind: "region", name: region, ...(lines && { lines }) } };
      },
    },
  ],
  mkdocs: [
    {
      expression: new RegExp(
        String.raw`^(?<indent>[ \t]{0,200})-{1,10}8<-{1,10}[ \t]{1,4}["']${PATH}(?::(?<first>\d{0,6})(?::(?<last>\d{0,6}))?|:(?<section>[A-Za-z][\w-]{0,100}))?["'][ \t]{0,20}$`,
        "gm",
      ),
      isEverywhere: true,
      read: ({ first, last, section }) => ({
        part: section === undefined ? linesPart(first, last) : { kind: "section", name: section },
      }),
    },
    {
      expression: new RegExp(
        String.raw`^(?<indent>[ \t]{0,200})\{%-?[ \t]{0,4}include(?:-markdown)?[ \t]{1,4}["']${PATH}["'][^%\n]{0,500}%\}[ \t]{0,20}$`,
        "gm",
      ),
      read: () => ({}),
    },
    {
      // markdown-include and mdx_include, mostly in fences: `{!../docs_src/a.py!}`, `{! docs/a.py [ln:2-10] !}`.
      expression: new RegExp(
        String.raw`^(?<indent>[ \t]{0,200})\{!>?[ \t]{0,4}(?<path>[\w./@-]{1,500}\.\w{1,20})(?:[ \t]{1,4}\[ln:(?<first>\d{0,6})(?:\.\d{0,6})?-?(?<last>\d{0,6})[^\]\n]{0,100}\])?[ \t]{0,4}!\}[ \t]{0,20}$`,
        "gm",
      ),
      isEverywhere: true,
      read: ({ first, last }) => ({ part: linesPart(first, last) }),
    },
    {
      // Used in the projects of FastAPI's author: `{* ../../docs_src/a.py ln[1:3] hl[2] *}`.
      expression: new RegExp(
        String.raw`^(?<indent>[ \t]{0,200})\{\*[ \t]{1,4}${PATH}(?<options>(?:[ \t]{1,4}\w{2}\[[^\]\n]{0,200}\]){0,4})[ \t]{0,4}\*\}[ \t]{0,20}$`,
        "gm",
      ),
      read: ({ options = "" }) => {
        const [, first, last] = /ln\[(\d{1,6}):(\d{1,6})\]/.exec(options) ?? [];
        const marked = /hl\[([\d,:\s]{1,200})\]/.exec(options)?.[1]?.replaceAll(":", "-");
        return { as: "code", info: marked === undefined ? "" : `hl_lines="${marked}"`, part: linesPart(first, last) };
      },
    },
  ],
  gitbook: [
    {
      expression: new RegExp(
        String.raw`^(?<indent>[ \t]{0,20})\{%-?[ \t]{0,4}include[ \t]{1,4}["']${PATH}["'][ \t]{0,4}%\}[ \t]{0,20}$`,
        "gm",
      ),
      read: () => ({ keepsLinks: true }),
    },
    {
      // mdBook: `{{#include file.rs:2:10}}`, `{{#rustdoc_include file.rs:anchor}}`, `{{#playground file.rs editable}}`.
      expression: new RegExp(
        String.raw`(?<!\\)\{\{[ \t]{0,4}#(?<kind>include|rustdoc_include|playground|playpen)[ \t]{1,4}${PATH.replace("[^", "[^: ")}(?::(?<first>\d{0,6})(?<to>:)?(?<last>\d{0,6})|:(?<anchor>[A-Za-z_][\w-]{0,100}))?(?:[ \t]{1,4}[\w, -]{1,100})?[ \t]{0,4}\}\}`,
        "g",
      ),
      isEverywhere: true,
      read: ({ kind = "", first, to, last, anchor }) => ({
        as: kind.startsWith("play") ? "code" : "text",
        part:
          anchor === undefined ? linesPart(first, to === undefined ? first : last) : { kind: "anchor", name: anchor },
      }),
    },
  ],
  fumadocs: [
    {
      expression: new RegExp(
        String.raw`^(?<indent>[ \t]{0,20})<include(?<attributes>(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^>"'\n]){0,100})>\s{0,50}${PATH}(?:#(?<region>[\w.-]{1,100}))?\s{0,50}<\/include>[ \t]{0,20}$`,
        "gm",
      ),
      read: ({ attributes = "", path = "" }) => {
        const language = /\blang=["']([\w-]+)["']/.exec(attributes)?.[1];
        const meta = /\bmeta=(?:"([^"]*)"|'([^']*)')/.exec(attributes);
        const isText = language === undefined && /\.mdx?$/i.test(path.trim());
        return isText ? {} : { as: "code", language: language ?? "", info: meta?.[1] ?? meta?.[2] ?? "" };
      },
    },
  ],
  docusaurus: [rawImport(String.raw`!!raw-loader!`, "")],
  starlight: [rawImport("", String.raw`\?raw`)],
};

/** An import of a file as text. */
function rawImport(before: string, after: string): Syntax {
  return {
    expression: new RegExp(
      String.raw`^import[ \t]{1,4}(?<name>[A-Za-z_$][\w$]{0,100})[ \t]{1,4}from[ \t]{1,4}["']${before}${PATH}${after}["'];?[ \t]{0,20}$`,
      "gm",
    ),
    read: ({ name = "" }) => ({ as: "value", name }),
  };
}

function linesPart(first: string | undefined, last: string | undefined): ({ kind: "lines" } & Lines) | null {
  if (!first && !last) return null;
  return { kind: "lines", first: Number(first || 1), last: Number(last || Number.MAX_SAFE_INTEGER) };
}

export interface IncludeMatch extends Include {
  start: number;
  end: number;
}

/** The includes of a page, in order. */
export function includesIn(source: string, dialect: DialectName): IncludeMatch[] {
  const found: IncludeMatch[] = [];
  for (const { expression, isEverywhere = false, read } of SYNTAX[dialect] ?? []) {
    for (const match of isEverywhere ? source.matchAll(expression) : matchesInProse(source, expression)) {
      const groups = match.groups ?? {};
      const include = read(groups);
      if (include === null) continue;
      const { path = "", indent = "" } = groups;
      const usual = { part: null, as: "text", language: "", info: "", name: "", keepsLinks: false } as const;
      const [start, end] = [match.index, match.index + match[0].length];
      found.push({ ...usual, path: path.trim(), indent, ...include, start, end });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

/** A page without its includes, for callers that only look at the file's own text. */
export function withoutIncludes(source: string, dialect: DialectName): Rewritten {
  const includes = includesIn(source, dialect).filter(({ as }) => as !== "value");
  if (includes.length === 0) return unchanged(source);
  const matches = includes.map(
    ({ start, end }) => Object.assign([source.slice(start, end)], { index: start }) as RegExpExecArray,
  );
  return replaceMatches(source, matches, () => "");
}
