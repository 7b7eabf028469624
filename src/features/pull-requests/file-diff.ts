import type { DiffHunk, DiffLine, FileDiff } from "#git/history/diff.ts";
import type { FileChange } from "#git/repo-store.ts";
import { lineKey } from "./comment-view.ts";
import { type LineComments, sideOf } from "./line-comments.ts";
import type { ReviewFinding } from "./review.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { hasInvisibleText, visibleHtml } from "#kit/pages/visible-text.ts";

/** A changed file on the page; `diff: null` when it is too large to be shown with the others. */
export interface ShownFile {
  change: FileChange;
  /** Fragment identifier of the file on the page. */
  anchor: string;
  diff: FileDiff | null;
  /** Address of the page with only this file's diff; null without such a page. */
  href: string | null;
  /** The editor of the file on the branch of the change; null when the reader cannot edit it. */
  editHref: string | null;
  /** Page with the form for a follow-up on a line; null when the reader cannot send one. */
  followUp: ((line: number) => string) | null;
  /** The agent's reason for the change; null without a reason. */
  why: string | null;
  /** Findings of the checks in this file. */
  findings: readonly ReviewFinding[];
  /** Addresses of the page before and after; null for a side without the page, and for a file that is not a page. */
  rendered: { before: string | null; after: string | null } | null;
  /** Null where the pull request is on another host. */
  comments: LineComments | null;
}

const STATUS = { added: "Added", modified: "Modified", removed: "Removed", renamed: "Renamed" } as const;
const MAX_LINE_LENGTH = 4_000;

/** A file with its changed lines, which a click collapses. A link to its anchor, inside, opens it. Works without scripts. */
export function fileDiff(file: ShownFile, options: { isOpen: boolean }): Html {
  const { change, diff } = file;
  return html`<details class="file" ${options.isOpen ? raw("open") : ""}>
    <summary>
      <span class="file-name">${raw(fileName(change))}</span>
      <span class="file-status ${change.status}">${STATUS[change.status]}</span>
      ${lineCounts(change)}
    </summary>
    ${file.why !== null && html`<p class="why">${raw(visibleHtml(file.why))}</p>`}
    ${findingList(file)} ${file.comments?.others} ${diff && file.comments?.picker?.form}
    <div class="file-bar">${file.rendered && viewSwitch(file.anchor)} ${fileLinks(file)}</div>
    <div class="as-lines" id="${file.anchor}">${diff && hasMarks(diff) ? html`<p class="warning">${raw(MARKS_WARNING)}</p>` : ""} ${content(file)}</div>
    ${file.rendered && renderedView(file, file.rendered)}
  </details>`;
}

function fileLinks({ editHref, href, diff }: ShownFile): Html | null {
  const links = [
    editHref !== null && html`<a href="${editHref}">Edit</a>`,
    diff !== null && href !== null && html`<a href="${href}">Show alone</a>`,
  ].filter((link) => link !== false);
  return links.length === 0 ? null : html`<span class="file-links">${links}</span>`;
}

const choice = (name: string, value: string, label: string, isChosen = false) =>
  html`<label><input type="radio" name="${name}" class="to-${value}" ${isChosen && raw("checked")} />${label}</label>`;

const viewSwitch = (anchor: string) =>
  html`<div class="switch" role="radiogroup" aria-label="Show the file as">${choice(`view-${anchor}`, "lines", "Changes", true)}${choice(`view-${anchor}`, "pages", "Rendered")}</div>`;

/** The page before and after, side by side where there is room. Frames load when they are first shown. */
function renderedView({ change, anchor }: ShownFile, { before, after }: NonNullable<ShownFile["rendered"]>): Html {
  const side = (name: "before" | "after", label: string, href: string | null, missing: string) =>
    html`<figure class="side-${name}">
      <figcaption>${label}${href !== null && html` <a href="${href}" target="_blank" rel="noopener">Open</a>`}</figcaption>
      ${href === null ? html`<p class="note">${missing}</p>` : html`<iframe src="${href}" title="${label}: ${change.path}" sandbox="allow-same-origin" loading="lazy"></iframe>`}
    </figure>`;
  const name = `side-${anchor}`;
  return html`<div class="as-pages">
    <div class="switch sides" role="radiogroup" aria-label="Show the page">${choice(name, "before", "Before")}${choice(name, "after", "After", true)}</div>
    <div class="sides-by-side">
      ${side("before", "Before", before, "The page is new.")} ${side("after", "After", after, "The page is removed.")}
    </div>
  </div>`;
}

