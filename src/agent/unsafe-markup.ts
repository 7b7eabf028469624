export interface UnsafeMarkup {
  line: number;
  reason: string;
  excerpt: string;
}

// Docent's own renderer drops all of these; another renderer of the same repository might run them.
const PATTERNS: readonly { pattern: RegExp; reason: string }[] = [
  { pattern: /<\s*script\b/i, reason: "A script element may not be added" },
  { pattern: /<\s*(?:iframe|object|embed|base|meta|link|form)\b/i, reason: "An embedding element may not be added" },
  { pattern: /<[^>]{0,500}\son[a-z]{3,20}\s*=/i, reason: "An event handler may not be added" },
  { pattern: /(?:javascript|vbscript)\s*:/i, reason: "A script address may not be added" },
  { pattern: /data:text\/html/i, reason: "A data address with a page in it may not be added" },
  { pattern: /\bdangerouslySetInnerHTML\b|\bsrcDoc\s*=/i, reason: "Raw markup may not be added" },
  { pattern: /^\s*import\b.*\bfrom\s*['"](?:https?:)?\/\//i, reason: "An import from another host may not be added" },
];

const MAX_LINE_LENGTH = 20_000;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;

/** Markup outside code blocks that could run something in a reader's browser. A pattern over lines: it errs on the side of finding. */
export function unsafeMarkup(source: string): UnsafeMarkup[] {
  const found: UnsafeMarkup[] = [];
  let fence: string | null = null;
  for (const [index, full] of source.split("\n").entries()) {
    const marker = FENCE.exec(full)?.[1];
    if (marker && (fence === null || marker.startsWith(fence))) {
      fence = fence === null ? marker : null;
      continue;
    }
    if (fence !== null) continue;
    const line = full.slice(0, MAX_LINE_LENGTH).replace(/`[^`]*`/g, "");
    for (const { pattern, reason } of PATTERNS) {
      if (pattern.test(line)) found.push({ line: index + 1, reason, excerpt: line.trim().slice(0, 160) });
    }
  }
  return found;
}
