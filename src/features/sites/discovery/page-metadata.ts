import { routesBelow, type NavigationSection } from "#docs/tree/navigation.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import { canonicalPath, type Route } from "#docs/routes.ts";
import type { DocsConfig } from "#docs/config/docs-config.ts";
import type { NavigationView } from "#features/sites/layout-index.ts";

/** The metadata of a page for search engines, social networks and feed readers. Every address is absolute. */
export interface PageMetadata {
  /** Null excludes the page from indexes. */
  canonical: string | null;
  /** Meta tags by name, each once. */
  tags: ReadonlyMap<string, string>;
  /** The page in all its languages; empty when it exists in one only. */
  translations: readonly { language: string; href: string }[];
  /** The breadcrumb and the page as JSON-LD of schema.org; null for a page that is not indexed. */
  structuredData: object | null;
}

interface MetadataInput {
  origin: string;
  siteName: string;
  config: Pick<DocsConfig, "description" | "seo">;
  page: Page;
  frontMatter: Readonly<Record<string, unknown>>;
  /** The description from the rendered page's content. */
  description: string | null;
  navigation: NavigationView;
  language: string;
  /** A file of the site, or an external address; null when the file does not exist. */
  assetHref(reference: string): string | null;
  /** The image for shares of the page, if its author names none. */
  image: string | null;
}

/** Names that an author may set: Open Graph, Twitter cards, and those that search engines and directories read. */
const SHARED = /^(?:og|twitter|article|book|profile|fb|al|music|video|product):[a-z0-9:_-]{1,60}$/i;
const NAMED = /^[a-z][a-z0-9._-]{0,60}$/i;
/** Names that the document sets itself, or that would change how browsers treat it. */
const OWN = new Set(["viewport", "referrer", "description", "canonical", "charset", "color-scheme", "robots"]);
const PICTURES = new Set(["og:image", "og:image:url", "og:image:secure_url", "twitter:image"]);

/** The author's tags take precedence over the site's, and both over ours. */
export function pageMetadata(input: MetadataInput): PageMetadata {
  const { origin, siteName, config, page, frontMatter, navigation } = input;
  const isIndexed = !page.noindex && !config.seo.noindex && (!page.hidden || config.seo.indexAll);
  const canonical = isIndexed ? canonicalOf(input) : null;
  const title = page.title === siteName ? siteName : `${page.title} · ${siteName}`;
  const description = page.description ?? input.description ?? config.description;

  const given = new Map([
    ...authorTags(config.seo.metatags, isOfSite, input),
    ...authorTags(frontMatter, isOfPage, input),
  ]);
  const image = given.get("og:image") ?? given.get("twitter:image") ?? input.image;
  const tags = new Map<string, string | null>([
    ["og:title", title],
    ["og:description", description],
    ["og:type", page.route === "/" ? "website" : "article"],
    ["og:url", canonical ?? origin + page.route],
    ["og:site_name", siteName],
    ["og:locale", /^[a-z]{2,3}-[A-Z]{2}$/.test(input.language) ? input.language.replace("-", "_") : null],
    ["og:image", image],
    ["og:image:width", image === input.image && image !== null ? String(SHARED_IMAGE.width) : null],
    ["og:image:height", image === input.image && image !== null ? String(SHARED_IMAGE.height) : null],
    ["twitter:card", image === null ? "summary" : "summary_large_image"],
    ...given,
  ]);
  const definedTags = [...tags].filter((tag): tag is [string, string] => tag[1] !== null);
  return {
    canonical,
    tags: new Map(definedTags),
    translations: isIndexed ? translationsOf(navigation, origin) : [],
    structuredData: canonical === null ? null : structuredData(input, { canonical, description, image }),
  };
}

/** Pixel size of the image that is rendered from a page's title: the ratio that social networks expect. */
export const SHARED_IMAGE = { width: 1200, height: 630 };

