import type { Snapshot, SnapshotFile } from "#content/snapshot.ts";
import type { Edits } from "./virtual-tree.ts";

export const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_PATH_BYTES = 400;
// What file systems take for one name.
const MAX_NAME_BYTES = 255;
export const MAX_CHANGED_FILES = 2_000;
const MAX_CHANGED_BYTES = 32 * 1024 * 1024;

// An allow-list, since nobody can list every file that some tool of a repository runs.
const PAGE = /\.(?:md|mdx|markdown)$/i;
const DATA = /\.(?:json|yaml|yml|txt|csv)$/i;
const ASSET = /\.(?:png|jpe?g|gif|webp|avif|ico|svg|mp4|webm|mp3|pdf|woff2?|ttf|otf)$/i;

// Files with an allowed extension that a package manager, a build or a CI service obeys.
const TOOL_FILE =
  /^(?:package(?:-lock)?|npm-shrinkwrap|composer|deno|bun|jsr|tsconfig.*|jsconfig.*|vercel|now|netlify|firebase|renovate.*|turbo|nx|project|workspace|lerna|wrangler|app|manifest|babel.*|biome|angular|cspell.*|pnpm-lock|pnpm-workspace|yarn|docker-compose.*|compose.*|mkdocs|_config|antora.*|action|cloudbuild|buildspec|appveyor|azure-pipelines.*|bitbucket-pipelines|codecov|serverless|skaffold|chart|values|taskfile|lefthook|requirements.*|constraints.*|cmakelists|codemeta)\.(?:json|ya?ml|txt|toml)$/i;
// `guides/agents.mdx` is a page like any other: only the spelling that agents look for counts, and any at the root.
const INSTRUCTIONS = /(?:^|\/)(?:AGENTS?|CLAUDE|GEMINI|SKILL|CODEOWNERS|CONVENTIONS)(?:\.[\w-]+)?\.md$/;
const ROOT_INSTRUCTIONS = /^(?:agents?|claude|gemini|skill|codeowners|conventions)(?:\.[\w-]+)?\.md$/i;

/** What may be written in one state of the tree. Every answer is null, or the reason against it for the caller to read. */
export interface WritePolicy {
  refuseWrite(path: string, content: string | Uint8Array): string | null;
  refuseRemove(path: string): string | null;
  /** For an asset, whose bytes nobody reviews: it keeps its bytes and its extension. */
  refuseMove(from: string, to: string): string | null;
}

/**
 * The policy over the files that `snapshot` has now: documentation files only, below `contentRoot` for everything but
 * Markdown, and nothing that a machine would run or obey. Make a new one after files were added or removed.
 */
export async function createWritePolicy(snapshot: Snapshot, contentRoot = ""): Promise<WritePolicy> {
  const tree = indexFiles(await snapshot.files());
  const refuseWrite = (path: string, content: string | Uint8Array) =>
    pathProblem(path, contentRoot) ??
    (ASSET.test(path)
      ? `${quote(path)} is an image or another asset: it can be moved or deleted, not written.`
      : null) ??
    placeProblem(path, tree) ??
    contentProblem(path, content);
  const refuseRemove = (path: string) => pathProblem(path, contentRoot) ?? placeProblem(path, tree);
  return {
    refuseWrite,
    refuseRemove,
    refuseMove(from, to) {
      const problem = refuseRemove(from) ?? pathProblem(to, contentRoot) ?? placeProblem(to, tree);
      if (problem !== null) return problem;
      return extensionOf(from) === extensionOf(to) || (PAGE.test(from) && PAGE.test(to))
        ? null
        : `A file keeps its kind when it moves: ${quote(from)} cannot become ${quote(to)}.`;
    },
  };
}

/**
 * What the policy has against a finished set of edits, one sentence each; empty when it may be published. The same
 * rules as while editing, asked again of the outcome: `base` is what the edits apply to.
 */
