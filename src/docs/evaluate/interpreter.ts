import type * as es from "estree-jsx";
import { PageProblem } from "#docs/markup/budget.ts";
import { type Calling, callMethod, safeFunction } from "./calls.ts";
import { binaryOperation, unaryOperation } from "./operators.ts";
import { staticPath } from "./parse.ts";

const MAX_CALL_DEPTH = 40;

export interface OwnFunction<S> {
  node: es.ArrowFunctionExpression | es.FunctionExpression | es.MaybeNamedFunctionDeclaration;
  scope: S;
}

/**
 * Evaluates JavaScript by walking its syntax tree: literals, variables, templates, conditions, lists, functions and a short
 * list of methods. JavaScript's own objects are unreachable: names and properties are those that the code defines, and each
 * step and each copy is counted. What does not run throws a `PageProblem`.
 *
 * Subclasses say how names, objects and functions are kept, and which values are not known.
 */
export abstract class Interpreter<S> {
  #depth = 0;
  readonly #calling: Calling = {
    call: (callee, args) => this.call(callee, args),
    known: (value) => this.known(value),
    text: (value) => this.text(value),
    spend: (made) => this.spend(made),
    entriesOf: (value) => this.entriesOf(value),
  };

  abstract step(): void;
  /** Counts a text or a list that is built; refuses it past a limit. */
  abstract spend<T>(made: T): T;
  abstract isKnown(value: unknown): boolean;
  /** A value as JavaScript concatenates it to a string. Objects are not converted: they have no text. */
  abstract text(value: unknown): string;

  abstract isDefined(name: string, scope: S): boolean;
  abstract lookUp(node: es.Identifier, scope: S): unknown;
  abstract define(name: string, compute: () => unknown, scope: S): void;
  abstract innerScope(scope: S): S;

  abstract object(entries: Iterable<readonly [string, unknown]>): unknown;
  /** Empty for what is not an object. */
  abstract entriesOf(value: unknown): Iterable<readonly [string, unknown]>;
  /** What is spread in a list. */
  abstract itemsOf(value: unknown): readonly unknown[];
  /** Properties that the code defines, and those of texts and lists; nothing that JavaScript adds. */
  abstract own(value: unknown, name: string): unknown;

  abstract closure(node: OwnFunction<S>["node"], scope: S): unknown;
  abstract functionOf(value: unknown): OwnFunction<S> | null;
  abstract element(node: es.JSXElement | es.JSXFragment, scope: S): unknown;
  /** Whether a statement is passed over. */
  abstract isWithoutResult(statement: es.Statement): boolean;

  evaluate(node: es.Node, scope: S): unknown {
    this.step();
    switch (node.type) {
      case "Literal":
        if ("regex" in node || "bigint" in node)
          throw new PageProblem("regular expressions and big integers do not run here");
        return this.spend(node.value);
      case "TemplateLiteral":
        return this.#template(node, scope);
      case "Identifier":
        return this.lookUp(node, scope);
      case "ArrayExpression":
        return this.#list(node.elements, scope);
      case "ObjectExpression":
        return this.#object(node, scope);
      case "MemberExpression":
        return this.own(this.known(this.evaluate(node.object, scope)), this.#key(node.property, node.computed, scope));
      case "ChainExpression":
        return this.evaluate(node.expression, scope);
      case "ConditionalExpression": {
        const test = this.known(this.evaluate(node.test, scope));
        return this.evaluate(test ? node.consequent : node.alternate, scope);
      }
      case "LogicalExpression":
        return this.#logical(node, scope);
      case "UnaryExpression": {
        const value = this.evaluate(node.argument, scope);
        if (node.operator === "typeof" && this.functionOf(value) !== null) return "function";
        return unaryOperation(node.operator, this.known(value));
      }
      case "BinaryExpression": {
        const left = this.known(this.evaluate(node.left, scope));
        const right = this.known(this.evaluate(node.right, scope));
        return this.spend(binaryOperation(node.operator, [left, right], this.#calling.text));
      }
      case "ArrowFunctionExpression":
      case "FunctionExpression":
      case "FunctionDeclaration":
        return this.closure(node, scope);
      case "CallExpression":
        return this.callExpression(node, scope);
      case "JSXElement":
      case "JSXFragment":
        return this.element(node, scope);
      case "JSXExpressionContainer":
        return node.expression.type === "JSXEmptyExpression" ? undefined : this.evaluate(node.expression, scope);
      default:
        throw new PageProblem(`JavaScript of the kind ${node.type} does not run here`);
    }
  }

  /** Calls a function of the code itself. */
  call(callee: unknown, args: readonly unknown[]): unknown {
    const own = this.functionOf(callee);
    if (own === null) throw new PageProblem("it calls something that is not a function of this page");
    if (this.#depth >= MAX_CALL_DEPTH) throw new PageProblem("its functions call each other too deeply");
    this.#depth += 1;
    try {
      const scope = this.innerScope(own.scope);
      const { params, body } = own.node;
      for (const [index, parameter] of params.entries()) {
        if (parameter.type === "RestElement") this.#bind(parameter.argument, () => args.slice(index), scope);
        else this.#bind(parameter, () => args[index], scope);
      }
      return body.type === "BlockStatement" ? this.#run(body.body, scope)?.value : this.evaluate(body, scope);
    } finally {
      this.#depth -= 1;
    }
  }

  /** `const a = 1, { b } = c`. */
  declare({ declarations }: es.VariableDeclaration, scope: S): void {
    for (const { id, init } of declarations)
      this.#bind(id, () => (init ? this.evaluate(init, scope) : undefined), scope);
  }

  /** Assigns a value to a name, or to the names of a pattern. */
  #bind(pattern: es.Pattern, compute: () => unknown, scope: S): void {
    this.step();
    switch (pattern.type) {
      case "Identifier":
        this.define(pattern.name, compute, scope);
        return;
      case "AssignmentPattern":
        this.#bind(pattern.left, () => this.#orElse(compute(), pattern.right, scope), scope);
        return;
      case "ArrayPattern": {
        const whole = once(compute);
        for (const [index, element] of pattern.elements.entries())
          if (element) this.#bind(element, () => this.#part(whole(), String(index)), scope);
        return;
      }
      case "ObjectPattern":
        this.#bindObject(pattern, once(compute), scope);
        return;
      case "MemberExpression":
      case "RestElement":
        throw new PageProblem("this way of naming values does not run here");
    }
  }

  #bindObject(pattern: es.ObjectPattern, whole: () => unknown, scope: S): void {
    const taken = new Set<string>();
    for (const property of pattern.properties) {
      if (property.type === "RestElement") {
        const rest = () => Array.from(this.entriesOf(whole())).filter(([key]) => !taken.has(key));
        this.#bind(property.argument, () => (this.isKnown(whole()) ? this.object(rest()) : whole()), scope);
      } else {
        const key = this.#key(property.key, property.computed, scope);
        taken.add(key);
        this.#bind(property.value, () => this.#part(whole(), key), scope);
      }
    }
  }

  #orElse(value: unknown, node: es.Expression, scope: S): unknown {
    return value === undefined ? this.evaluate(node, scope) : value;
  }

  #part = (whole: unknown, key: string): unknown => (this.isKnown(whole) ? this.own(whole, key) : whole);

  #run(statements: readonly es.Statement[], scope: S): { value: unknown } | null {
    for (const node of statements)
      if (node.type === "FunctionDeclaration") this.define(node.id.name, () => this.closure(node, scope), scope);
    for (const statement of statements) {
      this.step();
      if (statement.type === "ReturnStatement")
        return { value: statement.argument ? this.evaluate(statement.argument, scope) : undefined };
      if (statement.type === "VariableDeclaration") this.declare(statement, scope);
      else if (statement.type !== "FunctionDeclaration" && !this.isWithoutResult(statement)) {
        const inner = this.#innerStatements(statement, scope);
        if (inner === null) return { value: this.evaluate(statement, scope) };
        const returned = this.#run(inner, this.innerScope(scope));
        if (returned !== null) return returned;
      }
    }
    return null;
  }

  /** The statements that run as part of another; null for one that does not run here. */
  #innerStatements(node: es.Statement, scope: S): readonly es.Statement[] | null {
    if (node.type === "BlockStatement") return node.body;
    if (node.type === "TryStatement") return node.block.body;
    if (node.type !== "IfStatement") return null;
    const test = this.evaluate(node.test, scope);
    const branch = test && this.isKnown(test) ? node.consequent : node.alternate;
    return branch ? [branch] : [];
  }

  /** Refuses a value that is not known, where the result depends on it. */
  known<T>(value: T): T {
    if (!this.isKnown(value)) throw new PageProblem("its value is not known here");
    return value;
  }

  #template({ quasis, expressions }: es.TemplateLiteral, scope: S): string {
    let text = "";
    for (const [index, { value }] of quasis.entries()) {
      text += value.cooked ?? value.raw;
      const expression = expressions[index];
      if (expression) text += this.spend(this.text(this.evaluate(expression, scope)));
    }
    return this.spend(text);
  }

  #list(elements: readonly (es.Expression | es.SpreadElement | null)[], scope: S): unknown[] {
    const items: unknown[] = [];
    for (const element of elements) {
      if (element === null) items.push(undefined);
      else if (element.type !== "SpreadElement") items.push(this.evaluate(element, scope));
      else for (const item of this.spend(this.itemsOf(this.evaluate(element.argument, scope)))) items.push(item);
    }
    return items;
  }

  #object(node: es.ObjectExpression, scope: S): unknown {
    const entries: (readonly [string, unknown])[] = [];
    for (const property of node.properties) {
      if (property.type === "SpreadElement")
        for (const entry of this.spend([...this.entriesOf(this.evaluate(property.argument, scope))]))
          entries.push(entry);
      else if (!this.isLeftOut(property, scope)) {
        const value = property.kind === "init" ? property.value : property;
        entries.push([this.#key(property.key, property.computed, scope), this.evaluate(value, scope)]);
      }
    }
    return this.object(entries);
  }

  /** Whether an object has no such property, because its name is not known. */
  isLeftOut(_property: es.Property, _scope: S): boolean {
    return false;
  }

  #key(key: es.Expression | es.PrivateIdentifier, isComputed: boolean, scope: S): string {
    return !isComputed && key.type === "Identifier" ? key.name : this.text(this.evaluate(key, scope));
  }

  callExpression(node: es.SimpleCallExpression, scope: S): unknown {
    const { callee } = node;
    const path = staticPath(callee);
    const builtIn =
      path === null || this.isDefined(path.split(".", 1)[0] ?? "", scope) ? undefined : this.builtIn(path);
    if (builtIn) return builtIn(this.args(node, scope).map(this.#calling.known), this.#calling);
    if (callee.type !== "MemberExpression") return this.callValue(this.evaluate(callee, scope), node, scope);
    const receiver = this.evaluate(callee.object, scope);
    const name = this.#key(callee.property, callee.computed, scope);
    if ((receiver === undefined || receiver === null) && (callee.optional || node.optional)) return undefined;
    const own = this.#part(receiver, name);
    const args = this.args(node, scope);
    return this.functionOf(own) === null ? this.method(receiver, { name, args }) : this.call(own, args);
  }

  builtIn(path: string): ReturnType<typeof safeFunction> {
    return safeFunction(path);
  }

  callValue(callee: unknown, node: es.SimpleCallExpression, scope: S): unknown {
    return this.call(callee, this.args(node, scope));
  }

  method(receiver: unknown, method: { name: string; args: readonly unknown[] }): unknown {
    return callMethod(receiver, method, this.#calling);
  }

  args(node: es.CallExpression, scope: S): unknown[] {
    return this.#list(node.arguments, scope);
  }

  #logical(node: es.LogicalExpression, scope: S): unknown {
    const left = this.evaluate(node.left, scope);
    if (!this.isKnown(left) && node.operator !== "&&") return left;
    const stops =
      node.operator === "&&" ? !this.known(left) : node.operator === "||" ? left : left !== null && left !== undefined;
    return stops ? left : this.evaluate(node.right, scope);
  }
}

/** A value that is computed on first use. */
function once<T>(compute: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: compute() }).value;
}
