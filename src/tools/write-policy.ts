import { configFileIn } from "#docs/config/config-file.ts";
import { stripContentRoot } from "#docs/routes.ts";
import type { Snapshot, SnapshotFile } from "#docs/snapshot.ts";
import { configuresTool, instructsAgents } from "./obeyed-names.ts";
import { configurationChangeProblem, isToolConfiguration } from "./tool-configuration.ts";
import type { Edits } from "./virtual-tree.ts";

/** Data files next to pages, which programs may read and which may configure tools and hosts. */
export const isDataFile = (path: string): boolean => DATA.test(path);

export const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_PATH_BYTES = 400;
// The limit of common file systems.
const MAX_NAME_BYTES = 255;
export const MAX_CHANGED_FILES = 2_000;
const MAX_CHANGED_BYTES = 32 * 1024 * 1024;

// An allowlist, because nobody can list every file that some tool of a repository runs.
const PAGE = /\.(?:md|mdx|markdown)$/i;
const DATA = /\.(?:json|yaml|yml|txt|csv)$/i;
const ASSET = /\.(?:png|jpe?g|gif|webp|avif|ico|svg|mp4|webm|mp3|pdf|woff2?|ttf|otf)$/i;
const CONFIG = /^(?:docs|mint)\.json$/;
/** The folder of a GitBook space with its pictures and downloads. */
const GITBOOK_ASSETS = /(?:^|\/)\.gitbook(?=\/assets\/)/;

