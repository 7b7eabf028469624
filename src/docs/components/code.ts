import type { Code } from "mdast";
import { parseCodeMeta } from "#docs/markup/code-meta.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import { type ElementNode, type MarkdownNode, type PageNode, valueText } from "#docs/markup/page-nodes.ts";
import { trimStartOf } from "#lib/trim.ts";
import { partChildren } from "./children.ts";
import { type Component, flag, literal } from "./component.ts";
import type { CodeSource } from "./component-printer.ts";
import { type Panel, printPanels } from "./panels.ts";

function codeGroup(name: string, summary: string, className: string): Component {
  return {
    names: [name],
    summary,
    html(element, printer) {
      const id = printer.id(element);
      const panels: Panel[] = [];
      const { items, before, after } = partChildren(element.children, isCode, isWrapper);
      for (const node of items) {
        const code = codeOf(node);
        if (code !== null) {
          const title = code.title ?? (code.language || `${printer.language.words.example} ${panels.length + 1}`);
          const own = node.kind === "element" ? printer.id(node) : null;
          panels.push({ title, label: escapeHtml(title), id: own, body: printer.code(code, { title: null }) });
        }
      }
      if (panels.length === 0)
        return `<div${attributes({ class: `code-group${className}`, id })}>${printer.nodes(element.children)}</div>\n`;
      const group = printPanels(` code-group${className}`, panels, { printer, id });
      return `${printer.blocks(before)}${group}${printer.blocks(after)}`;
    },
  };
}

const groups: Component = {
  ...codeGroup("CodeGroup", "Blocks of code in tabs", ""),
  style: `
.content .code-group { overflow: hidden; border: 1px solid var(--border); border-radius: var(--radius, 10px); background: var(--surface); padding-inline: 1.15em; }
.content .code-group > .tab-label { font-size: .84em; }
.content .code-group > .tab-panel { width: calc(100% + 2.3em); margin-inline: -1.15em; padding: 0; }
.content .code-group .code-block { margin: 0; border: 0; border-radius: 0; }
`,
};

const block: Component = {
  names: ["CodeBlock"],
  summary: "A text, a template or a code block as code",
  attributes: {
    filename: literal,
    title: literal,
    language: { kind: "option" },
    lang: { kind: "option" },
    highlight: { kind: "option" },
    lines: flag,
    wrap: flag,
    expandable: flag,
  },
  html(element, printer) {
    const id = printer.id(element);
    const { items, before, after } = partChildren(element.children, isFence, isWrapper);
    const [inner] = items;
    if (inner !== undefined && isFence(inner) && items.length === 1) {
      const title = printer.text(element, "filename") ?? printer.text(element, "title");
      const { value, lang, meta } = inner.node;
      const language = lang ?? printer.text(element, "language") ?? "";
      const code = printer.code(
        { code: value, language, meta: meta ?? "", line: inner.line },
        title === null ? { id } : { title, id },
      );
      return `${printer.blocks(before)}${code}${printer.blocks(after)}`;
    }
    const code = codeOfElement(element);
    return printer.code(code, { title: code.title, id });
  },
};

export const code: readonly Component[] = [
  groups,
  codeGroup("RequestExample", "Code samples of a request, in tabs", " request-example"),
  codeGroup("ResponseExample", "Code samples of a response, in tabs", " response-example"),
  block,
];

type TitledCode = CodeSource & { title: string | null };

function codeOf(node: PageNode): TitledCode | null {
  if (node.kind === "element") return block.names.includes(node.name) ? codeOfElement(node) : null;
  if (node.node.type !== "code") return null;
  const { value, lang, meta } = node.node;
  return {
    code: value,
    language: lang ?? "",
    meta: meta ?? "",
    line: node.line,
    title: parseCodeMeta(meta ?? "").title,
  };
}

const isFence = (node: PageNode): node is MarkdownNode & { node: Code } =>
  node.kind === "markdown" && node.node.type === "code";

const isCode = (node: PageNode): boolean => codeOf(node) !== null;

function codeOfElement({ props, children, line }: ElementNode): TitledCode {
  const prop = (name: string) => {
    const value = props.get(name);
    return typeof value === "string" && value !== "" ? value : null;
  };
  const meta = ["lines", "wrap", "expandable"].filter((name) => props.get(name) === true).join(" ");
  const highlight = valueText(props.get("highlight"));
  return {
    code: trimStartOf(rawText(children), "\n").trimEnd(),
    language: prop("language") ?? prop("lang") ?? "",
    meta: `${meta} {${highlight.replace(/[^\d,-]/g, "")}}`,
    line,
    title: prop("filename") ?? prop("title"),
  };
}

function rawText(nodes: readonly PageNode[]): string {
  return nodes
    .map((node) => (node.kind === "markdown" && "value" in node.node ? node.node.value : rawText(node.children)))
    .join("");
}

const isWrapper = (node: PageNode): boolean =>
  node.kind === "element" ? /^(?:div|CodeGroup)$/.test(node.name) : node.node.type === "paragraph";
