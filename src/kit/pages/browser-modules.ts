import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { getCompileCacheDir, stripTypeScriptTypes } from "node:module";
import path from "node:path";
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
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const source = read(`browser/${name}.ts`).replaceAll(IMPORT, (_, imported: string) =>
    read(imported).replaceAll(/^export /gm, ""),
  );
  return withoutTypes(source)
    .replaceAll(/^\s*(?:\/\/|\/\*\*|\*).*$/gm, "")
    .replaceAll(/^[ \t]+|[ \t]+$/gm, "")
    .replaceAll(LITERAL_OR_BLANKS, (_found, literal: string | undefined) => literal ?? " ")
    .replaceAll(/\n{2,}/g, "\n")
    .trimStart();
}

/**
 * As `stripTypeScriptTypes`, whose compiler takes a tenth of the start to load and run: its results are kept where Node keeps
 * compiled code, in a folder of this version of Node.
 */
function withoutTypes(source: string): string {
  const folder = getCompileCacheDir();
  if (folder === undefined) return stripTypeScriptTypes(source);
  const file = path.join(folder, `browser-${createHash("sha256").update(source).digest("hex")}.js`);
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Not yet, or it cannot be read.
  }
  const stripped = stripTypeScriptTypes(source);
  try {
    writeFileSync(`${file}.${process.pid}`, stripped);
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // Read-only, as in a container: each start does it anew.
  }
  return stripped;
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
    const address = `${PREFIX}${stem}-${hash}.${extension}`;
    urls.set(name, address);
    bodies.set(address, createBody(content, TYPES[extension] ?? "text/plain"));
  }
  return {
    url,
    find: (address) => bodies.get(address) ?? null,
  };
}
