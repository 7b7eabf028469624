import { readFrontMatter } from "#docs/front-matter.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { decodeText } from "#docs/text-encoding.ts";
import { count } from "#tools/outcome.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";

/** Enough to see how a site is written; 40 pages take about 20 ms. */
const MAX_PAGES = 40;
const READS_AT_ONCE = 8;
const MAX_NAMED = 12;

/**
 * How the pages of a site are written, counted on up to 40 evenly spaced pages: front matter keys, case of headings,
 * components, callouts, languages of code, list markers. One line each, only for what occurs. The values are names from
 * the format, never sentences from a page.
 */
export async function observedStyle(snapshot: Snapshot, { pages }: Docs): Promise<string[]> {
  const own = [...pages.values()].filter(({ isGenerated }) => !isGenerated);
  const step = Math.max(1, Math.ceil(own.length / MAX_PAGES));
  const sample = own.filter((_, index) => index % step === 0);
  const texts = await mapConcurrently(sample, READS_AT_ONCE, async ({ path }) => {
    const bytes = await snapshot.read(path);
    return bytes === null ? "" : decodeText(bytes).text;
  });
  const seen = {
    keys: new Map<string, number>(),
    components: new Map<string, number>(),
    languages: new Map<string, number>(),
    markers: new Map<string, number>(),
  };
  const headings = { sentence: 0, title: 0 };
  for (const text of texts) {
    const { attributes, bodyStart } = readFrontMatter(text);
    const body = text.slice(bodyStart);
    const prose = body.replaceAll(/^(?:```|~~~)[^]*?^(?:```|~~~)/gm, "");
    add(
      seen.keys,
      Object.keys(attributes).filter((key) => /^[\w.-]{1,40}$/.test(key)),
    );
    add(seen.components, new Set(matches(prose, /<([A-Z][A-Za-z]{1,40})[\s/>]/g)));
    add(seen.languages, new Set(matches(body, /^(?:```|~~~)([a-z][\w+-]{0,20})/gm)));
    add(seen.markers, new Set(matches(prose, /^ {0,3}([-*+]) /gm)));
    for (const heading of matches(prose, /^#{2,6} +(\S[^\n]*)/gm)) {
      const kind = caseOf(heading);
      if (kind !== null) headings[kind] += 1;
    }
  }
  const total = headings.sentence + headings.title;
  const usual = headings.sentence >= headings.title ? "sentence" : "title";
  return [
    line("Front matter", seen.keys, sample.length),
    total < 5 ? null : `Headings: ${usual} case (${headings[usual]} of ${total} with several words)`,
    line("Components", seen.components, sample.length),
    line("Languages of code blocks", seen.languages, sample.length),
    seen.markers.size < 2 ? null : line("List markers", seen.markers, sample.length),
  ].filter((one) => one !== null);
}

function add(counts: Map<string, number>, names: Iterable<string>): void {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
}

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** Null for a heading that does not show its case: one word, or only names and code. */
function caseOf(heading: string): "sentence" | "title" | null {
  const words = heading
    .replaceAll(/`[^`]*`|\[|\]\([^)]*\)/g, " ")
    .split(/\s+/)
    .slice(1)
    .filter((word) => /^\p{L}{4,}$/u.test(word));
  if (words.length === 0) return null;
  const capital = words.filter((word) => /^\p{Lu}\p{Ll}/u.test(word)).length;
  return capital > words.length / 2 ? "title" : "sentence";
}

function line(name: string, counts: ReadonlyMap<string, number>, pages: number): string | null {
  if (counts.size === 0) return null;
  const named = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_NAMED);
  const more = counts.size > named.length ? ` and ${counts.size - named.length} more` : "";
  return `${name}: ${named.map(([key, number]) => `${key} (${number})`).join(", ")}${more}, on ${count(pages, "page")}`;
}
