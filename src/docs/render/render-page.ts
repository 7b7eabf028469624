import type { DialectName } from "#docs/dialect.ts";
import { fillVariables, lacksRoom, type Variables } from "#docs/variables.ts";
import type { Nodes, Root } from "mdast";
import { headProblems } from "#docs/tree/page-head-problems.ts";
import { readFrontMatter } from "#docs/front-matter.ts";
import { AnchorIds, anchorsByNode } from "#docs/links/headings.ts";
import { NO_RULES } from "#docs/page-rules.ts";
import { linkedId } from "#docs/slugs.ts";
import { readWrittenFile } from "#docs/links/link-extraction.ts";
import { readComponents } from "#docs/syntax/components/read-components.ts";
import type { LruCache } from "#lib/lru-cache.ts";
import { Budget, PageLimit } from "#docs/markup/budget.ts";
import { Expander } from "./expand.ts";
import { type PageParser, loadParser } from "./fast-parser.ts";
import { MAX_STYLESHEETS, type PageStyles, createPageStyles } from "./styles/page-styles.ts";
import { type Highlighter, createHighlighter } from "./highlighter.ts";
import { type Diagrams, createDiagrams } from "./diagrams.ts";
import { type Formulas, createFormulas } from "./formulas/formulas.ts";
import { hasFormulas } from "./formulas/print-formula.ts";
import { markFormulas } from "./formulas/mark-formulas.ts";
import { type Icons, createIcons } from "./icons.ts";
import { checkSize } from "./printer.ts";
import { type Module, loadModules, moduleOf } from "./modules.ts";
import { type ModuleScopes, createModuleScopes } from "./module-scope.ts";
import { type OperationRequest, type RenderedPage, type Warn, Warnings, type PageToRender } from "./page.ts";
import {
  languagesOf,
  layOutOperation,
  describedMarkdown,
  leftOutOf,
  printOperationPart,
  readOperation,
  type KeptDocument,
} from "./operation/operation-part.ts";
import { PagePrinter } from "./page-printer.ts";
import type { PageNode } from "#docs/markup/page-nodes.ts";
import { putOutlinesIn } from "./inline-outline.ts";
import { parseDialectPage, readIncludes } from "./parse-dialect.ts";
import { parseLine, parsePage, prepareSource } from "./parse-page.ts";
import { htmlText } from "./plain-text.ts";
import { plainPage } from "./plain-page.ts";
import { printFootnotes } from "./print-markdown.ts";
import { createSourceLines } from "./source-lines.ts";
import { homePage, putHomePageIn } from "#docs/markup/home-page.ts";
import { siteLanguage } from "#docs/words/site-language.ts";

/** The tools that show a heading of level one and have the title for the browser's tab and menus, as we do. */
const HEADING_AND_TITLE: ReadonlySet<DialectName> = new Set(["docusaurus", "vitepress", "mkdocs", "nextra"]);

export interface RenderDeps {
  parser: PageParser;
  highlighter: Highlighter;
  icons: Icons;
  formulas: Formulas;
  diagrams: Diagrams;
  styles: PageStyles;
  now: () => number;
}

export interface PageSource extends PageToRender {
  /** With the API descriptions that this process has read. */
  operation?: (OperationRequest & { documents: LruCache<string, KeptDocument> }) | null;
  variables: Variables;
  /** Reads a snippet; null when the file does not exist. */
  read(path: string): Promise<string | null>;
}

/**
 * From source to page, in the render process: prepare, parse (with repairs), load snippets, evaluate, print. Throws
 * `PageLimit` for a page that must be shown as plain text.
 */
