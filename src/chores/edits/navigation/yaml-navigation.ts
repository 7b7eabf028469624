import { type TextRange } from "#docs/nodes.ts";
import { posix } from "node:path";
import { isAlias, isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from "yaml";
import { joinContentRoot, stripContentRoot } from "#docs/routes.ts";
import {
  cannotEdit,
  itemsBelow,
  type NavItem,
  type ToolNavigation,
  type NavFile,
  NOT_ON_LINES,
  rootOf,
} from "./nav-items.ts";
import { addLine, lineEnd, lineStart, removeLines } from "./written-lines.ts";
import { openYaml, pairOf, yamlRange, lastOffset, rewriteScalar } from "./yaml-text.ts";

/** `nav` of an `mkdocs.yml`. Entries are edited where each is on lines of its own; `[a, b]` and aliases are not. */
export function readYamlNavigation({ pages, ...file }: NavFile): ToolNavigation {
  const { text } = file;
  const { contents, document } = openYaml(file);
  const nav = pairOf(contents, "nav")?.value;
  if (!isSeq(nav)) throw cannotEdit(file, yamlRange(nav)?.start ?? 0, 'is no list of "nav"');
  const unread: { offset: number; text: string }[] = [];

  const pageOf = (written: string): string | null =>
    /^(?:[a-z][a-z0-9+.-]*:|\/)|\*/i.test(written)
      ? null
      : joinContentRoot(posix.normalize(written.replace(/[?#].*/s, "")), pages);

  function itemOf(node: unknown): NavItem[] {
    const range = yamlRange(node);
    if (range === null) return [];
    const single = isMap(node) && node.items.length === 1 ? node.items[0]! : null;
    const [key, value] = single === null ? [null, node] : [single.key, single.value];
    const isTitled = isScalar(key) && key.value !== null;
    const isKnown = isScalar(value) ? typeof value.value === "string" : isSeq(value) && isTitled;
    if (!isKnown || (single !== null && !isTitled)) {
      // An alias may stand for any entry.
      const meant = yamlRange(isAlias(value) ? value.resolve(document) : node) ?? range;
      unread.push({ offset: range.start, text: text.slice(meant.start, meant.end) });
      return [];
    }
    const isFlow = isMap(node) && node.flow === true;
    return [
      {
        title: isTitled ? String(key.value) : null,
        page: isScalar(value) ? pageOf(String(value.value)) : null,
        items: isSeq(value) ? value.items.flatMap(itemOf) : null,
        offset: range.start,
        block: isFlow ? null : blockOf(range.start, lastOffset(node)),
        label: isTitled ? yamlRange(key) : null,
        reference: isScalar(value) ? yamlRange(value) : null,
      },
    ];
  }

  /** Lines of its own: nothing but the dash, and an anchor, comes before the entry on its first line. */
  function blockOf(start: number, last: number): TextRange | null {
    const first = lineStart(text, start);
    const isAlone = /^[ \t]*-[ \t]+(?:&\S+[ \t]+)*$/.test(text.slice(first, start));
    return isAlone ? { start: first, end: lineEnd(text, last) } : null;
  }

  const root = rootOf((nav as YAMLSeq<YAMLMap>).items.flatMap(itemOf), yamlRange(nav)?.start);
  const hasMostTitles = (items: readonly NavItem[]): boolean | null => {
    const named = items.filter((item) => item.page !== null);
    return named.length === 0 ? null : named.filter(({ title }) => title !== null).length * 2 >= named.length;
  };
  const referenceTo = (page: string) => stripContentRoot(page, pages) ?? page;
  return {
    ...file,
    root,
    unread,
    hasTitles: (group) => hasMostTitles(group.items ?? []) ?? hasMostTitles(itemsBelow(root)) ?? true,
    insert({ path: page, title }, { group, after }) {
      const like = after ?? group.items?.at(-1) ?? null;
      if (like?.block === null || like === null) throw cannotEdit(file, (like ?? group).offset, NOT_ON_LINES);
      const lead = /^[ \t]*-[ \t]+/.exec(text.slice(like.block.start))?.[0] ?? "- ";
      // In the quotes of the entries next to it.
      const written = (part: TextRange | null | undefined, value: string) =>
        rewriteScalar(value, part ? text.slice(part.start, part.end) : "");
      const near = group.items?.findLast(({ reference }) => reference !== null);
      const named = written(near?.reference, referenceTo(page));
      return addLine(
        text,
        like.block.end,
        lead + (title === null ? named : `${written(near?.label, title)}: ${named}`),
      );
    },
    remove(item) {
      if (item.block === null) throw cannotEdit(file, item.offset, NOT_ON_LINES);
      return removeLines(text, item.block);
    },
    writeTitle: rewriteScalar,
    writeReference: (page, written) => rewriteScalar(referenceTo(page), written),
  };
}
