import { posix } from "node:path";
import type * as es from "estree-jsx";
import { Interpreter } from "#docs/evaluate/interpreter.ts";
import { nameOf, staticPath } from "#docs/evaluate/parse.ts";
import { PageProblem } from "#docs/markup/budget.ts";
import type { ProblemList } from "#docs/problems.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { Computed, PackageCall, memberOf, unwrapCalls } from "./computed.ts";
import { computedAt, declareImport, elementText, isFixed, isNegatedName, isThisYear, keyOf } from "./config-nodes.ts";
import { type ConfigModule, isRequire, loadConfigModules } from "./modules.ts";
import { ExportName, LocalFunction, type NameScope, PackageName } from "./scope.ts";
import { FollowedText, stepOfFunction, stepOfMethod, WrittenPattern } from "./text-function.ts";

const MAX_STEPS = 400_000;
const MAX_DEPTH = 120;
/** An error takes as long as this many steps. */
const STEPS_OF_A_REFUSAL = 20;

/** A configuration that builds does not throw. */
const WITHOUT_RESULT = new Set(["ClassDeclaration", "ExpressionStatement", "EmptyStatement", "ThrowStatement"]);

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
  const modules = await loadConfigModules(snapshot, path, problems);
  return new ConfigEvaluator(modules).exportOf(path, name);
}

class ConfigEvaluator extends Interpreter<NameScope> {
  readonly #modules: ReadonlyMap<string, ConfigModule>;
  readonly #scopes = new Map<string, NameScope>();
  #steps = MAX_STEPS;
  #depth = 0;

  constructor(modules: ReadonlyMap<string, ConfigModule>) {
    super();
    this.#modules = modules;
  }

  /** An export by its name; for a CommonJS module `default` is all of `module.exports`. */
  exportOf(path: string, name: string): unknown {
    const module = this.#modules.get(path);
    if (module === undefined) return new Computed({ path, line: null });
    if (module.kind === "json") return name === "default" ? module.value : memberOf(module.value, name);
    const { program } = module;
    const scope = this.#scopeOf(module);
    for (const node of program.body) {
      if (node.type === "ExportDefaultDeclaration" && name === "default")
        return this.#called(this.evaluate(node.declaration as es.Node, scope), scope);
      if (node.type !== "ExportNamedDeclaration") continue;
      const specifier = node.specifiers.find(({ exported }) => nameOf(exported) === name);
      if (specifier === undefined) continue;
      const from = typeof node.source?.value === "string" ? scope.imports.get(node.source.value) : undefined;
      if (from !== undefined) return this.exportOf(from, nameOf(specifier.local));
      return node.source ? computedAt(node, scope) : this.#nameValue(nameOf(specifier.local), node, scope);
    }
    const exported = this.#commonJs(program.body, scope);
    if (name === "default") return this.#called(exported, scope);
    return scope.names.has(name) ? this.#nameValue(name, program, scope) : memberOf(exported, name);
  }