// Letters, digits and other characters of page names. A few file names of tools and hosts match, and are listed below.
const NAME = /^[\p{L}\p{M}\p{N} _.,+()[\]&@!='~-]+$/u;
// An API description may be next to the configuration; every other new data file has to be in a folder.
const API_DESCRIPTION = /^(?:[\w-]+[.-])?(?:openapi|swagger|asyncapi)(?:[.-](?:[\w-]+\.)*[\w-]+)?\.(?:json|ya?ml)$/i;
// Files in capitals are for tools, agents and the people of a repository, with these exceptions.
const CAPITALS =
  /^(?:README|INDEX|CHANGELOG|GLOSSARY|FAQS?|APIS?|SDKS?|CLI|UI|AI|SSO|SAML|SCIM|GDPR|SLA|DNS|HTTP|REST|SQL)$/;

/** What may be written in one state of the tree. Every result is null, or the reason of a refusal, for the caller. */
export interface WritePolicy {
  /** With the text that a file has so far, the navigation of another tool may be edited. */
  refuseWrite(path: string, content: string | Uint8Array, before?: string | null): string | null;
  refuseRemove(path: string): string | null;
  /** For an asset, which nobody reviews: its bytes and its extension have to stay the same. */
  refuseMove(from: string, to: string): string | null;
}

/**
 * The policy for the current files of `snapshot`: it allows pages and data of the documentation in `contentRoot`, and nothing
 * that a machine would run or follow. Only the finished change shows whether anything refers to a data file: the gate checks
 * that. Create a new policy after files were added or removed.
 */
export async function createWritePolicy(snapshot: Snapshot, contentRoot = ""): Promise<WritePolicy> {
  const tree = indexFiles(await snapshot.files());
  const refuseWrite = (path: string, content: string | Uint8Array, before: string | null = null) =>
    (before !== null && isToolConfiguration(path)
      ? (outsideProblem(path, contentRoot) ?? configurationChangeProblem(path, before, textOf(content)))
      : docsPathProblem(path, contentRoot)) ??
    (ASSET.test(path)
      ? `${quote(path)} is an image or another asset: it can be moved or deleted, not written.`
      : null) ??
    placeProblem(path, tree, contentRoot) ??
    contentProblem(path, content);
  const config = configFileIn(contentRoot, (path) => tree.byPath.get(path)?.kind === "file");
  // Without the configuration the site would be another folder: possibly the whole repository would be published.
  const configProblem = (path: string) =>
    path === config ? `${quote(path)} says what the site is: only people delete or move it.` : null;
  const refuseRemove = (path: string) =>
    configProblem(path) ?? docsPathProblem(path, contentRoot) ?? placeProblem(path, tree, contentRoot);
  return {
    refuseWrite,
    refuseRemove,
    refuseMove(from, to) {
      const problem =
        refuseRemove(from) ?? docsPathProblem(to, contentRoot) ?? placeProblem(to, tree, contentRoot, from);
      if (problem !== null) return problem;
      return extensionOf(from) === extensionOf(to) || (PAGE.test(from) && PAGE.test(to))
        ? null
        : `A file keeps its kind when it moves: ${quote(from)} cannot become ${quote(to)}.`;
    },
  };
}

/**
 * The objections of the policy to a finished set of edits, one sentence each; empty when it may be published. The same rules as
 * during editing, applied to the outcome: `base` is what the edits apply to.
 */
export async function refusedEdits(base: Snapshot, edits: Edits, contentRoot = ""): Promise<string[]> {
  const problems: string[] = [];
  const files = await base.files();
  const policy = await createWritePolicy(base, contentRoot);
  const removed = [...edits].filter(([, content]) => content === null).map(([path]) => path);
  let bytes = 0;
  for (const [path, content] of edits) {
    // A moved asset has the bytes that it had.
    if (!ASSET.test(path)) bytes += content?.length ?? 0;
    const problem =
      content === null
        ? policy.refuseRemove(path)
        : ASSET.test(path)
          ? await movedAssetProblem(base, { path, content, removed, contentRoot })
          : policy.refuseWrite(path, content, isToolConfiguration(path) ? await textIn(base, path) : null);
    // The name of a removed file can be reused in another spelling.
    if (problem !== null && !removed.some((other) => foldPath(other) === foldPath(path) && other !== path))
      problems.push(problem);
  }
  if (edits.size > MAX_CHANGED_FILES) {
    problems.push(`${edits.size} files would change; at most ${MAX_CHANGED_FILES} may (of ${files.length}).`);
  }
  if (bytes > MAX_CHANGED_BYTES) {
    problems.push(`The changed files hold ${bytes} bytes; at most ${MAX_CHANGED_BYTES} may.`);
  }
  return problems;
}

async function textIn(snapshot: Snapshot, path: string): Promise<string | null> {
  const bytes = await snapshot.read(path);
  return bytes === null ? null : textOf(bytes);
}

interface MovedAsset {
  path: string;
  content: Uint8Array;
  removed: readonly string[];
  contentRoot: string;
}

async function movedAssetProblem(base: Snapshot, asset: MovedAsset): Promise<string | null> {
  const problem = docsPathProblem(asset.path, asset.contentRoot);
  if (problem !== null) return problem;
  for (const path of [asset.path, ...asset.removed]) {
    if (extensionOf(path) !== extensionOf(asset.path)) continue;
    const original = await base.read(path);
    if (original !== null && Buffer.compare(original, asset.content) === 0) return null;
  }
  return `${quote(asset.path)} is an image or another asset whose content is new; only people add those.`;
}

/** What is wrong with a path, whether or not the file exists; null when it is valid. */
export function docsPathProblem(path: string, contentRoot = ""): string | null {
  const name = quote(path);
  if (path === "" || path.startsWith("/") || path.endsWith("/") || path.includes("\\") || path.includes("//")) {
    return `${name} is not a path inside the repository. Write it like "guides/install.mdx".`;
  }
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `${name} is longer than ${MAX_PATH_BYTES} bytes.`;
  if (hasOddCharacters(path)) return `${name} has invisible, control or reserved characters in it.`;
  const segments = path.split("/");
  const shown = ASSET.test(path) ? path.replace(GITBOOK_ASSETS, "") : path;
  if (shown.split("/").some((segment) => segment.startsWith(".") && !/^\.\.?$/.test(segment)))
    return `${name} starts with a dot: such files steer tools, only people change them.`;
  for (const segment of segments) {
    if (Buffer.byteLength(segment) > MAX_NAME_BYTES)
      return `${name} has a part that is longer than ${MAX_NAME_BYTES} bytes.`;
    if (segment === "." || segment === "..") return `${name} is not a path inside the repository.`;
    if (/[. ]$|^ |~[0-9]+(?:\.|$)/.test(segment)) return `${name} means another file on some systems.`;
    if (/^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i.test(segment))
      return `${name} is a reserved name on some systems.`;
    if (segment.startsWith("-")) return `${name} has a part that starts with "-", which programs read as an option.`;
    if (/^node_modules$/i.test(segment)) return `${name} is not part of the documentation.`;
  }
  const file = segments.at(-1) ?? "";
  if (instructsAgents(path)) return `${name} holds instructions for agents or reviewers: only people change it.`;
  if (configuresTool(path)) return `${name} configures a tool or a build: only people change it.`;
  if (![PAGE, DATA, ASSET].some((pattern) => pattern.test(file))) {
    return `${name} is not a documentation file (pages: md, mdx; data: json, yaml, txt, csv).`;
  }
  return outsideProblem(path, contentRoot);
}

const outsideProblem = (path: string, contentRoot: string): string | null =>
  stripContentRoot(path, contentRoot) === null
    ? `${quote(path)} lies outside of the documentation's folder "${contentRoot}".`
    : null;

const textOf = (content: string | Uint8Array): string =>
  typeof content === "string" ? content : new TextDecoder().decode(content);

/** What is wrong with the name of a new file. */
function newNameProblem(path: string, contentRoot: string): string | null {
  const name = quote(path);
  if (path.normalize("NFC") !== path) return `${name} is not in Unicode normal form C.`;
  const segments = path.split("/");
  if (segments.some((segment) => segment.normalize("NFKC") !== segment || mixesAlphabets(segment))) {
    return `${name} has letters that look like others. Use letters of one alphabet, digits and hyphens.`;
  }
  if (!segments.every((segment) => NAME.test(segment))) {
    return `${name} has characters that a new file's name may not have. Use letters, digits, "-", "_" and ".".`;
  }
  const file = segments.at(-1) ?? "";
  const stem = file.replace(/\.[^.]+$/, "");
  if (PAGE.test(file) && /\p{Lu}\P{Ll}/u.test(stem) && !/\p{Ll}/u.test(stem) && !CAPITALS.test(stem)) {
    return `${name} is in capitals, as files for tools and agents are. Write the name of a page in lower case.`;
  }
  const isInFolder = (stripContentRoot(path, contentRoot) ?? path).includes("/");
  if (DATA.test(file) && !isInFolder && !CONFIG.test(file) && !API_DESCRIPTION.test(file)) {
    return `${name} would be a new data file next to the configuration, where tools and hosts look for theirs. Put it into a folder.`;
  }
  return null;
}

/** Whether a word mixes Latin letters with Greek or Cyrillic ones, which look the same. */
function mixesAlphabets(segment: string): boolean {
  return (segment.match(/[\p{L}\p{M}]+/gu) ?? []).some(
    (word) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}]/u.test(word),
  );
}

