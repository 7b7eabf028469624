import type * as es from "estree-jsx";
import { type Budget, PageProblem } from "#docs/markup/budget.ts";
import { checkName, lookUp, ownProperty, staticPath } from "./own-properties.ts";
import { callMethod, isTruthy, safeFunction } from "./safe-calls.ts";
import { asText, binaryOperation, unaryOperation } from "./operators.ts";
import { Closure, Scope, type Value, ValueMap } from "#docs/markup/page-nodes.ts";

const MAX_CALL_DEPTH = 40;

/** Turns JSX inside an expression into content; provided by the expander. */
export type EvaluateJsx = (element: es.JSXElement | es.JSXFragment, scope: Scope) => Value;

/**
 * Evaluates expressions of a page by walking their syntax tree: literals, variables, templates, conditions, lists, arrow
 * functions and a short list of methods. JavaScript's own objects are unreachable: lookups only see what the page defines,
 * and each step is counted.
 */
export class Evaluator {
  readonly #budget: Budget;
  readonly #jsx: EvaluateJsx;
  #depth = 0;

  constructor(budget: Budget, evaluateJsx: EvaluateJsx) {
    this.#budget = budget;
    this.#jsx = evaluateJsx;
  }

  evaluate(node: es.Node, scope: Scope): Value {
    this.#budget.step();
    switch (node.type) {
      case "Literal":
        return this.#literal(node);
      case "TemplateLiteral":
        return this.#template(node, scope);
      case "Identifier":
        return lookUp(node.name, scope);
      case "ArrayExpression":
        return this.#list(node.elements, scope);
      case "ObjectExpression":
        return this.#object(node, scope);
      case "MemberExpression":
        return this.#member(node, scope);
      case "ChainExpression":
        return this.evaluate(node.expression, scope);
      case "ConditionalExpression":
        return this.evaluate(isTruthy(this.evaluate(node.test, scope)) ? node.consequent : node.alternate, scope);
      case "LogicalExpression":
        return this.#logical(node, scope);
      case "UnaryExpression":
        return this.#unary(node, scope);
      case "BinaryExpression":
        return this.#binary(node, scope);
      case "ArrowFunctionExpression":
      case "FunctionExpression":
      case "FunctionDeclaration":
        return new Closure(node, scope);
      case "CallExpression":
        return this.#call(node, scope);
      case "JSXElement":
      case "JSXFragment":
        return this.#jsx(node, scope);
      case "JSXExpressionContainer":
        return node.expression.type === "JSXEmptyExpression" ? undefined : this.evaluate(node.expression, scope);
      default:
        throw new PageProblem(`${describe(node)} does not run here`);
    }
  }

  /** Calls a function of the page. */
  call(callee: Value, args: readonly Value[]): Value {
    if (!(callee instanceof Closure)) throw new PageProblem("it calls something that is not a function of this page");
    if (callee.isLater) throw new PageProblem("async functions and generators do not run here");
    if (this.#depth >= MAX_CALL_DEPTH) throw new PageProblem("its functions call each other too deeply");
    this.#depth += 1;
    try {
      const scope = new Scope(callee.scope);
      for (const [index, parameter] of callee.parameters.entries()) {
        if (parameter.type === "RestElement") this.bind(parameter.argument, args.slice(index), scope);
        else this.bind(parameter, args[index], scope);
      }
      if (callee.body.type !== "BlockStatement") return this.evaluate(callee.body, scope);
      return this.#run(callee.body.body, scope)?.value;
    } finally {
      this.#depth -= 1;
    }
  }

  /** Assigns a value to a name, or to the names of a pattern. */
  bind(pattern: es.Pattern, value: Value, scope: Scope): void {
    this.#budget.step();
    switch (pattern.type) {
      case "Identifier":
        scope.set(pattern.name, value);
        return;
      case "AssignmentPattern":
        this.bind(pattern.left, value === undefined ? this.evaluate(pattern.right, scope) : value, scope);
        return;
      case "ArrayPattern":
        for (const [index, element] of pattern.elements.entries()) {
          if (element) this.bind(element, Array.isArray(value) ? (value as Value[])[index] : undefined, scope);
        }
        return;
      case "ObjectPattern":
        this.#bindObject(pattern, value, scope);
        return;
      case "MemberExpression":
      case "RestElement":
        throw new PageProblem("this way of naming values does not run here");
    }
  }

  #bindObject(pattern: es.ObjectPattern, value: Value, scope: Scope): void {
    const taken = new Set<string>();
    for (const property of pattern.properties) {
      if (property.type === "RestElement") {
        const rest = value instanceof ValueMap ? [...value.entries].filter(([key]) => !taken.has(key)) : [];
        this.bind(property.argument, new ValueMap(rest), scope);
      } else {
        const key = this.#key(property.key, property.computed, scope);
        taken.add(key);
        this.bind(property.value, ownProperty(value, key), scope);
      }
    }
  }

