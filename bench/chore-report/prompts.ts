import { imagesOf } from "#chores/alt-text.ts";
import { sectionsOf } from "#chores/edits/sections.ts";
import { readApi } from "#docs/api/reading/read-document.ts";
import type { Link, LinkReport } from "#docs/links/links.ts";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { markdownFormat, type MarkdownParser } from "#docs/parser.ts";
import { stripContentRoot } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import type { CommitInfo } from "#git/repo-store.ts";

/** One job of the report, or why the repository does not allow it. */
export type ChoreCase = { chore: string } & ({ prompt: string } | { skipped: string });

export interface Occasion {
  docs: Docs;
  snapshot: Snapshot;
  parser: MarkdownParser;
  links: LinkReport;
  /** Newest first. */
  history: readonly CommitInfo[];
}

/** Name of the term list that the report adds to the repository, in which the most frequent term is deprecated. */
export const GLOSSARY = "chore-report-terms.yaml";
const GIVEN_TEXT = "This text was given by the report.\n\n- One\n- Two: `code` and [a link](LINK)\n";

/**
 * A job for every chore, with inputs that make sense for these docs: pages with many links to them, a section with links to it,
 * the term on most pages.
 */
export async function chooseCases(occasion: Occasion, term: string): Promise<ChoreCase[]> {
  const { docs } = occasion;
  const pages = mostLinked(occasion).slice(0, 6);
  const [first, second, third, fourth, fifth, sixth] = pages.map((page) => refer(docs, page));
  const [linked, last] = [pages[0], pages[5]];
  if (!linked || !last) throw new Error("The docs have fewer than 6 pages.");
  const text = GIVEN_TEXT.replace("LINK", linked.route);
  const block = `the text:\n\`\`\`\n${text}\`\`\``;
  return [
    { chore: "replace_term", prompt: `Replace "${term}" with "${term} Nova" everywhere` },
    { chore: "replace_term", prompt: `Replace "${term}" with "${term} Nova" everywhere, also in code` },
    { chore: "check_links", prompt: "Check all internal links" },
    { chore: "fix_links", prompt: "Fix broken links everywhere" },
    { chore: "add_page", prompt: `Add a page titled "Report: a new page" after ${second} with ${block}` },
    { chore: "move_page", prompt: `Move the page ${first} to chore-report/deep/moved` },
    { chore: "move_page", prompt: `Rename the page ${second} to "A new name"` },
    { chore: "remove_page", prompt: `Remove the page ${third} and redirect it to ${first}` },
    {
      chore: "add_section",
      prompt: `Add a section titled "Report: a new section" to the page ${fourth} with ${block}`,
    },
    ...(await sectionCases(occasion, block)),
    { chore: "add_callout", prompt: `Add a note to the page ${fifth} with the text: "Given by **the report**."` },
    { chore: "set_front_matter", prompt: `Set the description of ${sixth} to "Words: with a colon # and a \`tick\`"` },
    { chore: "add_missing_descriptions", prompt: "Add missing descriptions everywhere" },
    await altTextCase(occasion),
    { chore: "report_missing_alt", prompt: "List images without alt text" },
    changelogCase(occasion, last),
    await openapiCase(occasion),
    { chore: "normalise_style", prompt: 'Use "*" as list markers everywhere' },
    { chore: "normalise_style", prompt: "Use sentence case for headings everywhere" },
    { chore: "normalise_style", prompt: "Use title case for headings everywhere" },
    { chore: "normalise_style", prompt: `Apply the glossary ${GLOSSARY} everywhere` },
    ...(docs.config.navigation === null
      ? [{ chore: "repair_navigation", skipped: "the navigation is made from the folders" }]
      : ["Repair the navigation", "Add all orphan pages to the navigation"].map((prompt) => ({
          chore: "repair_navigation",
          prompt,
        }))),
    { chore: "orphan_report", prompt: "List orphan pages" },
    { chore: "audit", prompt: "Audit the docs" },
  ];
}

// After a lower-case letter or a Chinese one: not at the start of a sentence. Words in all capitals are abbreviations.
const NAME = /(?<=\p{Ll} |\p{Script=Han} ?)\p{Lu}\p{Ll}[\p{L}\p{N}]+/gu;

/** The capitalized word that occurs inside sentences on most pages. */
export async function mostFrequentTerm({ docs, snapshot }: Pick<Occasion, "docs" | "snapshot">): Promise<string> {
  const pagesWith = new Map<string, number>();
  for (const { path } of docs.pages.values()) {
    const text = new TextDecoder().decode((await snapshot.read(path)) ?? new Uint8Array());
    for (const word of new Set([...text.matchAll(NAME)].map(([each]) => each))) {
      pagesWith.set(word, (pagesWith.get(word) ?? 0) + 1);
    }
  }
  const [best] = [...pagesWith].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (!best) throw new Error("The docs use no name.");
  return best[0];
}

/** Pages by the number of links from other pages, without the start page, which has no other name. */
function mostLinked({ docs, links }: Occasion): Page[] {
  const inbound = new Map<string, number>();
  for (const { path, target } of links.links) {
    if (target?.kind === "page" && target.path !== path) inbound.set(target.path, (inbound.get(target.path) ?? 0) + 1);
  }
  return [...docs.pages.values()]
    .filter((page) => page.route !== "/" && !/(?:^|\/)(?:index|readme)\.\w+$/i.test(page.path))
    .sort((a, b) => (inbound.get(b.path) ?? 0) - (inbound.get(a.path) ?? 0) || (a.path < b.path ? -1 : 1));
}

