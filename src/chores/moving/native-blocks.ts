import type { Code, Image, Nodes } from "mdast";
import { formulasIn } from "#docs/render/formulas/mark-formulas.ts";
import { nodesOf } from "#docs/nodes.ts";
import { createLines } from "#lib/line-index.ts";
import type { TextEdit } from "#chores/edits/page-edits.ts";
import { jsxOfHtml, quotedAttribute, unescapedIn } from "./jsx-text.ts";
import { editCode } from "./native-code.ts";
import { isPlainBlock, ownCode, tagsOf } from "./native-tags.ts";
import {
  attribute,
  closeOf,
  commentIn,
  endOf,
  indentedLike,
  isTabGroup,
  isTitle,
  markedLineEnd,
  markedElement,
  type MarkedElement,
  type NativeForm,
  markLength,
  prefixAt,
  type ReadBlocks,
  startOf,
} from "./tool-marks.ts";

/** Around each tag that is written for a mark, so that blank lines next to it can be dropped. */
const TAG = "\uE102";
/** The same for `:::`, which needs no blank lines. */
const DIRECTIVE = "\uE103";
const VITEPRESS_ALERT = /^(>[ \t]*\[!)(NOTE|TIP|IMPORTANT|WARNING|CAUTION|INFO|DANGER)(\][ \t]*)/i;
const MARK_LINE = /^[ \t>]*\uE100\d{1,6}\uE101/;

/** What could not be written, by its line in `source`. */
type Leave = (line: number, message: string) => void;

/** Whether the page needs components, which are only in MDX. */
export function needsMdx({ source, root, format, codes }: ReadBlocks): boolean {
  for (const node of nodesOf(root)) {
    const marked = markedElement(source, node);
    if (marked !== null && !isPlainBlock(source, marked, codes)) return true;
    if (isTabGroup(source, node)) return true;
    if (
      format === "mdx" &&
      marked === null &&
      node.type.startsWith("mdx") &&
      commentIn(node) === null &&
      !isTitle(node)
    )
      return true;
  }
  return false;
}

/** The page's text with native blocks. Components that were written as tags stay. */
export const nativeBlocks = (page: ReadBlocks, form: NativeForm, leave: Leave): string =>
  new BlockWriter(page, form, leave).text();

class BlockWriter {
  readonly #page: ReadBlocks;
  readonly #form: NativeForm;
  readonly #leave: Leave;
  readonly #edits: TextEdit[] = [];
  /** Tags by their place, outermost first; closing ones innermost first. */
  readonly #opens = new Map<number, string[]>();
  readonly #closes = new Map<number, string[]>();
  readonly #definitions = new Map<string, string>();
  readonly #formulas;
  /** What becomes part of a tag is not edited. */
  readonly #skipped = new Set<Nodes>();
  /** Titles for blocks of code. */
  readonly #titles = new Map<Code, string>();

