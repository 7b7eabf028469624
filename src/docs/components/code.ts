import { parseCodeMeta } from "#docs/markup/code-meta.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import { type ElementNode, type PageNode, valueText } from "#docs/markup/page-nodes.ts";
import { trimStartOf } from "#lib/trim.ts";
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
      let other = "";
      for (const node of codesIn(element.children)) {
        const code = codeOf(node);
        if (code === null) other += printer.node(node);
        else {
          const title = code.title ?? (code.language || `${printer.language.words.example} ${panels.length + 1}`);
          const own = node.kind === "element" ? printer.id(node) : null;
          panels.push({ title, label: escapeHtml(title), id: own, body: printer.code(code, { title: null }) });
        }
      }
      if (panels.length === 0)
        return `<div${attributes({ class: `code-group${className}`, id })}>${printer.nodes(element.children)}</div>\n`;
      return `${printPanels(` code-group${className}`, panels, { printer, id })}${other.trim() === "" ? "" : other}`;
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
    const inner = codesIn(element.children).filter((node) => node.kind === "element" || node.node.type !== "text");
    if (inner.length === 1 && inner[0]?.kind === "markdown" && inner[0].node.type === "code") {
      const title = printer.text(element, "filename") ?? printer.text(element, "title");
      const { value, lang, meta } = inner[0].node;
      const language = lang ?? printer.text(element, "language") ?? "";
      return printer.code(
        { code: value, language, meta: meta ?? "", line: inner[0].line },
        title === null ? { id } : { title, id },
      );
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

function codesIn(nodes: readonly PageNode[]): PageNode[] {
  return nodes.flatMap((node) => {
    const isWrapper = node.kind === "element" ? /^(?:div|CodeGroup)$/.test(node.name) : node.node.type === "paragraph";
    if (isWrapper) return codesIn(node.children);
    return node.kind === "markdown" && node.node.type === "text" && !/\S/.test(node.node.value) ? [] : [node];
  });
}
