import { posix } from "node:path";
import type * as es from "estree-jsx";
import { holdsCredentials } from "#docs/credential-files.ts";
import { parseProgram } from "#docs/evaluate/parse.ts";
import { parseProblem } from "#docs/parser.ts";
import type { ProblemList } from "#docs/problems.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { decodeText, withoutByteOrderMark } from "#docs/text-encoding.ts";
import { stripTypes } from "./strip-types.ts";

/** A file of a configuration: parsed, or the value of a JSON file. Nothing in it runs. */
export type ConfigModule =
  | { kind: "program"; path: string; program: es.Program; imports: ReadonlyMap<string, string> }
  | { kind: "json"; path: string; value: unknown };

const MAX_FILES = 60;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_TOTAL_BYTES = 4 * 1024 * 1024;
const TYPED = /\.[cm]?ts$/;
const CODE = /\.(?:[cm]?[jt]sx?|json)$/;
const EXTENSIONS = ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx", ".json"];

/** Loads a configuration with the files of the repository that it imports, by path. Unreadable files are problems. */
export async function loadConfigModules(
  snapshot: Snapshot,
  first: string,
  problems: ProblemList,
): Promise<Map<string, ConfigModule>> {
  const sizes = new Map(
    (await snapshot.files()).flatMap(({ kind, path, sizeBytes }) => (kind === "file" ? [[path, sizeBytes]] : [])),
  );
  const modules = new Map<string, ConfigModule>();
  const seen = new Set<string>();
  let left = MAX_TOTAL_BYTES;
  const isReadable = (path: string): boolean => {
    if (seen.has(path) || holdsCredentials(path)) return false;
    seen.add(path);
    const sizeBytes = sizes.get(path) ?? 0;
    left -= sizeBytes;
    if (seen.size <= MAX_FILES && sizeBytes <= MAX_FILE_BYTES && left >= 0) return true;
    problems.error(
      { path, line: null },
      "The file is too large for a configuration, or one of too many. It is not read.",
    );
    return false;
  };
  for (let wave = [first]; wave.length > 0;) {
    const texts: { path: string; text: string }[] = [];
    for (const path of wave.filter(isReadable)) {
      const bytes = await snapshot.read(path);
      if (bytes !== null) texts.push({ path, text: withoutByteOrderMark(decodeText(bytes).text) });
    }
    const isTyped = ({ path, text }: (typeof texts)[number]) => TYPED.test(path) && parseProblem(text) === null;
    const typed = await stripTypes(texts.filter(isTyped).map(({ text }) => text));
    const read = texts.map(({ path, text }) =>
      readModule(path, text, { typed, sizes, problems: path === first ? problems : null }),
    );
    for (const module of read) if (module !== null) modules.set(module.path, module);
    wave = read.flatMap((module) => (module?.kind === "program" ? [...module.imports.values()] : []));
  }
  return modules;
}

function readModule(
  path: string,
  text: string,
  {
    typed,
    sizes,
    problems,
  }: { typed: ReadonlyMap<string, string | null>; sizes: ReadonlyMap<string, number>; problems: ProblemList | null },
): ConfigModule | null {
  try {
    if (path.endsWith(".json")) return { kind: "json", path, value: JSON.parse(text) as unknown };
    const unsafe = parseProblem(text);
    if (unsafe !== null) throw new SyntaxError(unsafe.replace("page", "file"));
    const code = TYPED.test(path) ? typed.get(text) : path.endsWith(".tsx") ? withoutSimpleTypes(text) : text;
    if (code === null || code === undefined) throw new SyntaxError("it is no TypeScript");
    const program = parseProgram(code, { allowReturnOutsideFunction: true });
    return { kind: "program", path, program, imports: localImports(program, path, sizes) };
  } catch (error) {
    const { message, loc } = error as SyntaxError & { loc?: { line: number } };
    const reason = message.replace(/ \(\d+:\d+\)$/, "").slice(0, 200);
    problems?.error({ path, line: loc?.line ?? null }, `The file cannot be read: ${reason}.`);
    return null;
  }
}

/**
 * Node does not strip types from files with JSX. In configurations these are type imports, type annotations and
 * `satisfies`; a file with other types cannot be read.
 */
function withoutSimpleTypes(text: string): string {
  const blank = (found: string) => found.replaceAll(/[^\n]/g, " ");
  return text
    .replaceAll(/^import type [^\n]{0,500}$/gm, blank)
    .replaceAll(/(?<=\b(?:const|let|var) \w{1,100})\s?:[^=\n]{1,200}(?==)/g, blank)
    .replaceAll(/(?<=[\])}]\s?)\bas [\w.<>[\]]{1,200}|(?<=[\])}\w]\s?)\bsatisfies [\w.<>[\]]{1,200}/g, blank);
}

/** The repository files that `import` and `require` refer to, by the specifiers used. */
function localImports(program: es.Program, from: string, sizes: ReadonlyMap<string, number>): Map<string, string> {
  const found = new Map<string, string>();
  const open: unknown[] = [program];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) open.push(...(node as unknown[]));
    if (typeof node !== "object" || node === null || Array.isArray(node)) continue;
    const specifier = specifierOf(node as es.Node);
    const path = specifier === null ? null : localPath(specifier, from, sizes);
    if (specifier !== null && path !== null) found.set(specifier, path);
    for (const child of Object.values(node)) if (typeof child === "object" && child !== null) open.push(child);
  }
  return found;
}

function specifierOf(node: es.Node): string | null {
  const source =
    node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration" || node.type === "ExportNamedDeclaration"
      ? node.source
      : isRequire(node)
        ? node.arguments[0]
        : null;
  return source?.type === "Literal" && typeof source.value === "string" ? source.value : null;
}

/** `require("x")` and `require.resolve("x")`. */
export function isRequire(node: es.Node): node is es.SimpleCallExpression {
  if (node.type !== "CallExpression") return false;
  const { callee } = node;
  const name = callee.type === "MemberExpression" ? callee.object : callee;
  return name.type === "Identifier" && name.name === "require";
}

function localPath(specifier: string, from: string, sizes: ReadonlyMap<string, number>): string | null {
  if (!/^\.{1,2}\//.test(specifier)) return null;
  const path = posix.join(posix.dirname(from), specifier);
  if (path.startsWith("../")) return null;
  const stems = [path, path.replace(/\.[cm]?js$/, ""), `${path}/index`];
  return (
    stems
      .flatMap((stem) => EXTENSIONS.map((extension) => stem + extension))
      .find((each) => CODE.test(each) && sizes.has(each)) ?? null
  );
}
