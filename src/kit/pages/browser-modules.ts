import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { createBody, type Body } from "#lib/network/body.ts";

/** Files of the theme under addresses that change with their content, so that browsers cache them forever. */
export interface ThemeFiles {
  /** Address by name, for example `site.js`. */
  url(name: string): string;
  /** The file at an address; null when no module has that address. */
  find(path: string): Body | null;
}

/** Its content, or a function that derives it from the addresses of the files before it. */
type ThemeFile = string | Uint8Array | ((url: (name: string) => string) => string);

const PREFIX = "/_docent/";
const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  woff2: "font/woff2",
};

// Blanks inside literals stay. A quotation mark inside a regular expression protects at most the rest of its line.
const LITERAL_OR_BLANKS = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)| {2,}/g;

const IMPORT = /^import \{[^}]*\} from "#([^"]+)";$/gm;

/** A module of `src/browser` as JavaScript: types, comments and indentation removed, imports inlined. */
export function browserModule(name: string): string {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const source = read(`browser/${name}.ts`).replaceAll(IMPORT, (_, path: string) =>
    read(path).replaceAll(/^export /gm, ""),
  );
  return stripTypeScriptTypes(source)
    .replaceAll(/^\s*(?:\/\/|\/\*\*|\*).*$/gm, "")
    .replaceAll(/^[ \t]+|[ \t]+$/gm, "")
    .replaceAll(LITERAL_OR_BLANKS, (_found, literal: string | undefined) => literal ?? " ")
    .replaceAll(/\n{2,}/g, "\n")
    .trimStart();
}

/** CSS without comments and unnecessary white space. */
export function compactCss(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(";}", "}")
    .trim();
}

/** Serves each file below `/_docent/` under a name with a hash of its content. */
export function createThemeFiles(files: Readonly<Record<string, ThemeFile>>): ThemeFiles {
  const urls = new Map<string, string>();
  const bodies = new Map<string, Body>();
  const url = (name: string): string => {
    const address = urls.get(name);
    if (address === undefined) throw new Error(`no theme file ${name}`);
    return address;
  };
  for (const [name, file] of Object.entries(files)) {
    const content = typeof file === "function" ? file(url) : file;
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
    const [, stem = name, extension = ""] = /^(.*)\.([a-z0-9]+)$/.exec(name) ?? [];
    const path = `${PREFIX}${stem}-${hash}.${extension}`;
    urls.set(name, path);
    bodies.set(path, createBody(content, TYPES[extension] ?? "text/plain"));
  }
  return {
    url,
    find: (path) => bodies.get(path) ?? null,
  };
}
