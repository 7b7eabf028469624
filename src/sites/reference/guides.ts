import { readFile } from "node:fs/promises";
import path from "node:path";
import firstSteps from "./first-steps.json" with { type: "json" };

/** The pages of Docent's own documentation that stand beside the operations: one text for both places. */
export interface Guides {
  /** By path, below the folder of the documentation. */
  files: ReadonlyMap<string, string>;
  /** Their names in the order of the navigation, as `docs.json` has them. */
  pages: readonly string[];
  /** Of the documentation: its colours and its icon, which is one of the files. */
  look: { colors: object; favicon: string };
}

interface DocsConfig {
  colors: object;
  favicon: string;
  navigation: { groups: readonly { group: string; pages?: readonly string[] }[] };
}

/** The group of `docs/docs.json` whose pages are shown. */
export const GUIDES_GROUP = "HTTP interface";
/** Where the documentation has the pages of the operations; here they are at the root. */
const OPERATIONS_FOLDER = "/api";

const FENCE = /^\s*(```+|~~~+)/;
/** A link to a path of the site, in Markdown; code is passed over, and so are images. */
const LINK = /`[^`\n]*`|!\[[^\]\n]*\]\([^)\n]*\)|\[((?:[^[\]\n]|\[[^\]\n]*\])*)\]\((\/[^)\s]*)\)/g;

/**
 * Reads the guides from the folder of Docent's documentation: the first steps and those pages of the group that have a
 * file. There are none where the navigation has no such group.
 */
export async function readGuides(directory: string): Promise<Guides> {
  const config = JSON.parse(await readFile(path.join(directory, "docs.json"), "utf8")) as DocsConfig;
  const { groups } = config.navigation;
  const own = groups.find(({ group }) => group === GUIDES_GROUP)?.pages ?? [];
  const listed = new Set(groups.flatMap((each) => each.pages ?? []));
  // Of another group, in front: from the first request to a program that follows jobs.
  const pages = [...firstSteps.filter((page) => listed.has(page) && own.length > 0), ...own];
  const { colors, favicon } = config;
  const icon = favicon.replace(/^\//, "");
  const files = new Map([[icon, await readFile(path.join(directory, icon), "utf8")]]);
  for (const page of pages) {
    for (const file of [`${page}.md`, `${page}.mdx`]) {
      const text = await readFile(path.join(directory, file), "utf8").catch(() => null);
      if (text !== null) files.set(file, standingAlone(text, pages));
    }
  }
  return { files, pages, look: { colors, favicon } };
}

/** The text with links to pages that are not among the guides taken off their words, and those to operations led here. */
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
