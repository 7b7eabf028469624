import type * as es from "estree-jsx";
import { PageProblem } from "#docs/markup/budget.ts";
import type { Expander } from "./expand.ts";
import { importPath, snippetPaths } from "#docs/hrefs.ts";
import type { Module } from "./modules.ts";
import { type PageNode, Scope, SnippetComponent, type Value, ValueMap } from "#docs/markup/page-nodes.ts";
import type { Warn } from "./page.ts";

const MAX_SNIPPET_DEPTH = 12;

/** The modules of one page, each evaluated on first use. */
export interface ModuleScopes {
  /** The names that the page's own expressions can use. */
  scopeOf(path: string): Scope;
  /** `<Snippet file="…">`; null when the file does not exist. */
  snippet(file: Value, props: ValueMap, line: number | null): PageNode[] | null;
}

interface Evaluated {
  scope: Scope;
  exports: Map<string, Value>;
}

interface ModuleDeps {
  /** A function, because the expander in turn needs the snippets. */
  expander: () => Expander;
  /** Names that the tool defines for a page, and their values. */
  given: { path: string; names: Readonly<Record<string, unknown>> };
  warn: Warn;
}

/** Functions that Next.js calls while it builds. No page shows them. */
const FOR_NEXT = /^(?:getStaticProps|getStaticPaths|getServerSideProps|generateMetadata|generateStaticParams)$/;

function isForNext(node: es.Program["body"][number]): boolean {
  if (node.type !== "ExportNamedDeclaration" || node.declaration?.type !== "VariableDeclaration") return false;
  return node.declaration.declarations.every(({ id }) => id.type === "Identifier" && FOR_NEXT.test(id.name));
}

