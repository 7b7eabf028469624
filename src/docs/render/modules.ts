import { nodesOf } from "#docs/nodes.ts";
import type * as es from "estree-jsx";
import type { Nodes, Root } from "mdast";
import { markdownFormat } from "#docs/parser.ts";
import { importPath, snippetPaths } from "#docs/hrefs.ts";
import { includedFile } from "#docs/components/registry.ts";
import { jsxTag } from "#docs/links/tags.ts";
import { PageLimit, PageProblem } from "#docs/markup/budget.ts";
import { parseModule } from "#docs/evaluate/parse.ts";
import type { SourceLines } from "./source-lines.ts";
import type { Warn } from "./page.ts";

/** A page, a snippet or a file of exports, parsed but not evaluated. */
export interface Module {
  path: string;
  /** Null for `.js`, `.jsx` and `.json`. */
  root: Root | null;
  statements: { node: es.Program["body"][number]; line: number | null }[];
  /** ESM nodes in the page that are not JavaScript: prose that starts with "import" or "export". */
  proseNodes: ReadonlySet<Nodes>;
  json: unknown;
}

export interface LoadModules {
  lines: SourceLines;
  /** The source of a snippet, which is always MDX; `warn` counts its lines from 1. */
  parse(source: string, warn: Warn): Root;
  /** Requests a snippet from the server; null when the file does not exist. */
  read(path: string): Promise<string | null>;
  warn: Warn;
}

const MAX_DEPTH = 12;
const MAX_INCLUDES = 100;
const MAX_INCLUDED_CHARACTERS = 2_000_000;

/**
 * Everything that a page imports or includes, by path: `import X from "/snippets/x.mdx"` and `<Snippet file="x.mdx" />`,
 * transitively. A path without a file, or past a limit, is null.
 */
export async function loadModules(
  page: Module,
  { lines, parse, read, warn }: LoadModules,
): Promise<Map<string, Module | null>> {
  const modules = new Map<string, Module | null>([[page.path, page]]);
  let budget = MAX_INCLUDED_CHARACTERS;
  const load = async (path: string, at: { line: number | null; depth: number; next: Module[] }): Promise<void> => {
    modules.set(path, null);
    if (at.depth >= MAX_DEPTH || modules.size > MAX_INCLUDES) {
      warn(at.line, `${path} is not included: the page includes too many snippets, or too deeply.`, "snippet");
      return;
    }
    const source = await read(path);
    if (source === null) return;
    budget -= source.length;
    if (budget < 0) {
      warn(at.line, `${path} is not included: the page's snippets are larger than 2 MB.`, "snippet");
      return;
    }
    const module = parseSnippet(path, source, { lines, parse, warn });
    modules.set(path, module);
    at.next.push(module);
  };

  let wave: Module[] = [page];
  for (let depth = 0; wave.length > 0; depth += 1) {
    const next: Module[] = [];
    for (const { paths, line } of wave.flatMap((module) => includesOf(module))) {
      for (const path of paths) {
        if (!modules.has(path)) await load(path, { line, depth, next });
        if (modules.get(path)) break;
      }
    }
    wave = next;
  }
  return modules;
}

function parseSnippet(
  path: string,
  source: string,
  { lines, parse, warn }: Pick<LoadModules, "lines" | "parse" | "warn">,
): Module {
  const empty: Module = { path, root: null, statements: [], proseNodes: new Set(), json: undefined };
  let file: number | null = null;
  try {
    if (markdownFormat(path) !== null) {
      const warnings: Parameters<Warn>[] = [];
      const root = parse(source, (...warning) => void warnings.push(warning));
      file = lines.add(path, root);
      for (const [line, message, code] of warnings) warn(file + (line ?? 0), message, code);
      return moduleOf(path, root, warn);
    }
    file = lines.add(path, null);
    if (path.endsWith(".json")) return { ...empty, json: JSON.parse(source) as unknown };
    const start = file;
    const statements = parseModule(source).body.map((node) => ({ node, line: start + (node.loc?.start.line ?? 0) }));
    return { ...empty, statements };
  } catch (error) {
    const isKnown = error instanceof PageProblem || error instanceof PageLimit;
    if (!isKnown && !(error instanceof SyntaxError)) throw error;
    const reason = isKnown ? error.message.replace(/\.$/, "") : "it is not valid JSON";
    warn(file ?? lines.add(path, null), `The file cannot be used: ${reason}.`, "snippet");
    return empty;
  }
}

/** Reads the `import` and `export` lines of a parsed page. */
export function moduleOf(path: string, root: Root, warn: Warn): Module {
  const statements: Module["statements"] = [];
  const proseNodes = new Set<Nodes>();
  // Between the tags of a component they are nested, and count for the page all the same.
  for (const node of nodesOf(root)) {
    if (node.type !== "mdxjsEsm") continue;
    const line = node.position?.start.line ?? null;
    try {
      const lineOf = (within = 1) => (line === null ? null : line + within - 1);
      for (const statement of parseModule(node.value).body)
        statements.push({ node: statement, line: lineOf(statement.loc?.start.line) });
    } catch (error) {
      if (!(error instanceof PageProblem)) throw error;
      proseNodes.add(node);
      // A sentence may begin with "import" or "export"; broken code is seen by readers as the author wrote it.
      const isCode = /^(?:import\s[^\n]*["'{]|export (?:const|let|var|default|function|class|async|\{))/.test(
        node.value,
      );
      const code = isCode ? "not_rendered" : "syntax";
      warn(line, `This is not JavaScript, so it is shown as text: ${error.message}.`, code);
    }
  }
  return { path, root, statements, proseNodes, json: undefined };
}

/** The imports and includes of a module; of several paths the first that exists applies. */
function includesOf(module: Module): { paths: string[]; line: number | null }[] {
  const wanted: { paths: string[]; line: number | null }[] = [];
  for (const { node, line } of module.statements) {
    if (node.type !== "ImportDeclaration" && node.type !== "ExportNamedDeclaration") continue;
    const path = typeof node.source?.value === "string" ? importPath(node.source.value, module.path) : null;
    if (path !== null) wanted.push({ paths: [path], line });
  }
  const tags = module.root ? snippetTags(module.root) : [];
  return [...wanted, ...tags.map(({ file, line }) => ({ paths: snippetPaths(file), line }))];
}

function snippetTags(root: Root): { file: string; line: number | null }[] {
  const found: { file: string; line: number | null }[] = [];
  for (const node of nodesOf(root)) {
    if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") {
      const file = includedFile(jsxTag(node));
      if (file !== null) found.push({ file, line: node.position?.start.line ?? null });
    }
  }
  return found;
}
