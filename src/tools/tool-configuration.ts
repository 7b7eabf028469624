import { parseExpressionAt, tokenizer } from "acorn";
import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, parseDocument, type Pair } from "yaml";

/**
 * The parts of another tool's configuration that may be edited, by the names of such files: navigation and redirects. A `*` in a
 * path of keys stands for the elements of a list.
 */
const EDITABLE: readonly { file: RegExp; parts: readonly (readonly string[])[] }[] = [
  {
    file: /^mkdocs\.ya?ml$/,
    parts: [["nav"], ["plugins", "*", "redirects", "redirect_maps"], ["plugins", "redirects", "redirect_maps"]],
  },
  { file: /^\.gitbook\.ya?ml$/, parts: [["redirects"]] },
];

const partsOf = (path: string) => EDITABLE.find(({ file }) => file.test(path.split("/").at(-1) ?? ""))?.parts ?? null;

const SIDEBARS = /(?:^|\/)sidebars[\w-]{0,60}\.[cm]?[jt]s$/;
/** Programs with a sidebar among other settings. */
const WITH_SIDEBAR = /(?:^|\/)(?:\.vitepress\/config(?:\/index)?|astro\.config)\.[cm]?[jt]s$/;

/** The redirects of Netlify and Cloudflare Pages, which may also be rewrites and proxies. */
const REDIRECTS = /(?:^|\/)_redirects$/;

/** Whether a file of this name has a navigation or redirects that may be edited, among settings or code that may not. */
export const isToolConfiguration = (path: string): boolean =>
  partsOf(path) !== null || SIDEBARS.test(path) || WITH_SIDEBAR.test(path) || REDIRECTS.test(path);

/** Whether a file of this name has the title and place of a folder in Docusaurus. */
export const isCategoryFile = (path: string): boolean => /(?:^|\/)_category_\.(?:json|ya?ml)$/.test(path);

// Some parsers of YAML end a line at these, so that the rest of a title would be a setting.
const LINE_BREAKS = /[\u0085\u2028\u2029]/;
const SAFE_SCHEME = /^(?:https?|mailto):/i;

/**
 * What is wrong with a change of such a file; null if it changes navigation and redirects alone, and adds only texts to them.
 * Compares the parsed values, so the layout of the file may change.
 */
export function configurationChangeProblem(path: string, before: string, after: string): string | null {
  if (REDIRECTS.test(path)) return redirectsChangeProblem(path, before, after);
  if (partsOf(path) === null) return sidebarChangeProblem(path, before, after);
  const parts = partsOf(path) ?? [];
  const name = JSON.stringify(path);
  const [old, now] = [before, after].map((text) => parseDocument(text, { logLevel: "silent", prettyErrors: false }));
  if (!old || !now || old.errors.length > 0 || now.errors.length > 0 || LINE_BREAKS.test(after))
    return `${name} is not YAML that every program reads in the same way, so only people change it.`;
  const was = readConfiguration(old.contents, parts);
  const is = readConfiguration(now.contents, parts);
  if (was.rest !== is.rest)
    return `${name} configures a tool: its navigation and its redirects may be changed, and only people change the rest.`;
  const known = new Set(was.texts);
  if (is.texts.some((text) => !known.has(text) && text.startsWith(MARK)))
    return `${name} would get a tag, an anchor or an alias: only people add those.`;
  const unsafe = is.texts.find((text) => !known.has(text) && SCHEME.test(text) && !SAFE_SCHEME.test(text.trim()));
  return unsafe === undefined
    ? null
    : `${name} would lead to ${JSON.stringify(unsafe.slice(0, 100))}: links lead to pages and to https addresses.`;
}

/** From one page to another, without wildcards, placeholders or conditions. */
const PAGE_REDIRECT = /^\/[^\s*:]+[ \t]+\/(?![/\\])[^\s*:]*(?:[ \t]+30[18])?$/;

/**
 * Permanent redirects from one page to another may be added and removed. Everything else stays in its order, as the first
 * line that matches applies: rules for many pages, temporary redirects (which may protect a page), rewrites, comments.
 */
