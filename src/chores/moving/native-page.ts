import type { Code, Heading, InlineCode, Root, Text } from "mdast";
import type { DialectName } from "#docs/dialect.ts";
import { PLUGIN_CONTENT, pluginContentIn } from "#docs/syntax/plugin-content.ts";
import { anchorsByNode, anchorsOf } from "#docs/links/headings.ts";
import { formulasIn } from "#docs/render/formulas/mark-formulas.ts";
import type { MarkdownFormat, MarkdownParser, ParseOutcome } from "#docs/parser.ts";
import { nodesOf } from "#docs/nodes.ts";
import { htmlTokens } from "#docs/markup/html-tokens.ts";
import { type Including, putIncludesIn } from "#docs/syntax/includes.ts";
import { includesIn } from "#docs/syntax/include-syntax.ts";
import { createLineMap, matchesInProse } from "#docs/syntax/lines.ts";
import { createLines } from "#lib/line-index.ts";
import { replaceMatches } from "#docs/syntax/rewriter.ts";
import { readSyntax } from "#docs/syntax/syntax.ts";
import { tagReader } from "#docs/syntax/components/read-components.ts";
import { editText, type TextEdit } from "#chores/edits/page-edits.ts";
import { quotedAttribute } from "./jsx-text.ts";
import { nativeBlocks, needsMdx } from "./native-blocks.ts";
import { endOf, type NativeForm, type ReadBlocks, startOf, type WrittenCode } from "./tool-marks.ts";
import { prepareSource } from "#docs/render/parse-page.ts";
import { nativeComponents } from "./native-components.ts";
import { dropKinds, unknownComponents } from "./page-components.ts";

/** A page of a tool, with the files that it includes. */
export interface ToolPageText {
  /** In the repository. */
  path: string;
  text: string;
  format: MarkdownFormat;
  dialect: DialectName;
  rules: Including["rules"];
  contentRoot: string;
  /** Whether pages import it. */
  isPart: boolean;
  read(path: string): Promise<string | null>;
}

/** What a page says that its native form does not, or says differently, by line of the page. */
export interface Left {
  line: number | null;
  message: string;
  /** What differs between places with the same message. */
  detail?: string;
}

export interface NativePage {
  text: string;
  format: MarkdownFormat;
  left: Left[];
  /** Included files whose text is part of the page now. */
  included: string[];
}

const FORMS: readonly NativeForm[] = [
  { format: "md", hasDirectives: true },
  { format: "mdx", hasDirectives: true },
  { format: "mdx", hasDirectives: false },
];

/** The native form of a page's text. If no form parses, the text is unchanged and `left` reports it. */
export async function nativePage(parser: MarkdownParser, page: ToolPageText): Promise<NativePage> {
  const { text, path, format, dialect, contentRoot, rules } = page;
  const left: Left[] = [];
  const { line: lineIn } = createLines(text);
  const missing = new Set<string>();
  const whole = await putIncludesIn(text, path, {
    dialect,
    contentRoot,
    rules,
    readsValues: true,
    read: page.read,
    warn(offset, message) {
      const [, file, why] = /^(.+) is not included: (.+)$/s.exec(message) ?? [];
      if (file !== undefined) missing.add(file);
      const what = why === undefined ? { message } : { message: `an included file is left out: ${why}`, detail: file! };
      left.push({ line: lineIn(offset), ...what });
    },
  });
  const included = includesIn(text, dialect).flatMap(({ path: file }) => (missing.has(file) ? [] : [file]));
  const inFile = createLineMap(whole, text);
  const syntax = readSyntax(whole.source, format, dialect);
  const { line } = createLines(whole.source);
  for (const { offset, message } of syntax.leftOut) {
    const name = message === PLUGIN_CONTENT ? pluginContentIn(whole.source.slice(offset, offset + 300)) : null;
    const what = name === null ? { message } : { message: "what a plugin generates is left out", detail: name };
    left.push({ line: inFile(line(offset)), ...what });
  }
  const lineOf = (each: number) => inFile(syntax.lineOf(each));

  let written: MarkdownFormat = syntax.format;
  let outcome = await parseText(parser, syntax.source, written);
  if (!outcome.ok && written !== format) {
    const at = outcome.line === null ? null : lineOf(outcome.line);
    left.push({ line: at, message: `the page does not parse as MDX (${outcome.message}) and is plain Markdown now` });
    written = format;
    outcome = await parseText(parser, syntax.source, written);
  }
  const unchanged = { text, format, included: [] };
  if (!outcome.ok) {
    const at = outcome.line === null ? null : lineOf(outcome.line);
    return {
      ...unchanged,
      left: [...left, { line: at, message: `the page does not parse (${outcome.message}), so its text is unchanged` }],
    };
  }
  // The parser may return the same tree for the same text.
  const root = structuredClone(outcome.root);
  const codes = new Map<Code, WrittenCode>();
  const texts = new Map<Text | InlineCode, string>();
  const redefined = new Set([...nodesOf(root)].filter(({ type }) => type === "definition"));
  for (const node of nodesOf(root))
    if (node.type === "text" || node.type === "inlineCode") texts.set(node, node.value);
    else if (node.type === "code")
      codes.set(node, { lang: node.lang ?? null, meta: node.meta ?? null, value: node.value });
  syntax.finish(root);
  for (const node of nodesOf(root)) redefined.delete(node);
  if (rules.headingIds) root.data = { ...root.data, headingIds: rules.headingIds };
  dropKinds(root);
  for (const { name, line: at } of unknownComponents(root, dialect))
    left.push({
      line: at === null ? null : lineOf(at),
      message: `\`${name}\` is not a component of Docent, so its content is shown`,
    });
  left.push(...expressionsIn(root, dialect, lineOf));
  const blocks: ReadBlocks = { dialect, source: syntax.source, root, format: written, codes, texts, redefined };
  const isMdx = format === "mdx" || needsMdx(blocks) || hasComponents(root, dialect);
  const problems: string[] = [];
  for (const form of FORMS.filter(
    (each) => (each.format === "mdx" || !isMdx) && !(page.isPart && each.hasDirectives),
  )) {
    const found: Left[] = [];
    const tell = (each: number, message: string) => found.push({ line: lineOf(each), message });
    const native = await writtenAs(parser, blocks, { form, dialect, tell });
    if (native.ok && isSame(blocks, native.root) && (await readsDirectives(parser, native, form))) {
      const result = { text: withLinesOf(text, native.text), format: form.format, included };
      return { ...result, left: [...left, ...found] };
    }
    problems.push(native.ok ? "its headings, code or callouts would change" : native.message);
  }
  return {
    ...unchanged,
    left: [
      ...left,
      {
        line: null,
        message: `the page cannot be written as native ${isMdx ? "MDX" : "Markdown"} (${problems.at(-1)}), so its text is unchanged`,
      },
    ],
  };
}

