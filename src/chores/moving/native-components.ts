import { backticksAround } from "#lib/backticks.ts";
import type { Nodes, Root } from "mdast";
import { componentNamed } from "#docs/components/registry.ts";
import type { DialectName } from "#docs/dialect.ts";
import { Budget, PageProblem } from "#docs/markup/budget.ts";
import { scanTag, type Tag } from "#docs/markup/jsx-tag.ts";
import { type ElementNode, type PageNode, Scope, type Value, ValueMap, valueText } from "#docs/markup/page-nodes.ts";
import { ownNames } from "#docs/links/headings.ts";
import { nodesOf } from "#docs/nodes.ts";
import { parseExpression } from "#docs/evaluate/parse.ts";
import { PageEvaluator } from "#docs/render/page-evaluator.ts";
import { tagReader } from "#docs/syntax/components/read-components.ts";
import { closingTag, quotedAttribute } from "./jsx-text.ts";
import { headOf, isJsx, type JsxElement } from "./page-components.ts";
import { endOf, startOf } from "./tool-marks.ts";

interface Change {
  start: number;
  end: number;
  text: string;
}

/** A page's text with the components of a tool as native ones. `source` is MDX, and `root` its tree. */
export function nativeComponents({
  source,
  root,
  dialect,
}: {
  source: string;
  root: Root;
  dialect: DialectName;
}): string {
  const printer = new Printer(source);
  const own = ownNames(root);
  const isOwn = (element: JsxElement) => own.has(headOf(element.name));
  for (const element of [...nodesOf(root)].filter(isJsx).toReversed())
    if (!isOwn(element)) printer.rewrite(element, dialect, isOwn);
  return printer.text(0, source.length);
}

class Printer {
  readonly #source: string;
  readonly #changes: Change[] = [];
  /** The element, list item or other node whose children a list of nodes is. */
  readonly #origins = new WeakMap<readonly PageNode[], Nodes>();
  readonly #read = new Map<Nodes, PageNode[]>();
  /** Attributes whose value is only known when the page is shown. */
  readonly #computed = new Map<Value, string>();

  constructor(source: string) {
    this.#source = source;
  }

  /** A part of the source with the changes so far; a change that contains others replaces them. */
  text(start: number, end: number): string {
    let text = "";
    let last = start;
    const inside = this.#changes.filter((change) => change.start >= start && change.end <= end);
    for (const change of inside.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
      if (change.start < last) continue;
      text += this.#source.slice(last, change.start) + change.text;
      last = change.end;
    }
    return text + this.#source.slice(last, end);
  }

