import type { FileDiff } from "#git/history/diff.ts";
import type { FileChange } from "#git/repo-store.ts";
import { editHref } from "#features/projects/edit-address.ts";
import { counted } from "#lib/counted.ts";
import { mayEdit, mayStartWork, type ShownProject } from "#kit/pages/document.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import type { CommitRange } from "#features/jobs/job-range.ts";
import { renderedHref } from "#features/sites/entrance/rendered-commit.ts";
import { fileDiff, type ShownFile } from "./file-diff.ts";
import type { Talk } from "./comment-view.ts";
import { lineComments } from "./line-comments.ts";
import type { Review } from "./review.ts";

export interface ChangedFiles {
  place: ShownProject;
  /** The page that shows the changed files. */
  address: string;
  range: CommitRange | null;
  changes: readonly FileChange[];
  diffs: ReadonlyMap<string, FileDiff>;
  /** The job behind the change, for readers who may see jobs. */
  review: Review | null;
  /** Whether the pull request can still change. */
  isOpen: boolean;
  /** Its number, where its files can be edited here; null where it is on another host. */
  number: number | null;
  /** The only file to show; null for all. */
  path: string | null;
  /** The conversation; null where the pull request is on another host. */
  talk: Talk | null;
  /** The files stand below something else: long ones start collapsed. */
  isBelow?: boolean;
}

/** About two screens of a desktop, with the lines that the head and the edges of a file take. */
const MAX_LINES_BELOW = 90;
const LINES_AROUND = 8;

const MAX_OPEN_FILES = 25;
const MAX_LISTED_FILES = 1_000;
const PAGE_FILE = /\.mdx?$/i;

/** The changed files, each with its diff, reason and findings. */
export function shownFiles(files: ChangedFiles): ShownFile[] {
  const { place, address, changes, diffs, review, path } = files;
  const selected = changes.filter((change) => path === null || change.path === path);
  const job = files.isOpen && mayStartWork(place) ? (review?.job ?? null) : null;
  const about = (change: FileChange, line: number) => encodeURIComponent(`${change.path}:${line}`);
  return selected.slice(0, MAX_LISTED_FILES).map((change) => {
    const shown = {
      change,
      anchor: `file-${changes.indexOf(change) + 1}`,
      diff: diffs.get(change.path) ?? null,
    };
    return {
      ...shown,
      comments: files.talk && lineComments(files.talk, shown),
      href: `${address}?path=${encodeURIComponent(change.path)}`,
      editHref: editAddress(files, change),
      followUp: job && ((line) => `/${place.slug}/jobs/${job.id}?about=${about(change, line)}#follow-up`),
      why: review?.reasons.get(change.path) ?? null,
      findings: (review?.checks?.findings ?? []).filter((finding) => finding.path === change.path),
      rendered: renderedSides(files, change),
    };
  });
}

/** For editors, and files that are text. */
function editAddress({ place, isOpen, number, diffs }: ChangedFiles, { path, status, additions }: FileChange) {
  if (!isOpen || number === null || !mayEdit(place) || status === "removed" || additions === null) return null;
  const diff = diffs.get(path);
  const added = diff?.hunks.flatMap(({ lines }) => lines).find(({ kind }) => kind === "added")?.newNumber;
  return editHref(place.slug, { path, pull: number, line: added ?? firstChange(diff).after });
}

/** Only members see rendered commits, because the frames use their session. */
function renderedSides({ place, range, diffs }: ChangedFiles, change: FileChange): ShownFile["rendered"] {
  if (range === null || place.level === undefined || !PAGE_FILE.test(change.path)) return null;
  const { status, path, oldPath } = change;
  const at = firstChange(diffs.get(path));
  return {
    before: status === "added" ? null : renderedHref(place.slug, range.base, oldPath ?? path, at.before),
    after: status === "removed" ? null : renderedHref(place.slug, range.head, path, at.after),
  };
}

/** The line of the first change on each side, or the line above it on a side without changed lines. */
function firstChange(diff: FileDiff | undefined): { before: number | null; after: number | null } {
  const at: { before: number | null; after: number | null } = { before: null, after: null };
  for (const line of diff?.hunks.flatMap(({ lines }) => lines) ?? []) {
    at.before = line.oldNumber ?? at.before;
    at.after = line.newNumber ?? at.after;
    if (line.kind !== "context") break;
  }
  return at;
}

/** Each file with whether it starts open: the first few, and below a conversation only as many lines as people scroll past. */
function opened(
  shown: readonly ShownFile[],
  { path, isBelow = false }: Pick<ChangedFiles, "path" | "isBelow">,
): { file: ShownFile; isOpen: boolean }[] {
  let room = isBelow ? MAX_LINES_BELOW : Infinity;
  return shown.map((file, index) => {
    const lines = file.diff?.hunks.reduce((sum, hunk) => sum + hunk.lines.length, LINES_AROUND) ?? 0;
    const isOpen = path !== null || (index < MAX_OPEN_FILES && lines <= room);
    if (isOpen) room -= lines;
    return { file, isOpen };
  });
}

/** All changed files, one below the other. */
export function changedFiles(files: ChangedFiles): Html {
  const shown = shownFiles(files);
  const left = files.changes.length - MAX_LISTED_FILES;
  return html`<section class="files" aria-label="Files changed">
    ${files.path !== null && html`<p><a href="${files.address}">← All ${counted(files.changes.length, "file")}</a></p>`}
    ${shown.length === 0 && html`<p class="note">${files.path === null ? "No file is changed." : "This file is not changed."}</p>`}
    ${opened(shown, files).map(({ file, isOpen }) => fileDiff(file, { isOpen }))}
    ${left > 0 && files.path === null && html`<p class="note">${counted(left, "more file")} changed.</p>`}
  </section>`;
}