/** Drops blank lines that were only needed to read the page: at its start, and runs of them if it had none. Keeps CRLF. */
function withLinesOf(before: string, after: string): string {
  const start = /^\s*\n/.test(before) ? after : after.replace(/^\n+/, "");
  let text = start.trimEnd() + before.slice(before.trimEnd().length);
  if (!/\n[^\S\n]*\n[^\S\n]*\n/.test(before))
    text = replaceMatches(text, matchesInProse(text, /\n(?:[^\S\n]*\n){2,}/g), () => "\n\n").source;
  return before.includes("\n") && !/(?<!\r)\n/.test(before) ? text.replaceAll(/(?<!\r)\n/g, "\r\n") : text;
}

/** Parses a native text as its page is shown: what is a formula is no code. Positions are those of the text. */
function parseText(parser: MarkdownParser, text: string, format: MarkdownFormat): Promise<ParseOutcome> {
  let shown = text;
  for (const { start, end } of formulasIn(text, "likely"))
    shown = shown.slice(0, start) + shown.slice(start, end).replaceAll(/[{}<\\]/g, "x") + shown.slice(end);
  return parser.parse(shown, format, "native");
}

type Written = { ok: true; text: string; root: Root } | { ok: false; message: string };

async function writtenAs(
  parser: MarkdownParser,
  blocks: ReadBlocks,
  { form, dialect, tell }: { form: NativeForm; dialect: DialectName; tell(line: number, message: string): void },
): Promise<Written> {
  const parsed = async (text: string): Promise<Written> => {
    const outcome = await parseText(parser, text, form.format);
    return outcome.ok ? { ok: true, text, root: outcome.root } : outcome;
  };
  let page = await parsed(nativeBlocks(blocks, form, tell));
  if (page.ok && form.format === "mdx") {
    const text = nativeComponents({ source: page.text, root: page.root, dialect });
    if (text !== page.text) page = await parsed(text);
  }
  if (!page.ok) return page;
  const text = withIds(page, blocks.root, form.format);
  return text === page.text ? page : parsed(text);
}

/** Whether each `:::` line is one for the renderer too, which finds the ends of code in another way than parsers. */
async function readsDirectives(
  parser: MarkdownParser,
  { text, root }: { text: string; root: Root },
  { format, hasDirectives }: NativeForm,
): Promise<boolean> {
  if (!hasDirectives || !/^:::/m.test(text)) return true;
  const codes = [...nodesOf(root)].filter(({ type }) => type === "code");
  const isCode = (at: number) => codes.some((node) => startOf(node) <= at && at < endOf(node));
  const lines = [...text.matchAll(/^:::(?=\r?$|[a-z])/gm)].filter(({ index }) => !isCode(index));
  const shown = prepareSource(text, {}).source;
  const outcome = await parseText(parser, shown, format);
  if (!outcome.ok) return false;
  const read = [...nodesOf(outcome.root)].filter(
    (node) => node.type === "paragraph" && /^:::(?:[a-z][^\n]*)?$/.test(shown.slice(startOf(node), endOf(node))),
  );
  return read.length === lines.length;
}