/**
 * The author's, as an address or path of the page; else the page below the `canonical` address in the site's
 * configuration; else its own address.
 */
function canonicalOf({ origin, page, config }: MetadataInput): string {
  const own = page.canonical;
  if (own !== undefined) {
    if (/^https?:\/\//i.test(own) && URL.canParse(own)) return new URL(own).href;
    const path = own.startsWith("/") ? canonicalPath(own) : null;
    if (path !== null) return origin + path;
  }
  const base = config.seo.metatags["canonical"]?.trim() ?? "";
  if (!/^https?:\/\//i.test(base) || !URL.canParse(base)) return origin + page.route;
  const { origin: other, pathname } = new URL(base);
  return other + pathname.replace(/\/$/, "") + page.route;
}

/** In front matter most plain names have another meaning. */
const OF_PAGES = new Set(["keywords", "author"]);
const isOfSite = (name: string) => NAMED.test(name) && !OWN.has(name.toLowerCase());
const isOfPage = (name: string) => OF_PAGES.has(name);

/** Whether the value of this tag is a picture of the site or elsewhere. */
export const isSharedPicture = (name: string): boolean => PICTURES.has(name.toLowerCase());
/** Whether a tag of the site's configuration is one that the document sets itself. */
export const isSetByDocument = (name: string): boolean => OWN.has(name.toLowerCase());

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function authorTags(
  values: Readonly<Record<string, unknown>>,
  isNamed: (name: string) => boolean,
  { origin, assetHref }: MetadataInput,
): [string, string][] {
  const tags: [string, string][] = [];
  for (const [name, value] of Object.entries(values)) {
    const isShared = SHARED.test(name);
    if (!isShared && !isNamed(name)) continue;
    const texts = (Array.isArray(value) ? value : [value]).filter(isScalar);
    const content = texts.join(", ").replaceAll(/\s+/g, " ").trim();
    const isPicture = isSharedPicture(name);
    const href = isPicture ? assetHref(content) : content;
    if (href === null || href === "") continue;
    tags.push([isShared ? name.toLowerCase() : name, isPicture ? absoluteAddress(origin, href) : href]);
  }
  return tags;
}

/** Only true translations according to the languages' folders: search engines require links in both directions. */
function translationsOf({ switches }: NavigationView, origin: string): PageMetadata["translations"] {
  const options = switches.find(({ kind }) => kind === "language")?.options ?? [];
  const found = options.flatMap(({ language, page }) => (language && page ? [{ language, href: origin + page }] : []));
  if (found.length < 2) return [];
  const first = options.find((option) => option.isDefault && option.page) ?? options.find((option) => option.page);
  const fallback = first?.page ? [{ language: "x-default", href: origin + first.page }] : [];
  return [...found, ...fallback];
}

function structuredData(
  { origin, siteName, page, navigation, language }: MetadataInput,
  { canonical, description, image }: { canonical: string; description: string | null; image: string | null },
): object {
  const trail = [
    ...navigation.groups.flatMap((group) => {
      const route = firstRoute(group);
      return route === null ? [] : [{ name: group.title, item: origin + route }];
    }),
    { name: page.title, item: canonical },
  ];
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "BreadcrumbList",
        itemListElement: trail.map((entry, index) => ({ "@type": "ListItem", position: index + 1, ...entry })),
      },
      {
        "@type": "TechArticle",
        headline: page.title.slice(0, 110),
        ...(description !== null && { description }),
        url: canonical,
        inLanguage: language,
        ...(image !== null && { image }),
        isPartOf: { "@type": "WebSite", name: siteName, url: `${origin}/` },
      },
    ],
  };
}

function firstRoute(group: NavigationSection): Route | null {
  return group.route ?? routesBelow(group.children)[0] ?? null;
}

/** The absolute address for a path below the site's origin, or for an absolute address. */
function absoluteAddress(origin: string, reference: string): string {
  return /^https?:\/\//i.test(reference) ? reference : origin + reference;
}
