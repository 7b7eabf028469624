import { trimEndOf } from "#lib/trim.ts";
const MAX_PATH_BYTES = 400;
const MAX_SEGMENTS = 40;

// Code points that HFS+ ignores when it compares names, so that `.g<ZWNJ>it` opens `.git` there.
const IGNORABLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const GIT_SHORT_NAME = /^git~\d+$/;
const RESERVED_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const RESERVED_CHARACTER = /[<>:"|?*\\]/;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * Why this path must not be written or removed in a repository, or null. Applies to existing files too: git's own
 * files, names that other systems resolve to them, and paths that leave the tree.
 */
export function pathProblem(path: string): string | null {
  if (path === "") return "the path is empty";
  if (path.startsWith("/")) return "the path must be relative";
  if (path.includes("\0")) return "the path holds a NUL";
  if (!path.isWellFormed()) return "the path is not valid Unicode";
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `the path is longer than ${MAX_PATH_BYTES} bytes`;
  const segments = path.split("/");
  if (segments.length > MAX_SEGMENTS) return `the path is deeper than ${MAX_SEGMENTS} folders`;
  for (const segment of segments) {
    if (segment === "") return "the path has an empty part";
    if (segment === "." || segment === "..") return 'the path must not contain "." or ".."';
    if (isGitName(segment)) return `"${segment}" belongs to git`;
  }
  return null;
}

/** Why a new file or folder must not have this name, or null. Rejects names that some system cannot check out. */
export function newNameProblem(segment: string): string | null {
  if (CONTROL.test(segment)) return "the name holds a control character";
  if (RESERVED_CHARACTER.test(segment)) return `"${segment}" holds one of < > : " | ? * \\`;
  if (/[. ]$/.test(segment) || segment.startsWith(" ")) return `"${segment}" begins or ends in a space or a dot`;
  if (RESERVED_DEVICE.test(segment)) return `"${segment}" is a reserved name on Windows`;
  if (segment !== segment.normalize("NFC")) return `"${segment}" is not in Unicode normal form C`;
  return null;
}

/** Why a new file must not have this path, or null. */
export function newPathProblem(path: string): string | null {
  const problem = pathProblem(path);
  if (problem !== null) return problem;
  for (const segment of path.split("/")) {
    const name = newNameProblem(segment);
    if (name !== null) return name;
  }
  return null;
}

/** Names that only begin like those of git: GitBook's settings and assets, and the file that keeps an empty folder. */
const NOT_OF_GIT = /^\.git(?:book(?:\.ya?ml)?|keep)$/;

// `.gitmodules`, `.gitattributes`, `.gitlab-ci.yml` and workflows cause other programs to run; documentation edits do not need them.
function isGitName(segment: string): boolean {
  if (NOT_OF_GIT.test(segment)) return false;
  const visible = segment.replaceAll(IGNORABLE, "").normalize("NFKC").toLowerCase();
  const folded = trimEndOf(visible, ". ").replace(/::?\$.*/s, ""); // NTFS streams: `.git::$INDEX_ALLOCATION`
  return folded.startsWith(".git") || GIT_SHORT_NAME.test(folded);
}
