import type { DiffHunk, DiffLine, FileDiff } from "#git/history/diff.ts";
import type { FileChange } from "#git/repo-store.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { hasInvisibleText, visibleHtml } from "#kit/pages/visible-text.ts";

/** A changed file as the page shows it; `diff: null` when it is too large to be shown among the others. */
export interface ShownFile {
  change: FileChange;
  /** Fragment of its place on the page. */
  anchor: string;
  diff: FileDiff | null;
  /** Page that shows this file alone. */
  href: string;
  /** Page where a follow-up on a line begins; null where the reader can send none. */
  followUp: ((line: number) => string) | null;
}

const STATUS = { added: "Added", modified: "Modified", removed: "Removed", renamed: "Renamed" } as const;
const MAX_LINE_LENGTH = 4_000;

/** One file with its lines, folded away by a click; works without a script. */
export function fileDiff(file: ShownFile, options: { isOpen: boolean }): Html {
  const { change, diff } = file;
  return html`<details class="file" id="${file.anchor}" ${options.isOpen ? raw("open") : ""}>
    <summary>
      <span class="file-name">${raw(fileName(change))}</span>
      <span class="file-status ${change.status}">${STATUS[change.status]}</span>
      ${lineCounts(change)}
    </summary>
    ${diff && html`<a class="file-link" href="${file.href}">Show alone</a>`}
    ${diff && hasMarks(diff) ? html`<p class="warning">${raw(MARKS_WARNING)}</p>` : ""} ${content(file)}
  </details>`;
}

const MARKS_WARNING =
  "This change contains characters that turn the direction of text or that nobody sees. They are shown by their number, in place of working.";

const hasMarks = (diff: FileDiff): boolean =>
  diff.hunks.some((hunk) => hunk.lines.some((line) => line.segments.some((part) => hasInvisibleText(part.text))));

export function fileName(change: FileChange): string {
  const name = visibleHtml(change.path);
  return change.oldPath === null ? name : `<span class="old-name">${visibleHtml(change.oldPath)}</span> → ${name}`;
}

export function lineCounts(change: FileChange): Html {
  if (change.additions === null || change.deletions === null) return html`<span class="counts">binary</span>`;
  return counts(change.additions, change.deletions);
}

export function counts(additions: number, deletions: number): Html {
  if (additions + deletions === 0) return html`<span class="counts"></span>`;
  return html`<span class="counts" aria-label="${additions} lines added, ${deletions} removed"
    ><span class="plus">+${additions}</span> <span class="minus">−${deletions}</span></span
  >`;
}

function content({ change, diff, href, followUp }: ShownFile): Html {
  if (diff === null) {
    const lines = (change.additions ?? 0) + (change.deletions ?? 0);
    return html`<p class="note">${lines} changed lines: too many to show here. <a href="${href}">Show this file alone</a></p>`;
  }
  if (change.additions === null) return html`<p class="note">A binary file: its content is not shown.</p>`;
  if (diff.hunks.length === 0) {
    return html`<p class="note">${change.status === "renamed" ? "Moved without a change of content." : "No change of content."}</p>`;
  }
  return raw(
    `<table class="diff"><colgroup><col class="number"><col class="number"><col></colgroup><tbody>${diff.hunks.map((hunk) => hunkRows(hunk, followUp)).join("")}</tbody></table>`,
  );
}

function hunkRows(hunk: DiffHunk, followUp: ShownFile["followUp"]): string {
  const [first] = hunk.lines;
  const isStart = first?.oldNumber === 1 || first?.newNumber === 1;
  const changed = hunk.lines.find(({ kind }) => kind !== "context");
  const line = changed?.newNumber ?? changed?.oldNumber ?? null;
  const link =
    followUp === null || line === null
      ? ""
      : html`<a href="${followUp(line)}" title="Follow up on line ${line}">Follow up</a>`.toString();
  const gap =
    isStart && link === ""
      ? ""
      : `<tr class="hunk"><td colspan="2">${isStart ? "" : "⋯"}</td><td>${visibleHtml(hunk.heading)} ${link}</td></tr>`;
  return gap + hunk.lines.map(lineRow).join("");
}

// Numbers and signs are drawn by the style sheet, so that copied text is the file's own.
function lineRow(line: DiffLine): string {
  const number = (value: number | null) => (value === null ? "<td></td>" : `<td data-n="${value}"></td>`);
  const tag = line.kind === "removed" ? "del" : "ins";
  let room = MAX_LINE_LENGTH;
  let text = "";
  for (const part of line.segments) {
    const shown = visibleHtml(part.text.slice(0, room));
    room = Math.max(0, room - part.text.length);
    text += part.isChanged && shown !== "" ? `<${tag}>${shown}</${tag}>` : shown;
  }
  const length = line.segments.reduce((sum, part) => sum + part.text.length, 0);
  if (length > MAX_LINE_LENGTH) text += `<span class="cut">… ${length - MAX_LINE_LENGTH} more characters</span>`;
  if (line.isUnterminated) text += '<span class="cut" title="No newline at the end of the file">⏎̸</span>';
  return `<tr class="${line.kind}">${number(line.oldNumber)}${number(line.newNumber)}<td>${text}</td></tr>`;
}
