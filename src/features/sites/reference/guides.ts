import path from "node:path";
import shown from "./shown-guides.json" with { type: "json" };
import { readFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import type { Snapshot, SnapshotFile } from "#docs/snapshot.ts";

/** The pages of Docent's own documentation that are shown next to the operations: one text for both places. */
export interface Guides {
  /** Keyed by path in the documentation's folder. */
  files: ReadonlyMap<string, string>;
  /** Page names, in the groups and the order of `docs.json`. */
  groups: readonly GuideGroup[];
  /** The documentation's colors and its icon, which is one of the files. */
  look: { colors: object; favicon: string };
}

export interface GuideGroup {
  group: string;
  pages: readonly string[];
}

interface DocsConfig {
  colors: object;
  favicon: string;
  navigation: { groups: readonly { group: string; pages?: readonly string[] }[] };
}

/** The folder of the operations' pages in the documentation; here they are at the root. */
const OPERATIONS_FOLDER = "/api";

const FENCE = /^\s*(```+|~~~+)/;
/** A link to a path of the site, in Markdown; code and images are skipped. */
const LINK = /`[^`\n]*`|!\[[^\]\n]*\]\([^)\n]*\)|\[((?:[^[\]\n]|\[[^\]\n]*\])*)\]\((\/[^)\s]*)\)/g;

/**
 * Reads the guides from the folder of Docent's documentation: those listed in `shown-guides.json`, whole groups of the
 * navigation and single pages of others. A page without a file is left out.
 */
export async function readGuides(directory: string): Promise<Guides> {
  const config = JSON.parse(await readFile(path.join(directory, "docs.json"), "utf8")) as DocsConfig;
  const texts = new Map<string, { file: string; text: string }>();
  const groups: GuideGroup[] = [];
  for (const { group, pages = [] } of config.navigation.groups) {
    const found: string[] = [];
    for (const page of pages) {
      if (!shown.groups.includes(group) && !shown.pages.includes(page)) continue;
      const read = await readPage(directory, page);
      if (read === null) continue;
      texts.set(page, read);
      found.push(page);
    }
    if (found.length > 0) groups.push({ group, pages: found });
  }
  const { colors, favicon } = config;
  const icon = favicon.replace(/^\//, "");
  const files = new Map([[icon, await readFile(path.join(directory, icon), "utf8")]]);
  for (const { file, text } of texts.values()) files.set(file, standingAlone(text, [...texts.keys()]));
  return { files, groups, look: { colors, favicon } };
}

async function readPage(directory: string, page: string): Promise<{ file: string; text: string } | null> {
  for (const file of [`${page}.md`, `${page}.mdx`]) {
    const text = await readFile(path.join(directory, file), "utf8").catch(() => null);
    if (text !== null) return { file, text };
  }
  return null;
}

/** Replaces links to pages that are not among the guides by their text, and adjusts those to operations. */
function standingAlone(markdown: string, pages: readonly string[]): string {
  const guides = new Set(pages.map((page) => `/${page}`));
  let fence: string | null = null;
  const lines = markdown.split("\n").map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && fence === null) fence = mark;
    else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null;
    if (fence !== null) return line;
    return line.replaceAll(LINK, (found, text: string | undefined, target: string | undefined) => {
      if (text === undefined || target === undefined) return found;
      if (guides.has(target.split(/[#?]/, 1)[0] ?? "")) return found;
      if (target !== OPERATIONS_FOLDER && !target.startsWith(`${OPERATIONS_FOLDER}/`)) return text;
      return `[${text}](${target.slice(OPERATIONS_FOLDER.length) || "/"})`;
    });
  });
  return lines.join("\n");
}

const DOCUMENT = "openapi.json";
/** The server's address in code of our documentation; in running text it is a new server's default address. */
const EXAMPLE_ADDRESS = /http:\/\/localhost:4000(?![\w`])/g;
const LANGUAGES = ["curl", "javascript", "python", "go", "php", "ruby", "java", "csharp", "rust", "kotlin"];

/** The OpenAPI document as served, with a key that changes with it. */
export interface ServedDocument {
  json: string;
  etag: string;
  /** Address of this server, without a slash at the end. */
  serverUrl: string;
}

/** The files of the API reference's site, in memory: a `docs.json`, the served document, and the guides. */
export function referenceFiles(guides: Guides, { json, serverUrl }: ServedDocument): Snapshot {
  const config = {
    name: "Docent API",
    description: "The HTTP API of this Docent server: every operation, with code, examples and a form to try it.",
    ...guides.look,
    api: { examples: { languages: LANGUAGES } },
    navbar: { links: [{ label: "Sign in", href: `${serverUrl}/sign-in` }] },
    navigation: {
      groups: [...guides.groups, { group: "Operations", openapi: { source: DOCUMENT, directory: "/" } }],
    },
  };
  const files = [...guides.files].map(
    ([path, text]) => [path, text.replaceAll(EXAMPLE_ADDRESS, () => serverUrl)] as const,
  );
  return snapshotOf([["docs.json", JSON.stringify(config)], [DOCUMENT, json], ...files]);
}

function snapshotOf(given: Iterable<readonly [path: string, text: string]>): Snapshot {
  const contents = new Map<string, Uint8Array>();
  const files: SnapshotFile[] = [];
  for (const [path, text] of given) {
    const bytes = new TextEncoder().encode(text);
    const version = createHash("sha256").update(bytes).digest("hex");
    contents.set(path, bytes);
    files.push({ path, version, sizeBytes: bytes.length, kind: "file" });
  }
  return {
    files: () => Promise.resolve(files),
    read: (path) => Promise.resolve(contents.get(path) ?? null),
  };
}
