import { PLUGIN_CONTENT, pluginContentIn } from "./plugin-content.ts";
import { copyTag, endOfElement, markdownElement, withoutIndent, writeOnLines } from "./markdown-in-html.ts";
import { calloutNamed, titleOfKind } from "./containers.ts";
import { Fences, indentOf } from "#docs/fences.ts";
import { dedented, type SourceLine, linesOf, startOfBody, lineText } from "./lines.ts";
import type { Block, Marks } from "./markers.ts";
import { type Rewritten, Rewriter } from "./rewriter.ts";

interface Reading {
  source: string;
  text: Rewriter;
  marks: Marks;
  depth: number;
}

const MAX_LINE = 2_000;
const MAX_DEPTH = 50;

/**
 * Reads Python-Markdown blocks with indented content: `!!! note "Title"`, `??? tip`, `=== "Tab"`, definition lists, HTML with
 * `markdown`; and `/// note` to `///`.
 */
export function readIndented(source: string, marks: Marks): Rewritten {
  const text = new Rewriter(source);
  const body = startOfBody(source);
  text.copy(0, body);
  readLines({ source, text, marks, depth: 0 }, linesOf(source, body));
  return text.result();
}

function readLines({ depth, ...outer }: Reading, lines: readonly SourceLine[]): void {
  const reading = { ...outer, depth: depth + 1 };
  const { source, text, marks } = reading;
  if (depth > MAX_DEPTH) {
    for (const line of lines) emit(reading, line);
    return;
  }
  const fences = new Fences();
  const slashes: { width: number; name: string }[] = [];
  for (let index = 0; index < lines.length;) {
    const line = lines[index] as SourceLine;
    const written = lineText(source, { ...line, end: Math.min(line.end, line.from + MAX_LINE) });
    if (fences.covers(written)) {
      emit(reading, line);
      index += 1;
      continue;
    }
    const indent = indentOf(written);
    const bare = written.trimStart();
    const opening = blockOf(bare);
    if (opening !== null) {
      const end = endOfBody(source, lines, { from: index + 1, indent: indent + 4 });
      const prefix = " ".repeat(indent);
      const start = line.end - bare.length;
      const title = opening.title && ([start + opening.title[0], start + opening.title[1]] as [number, number]);
      marks.open(text, opening.block, { prefix, at: line.from, title: bare.length < MAX_LINE ? title : null });
      readLines(reading, bodyOf(source, lines.slice(index + 1, end), indent));
      marks.close(text, opening.block.name, { prefix, at: lines[end - 1]?.end ?? line.end });
      index = end;
      continue;
    }
    const slash = /^(\/{3,})[ \t]*(?:([\w-]+)[ \t]*(?:\|[ \t]*(.*?))?[ \t]*)?$/.exec(bare);
    if (slash) {
      index += readSlashes(reading, { lines, index, indent, slash, open: slashes });
      continue;
    }
    if (pluginContentIn(bare) !== null) {
      marks.leaveOut(line.from, PLUGIN_CONTENT);
      index = endOfBody(source, lines, { from: index + 1, indent: indent + 4 });
      continue;
    }
    const html = markdownElement(bare);
    if (html?.content === "") {
      index = readHtml(reading, { lines, index, indent, ...html });
      continue;
    }
    if (html?.content.endsWith(`</${html.name}>`) === true) {
      writeOnLines(reading, line, html);
      index += 1;
      continue;
    }
    const definitions = bare === "" ? null : definitionsAt(source, lines, { index, indent });
    if (definitions !== null) {
      index = readDefinitions(reading, { lines, index, indent, first: definitions });
      continue;
    }
    emit(reading, line);
    index += 1;
  }
}

function emit({ text }: Reading, line: SourceLine): void {
  text.add(" ".repeat(line.pad), line.from);
  text.copy(line.from, line.next);
}

