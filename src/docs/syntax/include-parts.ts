import { Fences } from "#docs/fences.ts";
import type { TextStep } from "#docs/page-rules.ts";
import { createSlugger } from "#docs/slugs.ts";
import type { IncludeMatch, Lines } from "./include-syntax.ts";

interface PartMarks {
  isStart(line: string): boolean;
  isEnd(line: string): boolean;
}

/** The lines around a named part: regions of VitePress, sections of MkDocs snippets, anchors of mdBook. */
const MARKS: Record<"region" | "section" | "anchor", (name: string) => PartMarks> = {
  region: (name) => ({
    isStart: (line) => /(?:^|[^d])region\b/.test(line) && containsName(line, name),
    isEnd: (line) => /endregion\b/.test(line) && (containsName(line, name) || /endregion\W*$/.test(line)),
  }),
  section: (name) => ({
    isStart: (line) => line.includes(`[start:${name}]`),
    isEnd: (line) => line.includes(`[end:${name}]`),
  }),
  anchor: (name) => ({
    isStart: (line) => /ANCHOR:[ \t]{0,9}([\w-]+)/.exec(line)?.[1] === name,
    isEnd: (line) => /ANCHOR_END:[ \t]{0,9}([\w-]+)/.exec(line)?.[1] === name,
  }),
};

const ANCHOR_LINE = /ANCHOR(?:_END)?:[ \t]{0,9}[\w-]/;
const REGION_LINE = /^[ \t]*(?:\/\/|\/\*|#|<!--|--|::)?[ \t]*#?(?:end)?region\b.*$/;

/** The part of an included file that the include names: its lines, a region, a section. Without such a part, all of it. */
export function includedPart({ part, as }: IncludeMatch, text: string, headingIds: readonly TextStep[] | null): string {
  const lines = text.split("\n");
  if (part === null) return as === "text" ? withoutSections(lines).join("\n") : text;
  if (part.kind === "lines") return inRange(lines, part).join("\n");
  const inside = linesBetween(lines, MARKS[part.kind](part.name));
  if (inside === null) {
    // VitePress looks for a heading with this id.
    const section = part.kind === "region" && as === "text" ? sectionOf(lines, part.name, headingIds) : null;
    return inRange(section ?? lines, part.lines).join("\n");
  }
  if (part.kind === "anchor") return inside.filter((line) => !ANCHOR_LINE.test(line)).join("\n");
  const kept = inRange(
    part.kind === "region" ? inside.filter((line) => !REGION_LINE.test(line.slice(0, 200))) : withoutSections(inside),
    part.lines,
  );
  const indents = kept.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const common = Math.min(...indents, 1_000);
  return kept.map((line) => line.slice(common)).join("\n");
}

const inRange = (lines: readonly string[], range: Lines | undefined): readonly string[] =>
  range === undefined ? lines : lines.slice(Math.max(0, range.first - 1), range.last);

/** A file may have several parts of the same name, whose lines are joined; null if it has none. */
function linesBetween(lines: readonly string[], { isStart, isEnd }: PartMarks): string[] | null {
  let joined: string[] | null = null;
  let isInside = false;
  for (const line of lines) {
    const isMark = isInside ? isEnd(line) : isStart(line);
    if (isMark) isInside = !isInside;
    if (isInside && isMark) joined ??= [];
    else if (isInside) joined?.push(line);
  }
  return joined;
}

/** What stands below a heading, up to the next one of its level or above; null if no heading has the id. */
function sectionOf(lines: readonly string[], id: string, headingIds: readonly TextStep[] | null): string[] | null {
  const fences = new Fences();
  const slugger = createSlugger("vitepress", headingIds);
  let found: { start: number; depth: number } | null = null;
  for (const [index, line] of lines.entries()) {
    if (fences.covers(line)) continue;
    const [, signs = "", written = ""] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line.slice(0, 1_000)) ?? [];
    if (signs === "") continue;
    if (found !== null) {
      if (signs.length <= found.depth) return lines.slice(found.start, index);
      continue;
    }
    const explicit = /\{#([\w\-.:\u0080-\uFFFF]{1,200})\}[ \t]*$/.exec(written)?.[1];
    const text = written.replaceAll(/\[([^\]]{0,300})\]\([^)]{0,500}\)/g, "$1");
    if ((explicit ?? slugger.slug(text)) === id) found = { start: index + 1, depth: signs.length };
  }
  return found === null ? null : lines.slice(found.start);
}

const containsName = (line: string, name: string): boolean => line.split(/[^\w*.-]+/).includes(name);

const withoutSections = (lines: readonly string[]): string[] =>
  lines.filter((line) => !/-{1,10}8<-{1,10}[ \t]{0,4}\[(?:start|end):/.test(line));
