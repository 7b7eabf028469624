/** One attribute of a tag, by offsets into the source. `value` is the raw text between the quotes or braces. */
export interface TagAttribute {
  name: string;
  start: number;
  end: number;
  value: { start: number; end: number; kind: "string" | "expression" | "bare" } | null;
}

export interface Tag {
  /** `""` for a fragment. */
  name: string;
  start: number;
  /** After the closing `>`. */
  end: number;
  attributes: TagAttribute[];
}

const MAX_ATTRIBUTES = 500;
const NAME = /[A-Za-z_$][\w$.:-]*/y;
const ATTRIBUTE_NAME = /[^\s"'<>/={}]+/y;

/**
 * Scans the opening tag that starts at `start`; null when no tag there ends. It finds the positions that MDX's syntax trees
 * lack; the parser or `htmlTokens` has already decided that it is a tag.
 */
export function scanTag(source: string, start: number): Tag | null {
  if (source[start] !== "<") return null;
  const name = matchAt(NAME, source, start + 1) ?? "";
  let at = start + 1 + name.length;
  const attributes: TagAttribute[] = [];
  while (attributes.length <= MAX_ATTRIBUTES) {
    at = skipSpace(source, at);
    if (source[at] === ">") return { name, start, end: at + 1, attributes };
    if (source.startsWith("/>", at)) return { name, start, end: at + 2, attributes };
    if (source[at] === "{") {
      const end = skipBraces(source, at); // {...spread} or a comment
      if (end === null) return null;
      at = end;
      continue;
    }
    if (source[at] === "/") {
      at += 1;
      continue;
    }
    const attributeName = matchAt(ATTRIBUTE_NAME, source, at);
    if (attributeName === null) return null;
    const attribute = scanValue(source, { name: attributeName, start: at });
    if (attribute === null) return null;
    attributes.push(attribute);
    at = attribute.end;
  }
  return null;
}

function scanValue(source: string, { name, start }: { name: string; start: number }): TagAttribute | null {
  const afterName = start + name.length;
  const equals = skipSpace(source, afterName);
  if (source[equals] !== "=") return { name, start, end: afterName, value: null };
  const at = skipSpace(source, equals + 1);
  const quote = source[at];
  if (quote === '"' || quote === "'") {
    const end = source.indexOf(quote, at + 1);
    return end === -1 ? null : { name, start, end: end + 1, value: { start: at + 1, end, kind: "string" } };
  }
  if (quote === "{") {
    const end = skipBraces(source, at);
    return end === null ? null : { name, start, end, value: { start: at + 1, end: end - 1, kind: "expression" } };
  }
  const bare = matchAt(/[^\s"'<>=`]+/y, source, at);
  if (bare === null) return null;
  return { name, start, end: at + bare.length, value: { start: at, end: at + bare.length, kind: "bare" } };
}

/** Offset after the `}` that closes the `{` at `start`; strings, templates and comments may contain braces. */
function skipBraces(source: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const character = source[at];
    if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (character === '"' || character === "'" || character === "`") {
      const end = skipString(source, at);
      if (end === null) return null;
      at = end - 1;
    } else if (source.startsWith("/*", at)) {
      const end = source.indexOf("*/", at + 2);
      if (end === -1) return null;
      at = end + 1;
    }
  }
  return null;
}

function skipString(source: string, start: number): number | null {
  const quote = source[start];
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === quote) return at + 1;
  }
  return null;
}

function skipSpace(source: string, at: number): number {
  let next = at;
  while (/\s/.test(source[next] ?? "")) next += 1;
  return next;
}

function matchAt(expression: RegExp, source: string, at: number): string | null {
  expression.lastIndex = at;
  return expression.exec(source)?.[0] ?? null;
}

/** The range of an attribute's text if it is a plain string, also as an expression: `title={"a"}`; else null. */
export function textRange(source: string, { value }: TagAttribute): { start: number; end: number } | null {
  if (value === null) return null;
  if (value.kind !== "expression") return { start: value.start, end: value.end };
  const literal = /^(\s*)(["'`])([^"'`\\$\n]*)\2\s*$/.exec(source.slice(value.start, value.end));
  if (literal === null) return null;
  const start = value.start + (literal[1]?.length ?? 0) + 1;
  return { start, end: start + (literal[3]?.length ?? 0) };
}
