import { backticksAround } from "#lib/backticks.ts";
import type { Code } from "mdast";
import { parseCodeMeta } from "#docs/markup/code-meta.ts";
import { quotedAttribute } from "./jsx-text.ts";
import { endOf, indentedLike, type NativeForm, prefixAt, type ReadBlocks, startOf } from "./tool-marks.ts";

/** Edits a block of code so that its settings and its text are native. */
export function editCode(
  page: ReadBlocks,
  node: Code,
  {
    form,
    replace,
    title,
    leave,
  }: {
    form: NativeForm;
    replace(start: number, end: number, text: string): void;
    leave(message: string): void;
    /** A title from the block around it. */
    title: string | null;
  },
): void {
  const { source } = page;
  const [start, end] = [startOf(node), endOf(node)];
  const was = page.codes.get(node);
  if (was === undefined) return;
  const [, fence, info = ""] = /^(`{3,}|~{3,})([^\n]*)/.exec(source.slice(start, end)) ?? [];
  if (fence === undefined) {
    if (form.format !== "mdx" || page.format === "mdx") return;
    const long = backticksAround(node.value, 3);
    replace(start, end, indentedLike(`${long}\n${node.value}\n${long}`, prefixAt(source, start).replace(/ {4}$/, "")));
    return;
  }
  const meta = [node.meta ?? "", title === null ? "" : `title=${quotedAttribute(title)}`].filter(Boolean).join(" ");
  const isSame = node.lang === was.lang && describe(meta) === describe(was.meta ?? "");
  // Settings need a language before them.
  const written = [node.lang ?? (meta === "" ? "" : "text"), meta.replace(/\bhighlight=(?=\{)/, "")]
    .filter(Boolean)
    .join(" ");
  const infoStart = start + fence.length;
  // MDX has no indented code, so a fence at any indentation may end the block.
  const inner = [...node.value.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*$/gm)].map(([, run = ""]) => run);
  const longest = Math.max(0, ...inner.filter((run) => run[0] === fence[0]).map((run) => run.length));
  if (form.format === "mdx" && longest >= fence.length) {
    const longer = (fence[0] ?? "`").repeat(longest + 1 - fence.length);
    replace(start, start, longer);
    if (source.slice(start, end).trimEnd().endsWith(fence)) replace(end, end, longer);
  }
  if (!isSame) replace(infoStart, infoStart + info.length, written);
  if (node.value === was.value) return;
  if (node.value.split("\n").length < was.value.split("\n").length)
    leave("lines of code that readers do not see are left out");
  const close = source.lastIndexOf("\n", end - 1);
  const prefix = /^[ \t>]*/.exec(source.slice(close + 1, end))?.[0] ?? "";
  const body = indentedLike(node.value, prefix);
  replace(
    infoStart + info.length,
    Math.max(infoStart + info.length, close),
    node.value === "" ? "" : `\n${prefix}${body}`,
  );
}

function describe(meta: string): string {
  const { highlighted, focused, added, removed, ...rest } = parseCodeMeta(meta);
  return JSON.stringify([[...highlighted], [...focused], [...added], [...removed], rest]);
}