/** Evaluates imports and exports. */
export function createModuleScopes(
  modules: ReadonlyMap<string, Module | null>,
  { expander, given, warn }: ModuleDeps,
): ModuleScopes {
  const evaluated = new Map<string, Evaluated>();
  let depth = 0;

  const evaluate = (module: Module): Evaluated => {
    const known = evaluated.get(module.path);
    if (known) return known;
    // Registered before it is filled: of two modules that import each other, one sees the other unfinished.
    const names = module.path === given.path ? Object.entries(given.names) : [];
    const outer = new Scope(
      null,
      names.map(([name, value]) => [name, jsonValue(value)] as const),
    );
    const result: Evaluated = { scope: new Scope(outer), exports: new Map() };
    evaluated.set(module.path, result);
    if (module.root)
      result.exports.set("default", new SnippetComponent((props) => renderSnippet(module, result.scope, props)));
    if (module.json !== undefined) result.exports.set("default", jsonValue(module.json));
    for (const { node, line } of module.statements) {
      try {
        runStatement(node, { module, result, line });
      } catch (error) {
        if (!(error instanceof PageProblem)) throw error;
        if (!isForNext(node)) warn(line, `A definition in ${module.path} is left out: ${error.message}.`, "expression");
      }
    }
    return result;
  };

  const renderSnippet = (module: Module, scope: Scope, props: ValueMap): PageNode[] => {
    if (depth >= MAX_SNIPPET_DEPTH) throw new PageProblem("snippets include each other too deeply");
    depth += 1;
    try {
      return expander().expand(module.root?.children ?? [], new Scope(scope, [["props", props], ...props.entries]));
    } finally {
      depth -= 1;
    }
  };

  const runStatement = (
    node: es.Program["body"][number],
    at: { module: Module; result: Evaluated; line: number | null },
  ): void => {
    const { result, module, line } = at;
    switch (node.type) {
      case "ImportDeclaration":
        importNames(node, at);
        return;
      case "ExportNamedDeclaration":
        if (node.declaration) {
          declare(node.declaration, result);
          for (const name of namesOf(node.declaration)) result.exports.set(name, result.scope.get(name));
        } else if (!node.source) for (const specifier of node.specifiers) exportName(specifier, result);
        else
          warn(
            line,
            `Names exported from ${String(node.source.value).slice(0, 100)} in ${module.path} are left out.`,
            "snippet",
          );
        return;
      case "ExportDefaultDeclaration":
        result.exports.set("default", expander().evaluator.evaluate(node.declaration as es.Node, result.scope));
        return;
      case "VariableDeclaration":
      case "FunctionDeclaration":
        declare(node, result);
        return;
      case "ExpressionStatement":
        if (node.expression.type === "Literal") return; // "use client"
        throw new PageProblem("statements do not run here");
      default:
        throw new PageProblem(`JavaScript of the kind ${node.type} does not run here`);
    }
  };

  const declare = (node: es.Declaration | es.MaybeNamedFunctionDeclaration, { scope }: Evaluated): void => {
    if (node.type === "VariableDeclaration") expander().evaluator.declare(node, scope);
    else if (node.type === "FunctionDeclaration" && node.id)
      scope.set(node.id.name, expander().evaluator.evaluate(node as es.FunctionDeclaration, scope));
    else throw new PageProblem("classes do not run here");
  };

  const importNames = (
    node: es.ImportDeclaration,
    { module, result, line }: { module: Module; result: Evaluated; line: number | null },
  ): void => {
    const specifier = String(node.source.value);
    const path = importPath(specifier, module.path);
    if (path === null) {
      // React's own imports are harmless: a use that needs them is reported where it occurs.
      if (!/^(?:react|next)(?:$|[-/])/.test(specifier))
        warn(
          line,
          `The import of ${specifier.slice(0, 100)} is left out: only files of this site can be imported.`,
          "snippet",
        );
      return;
    }
    const target = modules.get(path) ?? null;
    if (target === null) {
      warn(line, `The import of ${path} is left out: there is no such file.`, "snippet");
      return;
    }
    const { exports } = evaluate(target);
    for (const specifierNode of node.specifiers) {
      const local = specifierNode.local.name;
      if (specifierNode.type === "ImportNamespaceSpecifier") result.scope.set(local, new ValueMap(exports));
      else {
        const named = specifierNode.type === "ImportDefaultSpecifier" ? "default" : nameOf(specifierNode.imported);
        // Astro names the page itself `Content` as well.
        const imported = named === "Content" && !exports.has(named) ? "default" : named;
        if (exports.has(imported)) result.scope.set(local, exports.get(imported));
        else warn(line, `${path} exports no ${imported.slice(0, 60)}.`, "snippet");
      }
    }
  };

  return {
    scopeOf(path) {
      const module = modules.get(path);
      return module ? evaluate(module).scope : new Scope(null);
    },
    snippet(file, props, line) {
      if (typeof file !== "string") return null;
      const module = snippetPaths(file)
        .map((path) => modules.get(path))
        .find((found) => found);
      if (!module?.root) {
        warn(line, `The snippet ${file.slice(0, 100)} is left out: there is no such file.`, "snippet");
        return null;
      }
      return renderSnippet(module, evaluate(module).scope, props);
    },
  };
}

function exportName(specifier: es.ExportSpecifier, { scope, exports }: Evaluated): void {
  exports.set(nameOf(specifier.exported), scope.get(nameOf(specifier.local)));
}

function nameOf(node: es.Identifier | es.Literal): string {
  return node.type === "Identifier" ? node.name : String(node.value);
}

function namesOf(declaration: es.Declaration): string[] {
  if (declaration.type !== "VariableDeclaration") return declaration.id ? [declaration.id.name] : [];
  return declaration.declarations.flatMap(({ id }) => patternNames(id));
}

function patternNames(pattern: es.Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        patternNames(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? patternNames(element) : []));
    case "AssignmentPattern":
      return patternNames(pattern.left);
    default:
      return [];
  }
}

function jsonValue(json: unknown, depth = 0): Value {
  if (depth > 50) return undefined;
  if (json === null || typeof json === "string" || typeof json === "number" || typeof json === "boolean") return json;
  if (Array.isArray(json)) return json.map((item) => jsonValue(item, depth + 1));
  if (typeof json !== "object") return undefined;
  return new ValueMap(Object.entries(json).map(([key, value]) => [key, jsonValue(value, depth + 1)] as const));
}
