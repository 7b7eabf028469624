import type { Nodes } from "mdast";
import type { LinkReport } from "#docs/links/links.ts";
import { markdownFormat, type MarkdownParser } from "#docs/parser.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import type { FileChange } from "#git/repo-store.ts";

/** Properties of the docs that no chore may make worse. */
export interface Health {
  brokenLinks: number;
  /** Markdown files of the docs that do not parse. */
  unparsed: number;
}

export function healthOf(links: LinkReport): Health {
  return { brokenLinks: links.broken.length, unparsed: links.unparsed.length };
}

/** How many changed pages lost or changed code blocks or inline code; added code is ignored. */
export async function pagesWithLostCode(
  parser: MarkdownParser,
  { base, head, changes }: { base: Snapshot; head: Snapshot; changes: readonly FileChange[] },
): Promise<number> {
  let lost = 0;
  for (const { path, oldPath } of changes) {
    const before = await codeOf(parser, base, oldPath ?? path);
    const after = await codeOf(parser, head, path);
    if (before === null || after === null) continue;
    for (const code of after) {
      const at = before.indexOf(code);
      if (at !== -1) before.splice(at, 1);
    }
    if (before.length > 0) lost += 1;
  }
  return lost;
}

async function codeOf(parser: MarkdownParser, snapshot: Snapshot, path: string): Promise<string[] | null> {
  const format = markdownFormat(path);
  const bytes = format === null ? null : await snapshot.read(path);
  if (format === null || bytes === null) return null;
  const outcome = await parser.parse(new TextDecoder().decode(bytes), format);
  if (!outcome.ok) return null;
  const code: string[] = [];
  const open: Nodes[] = [outcome.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "code" || node.type === "inlineCode") code.push(node.value);
    if ("children" in node) open.push(...node.children);
  }
  return code;
}
