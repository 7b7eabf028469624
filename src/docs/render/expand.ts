import type * as es from "estree-jsx";
import type { Nodes } from "mdast";
import type { MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx";
import { type Budget, PageProblem } from "#docs/markup/budget.ts";
import { alertOf, joinDirectives } from "./callout-syntax.ts";
import { PageEvaluator, ownProperty } from "./page-evaluator.ts";
import { type TagUse, expandJsx } from "./expand-jsx.ts";
import { type HtmlItem, nestHtml } from "#docs/markup/nest-html.ts";
import {
  type Anchor,
  type Closure,
  Content,
  type ElementNode,
  type PageNode,
  type Scope,
  SnippetComponent,
  type Value,
  ValueMap,
  elementNode,
  isCallable,
  textNode,
} from "#docs/markup/page-nodes.ts";
import { parseExpression } from "#docs/evaluate/parse.ts";
import { htmlTokens } from "#docs/markup/html-tokens.ts";
import { componentNamed } from "#docs/components/registry.ts";
import type { Warn } from "./page.ts";

type Jsx = MdxJsxFlowElement | MdxJsxTextElement;

export interface ExpandOptions {
  budget: Budget;
  warn: Warn;
  /** Anchors of the page's own nodes, assigned before those of snippets. */
  anchors: ReadonlyMap<Nodes, Anchor>;
  /** Whether an ESM node is prose. */
  isProse(node: Nodes): boolean;
  /** The content of a file that a tag names; null when the file does not exist. */
  snippet(file: Value, props: ValueMap, line: number | null): PageNode[] | null;
  /** The marks and words of one line of Markdown; null if the text is more than that. */
  lineOfMarkdown?(text: string, line: number | null): readonly Nodes[] | null;
  /** Whether the text after `[!NOTE]` is the title of an alert. */
  hasAlertTitles?: boolean;
}

/**
 * Resolves everything in a page that is not Markdown: expressions become content, components defined in the page are called,
 * snippets replace their tags, raw HTML becomes elements. What cannot be resolved is shown as source, with a warning.
 */
export class Expander {
  readonly evaluator: PageEvaluator;
  /** Definitions for `[text][label]` and `[^1]`; the first definition of a label applies. */
  readonly definitions = new Map<string, { url: string; title: string | null }>();
  readonly footnotes = new Map<string, PageNode[]>();
  readonly #options: ExpandOptions;

  constructor(options: ExpandOptions) {
    this.#options = options;
    this.evaluator = new PageEvaluator(
      options.budget,
      (element, scope) => new Content(expandJsx(element, scope, this)),
    );
  }

  get budget(): Budget {
    return this.#options.budget;
  }

  get warn(): Warn {
    return this.#options.warn;
  }

  expand(nodes: readonly Nodes[], scope: Scope): PageNode[] {
    const items: HtmlItem[] = [];
    let hasHtml = false;
    for (const [index, node] of nodes.entries()) {
      this.budget.addNode();
      if (isSpaced(nodes[index - 1], node)) items.push(textNode(" "));
      if (node.type === "html") {
        hasHtml = true;
        const { value } = node;
        const line = lineOf(node);
        items.push(
          ...htmlTokens(value).map((token) => ({ token, written: value.slice(token.start, token.end), line })),
        );
      } else items.push(...this.#node(node, scope));
    }
    const warn = (line: number | null, message: string) => this.warn(line, message, "syntax");
    const nested = hasHtml ? nestHtml(items, warn) : items.filter((item) => "kind" in item);
    return joinDirectives(nested, warn);
  }

  #node(node: Nodes, scope: Scope): PageNode[] {
    switch (node.type) {
      case "mdxFlowExpression":
      case "mdxTextExpression":
        return this.#expression(node.value, scope, lineOf(node));
      case "mdxJsxFlowElement":
      case "mdxJsxTextElement":
        return this.#element(node, scope);
      case "mdxjsEsm":
        return this.#options.isProse(node)
          ? [this.#wrap({ type: "paragraph", children: [] }, [textNode(node.value)])]
          : [];
      case "yaml":
        return [];
      case "definition":
        this.#define(node.identifier, { url: node.url, title: node.title ?? null });
        return [];
      case "footnoteDefinition":
        this.#footnote(node.identifier, this.expand(node.children, scope));
        return [];
      case "paragraph":
        if (isOnlyElements(node.children)) return this.expand(node.children, scope);
        return [this.#wrap(node, this.expand(node.children, scope))];
      case "blockquote": {
        const quote = this.#wrap(node, this.expand(node.children, scope));
        return [alertOf(quote, { hasTitles: this.#options.hasAlertTitles ?? false }) ?? quote];
      }
      default:
        return [this.#wrap(node, "children" in node ? this.expand(node.children, scope) : [])];
    }
  }

  #wrap(node: Nodes, children: PageNode[]) {
    return {
      kind: "markdown" as const,
      node,
      children,
      anchor: this.#options.anchors.get(node) ?? null,
      line: lineOf(node),
    };
  }

  #define(identifier: string, definition: { url: string; title: string | null }): void {
    const key = identifier.toLowerCase();
    if (!this.definitions.has(key)) this.definitions.set(key, definition);
  }

  #footnote(identifier: string, children: PageNode[]): void {
    const key = identifier.toLowerCase();
    if (!this.footnotes.has(key)) this.footnotes.set(key, children);
  }

  #expression(source: string, scope: Scope, line: number | null): PageNode[] {
    try {
      const expression = parseExpression(source);
      return expression === null ? [] : this.contentOf(this.evaluator.evaluate(expression, scope));
    } catch (error) {
      this.#problem(error, line, `{${source.trim()}} is shown as text`);
      return [elementNode("code", [textNode(`{${source}}`)])];
    }
  }

  #element(node: Jsx, scope: Scope): PageNode[] {
    const children = () => this.expand(node.children, scope);
    if (node.name === null) return children();
    const props = this.#props(node, scope);
    const line = lineOf(node);
    return this.component({
      name: node.name,
      props,
      children,
      scope,
      line,
      anchor: this.#options.anchors.get(node) ?? null,
    });
  }

  /** Expands a tag: calls a component of the page, inserts a snippet, or keeps the element for the printer. */
  component({ name, props, children, ...at }: TagUse): PageNode[] {
    const own = resolveName(name, at.scope);
    if (isCallable(own)) return this.#call(own, { name, props, children: children(), line: at.line });
    const includes = at.scope.has(name) ? undefined : componentNamed(name)?.includes;
    if (includes !== undefined)
      return this.#options.snippet(props.get(includes), new ValueMap(props), at.line) ?? children();
    this.budget.addNode();
    const element: ElementNode = {
      kind: "element",
      name,
      props: this.#withMarkdown(name, props, at),
      children: children(),
      anchor: at.anchor,
      line: at.line,
    };
    return [element];
  }

  /** The attributes of a component, those that may have Markdown as content. */
  #withMarkdown(name: string, props: Map<string, Value>, { scope, line }: Pick<TagUse, "scope" | "line">) {
    for (const [attribute, { hasMarkdown }] of Object.entries(componentNamed(name)?.attributes ?? {})) {
      const text = props.get(attribute);
      if (hasMarkdown !== true || typeof text !== "string" || !/[*_`[~]/.test(text)) continue;
      const nodes = this.#options.lineOfMarkdown?.(text, line) ?? null;
      if (nodes !== null) props.set(attribute, new Content(this.expand(nodes, scope)));
    }
    return props;
  }

  #call(
    component: Closure | SnippetComponent,
    use: { name: string; props: Map<string, Value>; children: PageNode[]; line: number | null },
  ): PageNode[] {
    const props = new ValueMap(
      use.children.length > 0 ? [...use.props, ["children", new Content(use.children)]] : use.props,
    );
    try {
      if (component instanceof SnippetComponent) return component.render(props);
      return this.contentOf(this.evaluator.call(component, [props]));
    } catch (error) {
      this.#problem(error, use.line, `<${use.name}> shows only its content`);
      return use.children;
    }
  }

  /** The nodes of a value, as React would render it. */
  contentOf(value: Value): PageNode[] {
    if (typeof value === "string" || typeof value === "number") {
      const text = this.budget.text(String(value));
      return text === "" ? [] : [textNode(text)];
    }
    if (value instanceof Content) {
      for (const _node of value.nodes) this.budget.addNode();
      return [...value.nodes];
    }
    if (Array.isArray(value)) {
      return (value as readonly Value[]).flatMap((item) => {
        this.budget.addNode();
        return this.contentOf(item);
      });
    }
    if (value instanceof ValueMap) throw new PageProblem("an object cannot be shown");
    return [];
  }

  #props(node: Jsx, scope: Scope): Map<string, Value> {
    const props = new Map<string, Value>();
    for (const attribute of node.attributes) {
      const source = attribute.value;
      try {
        if (attribute.type === "mdxJsxExpressionAttribute") {
          const spread = this.#evaluate(`{${attribute.value}}`, scope);
          if (spread instanceof ValueMap) for (const [name, value] of spread.entries) props.set(name, value);
        } else if (source === null || source === undefined) props.set(attribute.name, true);
        else if (typeof source === "string") props.set(attribute.name, source);
        else if (typeof source === "object") props.set(attribute.name, this.#evaluate(source.value, scope));
      } catch (error) {
        const name = attribute.type === "mdxJsxAttribute" ? attribute.name : "{…}";
        this.#problem(error, lineOf(node), `The attribute ${name} of <${node.name}> is left out`);
      }
    }
    return props;
  }

  #evaluate(source: string, scope: Scope): Value {
    const expression: es.Expression | null = parseExpression(source);
    return expression === null ? undefined : this.evaluator.evaluate(expression, scope);
  }

  #problem(error: unknown, line: number | null, consequence: string): void {
    if (!(error instanceof PageProblem)) throw error;
    this.warn(line, `${consequence.slice(0, 200)}: ${error.message}.`, "expression");
  }
}

/** `Card`, or `Tabs.Tab` if the page defines `Tabs`. */
function resolveName(name: string, scope: Scope): Value {
  const [head = "", ...rest] = name.split(".");
  if (!scope.has(head)) return undefined;
  return rest.reduce<Value>((value, part) => ownProperty(value, part), scope.get(head));
}

/** MDX parses tags on one line as a paragraph, which they are not. */
function isOnlyElements(children: readonly Nodes[]): boolean {
  let found = false;
  for (const child of children) {
    if (child.type === "mdxJsxTextElement" || child.type === "mdxTextExpression") found = true;
    else if (child.type !== "text" || /\S/.test(child.value)) return false;
  }
  return found;
}

/** The parser drops the space or line end between tags that are alone in a paragraph; two badges need it. */
function isSpaced(before: Nodes | undefined, node: Nodes): boolean {
  if (!before?.type.startsWith("mdx") || !node.type.startsWith("mdx")) return false;
  const [end, start] = [before.position?.end, node.position?.start];
  if (end === undefined || start === undefined) return false;
  return start.line - end.line <= 1 && (end.offset ?? 0) < (start.offset ?? 0);
}

function lineOf(node: Nodes): number | null {
  return node.position?.start.line ?? null;
}