function redirectsChangeProblem(path: string, before: string, after: string): string | null {
  const [old, now] = [before, after].map((text) => text.split(/\r?\n/).filter((line) => line.trim() !== ""));
  const added = now!.filter((line) => !old!.includes(line));
  const removed = old!.filter((line) => !now!.includes(line));
  const isChangeable = [...added, ...removed].every((line) => PAGE_REDIRECT.test(line));
  const inOrder = (lines: readonly string[], others: readonly string[]) => lines.filter((line) => others.includes(line)).join("\n"); // oxfmt-ignore
  const isAllowed = isChangeable && inOrder(old!, now!) === inOrder(now!, old!);
  return isAllowed
    ? null
    : `${JSON.stringify(path)} configures the host: permanent redirects from one page to another may be added and removed, such as "/old /new 301", and only people change the rest.`;
}

/** Properties of the entries of a sidebar, without those that hold HTML or code. */
const SIDEBAR_KEYS = new Set([
  "type",
  "id",
  "label",
  "text",
  "slug",
  "items",
  "link",
  "href",
  "collapsed",
  "collapsible",
  "dirName",
]);
const PUNCTUATION = new Set(["[", "]", "{", "}", ",", ":"]);

/**
 * A program: the tokens that change are entries of a list, as strings, numbers, and objects of known keys. What is around
 * them stays, so no code is added.
 */
function sidebarChangeProblem(path: string, before: string, after: string): string | null {
  const refusal = `${JSON.stringify(path)} is a program: entries of its lists may be changed, and only people change the rest.`;
  const [old, now] = [before, after].map(tokensOf);
  if (!old || !now) return refusal;
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start]?.text === now[start]?.text) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end)?.text === now.at(-1 - end)?.text) end += 1;
  if (start + end === old.length && start + end === now.length) return null;
  const areData = [old, now].every((tokens) =>
    tokens.slice(start, tokens.length - end).every((_token, index) => isData(tokens, start + index)),
  );
  if (!areData || !isInList(now.slice(0, start), SIDEBARS.test(path))) return refusal;
  return isListAround(old, start) && !isListAround(now, start)
    ? `${JSON.stringify(path)} would not be valid JavaScript any more: look at the commas and brackets of its list.`
    : null;
}

/** Whether the innermost list around a token has its end and can be parsed. */
function isListAround(tokens: readonly ScriptToken[], index: number): boolean {
  let depth = 0;
  let first = index - 1;
  for (; first >= 0; first--) {
    depth += depthOf(tokens[first]!);
    if (depth <= 0) continue;
    if (tokens[first]!.text === "[") break;
    depth = 0; // an object in the list
  }
  depth = 0;
  const last = tokens.findIndex((token, at) => at >= first && (depth += depthOf(token)) === 0);
  if (first < 0 || last === -1) return false;
  const list = tokens.slice(first, last + 1).map(({ text }) => text);
  // What follows a list: a bracket too many would leave the rest outside.
  if (!/^[,;\])}]$|^(?:as|satisfies|export|module)$/.test(tokens[last + 1]?.text ?? ";")) return false;
  try {
    parseExpressionAt(list.join(" "), 0, { ecmaVersion: "latest" });
    return true;
  } catch {
    return false;
  }
}

