import path from "node:path";
import { diffLines } from "diff";
import { markdownFormat } from "#docs/parser.ts";
import { type Change, changeBy, changedLines, type FileEdit, readText } from "./change.ts";
import type { Task } from "./task.ts";

type Texts = Map<string, string | null>;
type Wrong = Task["wrong"][number];

/** Changes with one mistake, derived from the right one. Throws if a mistake does not apply to it. */
export async function wrongChanges(task: Task, right: Change, wrong: Wrong): Promise<Change[]> {
  const texts = await MAKERS[wrong.mistake]({ task, right, wrong });
  if (texts.length === 0) throw new Error(`The right change gives no occasion for “${wrong.mistake}”.`);
  return Promise.all(texts.map((each) => changeBy(right.before, each)));
}

interface Occasion {
  task: Task;
  right: Change;
  wrong: Wrong;
}

const MAKERS: Record<Wrong["mistake"], (occasion: Occasion) => Promise<Texts[]>> = {
  /** Each hunk omitted in turn. */
  missing: ({ right }) =>
    Promise.resolve(
      right.edits.flatMap((edit) =>
        hunks(edit).map((_, index) => new Map([...rightTexts(right), [edit.path, withoutHunk(edit, index)]])),
      ),
    ),
  /** New pages are truncated. */
  cut: ({ right }) =>
    Promise.resolve(
      right.edits.flatMap(({ path: file, before, after }) => {
        if (before !== null || after === null) return [];
        const lines = after.split("\n");
        return [new Map([...rightTexts(right), [file, `${lines.slice(0, lines.length / 2).join("\n")}\n`]])];
      }),
    ),
  /** The added lines of each page at the end of an unrelated page. */
  async misplaced({ task, right }) {
    const other = await bystander(task, right);
    const pages = right.edits.filter(isEditedPage);
    if (pages.length === 0) return [];
    const added = pages.flatMap((edit) => changedLines(edit).added).join("\n");
    const reverted = pages.map(({ path: file, before }): [string, string | null] => [file, before]);
    return [new Map([...rightTexts(right), ...reverted, [other.path, `${other.text}\n\n${added}\n`]])];
  },
  /** The added lines of each page at the end of the same page. */
  "wrong-section": ({ right }) =>
    Promise.resolve(
      right.edits.filter(isEditedPage).map((edit) => {
        const end = `\n\n## Elsewhere\n\n${changedLines(edit).added.join("\n")}\n`;
        const rest = diffLines(edit.before ?? "", edit.after ?? "").filter(({ added }) => !added);
        return new Map([...rightTexts(right), [edit.path, rest.map(({ value }) => value).join("") + end]]);
      }),
    ),
  /** Each required wording, slightly different where it was added. */
  "wrong-value": ({ task, right }) =>
    Promise.resolve(
      task.facts.flatMap((fact) => {
        const like = fact.pattern === undefined ? new RegExp(loose(fact.text ?? ""), "gu") : new RegExp(fact.pattern, "gimu");
        const edited = right.edits.map(({ path: file, after }): [string, string | null] => [file, after?.replaceAll(like, distorted) ?? null]);
        // A fact outside the change was there before.
        return edited.some(([, text], index) => text !== right.edits[index]?.after) ? [new Map(edited)] : [];
      }),
    ), // oxfmt-ignore
  /** Text that the right change removes stays next to the new one. */
  kept: ({ right }) =>
    Promise.resolve([
      new Map(
        right.edits.map(({ path: file, before, after }): [string, string | null] =>
          after === null
            ? [file, before]
            : [file, markdownFormat(file) === null ? after : diffLines(before ?? "", after).map(({ value }) => value).join("")],
        ),
      ),
    ]), // oxfmt-ignore
  /** The configuration of the site stays unchanged. */
  unlisted: ({ right }) =>
    Promise.resolve(
      right.edits
        .filter(({ path: file, before }) => before !== null && markdownFormat(file) === null)
        .map(({ path: file, before }) => new Map([...rightTexts(right), [file, before]])),
    ),
  /** The words are replaced in every text of the repository. */
  async overreach({ right, wrong: { from, to } }) {
    const texts: Texts = new Map();
    for (const { path: file, kind } of await right.before.files()) {
      const text = kind === "file" && /\.(?:mdx?|json|ya?ml)$/.test(file) ? await readText(right.before, file) : null;
      if (text?.includes(from)) texts.set(file, text.replaceAll(from, to));
    }
    return texts.size === 0 ? [] : [texts];
  },
  async bystander({ task, right }) {
    const { path: file, text } = await bystander(task, right);
    return [new Map([...rightTexts(right), [file, `${text.trimEnd()}\n\nThis page is up to date.\n`]])];
  },
  invention: ({ right }) => appended(right, "The limit is 48170 entries; `--turbo-cache` raises it (https://invented.example/turbo)."), // oxfmt-ignore
  /** Every paragraph of the changed pages, reworded. */
  rewrite: ({ right }) => {
    const pages = right.edits.filter(({ path: file, after }) => markdownFormat(file) !== null && after !== null);
    const reworded = (text: string) =>
      text.replace(/^(?![-#|<>`{}\s]|import |title:|description:).{20,}$/gmu, "In other words: $&\n\nTo say it again: $&\n\nAnd once more: $&\n\nAs was said: $&");
    const texts = pages.map(({ path: file, after }): [string, string] => [file, `${reworded(after ?? "")}\n${"\nAnd so on.\n".repeat(500)}`]);
    return Promise.resolve(pages.length === 0 ? [] : [new Map([...rightTexts(right), ...texts])]);
  }, // oxfmt-ignore
  "broken-link": ({ right }) => appended(right, "See [the other page](/no-such-folder/no-such-page)."),
  "broken-page": ({ right }) => appended(right, "<Note>\n\nThis note has no end."),
};

function appended({ edits }: Change, text: string): Promise<Texts[]> {
  const page = edits.find(({ path: file, after }) => markdownFormat(file) !== null && after !== null);
  if (page === undefined) return Promise.resolve([]);
  const texts = new Map(edits.map(({ path: file, after }) => [file, after]));
  return Promise.resolve([texts.set(page.path, `${page.after?.trimEnd()}\n\n${text}\n`)]);
}

const rightTexts = ({ edits }: Change) => edits.map(({ path: file, after }): [string, string | null] => [file, after]);

const isEditedPage = ({ path: file, before, after }: FileEdit) =>
  before !== null && after !== null && markdownFormat(file) !== null;

/** The first page outside the scope of the task. */
async function bystander({ scope }: Task, { before, edits }: Change): Promise<{ path: string; text: string }> {
  const isFree = (file: string) =>
    markdownFormat(file) !== null &&
    !/(?:^|\/)[._]|AGENTS|README|CONTRIBUTING/i.test(file) &&
    !edits.some((edit) => edit.path === file) &&
    !scope.some((each) => each === file || path.matchesGlob(file, each));
  const page = (await before.files()).find((file) => file.kind === "file" && isFree(file.path));
  if (page === undefined) throw new Error("Every page is in the scope of the task.");
  return { path: page.path, text: (await readText(before, page.path)) ?? "" };
}

type Hunk = ReturnType<typeof diffLines>;

/** The hunks of a diff, with related ones joined. */
function parts(edit: FileEdit): Hunk[] {
  const found: Hunk[] = [];
  for (const part of diffLines(edit.before ?? "", edit.after ?? "")) {
    const last = found.at(-1);
    if ((part.added || part.removed) && last !== undefined && isChange(last)) last.push(part);
    else found.push([part]);
  }
  return found;
}

const isChange = (part: Hunk) => part.some(({ added, removed }) => added || removed);

const hunks = (edit: FileEdit) => parts(edit).filter(isChange);

function withoutHunk(edit: FileEdit, index: number): string | null {
  if (edit.before === null || edit.after === null) return edit.before;
  const all = parts(edit);
  const left = all.filter(isChange)[index];
  const kept = all.flatMap((part) => part.filter(({ added, removed }) => (part === left ? !added : !removed)));
  return kept.map(({ value }) => value).join("");
}

const loose = (text: string) =>
  text
    .trim()
    .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replace(/\s+/g, "\\s+");

/** Changes digits if there are any, otherwise letters. */
function distorted(text: string): string {
  if (/\d/.test(text)) return text.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));
  return text.replaceAll(/\p{L}/gu, (letter) => (letter.toLowerCase() === "x" ? "y" : "x"));
}