export async function refusedEdits(base: Snapshot, edits: Edits, contentRoot = ""): Promise<string[]> {
  const problems: string[] = [];
  const files = await base.files();
  const policy = await createWritePolicy(base, contentRoot);
  const removed = [...edits].filter(([, content]) => content === null).map(([path]) => path);
  let bytes = 0;
  for (const [path, content] of edits) {
    bytes += content?.length ?? 0;
    const problem =
      content === null
        ? policy.refuseRemove(path)
        : ASSET.test(path)
          ? await movedAssetProblem(base, { path, content, removed, contentRoot })
          : policy.refuseWrite(path, content);
    // A removed name frees its place for another spelling of it.
    if (problem !== null && !removed.some((gone) => fold(gone) === fold(path) && gone !== path)) problems.push(problem);
  }
  if (edits.size > MAX_CHANGED_FILES) {
    problems.push(`${edits.size} files would change; at most ${MAX_CHANGED_FILES} may (of ${files.length}).`);
  }
  if (bytes > MAX_CHANGED_BYTES) {
    problems.push(`The changed files hold ${bytes} bytes; at most ${MAX_CHANGED_BYTES} may.`);
  }
  return problems;
}

interface MovedAsset {
  path: string;
  content: Uint8Array;
  removed: readonly string[];
  contentRoot: string;
}

async function movedAssetProblem(base: Snapshot, asset: MovedAsset): Promise<string | null> {
  const problem = pathProblem(asset.path, asset.contentRoot);
  if (problem !== null) return problem;
  for (const path of [asset.path, ...asset.removed]) {
    if (extensionOf(path) !== extensionOf(asset.path)) continue;
    const original = await base.read(path);
    if (original !== null && Buffer.compare(original, asset.content) === 0) return null;
  }
  return `${quote(asset.path)} is an image or another asset whose content is new; only people add those.`;
}

/** What is wrong with a path, whatever stands there now. */
export function pathProblem(path: string, contentRoot = ""): string | null {
  const name = quote(path);
  if (path === "" || path.startsWith("/") || path.endsWith("/") || path.includes("\\") || path.includes("//")) {
    return `${name} is not a path inside the repository. Write it like "guides/install.mdx".`;
  }
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `${name} is longer than ${MAX_PATH_BYTES} bytes.`;
  if (hasOddCharacters(path)) return `${name} has invisible, control or reserved characters in it.`;
  const segments = path.split("/");
  for (const segment of segments) {
    if (Buffer.byteLength(segment) > MAX_NAME_BYTES)
      return `${name} has a part that is longer than ${MAX_NAME_BYTES} bytes.`;
    if (segment === "." || segment === "..") return `${name} is not a path inside the repository.`;
    if (segment.startsWith(".")) return `${name} starts with a dot: such files steer tools, only people change them.`;
    if (/[. ]$|^ |~[0-9]+(?:\.|$)/.test(segment)) return `${name} means another file on some systems.`;
    if (/^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i.test(segment))
      return `${name} is a reserved name on some systems.`;
    if (segment.startsWith("-")) return `${name} has a part that starts with "-", which programs read as an option.`;
    if (/^node_modules$/i.test(segment)) return `${name} is not part of the documentation.`;
  }
  const file = segments.at(-1) ?? "";
  if (INSTRUCTIONS.test(path) || ROOT_INSTRUCTIONS.test(path))
    return `${name} holds instructions for agents or reviewers: only people change it.`;
  if (TOOL_FILE.test(file)) return `${name} configures a tool or a build: only people change it.`;
  if (PAGE.test(file)) return null;
  if (!DATA.test(file) && !ASSET.test(file)) {
    return `${name} is not a documentation file (pages: md, mdx; data: json, yaml, txt, csv).`;
  }
  if (contentRoot !== "" && !path.startsWith(`${contentRoot}/`)) {
    return `${name} lies outside of the documentation's folder "${contentRoot}".`;
  }
  return null;
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
      const key = fold(prefix);
      if (spellings.get(key) === prefix) break; // its folders are known too
      if (!spellings.has(key)) spellings.set(key, prefix);
    }
  }
  return { byPath, spellings };
}

function placeProblem(path: string, tree: FileIndex): string | null {
  const existing = tree.byPath.get(path);
  if (existing && existing.kind !== "file")
    return `${quote(path)} is a ${existing.kind}: it is not followed or replaced.`;
  if (existing) return null;
  if (path.normalize("NFC") !== path) return `${quote(path)} is not in Unicode normal form C.`;
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, end);
    const file = tree.byPath.get(folder);
    if (file) return `${quote(path)} cannot be: "${folder}" is a ${file.kind}, not a folder.`;
  }
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const prefix = path.slice(0, end);
    const spelling = tree.spellings.get(fold(prefix));
    if (spelling !== undefined && spelling !== prefix) {
      return `${quote(path)} differs only in case or accents from "${spelling}", which exists.`;
    }
    if (spelling === path) return `${quote(path)} is a folder.`;
  }
  return null;
}

function fold(path: string): string {
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