  #run(statements: readonly es.Statement[], scope: Scope): { value: Value } | null {
    for (const statement of statements) {
      this.#budget.step();
      switch (statement.type) {
        case "ReturnStatement":
          return { value: statement.argument ? this.evaluate(statement.argument, scope) : undefined };
        case "VariableDeclaration":
          this.declare(statement, scope);
          break;
        case "IfStatement": {
          const branch = isTruthy(this.evaluate(statement.test, scope)) ? statement.consequent : statement.alternate;
          const result = branch ? this.#run([branch], new Scope(scope)) : null;
          if (result) return result;
          break;
        }
        case "BlockStatement": {
          const result = this.#run(statement.body, new Scope(scope));
          if (result) return result;
          break;
        }
        case "FunctionDeclaration":
          scope.set(statement.id.name, this.evaluate(statement, scope));
          break;
        case "ExpressionStatement":
          // Effects run after a page is shown, and are the only statements whose value is unused.
          if (!isEffect(statement.expression)) throw new PageProblem("a statement like this does not run here");
          break;
        case "EmptyStatement":
          break;
        default:
          throw new PageProblem(`${describe(statement)} does not run here`);
      }
    }
    return null;
  }

  /** `const a = 1, { b } = c`. */
  declare(declaration: es.VariableDeclaration, scope: Scope): void {
    for (const { id, init } of declaration.declarations)
      this.bind(id, init ? this.evaluate(init, scope) : undefined, scope);
  }

  #literal(node: es.Literal): Value {
    if ("regex" in node && node.regex) throw new PageProblem("regular expressions do not run here");
    if (typeof node.value === "bigint") throw new PageProblem("big integers do not run here");
    if (node.value instanceof RegExp || node.value === undefined) return undefined;
    return typeof node.value === "string" ? this.#budget.text(node.value) : node.value;
  }

  #template(node: es.TemplateLiteral, scope: Scope): string {
    let text = "";
    for (const [index, quasi] of node.quasis.entries()) {
      text += quasi.value.cooked ?? quasi.value.raw;
      const expression = node.expressions[index];
      if (expression) text += asText(this.evaluate(expression, scope));
      this.#budget.text(text);
    }
    return text;
  }

  #list(elements: readonly (es.Expression | es.SpreadElement | null)[], scope: Scope): Value[] {
    const items: Value[] = [];
    for (const element of elements) {
      if (element === null) items.push(undefined);
      else if (element.type === "SpreadElement") {
        const spread = this.evaluate(element.argument, scope);
        if (!Array.isArray(spread)) throw new PageProblem("only lists can be spread here");
        for (const item of spread as Value[]) {
          this.#budget.step();
          items.push(item);
        }
      } else items.push(this.evaluate(element, scope));
    }
    return items;
  }

  #object(node: es.ObjectExpression, scope: Scope): ValueMap {
    const entries: [string, Value][] = [];
    for (const property of node.properties) {
      if (property.type === "SpreadElement") {
        const spread = this.evaluate(property.argument, scope);
        if (!(spread instanceof ValueMap)) continue;
        for (const entry of spread.entries) {
          this.#budget.step();
          entries.push([entry[0], entry[1]]);
        }
      } else if (property.kind === "init") {
        entries.push([this.#key(property.key, property.computed, scope), this.evaluate(property.value, scope)]);
      } else throw new PageProblem("getters and setters do not run here");
    }
    return new ValueMap(entries);
  }

  #key(key: es.Expression | es.PrivateIdentifier, computed: boolean, scope: Scope): string {
    const name =
      !computed && key.type === "Identifier"
        ? key.name
        : key.type === "PrivateIdentifier"
          ? ""
          : asText(this.evaluate(key, scope));
    checkName(name);
    return name;
  }

  #member(node: es.MemberExpression, scope: Scope): Value {
    if (node.object.type === "Super") throw new PageProblem("super does not run here");
    const object = this.evaluate(node.object, scope);
    return ownProperty(object, this.#key(node.property, node.computed, scope));
  }

  #call(node: es.SimpleCallExpression, scope: Scope): Value {
    const { callee } = node;
    if (callee.type === "Super") throw new PageProblem("super does not run here");
    const path = staticPath(callee);
    const known = path !== null && !scope.has(path.split(".", 1)[0] ?? "") ? safeFunction(path) : undefined;
    if (known) return known(this.#arguments(node, scope));
    // A memoized value is what the function returns on first render.
    if (/^(?:React\.)?useMemo$/.test(path ?? "")) return this.call(this.#arguments(node, scope)[0], []);
    if (callee.type === "MemberExpression" && callee.object.type !== "Super") {
      const receiver = this.evaluate(callee.object, scope);
      const name = this.#key(callee.property, callee.computed, scope);
      if ((receiver === undefined || receiver === null) && (callee.optional || node.optional)) return undefined;
      const own = receiver instanceof ValueMap ? receiver.entries.get(name) : undefined;
      if (own !== undefined) return this.call(own, this.#arguments(node, scope));
      const call = (callback: Value, args: Value[]) => this.call(callback, args);
      return callMethod(receiver, { name, args: this.#arguments(node, scope), budget: this.#budget, call });
    }
    return this.call(this.evaluate(callee, scope), this.#arguments(node, scope));
  }

  #arguments(node: es.SimpleCallExpression, scope: Scope): Value[] {
    return this.#list(node.arguments, scope);
  }

  #logical(node: es.LogicalExpression, scope: Scope): Value {
    const left = this.evaluate(node.left, scope);
    const stops =
      node.operator === "&&"
        ? !isTruthy(left)
        : node.operator === "||"
          ? isTruthy(left)
          : left !== null && left !== undefined;
    return stops ? left : this.evaluate(node.right, scope);
  }

  #unary(node: es.UnaryExpression, scope: Scope): Value {
    if (node.operator === "typeof" && node.argument.type === "Identifier" && !scope.has(node.argument.name))
      return "undefined";
    const value = this.evaluate(node.argument, scope);
    return unaryOperation(node.operator, value);
  }

  #binary(node: es.BinaryExpression, scope: Scope): Value {
    if (node.left.type === "PrivateIdentifier") throw new PageProblem("private names do not run here");
    const left = this.evaluate(node.left, scope);
    const right = this.evaluate(node.right, scope);
    return binaryOperation(node.operator, [left, right], this.#budget);
  }
}

function describe(node: es.Node): string {
  return `JavaScript of the kind ${node.type}`;
}

function isEffect(expression: es.Expression): boolean {
  if (expression.type !== "CallExpression" || expression.callee.type === "Super") return false;
  return /^(?:React\.)?use(?:Layout)?Effect$/.test(staticPath(expression.callee) ?? "");
}
