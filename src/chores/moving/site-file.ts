import { type ConfigLink, type DocsAppearance, socialName } from "#docs/config/appearance.ts";
import { pageStem } from "#docs/dialects/paths.ts";
import type { Json, JsonObject } from "#docs/json-document.ts";
import { encodePath, type Route, stripContentRoot } from "#docs/routes.ts";
import { isSection, type NavigationNode, type NavigationSection } from "#docs/tree/navigation.ts";
import type { Docs } from "#docs/tree/page-tree.ts";

/** The settings of a site as those of a docs.json, without what is not set. */
export function siteSettings(config: DocsAppearance, fileAt: (written: string) => string | null): JsonObject {
  const { logo, favicon, colors, navbar, footer } = config;
  const [light, dark] = [logo && fileAt(logo.light), logo && fileAt(logo.dark)];
  return present({
    name: config.name,
    description: config.description,
    language: config.language,
    logo: light === null ? null : present({ light, dark: dark ?? light, href: logo?.href }),
    favicon: favicon && fileAt(favicon),
    colors: present({ ...colors }),
    appearance: config.appearance === "system" ? null : { default: config.appearance },
    navbar: present({ links: navbar.links.map(linkOf), primary: navbar.primary && linkOf(navbar.primary) }),
    footer: present({
      socials: footer.socials.map(({ label, href }) => {
        const type = label.toLowerCase().replaceAll(" ", "-");
        return { type, url: href, ...(socialName(type) !== label && { label }) };
      }),
      links: footer.columns.map(({ title, links }) => ({ header: title, items: links.map(linkOf) })),
      copyright: footer.copyright,
    }),
    banner: config.banner === null ? null : { content: config.banner },
    feedback: config.suggestsEdits ? { suggestEdit: true } : null,
    metadata: config.showsDates ? null : { timestamp: false },
  });
}

const linkOf = ({ label, href }: ConfigLink): JsonObject => ({ label, href });

/** Drops null, empty lists and empty objects. */
function present(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, Json] =>
        field[1] !== null &&
        field[1] !== undefined &&
        (typeof field[1] !== "object" || Object.keys(field[1]).length > 0),
    ),
  );
}

/** A site's navigation as that of a docs.json. `pathOf` has the file of a page. */
export function navigationSettings(
  nodes: readonly NavigationNode[],
  { root, pathOf }: { root: string; pathOf: (route: Route) => string | undefined },
): JsonObject {
  const reference = (route: Route): string => {
    const path = pathOf(route) ?? route.slice(1);
    return pageStem(stripContentRoot(path, root) ?? path);
  };
  const entry = (node: NavigationNode): Json => {
    if (node.kind === "page") return reference(node.route);
    if (node.kind === "link") return { link: node.title, href: node.href };
    return sectionOf(node);
  };
  const sectionOf = (node: NavigationSection): JsonObject => {
    const { kind, title, language, tag, route, href, isDefault, children } = node;
    const isNamed = kind !== "language" || language === null;
    return present({
      [titleKey(kind)]: isNamed ? title : language,
      label: isNamed ? null : title,
      default: isDefault || null,
      tag,
      root: route === null ? null : reference(route),
      href,
      ...listsOf(children),
    });
  };
  const listsOf = (children: readonly NavigationNode[]): JsonObject => {
    const [first] = children;
    const isOneKind = first !== undefined && isSection(first) && children.every(({ kind }) => kind === first.kind);
    return { [isOneKind ? listKey(first.kind) : "pages"]: children.map(entry) };
  };
  return listsOf(nodes);
}

const titleKey = (kind: NavigationSection["kind"]): string => (kind === "menu" ? "item" : kind);
const listKey = (kind: NavigationSection["kind"]): string => (kind === "menu" ? "menu" : `${kind}s`);

/** Titles and addresses in reading order, to compare two navigations. `titles`: those of pages, wherever they are listed. */
export const outlineOf = (nodes: readonly NavigationNode[], titles: ReadonlyMap<Route, string> = new Map()): Json[] =>
  nodes.map((node): Json => {
    if (node.kind === "page") return [titles.get(node.route) ?? node.title, node.route];
    if (node.kind === "link") return [node.title, node.href];
    return [node.kind, node.title, node.route, outlineOf(node.children, titles)];
  });

/** Addresses that led to a page on the site of the tool and have no page in the native one, with their page. */
export function redirectsFor(before: Docs, after: Docs, newRoute: (route: Route) => Route): JsonObject[] {
  const isThere = (address: Route) => after.pages.has(address) || after.assets.has(address);
  const redirects = new Map<Route, Route>();
  for (const { route } of before.pages.values())
    if (!isThere(route) && isThere(newRoute(route))) redirects.set(route, newRoute(route));
  const stems = new Set<string>();
  for (const { path } of before.pagesByPath.values()) {
    const parts = pageStem(stripContentRoot(path, before.contentRoot) ?? path).split("/");
    // Docent itself redirects from the path of a file; the tool does not.
    for (let index = 0; index < parts.length; index += 1) {
      const stem = encodePath(parts.slice(index).join("/"));
      stems.add(stem).add(stem.replace(/\/(?:index|readme)$/i, ""));
    }
  }
  for (const [address, route] of before.aliases)
    if (!isThere(address) && !stems.has(address) && isThere(newRoute(route))) redirects.set(address, newRoute(route));
  return [
    ...[...redirects].map(([source, destination]) => ({ source, destination })),
    ...before.bases
      .filter((base) => before.tool !== null && !after.bases.includes(base) && !isThere(base))
      .map((base) => ({ source: `${base}/:rest*`, destination: "/:rest*" })),
  ];
}

const MAX_PATTERNS = 200;

/** Patterns of `docs.json` for files that would be published and were not: whole folders where nothing else is. */
export function exclusionsFor(root: string, unwanted: readonly string[], published: readonly string[]): string[] {
  const within = (path: string) => stripContentRoot(path, root) ?? path;
  const kept = new Set(published.map(within).flatMap((path) => [path, ...foldersAbove(path)]));
  const patterns = new Set<string>();
  for (const path of unwanted.map(within)) {
    const folder = foldersAbove(path).find((each) => !kept.has(each));
    patterns.add(`/${escaped(folder === undefined ? path : `${folder}/`)}`);
  }
  if (patterns.size <= MAX_PATTERNS) return [...patterns].toSorted();
  const extensions = new Set(published.map(extensionOf));
  const isKnown = (path: string) => extensions.has(extensionOf(path));
  const byExtension = [...new Set(unwanted.filter((path) => !isKnown(path)).map((path) => `*${extensionOf(path)}`))];
  if (byExtension.length === 0) return [...patterns].toSorted();
  return [...byExtension.toSorted(), ...exclusionsFor(root, unwanted.filter(isKnown), published)];
}

/** Outermost first. */
function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

const escaped = (path: string): string => path.replaceAll(/[*?[\]{}()!]/g, "?");
const extensionOf = (path: string): string => /[^/](\.[^./]+)$/.exec(path)?.[1] ?? path;