export async function renderPage(deps: RenderDeps, page: PageSource): Promise<RenderedPage> {
  if (page.operation?.isMarkdownOnly === true) return { ...plainPage("", ""), ...(await asMarkdown(page)) };
  const warnings = new Warnings();
  const { dollars = "likely", dialect = "native", rules = NO_RULES } = page;
  const isNative = dialect === "native";
  const prepared = isNative ? prepareSource(markFormulas(page.source, dollars), page.variables) : null;
  const lines = createSourceLines();
  const placeOf = (line: number | null) => {
    const at = lines.place(line);
    return at.path === null && at.line !== null && prepared !== null ? { ...at, line: prepared.lineOf(at.line) } : at;
  };
  const warn: Warn = (line, message, code) => warnings.add(placeOf(line), message, code);
  const frontMatter = readFrontMatter(page.source, page.variables);
  const { problem, problemLine } = frontMatter;
  if (problem !== null) warnings.add({ path: null, line: problemLine }, problem, "front_matter");

  if (deps.parser.lacksFormulas && page.source.includes("$$"))
    warn(null, "Formulas are shown as their source: the package satteri is not installed for this system.", "formula");
  if (isNative && lacksRoom(page.source, page.variables))
    warn(
      null,
      "Some variables are shown as {{name}}, because variables may add at most 200,000 characters to a page.",
      "left_out",
    );

  const includes: string[] = [];
  const whole = isNative ? null : await readIncludes(page, { includes, warn });
  const { root, degraded, format } =
    prepared === null
      ? parseDialectPage(deps, page.source, { page, warn, ...(whole && { whole }) })
      : parseNative(deps, prepared.source, { page, warn });
  const home = homePage(frontMatter.attributes, dialect);
  if (home !== null) putHomePageIn(root, home);
  // If the text was changed for the parser, positions are not those of the file.
  const isAsWritten = degraded === "none" && prepared?.source === page.source;
  const links =
    page.readsLinks && isAsWritten ? readWrittenFile(page.source, root, { path: page.path, dialect }) : null;
  const ids = new AnchorIds(root);
  const anchors = anchorsByNode(root, ids);
  const own = format === "mdx" ? moduleOf(page.path, root, warn) : emptyModule(page.path, root);
  const modules = await loadModules(own, {
    lines,
    parse: (source, tell) =>
      isNative
        ? parsePage(fillVariables(markFormulas(source, dollars), page.variables), "mdx", { ...deps, warn: tell }).root
        : parseDialectPage(deps, source, { page: { ...page, format: "mdx" }, warn: tell }).root,
    async read(path) {
      includes.push(path);
      return page.read(path);
    },
    warn,
  });

  const budget = new Budget();
  let expander: Expander | null = null;
  const scopes: ModuleScopes = createModuleScopes(modules, {
    expander: () => expander as Expander,
    // The names under which Astro and Docusaurus provide it to MDX.
    given: {
      path: page.path,
      names: isNative ? {} : { frontmatter: frontMatter.attributes, frontMatter: frontMatter.attributes },
    },
    warn,
  });
  const isProse = (node: Nodes) => [...modules.values()].some((module) => module?.proseNodes.has(node) ?? false);
  const hasAlertTitles = dialect === "vitepress";
  const lineOfMarkdown = (text: string, line: number | null) => parseLine(deps.parser, text, line);
  expander = new Expander({ budget, warn, anchors, isProse, lineOfMarkdown, snippet: scopes.snippet, hasAlertTitles });
  const expanded = expander.expand(root.children, scopes.scopeOf(page.path));
  checkSize(expanded);
  checkSize([...expander.footnotes.values()].flat());
  const tree = isNative
    ? expanded
    : readComponents(putOutlinesIn(expanded, anchors.values()), dialect, page.calloutTitles);

  deps.highlighter.startPage();
  await deps.highlighter.load(languagesIn(tree));
  deps.formulas.startPage();
  deps.diagrams.startPage();
  if ([tree, ...expander.footnotes.values()].some(hasFormulas)) await deps.formulas.load();
  const printer = new PagePrinter({
    ...deps,
    pagePath: page.path,
    isNative,
    idOfLink: rules.areLinksTexts ? (hash) => linkedId(hash, rules) : null,
    language: siteLanguage(page.language ?? null),
    ids,
    warn,
    definitions: expander.definitions,
    footnotes: expander.footnotes,
    iconLibrary: page.iconLibrary ?? null,
    classNames: new Set(),
    reportedComponents: new Set(),
    styles: [],
  });
  const documented = page.operation ?? null;
  const operation = documented && (await readOperation(documented, documented.documents, page.read));
  if (documented !== null && operation === null)
    warn(null, "The API that the page documents cannot be read.", "api_description");
  for (const message of leftOutOf(operation)) warn(null, message, "api_description");
  if (operation !== null) await deps.highlighter.load(languagesOf(operation));
  const written = printer.blocks(tree) + printFootnotes(printer);
  for (const { line, message } of headProblems(page.source, frontMatter, dialect))
    warnings.add({ path: null, line }, message, "left_out");
  const given = textAttribute(frontMatter.attributes.title) ?? home?.heading ?? null;
  const [heading] = printer.headings;
  const hasOwnTitle = /^\s*<h1[\s>]/.test(written) && heading?.depth === 1;
  if (
    given !== null &&
    hasOwnTitle &&
    !HEADING_AND_TITLE.has(dialect) &&
    simplified(heading.text) !== simplified(given)
  ) {
    const message = `The page shows its heading "${heading.text.slice(0, 100)}"; its title "${given.slice(0, 100)}" is shown in the navigation, in search and in the browser's tab.`;
    warn(heading.line, message, "left_out");
  }
  const { description, mode } = frontMatter.attributes;
  if (isNative && hasOwnTitle && textAttribute(description) !== null && mode !== "frame" && mode !== "custom")
    warn(heading.line, HIDDEN_DESCRIPTION, "left_out");
  const hasPlayground = documented?.hasPlayground === true && frontMatter.attributes["playground"] !== "none";
  const part = operation && printOperationPart(deps, { operation, printer, hasPlayground });
  const html = operation === null || part === null ? written : layOutOperation(operation, part, { written, printer });
  const stylesheets: { path: string; source: string }[] = [];
  for (const path of (page.stylesheets ?? []).slice(0, MAX_STYLESHEETS)) {
    includes.push(path);
    const source = await page.read(path);
    if (source !== null) stylesheets.push({ path, source });
  }
  const { classNames, styles } = printer.options;
  const warnOfStyle = (at: { path: string; line: number | null }, message: string) =>
    warnings.add(at, message, "style");
  const css = await deps.styles.css({
    stylesheets: { files: stylesheets, warn: page.warnsOfStyles ? warnOfStyle : null },
    own: { styles, warn: (line, message) => warn(line, message, "style") },
    classNames,
  });
  if (html.length > 20_000_000) throw new PageLimit("The page is larger than 20 MB as HTML.");
  const place = <Item extends { line: number | null }>(item: Item): Item => {
    const { path, line } = placeOf(item.line);
    return { ...item, line: path === null ? line : null };
  };
  return {
    html,
    css,
    title: given ?? printer.headings.find(({ depth }) => depth === 1)?.text ?? null,
    description: textAttribute(frontMatter.attributes.description),
    frontMatter: frontMatter.attributes,
    headings: printer.headings.map(({ depth, text, id }) => ({ depth, text, id })),
    anchors: [...new Set(printer.anchors)],
    links: printer.links.map(place),
    images: printer.images.map(place),
    text: htmlText(html),
    warnings: warnings.all(),
    includes,
    written: links,
    operation: part === null ? null : { markdown: part.markdown, origins: part.origins, servers: part.servers },
    degraded,
  };
}