/** Findings without a displayed line. The others are shown at their lines. */
function findingList({ findings, diff }: ShownFile): Html | null {
  const shown = new Set(diff?.hunks.flatMap((hunk) => hunk.lines.map(({ newNumber }) => newNumber)));
  const others = findings.filter(({ line }) => line === null || !shown.has(line));
  if (others.length === 0) return null;
  return html`<ul class="file-findings">
    ${others.map(({ line, message, severity }) => html`<li>${findingWords({ line, message, severity })}</li>`)}
  </ul>`;
}

const findingWords = ({ line, message, severity }: Pick<ReviewFinding, "line" | "message" | "severity">) =>
  html`<span class="badge ${severity}">${severity}</span> ${line !== null && html`<span class="muted">Line ${line}:</span> `}${raw(visibleHtml(message))}`;

const MARKS_WARNING =
  "This change contains characters that are invisible or change the direction of text. They are shown as code points and have no effect.";

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

function content(file: ShownFile): Html {
  const { change, diff, href } = file;
  if (diff === null) {
    const lines = (change.additions ?? 0) + (change.deletions ?? 0);
    return html`<p class="note">${lines} changed lines: too many to show here. ${href !== null && html`<a href="${href}">Show this file alone</a>`}</p>`;
  }
  if (change.additions === null) return html`<p class="note">A binary file: its content is not shown.</p>`;
  if (diff.hunks.length === 0) {
    return html`<p class="note">${change.status === "renamed" ? "Moved without a change of content." : "No change of content."}</p>`;
  }
  return raw(
    `<table class="diff"><colgroup><col class="number"><col class="number"><col></colgroup><tbody>${diff.hunks.map((hunk) => hunkRows(hunk, file)).join("")}</tbody></table>`,
  );
}

function hunkRows(hunk: DiffHunk, { followUp, findings, comments }: ShownFile): string {
  const [first] = hunk.lines;
  const isStart = first?.oldNumber === 1 || first?.newNumber === 1;
  const changed = hunk.lines.find(({ kind }) => kind !== "context");
  const line = changed?.newNumber ?? changed?.oldNumber ?? null;
  const picker = comments?.picker ?? null;
  const links = [
    picker &&
      changed &&
      html`<a href="${picker.href(changed)}" title="Comment on a line of this part">Comment</a>`.toString(),
    followUp && line && html`<a href="${followUp(line)}" title="Follow up on line ${line}">Follow up</a>`.toString(),
  ].filter((one) => typeof one === "string");
  const link = links.length === 0 ? "" : `<span class="hunk-links">${links.join(" ")}</span>`;
  const gap =
    isStart && link === ""
      ? ""
      : `<tr class="hunk"><td colspan="2">${isStart ? "" : "⋯"}</td><td>${visibleHtml(hunk.heading)} ${link}</td></tr>`;
  const found = (line: number | null) =>
    findings
      .filter((finding) => line !== null && finding.line === line)
      .map(
        (finding) =>
          `<tr class="finding"><td colspan="2"></td><td>${findingWords({ ...finding, line: null }).toString()}</td></tr>`,
      )
      .join("");
  const talk = (row: DiffLine) => {
    const below = comments?.below(row, hunk) ?? null;
    return below === null ? "" : `<tr class="talk"><td colspan="3">${below.toString()}</td></tr>`;
  };
  return gap + hunk.lines.map((row) => lineRow(row, picker?.id ?? null) + found(row.newNumber) + talk(row)).join("");
}

// The style sheet draws numbers and signs, so that copied text has only the file's own text.
function lineRow(line: DiffLine, picker: string | null): string {
  const number = (value: number | null, inside = "") =>
    value === null ? `<td>${inside}</td>` : `<td data-n="${value}">${inside}</td>`;
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
  return `<tr class="${line.kind}">${number(line.oldNumber)}${number(line.newNumber, picker === null ? "" : pickButton(line, picker))}<td>${text}</td></tr>`;
}

/** Not a stop of the Tab key: the form offers all lines of its part of the change. */
function pickButton(line: DiffLine, form: string): string {
  const place = sideOf(line);
  const label = `Comment on ${place.side === "old" ? "removed " : ""}line ${place.line}`;
  return `<button class="pick" form="${form}" name="line" value="${lineKey(place)}" tabindex="-1" aria-label="${label}"></button>`;
}