  constructor(page: ReadBlocks, form: NativeForm, leave: Leave) {
    this.#page = page;
    this.#form = form;
    this.#leave = leave;
    this.#formulas = form.format === "mdx" ? formulasIn(page.source, "likely") : [];
    for (const node of nodesOf(page.root))
      if (node.type === "definition" && !this.#definitions.has(node.identifier))
        this.#definitions.set(node.identifier, node.url);
  }

  text(): string {
    const { source, root } = this.#page;
    for (const node of nodesOf(root)) {
      const marked = markedElement(source, node);
      if (this.#skipped.has(node)) {
        if ("children" in node) for (const child of node.children) this.#skipped.add(child);
      } else if (marked !== null) this.#block(marked);
      else if (isTabGroup(source, node)) this.#tabGroup(node);
      else this.#node(node);
    }
    for (const node of this.#page.redefined) this.#replace(startOf(node), endOf(node), "");
    for (const [at, tags] of this.#opens) this.#replace(at, markedLineEnd(source, at), tagLine(tags.join("")));
    for (const [at, tags] of this.#closes) {
      const prefix = prefixAt(source, at);
      const line = `\n${prefix.trimEnd()}\n${prefix}`;
      const shown = tags.filter(Boolean).join(line);
      if (source.startsWith("\uE100", at)) this.#replace(at, markedLineEnd(source, at), tagLine(shown));
      else if (shown !== "") this.#replace(at, at, line + tagLine(shown));
    }
    return tidied(applied(source, this.#edits));
  }

  #replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text });
  }

  #block(marked: MarkedElement): void {
    const { source, codes } = this.#page;
    const start = startOf(marked);
    const own = ownCode(marked, codes);
    const [title] = marked.children;
    if (isTitle(title) && title !== undefined) this.#skipped.add(title);
    if (marked.name === "TOCInline")
      this.#leave(
        createLines(source).line(start),
        "a table of contents in the text is left out: pages have one beside it",
      );
    const written = attribute(marked, "title");
    if (own !== null && written !== null) this.#titles.set(own, written);
    const tags =
      own === null
        ? tagsOf(source, marked, { form: this.#form, definitions: this.#definitions })
        : { open: "", close: "" };
    const end = closeOf(source, marked);
    const words = start + markLength(source, start);
    const line = markedLineEnd(source, start);
    const isHtml = /^[a-z]/.test(marked.name ?? "") && line > words;
    if (!isHtml) this.#opens.set(start, [...(this.#opens.get(start) ?? []), tags.open]);
    if (!isHtml || end !== line) this.#closes.set(end, [tags.close, ...(this.#closes.get(end) ?? [])]);
    if (!isHtml) return;
    // The words of an HTML element stay Markdown.
    this.#replace(start, words, tags.open);
    this.#replace(line, line, source.slice(words, line).trim() === "" ? "" : tags.close);
  }

  #tabGroup(group: MarkedElement): void {
    const { source } = this.#page;
    const start = startOf(group);
    this.#opens.set(start, [`<Tabs>\n\n${prefixAt(source, start)}`]);
    const last = group.children.at(-1) as MarkedElement | undefined;
    const end = last && closeOf(source, last);
    if (end !== undefined) this.#closes.set(end, [...(this.#closes.get(end) ?? []), "</Tabs>"]);
  }

  #node(node: Nodes): void {
    const { source, format, texts } = this.#page;
    const isMdx = this.#form.format === "mdx";
    const [start, end] = [startOf(node), endOf(node)];
    if (node.type === "code")
      editCode(this.#page, node, {
        form: this.#form,
        title: this.#titles.get(node) ?? null,
        replace: (...edit) => this.#replace(...edit),
        leave: (message) => this.#leave(createLines(source).line(start), message),
      });
    else if (node.type === "blockquote" && this.#page.dialect === "vitepress") this.#alert(start, end);
    else if (node.type === "html" && isMdx) this.#html(node.value, start, end);
    else if (node.type === "text" && texts.get(node) !== node.value)
      this.#replace(start, end, node.value.replaceAll(/[\\`*{<]/g, String.raw`\$&`));
    else if (node.type === "inlineCode" && texts.get(node) !== node.value)
      this.#replace(
        start,
        end,
        source.slice(start, end).replace(texts.get(node) ?? "", () => node.value),
      );
    else if (node.type === "image" && node.data?.size) this.#sizedImage(node, node.data.size);
    else if (node.type === "link" && node.data?.button) {
      const [first, last] = [node.children.at(0) ?? node, node.children.at(-1) ?? node];
      this.#replace(start, startOf(first), `<a href=${quotedAttribute(node.url)} class="${node.data.button}">`);
      this.#replace(endOf(last), end, "</a>");
    } else if (node.type === "text" && isMdx && format === "md") {
      for (const at of unescapedIn(source, start, end))
        if (!this.#formulas.some((each) => each.start <= at && at < each.end)) this.#replace(at, at, "\\");
    } else if (node.type === "link" && isMdx && source[start] === "<") {
      const label = source.slice(start + 1, end - 1).replaceAll(/[[\]*_`{}<]/g, String.raw`\$&`);
      this.#replace(start, end, `[${label}](${node.url.replaceAll(/[()\\{}\s]/g, encodeURIComponent)})`);
      for (const child of node.children) this.#skipped.add(child);
    } else if (!isMdx && format === "mdx") {
      const comment = commentIn(node);
      if (comment !== null) this.#replace(start, end, `<!--${comment.replaceAll("--", "- -")}-->`);
    }
  }

  #sizedImage(image: Image, size: Record<string, string>): void {
    const { source } = this.#page;
    const [start, end] = [startOf(image), endOf(image)];
    // In Markdown, a tag alone on its line starts a block of HTML, which contains the next lines.
    const startsBlock = /(?:^|\n)[ \t]*$/.test(source.slice(Math.max(0, start - 100), start));
    const next = /^(?:[ \t]{0,4}\{[^{}\n]{0,1000}\})?[ \t]*\r?\n[ \t]*(<figcaption[\s>]|\S)/.exec(source.slice(end, end + 2_000))?.[1]; // oxfmt-ignore
    const isInBlock = this.#form.format === "md" && startsBlock && next !== undefined;
    const isCaptioned = isInBlock && next.length > 1;
    if (isInBlock && !isCaptioned) {
      this.#leave(createLines(source).line(start), "the size of an image is left out");
      return;
    }
    const written = { src: image.url, alt: image.alt ?? "", ...(image.title ? { title: image.title } : {}), ...size };
    const words = Object.entries(written).map(([name, value]) => `${name}=${quotedAttribute(value)}`);
    const tag = `<img ${words.join(" ")} />`;
    this.#replace(start, end, isCaptioned ? `<p>${tag}</p>` : tag);
  }

  /** VitePress has more kinds of alerts than GitHub, and titles for them: a title becomes the first words of the text. */
  #alert(start: number, end: number): void {
    const { source } = this.#page;
    const [mark, before = "", kind = "", after = ""] = VITEPRESS_ALERT.exec(source.slice(start, end)) ?? [];
    if (mark === undefined) return;
    const native = { INFO: "NOTE", DANGER: "CAUTION" }[kind.toUpperCase()];
    if (native !== undefined) this.#replace(start + before.length, start + before.length + kind.length, native);
    const title = /^[^\n]*/.exec(source.slice(start + mark.length, end))?.[0].trimEnd() ?? "";
    if (title === "") return;
    const line = `\n${prefixAt(source, start)}>`;
    this.#replace(start + mark.length - after.length, start + mark.length, `]${line} **`);
    this.#replace(start + mark.length + title.length, start + mark.length + title.length, `**${line}`);
  }

  #html(html: string, start: number, end: number): void {
    const { source } = this.#page;
    const { text, dropped } = jsxOfHtml(html);
    if (dropped.length > 0)
      this.#leave(
        createLines(source).line(start),
        `${dropped.map((each) => `\`${each}\``).join(", ")} has no meaning in MDX and is left out`,
      );
    // In a list or a quote, the value of the node has no indentation.
    const isWhole = source.slice(start, end) === html;
    if (text !== html) this.#replace(start, end, isWhole ? text : indentedLike(text, prefixAt(source, start)));
  }
}

function tagLine(text: string): string {
  const around = /^:::[a-z ]*/.test(text) ? DIRECTIVE : TAG;
  return around + text + around;
}

/** Applies edits; one that is inside another is dropped with the text that the other replaces. */
function applied(source: string, edits: readonly TextEdit[]): string {
  let text = "";
  let last = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < last) continue;
    text += source.slice(last, edit.start) + edit.text;
    last = edit.end;
  }
  return text + source.slice(last);
}

/** Drops the marks that belong to no element, and the blank lines that were added around tags. */
function tidied(text: string): string {
  const kept: string[] = [];
  const isBlank = (line: string | undefined) => line !== undefined && /^[ \t>]*\r?$/.test(line);
  let isAfterDropped = false;
  for (const line of text.split("\n")) {
    const [last, beforeLast] = [kept.at(-1), kept.at(-2)];
    const isDropped = MARK_LINE.test(line) || line.includes(TAG + TAG);
    if (line.includes(DIRECTIVE) && isBlank(last)) kept.pop();
    if (line.includes(TAG) && isBlank(last) && isBlank(beforeLast)) kept.pop();
    const isSurplus =
      isBlank(line) &&
      ((isAfterDropped && isBlank(last)) ||
        (last?.includes(DIRECTIVE) ?? false) ||
        (isBlank(last) && (beforeLast?.includes(TAG) ?? false)));
    // Of several blank lines after `:::`, only the first was added.
    if (isSurplus && last?.includes(DIRECTIVE)) kept[kept.length - 1] = last.replaceAll(DIRECTIVE, "");
    if (!isDropped && !isSurplus) kept.push(line);
    isAfterDropped = isDropped;
  }
  return kept.join("\n").replaceAll(TAG, "").replaceAll(DIRECTIVE, "");
}
