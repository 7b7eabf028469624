import type { Root } from "mdast";
import { nodesOf } from "./markdown-text.ts";
import { editText } from "./page-edits.ts";
import { labelEdits } from "./reference-labels.ts";
import { type PageSource, type TermEditOptions, type TermEdits, termEdits } from "./term-edits.ts";
import type { TermMatcher } from "./term-matcher.ts";

type Parse = (text: string) => Promise<Root | null>;

/**
 * The edits of `termEdits`, read again: where new words would be markup (`__init__`, `- b`, a label that the page defines),
 * they are escaped, and where that does not help all of the page's places are left.
 */
export async function readableTermEdits(
  page: PageSource,
  matcher: TermMatcher,
  { to, parse, ...options }: TermEditOptions & { to: string; parse: Parse },
): Promise<TermEdits> {
  const plain = termEdits(page, matcher, options);
  if (plain.words.size === 0 || !mayBeMarkup(to, page.root) || (await readsAsMeant(page, plain, parse))) return plain;
  const escaped = termEdits(page, matcher, { ...options, isEscaped: true });
  if (await readsAsMeant(page, escaped, parse)) return escaped;
  const refused = [...plain.words.keys()].map((offset) => ({ offset, place: "refused" as const }));
  return { edits: [], words: new Map(), replaced: 0, left: [...plain.left, ...refused] };
}

/** Letters alone are words wherever no definition makes a link of brackets around them. */
function mayBeMarkup(to: string, root: Root): boolean {
  if (/[^\p{L}\p{M}\p{N}\s]/u.test(to)) return true;
  for (const { type } of nodesOf(root)) if (type === "definition" || type === "footnoteDefinition") return true;
  return false;
}

/** Whether readers see the page as before, with the new words in the place of the old ones: marks stand in for those. */
async function readsAsMeant({ source, root }: PageSource, { edits, words }: TermEdits, parse: Parse): Promise<boolean> {
  if (/[\uE000\uE001]/.test(source)) return true;
  const wanted: string[] = [];
  // What is inserted are labels: a mark needs one where the new words are the label still.
  const replacing = edits.filter(({ start, end }) => start < end);
  const marked = replacing.map((edit) => {
    const word = words.get(edit.start);
    if (word === undefined) return edit;
    wanted.push(word);
    return { ...edit, text: `\uE000${wanted.length - 1}\uE001` };
  });
  const [meant, written] = await Promise.all(
    [editText(source, [...marked, ...labelEdits(source, root, marked)]), editText(source, edits)].map(parse),
  );
  // A page that no longer parses is refused where it is written.
  if (!meant || !written) return true;
  const expected = shown(meant).replaceAll(/\uE000(\d+)\uE001/g, (_mark, index: string) => wanted[Number(index)] ?? "");
  return oneLine(shown(written)) === oneLine(expected);
}

function shown(root: Root): string {
  const parts: string[] = [];
  for (const node of nodesOf(root)) {
    if (node.type === "image" || node.type === "imageReference") parts.push(node.alt ?? "");
    else if ("value" in node && node.type !== "yaml") parts.push(node.value);
  }
  return parts.join("");
}

const oneLine = (text: string) => text.replaceAll(/(?:\s|&nbsp;)+(?:>\s*)*/g, " ").trim();