function blockOf(bare: string): { block: Block; title: [start: number, end: number] | null } | null {
  const [, mark, kind = "", quote, title = ""] =
    /^(!!!|\?\?\?\+?|===[!+]{0,2})[ \t]+((?:[\w-]+[ \t]*){0,10})(?:(["'])(.*)\3)?[ \t]*$/.exec(bare) ?? [];
  if (mark === undefined || (kind === "" && quote === undefined)) return null;
  const start = quote === undefined ? 0 : bare.indexOf(quote) + 1;
  const range: [number, number] | null = title.trim() === "" ? null : [start, start + title.length];
  if (mark.startsWith("=")) {
    if (quote === undefined) return null;
    return { block: { name: "Tab", attributes: mark.includes("!") ? [["data-first", null]] : [] }, title: range };
  }
  const words = kind.trim().split(/\s+/);
  const callout = words.map(calloutNamed).find((name) => name !== null);
  // An empty title leaves it out.
  const label: [string, string][] = quote === undefined ? [["label", titleOfKind(words[0] ?? "")]] : [];
  if (mark === "!!!") return { block: { name: callout ?? "Callout", attributes: label }, title: range };
  return {
    block: { name: "Accordion", attributes: accordion(words[0] ?? "", mark === "???+", range !== null) },
    title: range,
  };
}

/** Without a title it gets the name of its kind. */
function accordion(kind: string, isOpen: boolean, hasTitle: boolean): [string, string | null][] {
  const title: [string, string][] = hasTitle || kind === "" ? [] : [["title", titleOfKind(kind)]];
  return [...title, ...(isOpen ? [["open", null] as [string, null]] : [])];
}

/** The index after the last line of a body, without trailing empty lines. */
function endOfBody(
  source: string,
  lines: readonly SourceLine[],
  { from, indent }: { from: number; indent: number },
): number {
  let end = from;
  for (let index = from; index < lines.length; index += 1) {
    const written = lineText(source, lines[index] as SourceLine);
    if (written.trim() === "") continue;
    if (indentOf(written) < indent) break;
    end = index + 1;
  }
  return end;
}

const bodyOf = (source: string, lines: readonly SourceLine[], kept: number): SourceLine[] =>
  lines.map((line) => dedented(source, line, { kept, columns: 4 }));

/** Reads a line of slashes; returns the number of lines used. */
function readSlashes(
  { source, text, marks }: Reading,
  at: {
    lines: readonly SourceLine[];
    index: number;
    indent: number;
    slash: RegExpExecArray;
    open: { width: number; name: string }[];
  },
): number {
  const { lines, index, indent, open } = at;
  const line = lines[index] as SourceLine;
  const [, run = "", kind, title = ""] = at.slash;
  const prefix = " ".repeat(indent);
  if (kind === undefined) {
    const found = open.findLastIndex(({ width }) => width === run.length);
    for (const { name } of found === -1 ? [] : open.splice(found).toReversed())
      marks.close(text, name, { prefix, at: line.from });
    return 1;
  }
  const options = new Map<string, string>();
  let taken = 1;
  for (; index + taken < lines.length && taken < 20; taken += 1) {
    const written = lineText(source, lines[index + taken] as SourceLine);
    const option = /^\s{4,}([\w-]+):[ \t]*(.*)$/.exec(written.slice(0, MAX_LINE));
    if (!option) break;
    options.set(option[1] ?? "", option[2] ?? "");
  }
  const block = slashBlock(kind, options, title !== "");
  const range: [number, number] | null = title === "" ? null : [line.end - title.length, line.end];
  if (range !== null) range[0] = source.lastIndexOf(title, line.end);
  if (range !== null) range[1] = range[0] + title.length;
  marks.open(text, block, { prefix, at: line.from, title: kind === "html" ? null : range });
  open.push({ width: run.length, name: block.name });
  return taken;
}

function slashBlock(kind: string, options: ReadonlyMap<string, string>, hasTitle: boolean): Block {
  if (kind === "tab") return { name: "Tab" };
  if (kind === "details" || kind.startsWith("details-"))
    return {
      name: "Accordion",
      attributes: accordion(options.get("type") ?? "", options.get("open")?.toLowerCase() === "true", hasTitle),
    };
  if (/^(?:html|caption|figure-caption|table-caption|define)$/.test(kind)) return { name: "div" };
  const type = kind === "admonition" ? (options.get("type") ?? "note") : kind;
  return { name: calloutNamed(type) ?? "Callout", attributes: hasTitle ? [] : [["label", titleOfKind(type)]] };
}

/** Reads `<div markdown>` on its own line, whose content is Markdown, indented or not. Returns the index after it. */
function readHtml(
  reading: Reading,
  { lines, index, indent, name }: { lines: readonly SourceLine[]; index: number; indent: number; name: string },
): number {
  const { source, text } = reading;
  const line = lines[index] as SourceLine;
  const closes = endOfElement(source, lines, { name, index, indent });
  if (closes === -1) {
    emit(reading, line);
    return index + 1;
  }
  text.add(`\n${" ".repeat(line.pad)}`, line.from);
  copyTag(text, { from: line.from, tag: source.slice(line.from, line.end) });
  text.add("\n\n", line.end);
  const body = lines.slice(index + 1, closes);
  const indents = body
    .map((each) => lineText(source, each))
    .filter((each) => each.trim() !== "")
    .map(indentOf);
  const least = Math.min(...indents, 1_000);
  const columns = Math.max(0, least - indent);
  readLines(reading, columns === 0 ? body : body.map((each) => dedented(source, each, { kept: indent, columns })));
  text.add("\n", lines[closes]?.from ?? source.length);
  const last = lines[closes];
  // Below a list, an indented end would belong to its last item.
  if (last !== undefined) emit(reading, least < indent ? withoutIndent(source, last) : last);
  text.add("\n", last?.end ?? source.length);
  return closes + 1;
}

const DEFINITION = /^[ \t]*:[ \t]{1,4}\S/;
const MAX_TERMS = 10;

/** The index of the first definition below its terms; null when no definition list begins here. */
function definitionsAt(
  source: string,
  lines: readonly SourceLine[],
  { index, indent }: { index: number; indent: number },
): number | null {
  const written = (at: number) => (lines[at] === undefined ? "" : lineText(source, lines[at]));
  if (index > 0 && written(index - 1).trim() !== "") return null;
  for (let at = index; at < index + MAX_TERMS && at < lines.length; at += 1) {
    const each = written(at);
    const isNext = each.trim() === "" && at > index ? at + 1 : at;
    if (at > index && DEFINITION.test(written(isNext)) && indentOf(written(isNext)) === indent) return isNext;
    if (each.trim() === "" || indentOf(each) !== indent || /^\s*(?:#|[-*+]\s|\d+[.)]\s|>|\||<|:)/.test(each))
      return null;
  }
  return null;
}

/** Returns the index after the list. */
function readDefinitions(
  reading: Reading,
  { lines, index, indent, first }: { lines: readonly SourceLine[]; index: number; indent: number; first: number },
): number {
  const { source, text, marks } = reading;
  const prefix = " ".repeat(indent);
  const written = (at: number) => (lines[at] === undefined ? "" : lineText(source, lines[at]));
  marks.open(text, { name: "dl" }, { prefix, at: lines[index]?.from ?? 0 });
  let at = index;
  let definition: number | null = first;
  while (definition !== null) {
    for (; at < definition; at += 1) {
      const line = lines[at] as SourceLine;
      if (written(at).trim() !== "")
        marks.whole(
          text,
          { name: "dt" },
          { prefix, at: line.from, title: [line.from + indentOf(written(at)) - line.pad, line.end] },
        );
    }
    while (DEFINITION.test(written(at)) && indentOf(written(at)) === indent) {
      const line = lines[at] as SourceLine;
      let end = at + 1;
      while (
        end < lines.length &&
        written(end).trim() !== "" &&
        indentOf(written(end)) <= indent &&
        !DEFINITION.test(written(end))
      )
        end += 1;
      end = Math.max(end, endOfBody(source, lines, { from: end, indent: indent + 4 }));
      const start = source.indexOf(":", line.from) + 1;
      const rest = source.slice(start, line.end).search(/\S/);
      marks.open(text, { name: "dd" }, { prefix, at: line.from });
      readLines(reading, [
        { ...line, pad: indent, from: start + rest },
        ...bodyOf(source, lines.slice(at + 1, end), indent),
      ]);
      marks.close(text, "dd", { prefix, at: line.end });
      at = end;
      while (at < lines.length && written(at).trim() === "" && DEFINITION.test(written(at + 1))) at += 1;
    }
    let next = at;
    while (next < lines.length && written(next).trim() === "") next += 1;
    definition =
      next < lines.length && indentOf(written(next)) === indent
        ? definitionsAt(source, lines, { index: next, indent })
        : null;
    if (definition !== null) at = next;
  }
  marks.close(text, "dl", { prefix, at: lines[at - 1]?.end ?? 0 });
  return at;
}