  /** Inner elements first. */
  rewrite(element: JsxElement, dialect: DialectName, isOwn: (element: JsxElement) => boolean): void {
    const reader = tagReader(element.name ?? "", dialect);
    const tag = scanTag(this.#source, startOf(element));
    if (reader === null || tag === null) return;
    const before = this.#elementOf(element, dialect, isOwn);
    const after = reader(before);
    const [only, ...others] = after;
    if (only?.kind === "element" && others.length === 0 && only.children === before.children) {
      const open = this.#openTag(only, { tag, before });
      if (open !== this.#source.slice(tag.start, tag.end))
        this.#changes.push({ start: tag.start, end: tag.end, text: open });
      const close = closingTag(this.#source, tag, endOf(element));
      if (close !== null && only.name !== before.name) this.#changes.push({ ...close, text: `</${only.name}>` });
      return;
    }
    const prefix = this.#prefixAt(tag.start);
    const isBlock = element.type === "mdxJsxFlowElement";
    const text =
      after === before.children
        ? this.#childrenOf(before.children, prefix, isBlock)
        : after.map((node) => this.#print(node, prefix)).join(isBlock ? `\n\n${prefix}` : "");
    this.#changes.push({ start: tag.start, end: endOf(element), text: text.trim() });
  }

  #elementOf(element: JsxElement, dialect: DialectName, isOwn: (element: JsxElement) => boolean): ElementNode {
    const tag = scanTag(this.#source, startOf(element));
    const props = new Map<string, Value>();
    for (const each of element.attributes)
      if (each.type === "mdxJsxAttribute") props.set(each.name, this.#valueOf(each.value, each.name, tag));
    const children = this.#childNodes(element, dialect, isOwn);
    this.#origins.set(children, element);
    return { kind: "element", name: element.name ?? "", props, children, anchor: null, line: null };
  }

  #childNodes(parent: Nodes, dialect: DialectName, isOwn: (element: JsxElement) => boolean): PageNode[] {
    const nodes = "children" in parent ? (parent.children as Nodes[]) : [];
    const children = nodes.flatMap((node): PageNode[] => {
      const known = this.#read.get(node);
      if (known !== undefined) return known;
      const read = this.#readNode(node, dialect, isOwn);
      this.#read.set(node, read);
      return read;
    });
    this.#origins.set(children, parent);
    return children;
  }

  #readNode(node: Nodes, dialect: DialectName, isOwn: (element: JsxElement) => boolean): PageNode[] {
    if (node.type === "paragraph" && node.children.every((child) => isJsx(child) || isBlank(child)))
      return this.#childNodes(node, dialect, isOwn);
    if (!isJsx(node)) {
      const children = this.#childNodes(node, dialect, isOwn);
      return [{ kind: "markdown", node, children, anchor: null, line: null }];
    }
    const element = this.#elementOf(node, dialect, isOwn);
    const reader = isOwn(node) ? null : tagReader(node.name ?? "", dialect);
    return reader === null ? [element] : reader(element);
  }

  #valueOf(value: unknown, name: string, tag: Tag | null): Value {
    if (value === null || value === undefined) return true;
    if (typeof value === "string") return value;
    const computed = new ValueMap([]);
    const written = tag?.attributes.find((each) => each.name === name);
    if (written !== undefined) this.#computed.set(computed, this.#source.slice(written.start, written.end));
    try {
      const expression = parseExpression((value as { value: string }).value);
      const evaluator = new PageEvaluator(new Budget(), () => {
        throw new PageProblem("content");
      });
      return expression === null ? computed : evaluator.evaluate(expression, new Scope(null));
    } catch (error) {
      if (!(error instanceof PageProblem)) throw error;
      return computed;
    }
  }

  /** A tag with the attributes of an element; those that did not change are as they were written. */
  #openTag({ name, props }: ElementNode, from: { tag: Tag; before: ElementNode } | null): string {
    const known = componentNamed(name)?.attributes;
    const isTitled = from !== null && ["title", "label"].some((key) => from.before.props.has(key));
    // The id of a tab is derived from its value if the group has its title.
    const id = isTitled || from === null || !props.has("title") ? undefined : props.get("value");
    const words = [...props, ...(typeof id === "string" ? [["id", id] as const] : [])].flatMap(
      ([key, value]): string[] => {
        if (value === undefined || value === null || value === false) return [];
        if (known !== undefined && key !== "id" && !Object.hasOwn(known, key)) return [];
        const computed = this.#computed.get(value);
        if (computed !== undefined) return [computed];
        const written = from?.tag.attributes.find((each) => each.name === key);
        if (from !== null && written !== undefined && from.before.props.get(key) === value)
          return [this.#source.slice(written.start, written.end)];
        if (value === true) return [key];
        return [typeof value === "string" ? `${key}=${quotedAttribute(value)}` : `${key}={${literalOf(value)}}`];
      },
    );
    const isClosed = from !== null && this.#source[from.tag.end - 2] === "/";
    return `<${[name, ...words].join(" ")}${isClosed ? " /" : ""}>`;
  }

  #print(node: PageNode, prefix: string): string {
    if (node.kind === "markdown") {
      const { position } = node.node;
      if (position?.start.offset !== undefined) return this.#moved(position.start.offset, endOf(node.node), prefix);
      return "value" in node.node ? node.node.value.replaceAll(/[\\`*_{}[\]<]/g, String.raw`\$&`) : "";
    }
    const { name, children } = node;
    if (name === "p" && this.#origins.get(children) === undefined) return this.#childrenOf(children, prefix, false);
    if (name === "CodeBlock" && children.every((child) => child.kind === "markdown" && child.node.type === "text"))
      return this.#codeBlock(node, prefix);
    const origin = this.#origins.get(children);
    const tag = origin !== undefined && isJsx(origin) ? scanTag(this.#source, startOf(origin)) : null;
    const before =
      tag === null || origin === undefined || !isJsx(origin)
        ? null
        : { tag, before: this.#asWritten(origin, children) };
    const open = this.#openTag(node, before);
    const close = tag === null || origin === undefined ? null : closingTag(this.#source, tag, endOf(origin));
    if (tag !== null && close !== null) return `${open}${this.text(tag.end, close.start)}</${name}>`;
    if (tag !== null && open.endsWith("/>")) return open;
    if (children.length === 0) return open.replace(/>$/, " />");
    const isInline = componentNamed(name)?.isInline === true || /^[a-z]/.test(name);
    const inner = this.#childrenOf(children, prefix, !isInline);
    return isInline ? `${open}${inner}</${name}>` : `${open}\n\n${prefix}${inner}\n\n${prefix}</${name}>`;
  }

  #asWritten(element: JsxElement, children: PageNode[]): ElementNode {
    const tag = scanTag(this.#source, startOf(element));
    const props = new Map<string, Value>();
    for (const each of element.attributes)
      if (each.type === "mdxJsxAttribute") props.set(each.name, this.#valueOf(each.value, each.name, tag));
    return { kind: "element", name: element.name ?? "", props, children, anchor: null, line: null };
  }

  /** Nodes one after the other; those that follow each other in the source keep what is between them. */
  #childrenOf(children: readonly PageNode[], prefix: string, isBlock: boolean): string {
    let text = "";
    for (let index = 0; index < children.length; index += 1) {
      const first = children[index] as PageNode;
      if (text !== "") text += isBlock ? `\n\n${prefix}` : "";
      let last = first;
      while (isMarkdown(last) && isMarkdown(children[index + 1]) && endsBefore(last, children[index + 1])) {
        index += 1;
        last = children[index] as PageNode;
      }
      text +=
        isMarkdown(first) && isMarkdown(last) && first !== last
          ? this.#moved(startOf(first.node), endOf(last.node), prefix)
          : this.#print(first, prefix);
    }
    return text;
  }

  /** A part of the source at another indentation. */
  #moved(start: number, end: number, prefix: string): string {
    const lineStart = this.#source.lastIndexOf("\n", start - 1) + 1;
    const columns = start - lineStart;
    const [first = "", ...lines] = this.text(start, end).split("\n");
    const moved = lines.map((line) => {
      const quote = prefix.trim() !== "" && line.startsWith(prefix) ? prefix.length : 0;
      let at = quote;
      while (at < columns && /[ \t]/.test(line[at] ?? "")) at += 1;
      const rest = line.slice(at);
      return rest === "" ? "" : prefix + rest;
    });
    return [first, ...moved].join("\n");
  }

  #codeBlock({ props, children }: ElementNode, prefix: string): string {
    const code = children
      .map((child) => (child.kind === "markdown" && "value" in child.node ? child.node.value : ""))
      .join("");
    const fence = backticksAround(code, 3);
    const title = props.get("title");
    const language = props.get("language") ?? props.get("lang");
    const words = [
      typeof language === "string" ? language : "",
      typeof title === "string" ? `title=${quotedAttribute(title)}` : "",
    ]
      .filter(Boolean)
      .join(" ");
    return [`${fence}${words}`, ...code.split("\n"), fence].join(`\n${prefix}`);
  }

  #prefixAt(at: number): string {
    return /^[ \t>]*/.exec(this.#source.slice(this.#source.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";
  }
}

function literalOf(value: Value): string {
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(literalOf).join(", ")}]`;
  if (value instanceof ValueMap)
    return `{ ${[...value.entries].map(([key, each]) => `${JSON.stringify(key)}: ${literalOf(each)}`).join(", ")} }`;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : JSON.stringify(valueText(value));
}

const isBlank = (node: Nodes): boolean => node.type === "text" && node.value.trim() === "";

const isMarkdown = (node: PageNode | undefined): node is Extract<PageNode, { kind: "markdown" }> =>
  node?.kind === "markdown" && node.node.position !== undefined;

const endsBefore = (node: PageNode, next: PageNode | undefined): boolean =>
  isMarkdown(node) && isMarkdown(next) && endOf(node.node) <= startOf(next.node);