/** Writes the ids of headings that the tool derives in another way. */
function withIds({ text, root }: { text: string; root: Root }, before: Root, target: MarkdownFormat): string {
  const [was, is] = [idsOf(before), idsOf(root)];
  const [wasTags, isTags] = [headingTags(before, null), headingTags(root, text)];
  const edits =
    was.length === is.length
      ? is.flatMap(({ node, id }, index): TextEdit[] => {
          const own = was[index]?.id ?? id;
          const at = node.children.at(-1)?.position?.end.offset ?? node.position?.end.offset ?? 0;
          return own === id ? [] : [{ start: at, end: at, text: target === "mdx" ? ` \\{#${own}}` : ` {#${own}}` }];
        })
      : [];
  const tagEdits =
    wasTags.length === isTags.length
      ? isTags.flatMap(({ at, id }, index): TextEdit[] => {
          const own = wasTags[index]?.id ?? id;
          return own === id || at === null ? [] : [{ start: at, end: at, text: ` id=${quotedAttribute(own)}` }];
        })
      : [];
  return editText(text, [...edits, ...tagEdits]);
}

function idsOf(root: Root): { node: Heading; id: string }[] {
  return [...anchorsByNode(root)].flatMap(([node, { id }]) => (node.type === "heading" ? [{ node, id }] : []));
}

/** Headings as tags, with the place of an attribute in `text`. */
function headingTags(root: Root, text: string | null): { at: number | null; id: string }[] {
  const byNode = anchorsByNode(root);
  const known = new Set([...byNode.values()].map(({ id }) => id));
  const raw = anchorsOf(root).filter(({ kind, id }) => kind === "heading" && !known.has(id));
  const tags: { at: number | null; id: string }[] = [];
  for (const node of nodesOf(root)) {
    const start = node.position?.start.offset ?? 0;
    if (node.type === "html")
      for (const token of htmlTokens(node.value)) {
        if (token.kind !== "open" || !/^h[1-6]$/i.test(token.name)) continue;
        const at = start + token.start + 3;
        tags.push({ at: text?.slice(at - 3, at) === `<${token.name}` ? at : null, id: raw.shift()?.id ?? "" });
      }
    else if (node.type.startsWith("mdxJsx") && "name" in node && /^h[1-6]$/.test(node.name ?? ""))
      tags.push({ at: text === null ? null : start + 3, id: byNode.get(node)?.id ?? "" });
  }
  return tags;
}

/** Whether HTML of a Markdown page has tags that are components of the tool. */
function hasComponents(root: Root, dialect: DialectName): boolean {
  for (const node of nodesOf(root)) {
    if (node.type !== "html") continue;
    for (const token of htmlTokens(node.value)) {
      if (token.kind !== "open" || tagReader(token.name, dialect) === null) continue;
      const isCards = token.attributes.some(
        ({ name, value }) => name === "data-view" || (name === "class" && /\bcards\b/.test(value ?? "")),
      );
      if (/^[A-Z]/.test(token.name) || isCards) return true;
    }
  }
  return false;
}

/** Whether both have the same headings with their ids, and the native one each block of code. */
function isSame({ root }: ReadBlocks, native: Root): boolean {
  const headings = (tree: Root) => JSON.stringify(idsOf(tree).map(({ node, id }) => [node.depth, id]));
  const kept = new Set(codeIn(native));
  return headings(root) === headings(native) && codeIn(root).every((code) => code === "" || kept.has(code));
}

function codeIn(root: Root): string[] {
  return [...nodesOf(root)].flatMap((node) => (node.type === "code" ? [node.value.trimEnd()] : []));
}

/** Expressions of Vue and Jinja, which are text before and after. */
function expressionsIn(root: Root, dialect: DialectName, lineOf: (line: number) => number): Left[] {
  if (dialect !== "vitepress" && dialect !== "mkdocs") return [];
  for (const node of nodesOf(root)) {
    if (node.type !== "text") continue;
    const found = /\{\{[^{}\n]{1,200}\}\}|\{%[^%\n]{1,200}%\}/.exec(node.value)?.[0];
    const line = node.position?.start.line;
    if (found !== undefined)
      return [
        {
          line: line === undefined ? null : lineOf(line),
          message: `\`${found}\` is computed by the tool and stays as text`,
        },
      ];
  }
  return [];
}
