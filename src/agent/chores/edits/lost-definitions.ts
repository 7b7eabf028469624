import type { Root } from "mdast";
import { AppError } from "#lib/app-error.ts";
import { nodesOf } from "./markdown-text.ts";

/**
 * Throws `AppError invalid` when the text between two offsets defines an address or a footnote that the rest of the page
 * refers to: `[webhook]` would be words in brackets from then on. `text` is what takes its place.
 */
export function refuseLostDefinitions(root: Root, range: { start: number; end: number }, text = ""): void {
  const lost = new Map<string, string>();
  const kept = new Set<string>();
  const needed: { key: string; line: number }[] = [];
  for (const node of nodesOf(root)) {
    const offset = node.position?.start.offset ?? 0;
    const isInside = offset >= range.start && offset < range.end;
    if (node.type === "definition" || node.type === "footnoteDefinition") {
      const key = keyOf(node);
      if (isInside) lost.set(key, node.identifier);
      else kept.add(key);
    } else if (!isInside && "identifier" in node)
      needed.push({ key: keyOf(node), line: node.position?.start.line ?? 0 });
  }
  const written = text.toLowerCase();
  for (const { key, line } of needed) {
    const label = kept.has(key) || written.includes(`[${key}]:`) ? undefined : lost.get(key);
    if (label !== undefined)
      throw new AppError(
        "invalid",
        `The section defines “${label}”, which line ${line} outside of it needs. Move that definition first.`,
      );
  }
}

/** Addresses and footnotes are named apart: `[1]` and `[^1]`. */
function keyOf({ type, identifier }: { type: string; identifier: string }): string {
  return (type.startsWith("footnote") ? "^" : "") + identifier.toLowerCase();
}
