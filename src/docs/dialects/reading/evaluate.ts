import { posix } from "node:path";
import type * as es from "estree-jsx";
import type { ProblemList } from "#docs/problems.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { Computed, PackageCall, memberOf, unwrapCalls } from "./computed.ts";
import {
  bindPattern,
  environmentName,
  ExportName,
  keyOf,
  LocalFunction,
  nameOf,
  PackageName,
  type NameScope,
  elementText,
} from "./scope.ts";
import { innerStatements } from "./statements.ts";
import { callKnownMethod, templateText, operate, sizeOf } from "./values.ts";
import { type ConfigModule, isRequire, loadConfigModules } from "./modules.ts";

const MAX_STEPS = 400_000;
const MAX_DEPTH = 120;

/**
 * Reads the export of a JavaScript or TypeScript configuration as data: literals, names, spreads, templates, imports of
 * other files, calls of its own functions. Nothing runs, and the only known fact of the environment is a production build.
 * Anything else is a `Computed` with its place.
 */
export async function readConfigModule(
  snapshot: Snapshot,
  { path, name = "default" }: { path: string; name?: string | undefined },
  problems: ProblemList,
): Promise<unknown> {
  return new Evaluation(await loadConfigModules(snapshot, path, problems)).exportOf(path, name);
}

class Evaluation {
  readonly #modules: ReadonlyMap<string, ConfigModule>;
  readonly #scopes = new Map<string, NameScope>();
  #steps = MAX_STEPS;
  #depth = 0;

  constructor(modules: ReadonlyMap<string, ConfigModule>) {
    this.#modules = modules;
  }

  /** An export by its name; for a CommonJS module `default` is all of `module.exports`. */
  exportOf(path: string, name: string): unknown {
    const module = this.#modules.get(path);
    if (module === undefined) return new Computed({ path, line: null });
    if (module.kind === "json") return name === "default" ? module.value : memberOf(module.value, name);
    const { body } = module.program;
    const scope = this.#scopeOf(module);
    for (const node of body) {
      if (node.type === "ExportDefaultDeclaration" && name === "default")
        return node.declaration.type === "FunctionDeclaration"
          ? this.#called(new LocalFunction(node.declaration, scope))
          : this.#called(this.#value(node.declaration as es.Expression, scope));
      if (node.type !== "ExportNamedDeclaration") continue;
      const specifier = node.specifiers.find(({ exported }) => nameOf(exported) === name);
      if (specifier === undefined) continue;
      const from = typeof node.source?.value === "string" ? scope.imports.get(node.source.value) : undefined;
      if (from !== undefined) return this.exportOf(from, nameOf(specifier.local));
      return node.source ? this.#computed(node, scope) : this.#nameValue(nameOf(specifier.local), node, scope);
    }
    const exported = this.#commonJs(body, scope);
    if (name === "default") return this.#called(exported);
    return scope.names.has(name) ? this.#nameValue(name, module.program, scope) : memberOf(exported, name);
  }