/** The page's name as a person writes it: its path without extension, in quotes unless it is a single word. */
function refer(docs: Docs, { path }: Page): string {
  return quoteIfOdd((stripContentRoot(path, docs.contentRoot) ?? path).replace(/\.\w+$/, ""));
}

function quoteIfOdd(path: string): string {
  return /^[\w.-]+(?:\/[\w.-]+)*$/.test(path) ? path : `"${path}"`;
}

/** Sections that other pages link to, on pages that do not link to them themselves. */
async function sectionCases(occasion: Occasion, block: string): Promise<ChoreCase[]> {
  const { docs, links, parser, snapshot } = occasion;
  const byAnchor = new Map<string, Link[]>();
  for (const link of links.links) {
    if (link.target?.kind !== "page" || !link.target.anchor || !docs.pagesByPath.has(link.target.path)) continue;
    const key = `${link.target.path}\n${link.target.anchor}`;
    byAnchor.set(key, [...(byAnchor.get(key) ?? []), link]);
  }
  const chosen: string[] = [];
  for (const [key] of [...byAnchor].sort((a, b) => b[1].length - a[1].length)) {
    const [path = "", anchor = ""] = key.split("\n");
    if (chosen.length === 2) break;
    const page = docs.pagesByPath.get(path);
    const source = new TextDecoder().decode((await snapshot.read(path)) ?? new Uint8Array());
    const parsed = await parser.parse(source, markdownFormat(path) ?? "md");
    const sections = parsed.ok ? sectionsOf(parsed.root) : [];
    const section = sections.find((each) => each.anchors[0] === anchor && !each.title.includes('"'));
    const isOnly = sections.filter((each) => each.title === section?.title).length === 1;
    // Sections that their own page links to are not removed: the link's author has to decide what happens to it.
    const isLinkedHere = section?.anchors.some((id) =>
      byAnchor.get(`${path}\n${id}`)?.some((link) => link.path === path),
    );
    if (page && section && isOnly && !isLinkedHere)
      chosen.push(`the section "${section.title}" of ${refer(docs, page)}`);
  }
  const [replaced, removed] = chosen;
  const skipped = "no section that only other pages link to";
  return [
    replaced
      ? { chore: "replace_section", prompt: `Replace ${replaced} with ${block}` }
      : { chore: "replace_section", skipped },
    removed ? { chore: "remove_section", prompt: `Remove ${removed}` } : { chore: "remove_section", skipped },
  ];
}

/** An image of the repository, on the first page that uses one. */
async function altTextCase({ docs, snapshot, parser }: Occasion): Promise<ChoreCase> {
  for (const { path, format } of docs.pages.values()) {
    const source = new TextDecoder().decode((await snapshot.read(path)) ?? new Uint8Array());
    const parsed = await parser.parse(source, format);
    const image = parsed.ok
      ? imagesOf({ source, root: parsed.root, format }).find(({ src }) => docs.assets.has(src))
      : undefined;
    if (image) {
      const name = quoteIfOdd(image.src.replace(/^\//, ""));
      return { chore: "set_alt_text", prompt: `Set the alt text of ${name} to "A [picture] of the report's"` };
    }
  }
  return { chore: "set_alt_text", skipped: "no page shows an image of the repository" };
}

function changelogCase({ docs, history }: Occasion, otherwise: Page): ChoreCase {
  const named = [...docs.pages.values()].filter(({ path }) =>
    /(?:^|\/)(?:changelog|release[-_]?notes)\.\w+$/i.test(path),
  );
  const { path } = named.sort((a, b) => a.path.length - b.path.length)[0] ?? otherwise;
  const page = quoteIfOdd(stripContentRoot(path, docs.contentRoot) ?? path);
  // As many commits as a typical release contains.
  const since = history.length > 1 ? ` since ${history[Math.min(50, history.length - 1)]?.id}` : "";
  return {
    chore: "changelog_from_history",
    prompt: `Add a changelog entry in ${page} for 99.1 from the git history${since}`,
  };
}

async function openapiCase({ docs, snapshot }: Occasion): Promise<ChoreCase> {
  const files = (await snapshot.files()).filter(
    ({ path, sizeBytes }) =>
      /\.(?:json|ya?ml)$/i.test(path) &&
      sizeBytes < 2 * 1024 * 1024 &&
      stripContentRoot(path, docs.contentRoot) !== null,
  );
  for (const { path } of files) {
    const text = new TextDecoder().decode((await snapshot.read(path)) ?? new Uint8Array());
    if (!/["']?openapi["']?\s*:\s*["']?3\./.test(text.slice(0, 2_000))) continue;
    const reading = await readApi(path, async (file) => {
      const part = await snapshot.read(file);
      return part === null ? null : new TextDecoder().decode(part);
    });
    // Without operations there is no readable description, which the report does not cover.
    if (reading.operations.length === 0) continue;
    return { chore: "openapi_pages", prompt: `Create API reference pages from ${path} in chore-report/reference` };
  }
  return { chore: "openapi_pages", skipped: "no OpenAPI file" };
}