  #commonJs(body: es.Program["body"], scope: NameScope): unknown {
    const exported: [string, unknown][] = [];
    let all: unknown;
    for (const node of body) {
      if (node.type !== "ExpressionStatement" || node.expression.type !== "AssignmentExpression") continue;
      const { left, right } = node.expression;
      if (left.type !== "MemberExpression") continue;
      const target = `${left.object.type === "Identifier" ? left.object.name : "module.exports"}.${keyOf(left.property) ?? ""}`;
      if (target === "module.exports") all = this.evaluate(right, scope);
      else if (/^(?:module\.)?exports\./.test(target))
        exported.push([target.split(".").at(-1) ?? "", this.evaluate(right, scope)]);
    }
    return all ?? this.object(exported);
  }

  #scopeOf(module: ConfigModule & { kind: "program" }): NameScope {
    const known = this.#scopes.get(module.path);
    if (known !== undefined) return known;
    const scope: NameScope = { path: module.path, names: new Map(), parent: null, imports: module.imports };
    this.#scopes.set(module.path, scope);
    for (const node of module.program.body) {
      const declared = "declaration" in node ? node.declaration : node;
      if (node.type === "ImportDeclaration") declareImport(node, scope);
      else if (declared?.type === "VariableDeclaration")
        this.#attempt(node, scope, () => this.declare(declared, scope));
      else if (declared?.type === "FunctionDeclaration" && declared.id !== null)
        scope.names.set(declared.id.name, { value: this.closure(declared, scope) });
    }
    return scope;
  }

  #nameValue(name: string, at: es.Node, scope: NameScope): unknown {
    for (let each: NameScope | null = scope; each !== null; each = each.parent) {
      const binding = each.names.get(name);
      if (binding === undefined) continue;
      if ("value" in binding) {
        const { value } = binding;
        return value instanceof ExportName ? this.exportOf(value.path, value.name) : value;
      }
      if (binding.isOpen === true) return computedAt(at, scope);
      binding.isOpen = true;
      const value = this.#attempt(at, scope, () => binding.compute());
      each.names.set(name, { value });
      return value;
    }
    if (name === "undefined") return undefined;
    if (name === "__dirname") return posix.dirname(scope.path);
    return new PackageName(computedAt(at, scope).place, { source: name, name });
  }

  /** A configuration may be a function that returns it. */
  #called(value: unknown, scope: NameScope): unknown {
    return value instanceof LocalFunction
      ? this.#attempt(value.node as es.Node, scope, () => this.call(value, []))
      : value;
  }

  #attempt(at: es.Node, scope: NameScope, compute: () => unknown): unknown {
    try {
      return compute();
    } catch (error) {
      if (!(error instanceof PageProblem)) throw error;
      this.#steps -= STEPS_OF_A_REFUSAL;
      return computedAt(at, scope);
    }
  }

  override evaluate(node: es.Node, scope: NameScope): unknown {
    if (this.#steps < 0 || this.#depth > MAX_DEPTH) return computedAt(node, scope);
    this.#depth += 1;
    const value = this.#attempt(node, scope, () => this.#known(node, scope));
    this.#depth -= 1;
    return value;
  }

  /** What only configurations have, before what all code has. */
  #known(node: es.Node, scope: NameScope): unknown {
    if (node.type === "Literal" && "regex" in node)
      return new WrittenPattern(computedAt(node, scope).place, node.regex);
    if (node.type === "AwaitExpression") return this.evaluate(node.argument, scope);
    if (isThisYear(node) && !this.isDefined("Date", scope)) return new Date().getFullYear();
    if (isThisYear(node) && !this.isDefined("Date", scope)) return new Date().getFullYear();
    if (node.type === "NewExpression") return this.callValue(this.evaluate(node.callee, scope), node, scope);
    if (node.type === "MemberExpression" && staticPath(node.object) === "process.env" && isFixed(node))
      return keyOf(node.property) === "NODE_ENV" ? "production" : undefined;
    return super.evaluate(node, scope);
  }

  override callExpression(node: es.SimpleCallExpression, scope: NameScope): unknown {
    if (this.#isFollowing && staticPath(node.callee) === "String") {
      const [text] = this.args(node, scope);
      if (text instanceof FollowedText) return text;
    }
    if (!isRequire(node)) return super.callExpression(node, scope);
    const [first] = this.args(node, scope);
    const specifier = typeof first === "string" ? first : "";
    const path = scope.imports.get(specifier);
    if (node.callee.type === "MemberExpression") return path ?? specifier;
    return path === undefined
      ? new PackageName(computedAt(node, scope).place, { source: specifier, name: "" })
      : this.exportOf(path, "default");
  }

  override callValue(callee: unknown, node: es.CallExpression, scope: NameScope): unknown {
    const args = this.args(node, scope);
    if (callee instanceof LocalFunction) return this.call(callee, args);
    // By convention of all tools `defineConfig` and similar functions return their argument.
    if (callee instanceof PackageName && callee.name.startsWith("define")) return args[0];
    const step = args[0] instanceof FollowedText ? stepOfFunction(callee) : null;
    if (step !== null) return (args[0] as FollowedText).changed(step);
    const source = callee instanceof PackageName || callee instanceof PackageCall ? callee.source : "";
    const options = callee instanceof PackageCall ? (callee.args[0] ?? null) : null;
    return new PackageCall(computedAt(node, scope).place, { source, args, options });
  }

  override method(receiver: unknown, call: { name: string; args: readonly unknown[] }): unknown {
    const { name, args } = call;
    if (receiver instanceof FollowedText) return receiver.changed(stepOfMethod(name, args));
    // `path.join(__dirname, "docs")`, whatever the local name of the module.
    if (receiver instanceof Computed && /^(?:join|resolve)$/.test(name))
      return posix.join(...args.map((each) => this.text(each)));
    // `Boolean`, or a function of a package, which is taken to remove what is absent.
    if (Array.isArray(receiver) && name === "filter" && !(args[0] instanceof LocalFunction))
      return this.spend(receiver as unknown[]).filter(Boolean);
    return super.method(this.known(receiver), call);
  }

  override step(): void {
    this.#steps -= 1;
    if (this.#steps < 0) throw new PageProblem("it takes too many steps");
  }

  /** Copies count as steps by their size: code that doubles a list reaches any length within a few lines. */
  override spend<T>(made: T): T {
    if (Array.isArray(made)) this.#steps -= made.length;
    if (typeof made === "string") this.#steps -= made.length / 20;
    if (this.#steps < 0 || Number.isNaN(made)) throw new PageProblem("it takes too many steps");
    return made;
  }

  override isKnown(value: unknown): boolean {
    return !(value instanceof Computed);
  }

  // A value that is undefined here, mostly an environment variable, is defined where the site is built.
  override text(value: unknown): string {
    if (!/^(?:string|number|boolean)$/.test(typeof value)) throw new PageProblem("it has no known text");
    return String(value);
  }

  override isDefined(name: string, scope: NameScope): boolean {
    return scope.names.has(name) || (scope.parent !== null && this.isDefined(name, scope.parent));
  }

  override lookUp(node: es.Identifier, scope: NameScope): unknown {
    return this.#nameValue(node.name, node, scope);
  }

  override define(name: string, compute: () => unknown, { names }: NameScope): void {
    names.set(name, { compute });
  }

  /** A name without a value gets one from a statement that does not run. */
  override declare(declaration: es.VariableDeclaration, scope: NameScope): void {
    super.declare({ ...declaration, declarations: declaration.declarations.filter(({ init }) => init) }, scope);
  }

  override innerScope(scope: NameScope): NameScope {
    return { ...scope, names: new Map(), parent: scope };
  }

  override object(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
    const object = Object.create(null) as Record<string, unknown>;
    for (const [key, value] of entries) object[key] = value;
    return object;
  }

  override entriesOf(value: unknown): [string, unknown][] {
    const inner = unwrapCalls(value);
    return typeof inner === "object" && inner !== null && this.isKnown(inner) ? Object.entries(inner) : [];
  }

  override itemsOf(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? (value as unknown[]) : this.isKnown(value) ? [] : [value];
  }

  override own(value: unknown, name: string): unknown {
    return memberOf(value, name);
  }

  override isLeftOut({ key, computed }: es.Property, scope: NameScope): boolean {
    return computed && !/^(?:string|number)$/.test(typeof this.evaluate(key, scope));
  }

  override closure(node: LocalFunction["node"], scope: NameScope): LocalFunction {
    return new LocalFunction(node, scope, (own, args) => this.#followed(own, args));
  }

  override functionOf(value: unknown): LocalFunction | null {
    return value instanceof LocalFunction ? value : null;
  }

  override element(node: es.JSXElement | es.JSXFragment, scope: NameScope): string {
    return elementText(node, (each) => this.evaluate(each, scope));
  }

  /** Whether every statement of a function counts: `text = text.trim()` changes what it returns. */
  #isFollowing = false;

  #followed(own: LocalFunction, args: readonly unknown[]): unknown {
    this.#isFollowing = true;
    const result = this.#attempt(own.node as es.Node, own.scope, () => this.call(own, args));
    this.#isFollowing = false;
    return result;
  }

  override isWithoutResult(node: es.Statement): boolean {
    if (!this.#isFollowing) return WITHOUT_RESULT.has(node.type);
    if (node.type !== "IfStatement") return WITHOUT_RESULT.has(node.type) && node.type !== "ExpressionStatement";
    // `if (!text) return "";`: a heading has a text.
    if (isNegatedName(node.test) && !node.alternate) return true;
    throw new PageProblem("its result depends on a condition");
  }
}