function contentProblem(path: string, content: string | Uint8Array): string | null {
  const name = quote(path);
  const bytes = typeof content === "string" ? Buffer.byteLength(content) : content.length;
  if (bytes > MAX_FILE_BYTES) return `${name} would have ${bytes} bytes; at most ${MAX_FILE_BYTES} may be written.`;
  if (typeof content === "string") {
    if (!content.isWellFormed()) return `The text for ${name} is not valid Unicode.`;
    return content.includes("\0") ? `The text for ${name} holds a NUL character.` : null;
  }
  if (content.includes(0) || !isUtf8(content)) return `${name} would not be a text file in UTF-8.`;
  return null;
}

interface FileIndex {
  byPath: ReadonlyMap<string, SnapshotFile>;
  /** Case-folded path or folder to its spelling. */
  spellings: ReadonlyMap<string, string>;
}

function indexFiles(files: readonly SnapshotFile[]): FileIndex {
  const byPath = new Map<string, SnapshotFile>();
  const spellings = new Map<string, string>();
  for (const file of files) {
    byPath.set(file.path, file);
    for (let end = file.path.length; end > 0; end = file.path.lastIndexOf("/", end - 1)) {
      const prefix = file.path.slice(0, end);
      const key = foldPath(prefix);
      if (spellings.get(key) === prefix) break; // its folders are known too
      if (!spellings.has(key)) spellings.set(key, prefix);
    }
  }
  return { byPath, spellings };
}

/** `freed`: a file that `path` replaces, so that the new name may be another spelling of it. */
function placeProblem(path: string, tree: FileIndex, contentRoot: string, freed: string | null = null): string | null {
  const existing = tree.byPath.get(path);
  if (existing && existing.kind !== "file")
    return `${quote(path)} is a ${existing.kind}: it is not followed or replaced.`;
  if (existing) return null;
  const problem = newNameProblem(path, contentRoot);
  if (problem !== null) return problem;
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, end);
    const file = tree.byPath.get(folder);
    if (file) return `${quote(path)} cannot be: "${folder}" is a ${file.kind}, not a folder.`;
  }
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const prefix = path.slice(0, end);
    const spelling = tree.spellings.get(foldPath(prefix));
    if (spelling !== undefined && spelling !== prefix && spelling !== freed) {
      return `${quote(path)} differs only in case or accents from "${spelling}", which exists.`;
    }
    if (spelling === path) return `${quote(path)} is a folder.`;
  }
  return null;
}

/** Equal for paths that are one file on disks that ignore case or Unicode forms. */
export function foldPath(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function hasOddCharacters(path: string): boolean {
  return (
    !path.isWellFormed() || /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00A0\u3164\u115F\u1160\uFFA0:*?"<>|]/u.test(path)
  );
}

function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function quote(path: string): string {
  return JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path);
}
