import type * as es from "estree-jsx";
import { trimEndOf } from "#lib/trim.ts";
import { PageProblem } from "#docs/markup/budget.ts";
import type { PageEvaluator } from "./page-evaluator.ts";
import { type Anchor, type PageNode, type Scope, type Value, ValueMap, textNode } from "#docs/markup/page-nodes.ts";

/** A use of a tag: its attributes are evaluated, its children are not yet. */
export interface TagUse {
  name: string;
  props: Map<string, Value>;
  children: () => PageNode[];
  scope: Scope;
  line: number | null;
  /** Already assigned when the tag is in the page's own Markdown. */
  anchor: Anchor | null;
}

/** What this needs from the expander. */
export interface JsxHost {
  readonly evaluator: PageEvaluator;
  contentOf(value: Value): PageNode[];
  component(use: TagUse): PageNode[];
}

/** JSX in an expression, as the same nodes that JSX in Markdown becomes. */
export function expandJsx(element: es.JSXElement | es.JSXFragment, scope: Scope, expander: JsxHost): PageNode[] {
  const children = () => element.children.flatMap((child) => expandChild(child, scope, expander));
  if (element.type === "JSXFragment") return children();
  const name = nameOf(element.openingElement.name);
  const props = new Map<string, Value>();
  for (const attribute of element.openingElement.attributes) {
    if (attribute.type === "JSXSpreadAttribute") {
      const spread = expander.evaluator.evaluate(attribute.argument, scope);
      if (spread instanceof ValueMap) for (const [key, value] of spread.entries) props.set(key, value);
    } else if (attribute.name.type === "JSXIdentifier") {
      const value = attribute.value ? expander.evaluator.evaluate(attribute.value, scope) : true;
      // `key` is React's own.
      if (attribute.name.name !== "key") props.set(attribute.name.name, value);
    }
  }
  return expander.component({ name, props, children, scope, line: null, anchor: null });
}

function expandChild(child: es.JSXElement["children"][number], scope: Scope, expander: JsxHost): PageNode[] {
  switch (child.type) {
    case "JSXText": {
      const text = trimJsxText(child.value);
      return text === "" ? [] : [textNode(text)];
    }
    case "JSXElement":
    case "JSXFragment":
      return expandJsx(child, scope, expander);
    case "JSXExpressionContainer":
      return child.expression.type === "JSXEmptyExpression"
        ? []
        : expander.contentOf(expander.evaluator.evaluate(child.expression, scope));
    case "JSXSpreadChild":
      throw new PageProblem("spread children do not run here");
  }
}

/** JSX's rule: lines are trimmed at line ends, and joined by one space. */
function trimJsxText(text: string): string {
  const lines = text.split(/\r\n|\n|\r/);
  const kept = lines.map((line, index) => {
    const left = index === 0 ? line : line.replace(/^[ \t]+/, "");
    return index === lines.length - 1 ? left : trimEndOf(left, " \t");
  });
  return kept.filter((line) => line !== "").join(" ");
}

function nameOf(name: es.JSXOpeningElement["name"]): string {
  if (name.type === "JSXIdentifier") return name.name;
  if (name.type === "JSXNamespacedName") return `${name.namespace.name}:${name.name.name}`;
  return `${nameOf(name.object)}.${name.property.name}`;
}