const depthOf = ({ kind, text }: ScriptToken): number =>
  kind !== "other" ? 0 : /^(?:[[({]|\$\{)$/.test(text) ? 1 : /^[\])}]$/.test(text) ? -1 : 0;

interface ScriptToken {
  kind: "string" | "name" | "number" | "other";
  text: string;
  value: string;
}

const KINDS: Readonly<Record<string, ScriptToken["kind"]>> = { string: "string", num: "number", name: "name" };

/** Null for what is no JavaScript or TypeScript to the tokenizer. */
function tokensOf(source: string): ScriptToken[] | null {
  try {
    const tokens = [...tokenizer(source, { ecmaVersion: "latest", sourceType: "module" })];
    return tokens.map((token) => ({
      kind: KINDS[token.type.label] ?? "other",
      text: source.slice(token.start, token.end),
      // Not in the types of acorn 8.19: a string without its quotes and escapes.
      value: String((token as { value?: unknown }).value),
    }));
  } catch {
    return null;
  }
}

/**
 * Whether the place after these tokens is in a list that is a value, and in no call or computed name: anywhere in a file of
 * sidebars, and below a key or a constant `sidebar` elsewhere.
 */
function isInList(tokens: readonly ScriptToken[], isAnywhere: boolean): boolean {
  const open: string[] = [];
  let sidebar = isAnywhere ? 0 : Infinity;
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== "other") continue;
    const before = tokens[index - 1]?.text ?? "";
    // Also `const sidebar: DefaultTheme.Sidebar = [...]`.
    const isSidebar = /^[:=]$/.test(before) && /^sidebar$/i.test(tokens[index - 2]?.text ?? "");
    if (/^[[{]$/.test(text) && isSidebar) sidebar = Math.min(sidebar, open.length);
    if (text === "[") open.push([":", ",", "["].includes(before) || isSidebar ? "list" : "[");
    else if (/^(?:[({]|\$\{)$/.test(text)) open.push(text);
    else if (/^[)\]}]$/.test(text)) open.pop();
    if (!isAnywhere && open.length <= sidebar) sidebar = Infinity;
  }
  const inner = open.slice(sidebar);
  return inner.includes("list") && inner.every((each) => each === "list" || each === "{");
}

function isData(tokens: readonly ScriptToken[], index: number): boolean {
  const { kind, text, value } = tokens[index]!;
  if (kind === "string") return !value.includes("<") && !/^[\s\p{C}]*(?:javascript|vbscript)\s*:/iu.test(value);
  // A category may be written as `Title: [...]`.
  if (kind === "name")
    return tokens[index + 1]?.text === ":" && (SIDEBAR_KEYS.has(text) || tokens[index + 2]?.text === "[");
  return kind === "number" || PUNCTUATION.has(text) || text === "true" || text === "false";
}

const SCHEME = /^\s*[a-z][a-z0-9+.-]*:/i;
/** Begins the tags, anchors and aliases among the texts of a part. No text of a YAML file has it. */
const MARK = "\0";

/** What the editable parts of a file lead to, as texts, and the rest as a string that is equal for equal settings. */
function readConfiguration(
  contents: unknown,
  parts: readonly (readonly string[])[],
): { texts: string[]; rest: string } {
  const texts: string[] = [];
  const collect = (node: unknown): void => {
    texts.push(...marksOf(isPair(node) ? node.key : node));
    if (isPair(node)) collect(node.value);
    else if (isCollection(node)) node.items.forEach(collect);
    else if (isScalar(node)) texts.push(String(node.value));
  };
  const beginsPart = (at: readonly string[]) => (part: readonly string[]) =>
    at.every((key, index) => key === part[index]);
  const isPart = (at: readonly string[]) => parts.filter(beginsPart(at)).some(({ length }) => length === at.length);

  const written = (node: unknown, at: readonly string[]): unknown => {
    if (isSeq(node)) return [marksOf(node), node.items.map((item) => written(item, [...at, "*"]))];
    if (!isMap(node)) return [marksOf(node), isScalar(node) ? [node.source, node.type] : null];
    const pairs = node.items.flatMap((pair) => {
      const own = [...at, keyOf(pair)];
      if (isPart(own)) collect(pair.value);
      return isPart(own) ? [] : [[written(pair.key, []), isBare(pair.value, own) ? null : written(pair.value, own)]];
    });
    const [first, ...further] = pairs;
    // `- redirects` is a plugin without options.
    if (first?.[1] === null && further.length === 0 && at.at(-1) === "*") return first[0];
    return [marksOf(node), pairs];
  };
  /** Whether a value on the way to a part has nothing else in it. */
  const isBare = (node: unknown, at: readonly string[]): boolean =>
    parts.some(beginsPart(at)) &&
    marksOf(node).length === 0 &&
    ((isScalar(node) && node.value === null) ||
      (isMap(node) && node.items.every((pair) => isPart([...at, keyOf(pair)]))));
  return { rest: JSON.stringify(written(contents, [])), texts };
}

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : "");

function marksOf(node: unknown): string[] {
  if (isAlias(node)) return [`${MARK}*${node.source}`];
  if (!isScalar(node) && !isCollection(node)) return [];
  return [
    ...(node.tag === undefined ? [] : [`${MARK}!${node.tag}`]),
    ...(node.anchor === undefined ? [] : [`${MARK}&${node.anchor}`]),
  ];
}
