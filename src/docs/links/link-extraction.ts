import { createLines } from "#lib/line-index.ts";
import { nodesOf, nodeRange, type TextRange } from "#docs/nodes.ts";
import type { Root } from "mdast";
import { componentNamed, includedFile } from "#docs/components/registry.ts";
import { type HrefUse, importPath, snippetPaths } from "#docs/hrefs.ts";
import type { DialectName } from "#docs/dialect.ts";
import { frontMatterLinks } from "./front-matter-links.ts";
import { anchorsOf } from "./headings.ts";
import { jsxTag } from "./tags.ts";
import { htmlTokens } from "#docs/markup/html-tokens.ts";
import { scanTag, textRange } from "#docs/markup/jsx-tag.ts";
import { sourceCandidates } from "#docs/markup/source-set.ts";
import { templateLinks } from "#docs/syntax/templates.ts";
import { tagName } from "#docs/markup/nest-html.ts";
import { decodeReferences, destinationRange } from "./url-ranges.ts";

/** A link, image or attribute as written in a file. Its target is not resolved yet. */
export interface WrittenLink extends TextRange {
  kind: "link" | "image" | "definition" | "attribute";
  use: HrefUse;
  /** The URL as the reader's browser sees it: with escapes and character references decoded. */
  url: string;
  /** Both from 1, in UTF-16 units. */
  line: number;
  column: number;
}

/** What the link checker needs from one file; depends only on the file's content and name. */
export interface FileLinks {
  links: readonly WrittenLink[];
  /** Included files, relative to the site's root; from each list the first that exists. */
  includes: readonly (readonly string[])[];
}

/** Everything that the link checker reads from a file that could be parsed. */
export interface WrittenFile extends FileLinks {
  /** Ids that links can refer to, without duplicates. */
  anchors: readonly string[];
}

/** A file of a site; `path` is relative to the site's root. */
export interface FilePlace {
  path: string;
  dialect: DialectName;
}

/** Reads a parsed file for the link checker. */
export function readWrittenFile(source: string, root: Root, place: FilePlace): WrittenFile {
  const anchors = [...new Set(anchorsOf(root).map((anchor) => anchor.id))];
  return { anchors, ...extractLinks(source, root, place) };
}

/** For HTML tags, and for components that are not built in. */
const USES: Record<string, HrefUse> = { href: "link", src: "source", poster: "source" };

/** All links of a parsed file in document order, after those of its front matter. */
export function extractLinks(source: string, root: Root, { path, dialect }: FilePlace): FileLinks {
  const links: WrittenLink[] = [];
  const includes: string[][] = [];
  const { starts, line: lineOf } = createLines(source);

  const add = (range: TextRange, link: Pick<WrittenLink, "kind" | "use" | "url">) => {
    const line = lineOf(range.start);
    links.push({ ...link, ...range, line, column: range.start - (starts[line - 1] ?? 0) + 1 });
  };

  function addAttribute(tag: string, name: string, { url, ...range }: TextRange & { url: string }): void {
    if (/^srcset$/i.test(name) && /^(?:img|source)$/.test(tag)) {
      // If it contains character references, the positions of the addresses are unknown.
      const at = source.slice(range.start, range.end).indexOf(url);
      for (const { address, start } of sourceCandidates(url)) {
        const from = range.start + at + start;
        const own = at === -1 ? range : { start: from, end: from + address.length };
        add(own, { kind: "attribute", use: "source", url: address });
      }
      return;
    }
    const { kind, hasMarkdown } = componentNamed(tag)?.attributes?.[name] ?? {};
    for (const match of hasMarkdown === true ? url.matchAll(/\]\(([^()\s<>]+)/g) : []) {
      const [, address = ""] = match;
      // As above: with character references in the text, the range is that of the attribute.
      const isAsWritten = source.slice(range.start, range.end) === url;
      const from = range.start + match.index + 2;
      const own = isAsWritten ? { start: from, end: from + address.length } : range;
      add(own, { kind: "attribute", use: "link", url: address });
    }
    const use = kind === "link" || kind === "source" ? kind : Object.hasOwn(USES, name) ? USES[name] : undefined;
    if (use !== undefined) add(range, { kind: "attribute", use, url });
  }

  for (const { use, url, ...range } of frontMatterLinks(source, dialect)) add(range, { kind: "attribute", use, url });
  for (const { use, url, ...range } of dialect === "gitbook" ? templateLinks(source) : [])
    add(range, { kind: "attribute", use, url });
  for (const node of nodesOf(root)) {
    const place = nodeRange(node);
    if (place === null) continue;
    const { start: from, end: to } = place;
    if (node.type === "link" || node.type === "image" || node.type === "definition") {
      const range = destinationRange(source, { from, to, url: node.url });
      const use = node.type === "image" ? "source" : "link";
      if (range !== null) add(range, { kind: node.type, use, url: node.url });
    } else if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") {
      for (const attribute of scanTag(source, from)?.attributes ?? []) {
        const range = textRange(source, attribute);
        if (range === null) continue;
        const url = source.slice(range.start, range.end);
        const isString = attribute.value?.kind !== "expression";
        addAttribute(node.name ?? "", attribute.name, { ...range, url: isString ? decodeReferences(url) : url });
      }
      const file = includedFile(jsxTag(node));
      if (file !== null) includes.push(snippetPaths(file));
    } else if (node.type === "html") {
      for (const token of htmlTokens(source.slice(from, to))) {
        if (token.kind !== "open") continue;
        for (const { name, value, start, end } of token.attributes)
          if (value !== null)
            addAttribute(tagName(token.name), name, { url: value, start: from + start, end: from + end });
      }
    } else if (node.type === "mdxjsEsm") {
      for (const [, specifier = ""] of node.value.matchAll(/\bfrom\s*["']([^"'\n]+)["']/g)) {
        const target = importPath(specifier, path);
        if (target !== null) includes.push([target]);
      }
    }
  }
  return { links: markDefinitionsOfImages(links, root), includes };
}

/** A definition that only images use names a file, not a page. */
function markDefinitionsOfImages(links: WrittenLink[], root: Root): WrittenLink[] {
  if (!links.some((link) => link.kind === "definition")) return links;
  const byLinks = new Set<string>();
  const byImages = new Set<string>();
  const urls = new Map<string, string>();
  for (const node of nodesOf(root)) {
    if (node.type === "linkReference") byLinks.add(node.identifier);
    else if (node.type === "imageReference") byImages.add(node.identifier);
    else if (node.type === "definition") urls.set(node.identifier, node.url);
  }
  const sources = new Set([...byImages].filter((name) => !byLinks.has(name)).map((name) => urls.get(name)));
  return links.map((link) =>
    link.kind === "definition" && sources.has(link.url) ? { ...link, use: "source" as const } : link,
  );
}