  #commonJs(body: es.Program["body"], scope: NameScope): unknown {
    const exported: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    let all: unknown;
    for (const node of body) {
      if (node.type !== "ExpressionStatement" || node.expression.type !== "AssignmentExpression") continue;
      const { left, right } = node.expression;
      if (left.type !== "MemberExpression" || left.object.type === "Super") continue;
      const target = `${left.object.type === "Identifier" ? left.object.name : "module.exports"}.${keyOf(left.property) ?? ""}`;
      if (target === "module.exports") all = this.#value(right, scope);
      else if (/^(?:module\.)?exports\./.test(target))
        exported[target.split(".").at(-1) ?? ""] = this.#value(right, scope);
    }
    return all ?? exported;
  }

  #scopeOf(module: ConfigModule & { kind: "program" }): NameScope {
    const known = this.#scopes.get(module.path);
    if (known !== undefined) return known;
    const scope: NameScope = { path: module.path, names: new Map(), parent: null, imports: module.imports };
    this.#scopes.set(module.path, scope);
    for (const node of module.program.body) {
      if (node.type === "ImportDeclaration") this.#declareImport(node, scope);
      else if (node.type === "ExportNamedDeclaration" && node.declaration) this.#declare(node.declaration, scope);
      else if (node.type === "ExportDefaultDeclaration") this.#declare(node.declaration as es.Node, scope);
      else this.#declare(node, scope);
    }
    return scope;
  }

  #declareImport(node: es.ImportDeclaration, scope: NameScope): void {
    const source = String(node.source.value);
    const path = scope.imports.get(source);
    for (const specifier of node.specifiers) {
      const imported = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "default";
      const value =
        path === undefined
          ? new PackageName(this.#computed(node, scope).place, { source, name: imported })
          : new ExportName(path, imported);
      scope.names.set(specifier.local.name, { value });
    }
  }

  #declare(node: es.Node, scope: NameScope): void {
    if (node.type === "FunctionDeclaration" && node.id !== null && (node.id as es.Identifier | undefined))
      scope.names.set(node.id.name, { value: new LocalFunction(node, scope) });
    if (node.type !== "VariableDeclaration") return;
    for (const { id, init } of node.declarations)
      if (init) bindPattern(id, scope.names, () => this.#value(init, scope));
  }

  #nameValue(name: string, at: es.Node, scope: NameScope): unknown {
    for (let each: NameScope | null = scope; each !== null; each = each.parent) {
      const binding = each.names.get(name);
      if (binding === undefined) continue;
      if ("value" in binding) {
        const { value } = binding;
        return value instanceof ExportName ? this.exportOf(value.path, value.name) : value;
      }
      if (binding.isOpen === true) return this.#computed(at, scope);
      binding.isOpen = true;
      const value = binding.compute();
      each.names.set(name, { value });
      return value;
    }
    if (name === "undefined") return undefined;
    if (name === "__dirname") return posix.dirname(scope.path);
    return new PackageName(this.#computed(at, scope).place, { source: name, name });
  }

  #computed(node: es.Node, scope: NameScope): Computed {
    return new Computed({ path: scope.path, line: node.loc?.start.line ?? null });
  }

  /** A configuration may be a function that returns it. */
  #called = (value: unknown): unknown => (value instanceof LocalFunction ? this.call(value, []) : value);

  call({ node, scope }: LocalFunction, args: readonly unknown[]): unknown {
    const own: NameScope = { ...scope, names: new Map(), parent: scope };
    for (const [index, parameter] of node.params.entries()) {
      const value = args[index];
      bindPattern(parameter, own.names, () => value);
    }
    if (node.body.type !== "BlockStatement") return this.#value(node.body, own);
    return this.#run(node.body.body, own)?.value;
  }

  #run(body: readonly es.Statement[], scope: NameScope): { value: unknown } | null {
    for (const node of body) this.#declare(node, scope);
    for (const node of body) {
      if (node.type === "ReturnStatement")
        return { value: node.argument ? this.#value(node.argument, scope) : undefined };
      const inner = innerStatements(node, (each) => this.#value(each, scope));
      const returned = inner === null ? { value: this.#computed(node, scope) } : this.#run(inner, scope);
      if (returned !== null) return returned;
    }
    return null;
  }

  /** Copies count as steps by their size: code that doubles a list reaches any length within a few lines. */
  #affords(values: readonly unknown[]): boolean {
    for (const value of values) this.#steps -= sizeOf(value);
    return this.#steps >= 0;
  }

  #value(node: es.Node, scope: NameScope): unknown {
    this.#steps -= 1;
    if (this.#steps < 0 || this.#depth > MAX_DEPTH) return this.#computed(node, scope);
    this.#depth += 1;
    try {
      return this.#evaluate(node, scope);
    } finally {
      this.#depth -= 1;
    }
  }

  #evaluate(node: es.Node, scope: NameScope): unknown {
    const value = (each: es.Node) => this.#value(each, scope);
    switch (node.type) {
      case "Literal":
        return "regex" in node ? new Computed(this.#computed(node, scope).place) : node.value;
      case "TemplateLiteral":
        return templateText(node, node.expressions.map(value), {
          affords: (values) => this.#affords(values),
          computed: () => this.#computed(node, scope),
        });
      case "Identifier":
        return this.#nameValue(node.name, node, scope);
      case "ObjectExpression":
        return this.#object(node, scope);
      case "ArrayExpression":
        return node.elements.flatMap((element): unknown[] => {
          if (element === null) return [undefined];
          if (element.type !== "SpreadElement") return [value(element)];
          const spread = value(element.argument);
          if (!this.#affords([spread])) return [this.#computed(element, scope)];
          return Array.isArray(spread) ? (spread as unknown[]) : spread instanceof Computed ? [spread] : [];
        });
      case "FunctionExpression":
      case "ArrowFunctionExpression":
      case "FunctionDeclaration":
        return new LocalFunction(node, scope);
      case "AwaitExpression":
      case "ChainExpression":
        return value(node.type === "AwaitExpression" ? node.argument : node.expression);
      case "ConditionalExpression": {
        const test = value(node.test);
        return test instanceof Computed ? this.#computed(node, scope) : value(test ? node.consequent : node.alternate);
      }
      case "UnaryExpression":
      case "BinaryExpression":
      case "LogicalExpression":
        return operate(node, { value, computed: () => this.#computed(node, scope) });
      case "MemberExpression":
        return this.#member(node, scope);
      case "CallExpression":
      case "NewExpression":
        return this.#callExpression(node, scope);
      case "JSXElement":
      case "JSXFragment":
        return elementText(node, value);
      default:
        return this.#computed(node, scope);
    }
  }

  #object(node: es.ObjectExpression, scope: NameScope): unknown {
    const object = Object.create(null) as Record<string, unknown>;
    for (const property of node.properties) {
      if (property.type === "SpreadElement") {
        const spread = unwrapCalls(this.#value(property.argument, scope));
        if (typeof spread === "object" && spread !== null && !(spread instanceof Computed) && this.#affords([spread]))
          Object.assign(object, spread);
        continue;
      }
      const key = property.computed ? this.#value(property.key, scope) : keyOf(property.key);
      if (typeof key !== "string" && typeof key !== "number") continue;
      object[key] = property.kind === "init" ? this.#value(property.value, scope) : this.#computed(property, scope);
    }
    return object;
  }

  #member(node: es.MemberExpression, scope: NameScope): unknown {
    if (node.object.type === "Super") return this.#computed(node, scope);
    const variable = environmentName(node);
    if (variable !== null) return variable === "NODE_ENV" ? "production" : undefined;
    const object = this.#value(node.object, scope);
    if (object instanceof Computed) return this.#computed(node, scope);
    const key = node.computed ? this.#value(node.property, scope) : keyOf(node.property);
    return key instanceof Computed ? this.#computed(node, scope) : memberOf(object, String(key));
  }

  #callExpression(node: es.CallExpression | es.NewExpression, scope: NameScope): unknown {
    const args = node.arguments.flatMap((each) => (each.type === "SpreadElement" ? [] : [this.#value(each, scope)]));
    if (isRequire(node)) {
      const specifier = typeof args[0] === "string" ? args[0] : "";
      const path = scope.imports.get(specifier);
      if (node.callee.type === "MemberExpression") return path ?? specifier;
      return path === undefined
        ? new PackageName(this.#computed(node, scope).place, { source: specifier, name: "" })
        : this.exportOf(path, "default");
    }
    const { callee } = node;
    if (callee.type === "MemberExpression" && callee.object.type !== "Super") {
      const object = this.#value(callee.object, scope);
      const name = keyOf(callee.property) ?? "";
      const own = memberOf(object, name);
      if (own instanceof LocalFunction) return this.call(own, args);
      return callKnownMethod(
        { object, name, args },
        {
          call: (each, given) => this.call(each, given),
          affords: (values) => this.#affords(values),
          computed: () => this.#computed(node, scope),
        },
      );
    }
    const target = callee.type === "Super" ? null : this.#value(callee, scope);
    if (target instanceof LocalFunction) return this.call(target, args);
    // By convention of all tools `defineConfig` and similar functions return their argument.
    if (target instanceof PackageName && target.name.startsWith("define")) return args[0];
    const source = target instanceof PackageName ? target.source : target instanceof PackageCall ? target.source : "";
    const options = target instanceof PackageCall ? (target.args[0] ?? null) : null;
    return new PackageCall(this.#computed(node, scope).place, { source, args, options });
  }
}