function parseNative(deps: RenderDeps, source: string, { page, warn }: { page: PageSource; warn: Warn }) {
  const parsed = parsePage(source, page.format, { ...deps, warn });
  return { ...parsed, format: parsed.degraded === "plain" ? "md" : page.format };
}

async function asMarkdown({ operation, read }: PageSource): Promise<Pick<RenderedPage, "operation" | "html">> {
  const found = operation ? await readOperation(operation, operation.documents, read) : null;
  const markdown = found && describedMarkdown(found);
  return { html: "", operation: markdown === null ? null : { markdown, origins: [], servers: [] } };
}

function emptyModule(path: string, root: Root): Module {
  return { path, root, statements: [], proseNodes: new Set(), json: undefined };
}

function languagesIn(nodes: readonly PageNode[]): Set<string> {
  const languages = new Set<string>();
  const open = [...nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "element") {
      for (const name of ["language", "lang"]) {
        const language = node.props.get(name);
        if (typeof language === "string" && node.name === "CodeBlock") languages.add(language);
      }
    } else if (node.node.type === "code" && node.node.lang) languages.add(node.node.lang);
    open.push(...node.children);
  }
  return languages;
}

const HIDDEN_DESCRIPTION =
  "The description of the front matter is not shown on the page, as the page begins with a heading of its own. Without the heading, readers see title and description.";

function simplified(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function textAttribute(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 1_000) : null;
}

/** The dependencies of rendering in this process. `now` is the clock that limits the time of a page, in milliseconds. */
export async function createRenderDeps(now: () => number): Promise<RenderDeps> {
  return {
    parser: await loadParser(),
    highlighter: await createHighlighter(now),
    icons: createIcons(),
    formulas: createFormulas(now),
    diagrams: createDiagrams(now),
    styles: createPageStyles(),
    now,
  };
}
