import { z } from "zod";
import { resolveHref } from "#docs/hrefs.ts";
import { isJsonObject, type Json, type JsonDocument, type JsonObject } from "#docs/json-document.ts";
import { ICON_LIBRARIES, type IconLibrary } from "#docs/navigation-icon.ts";
import type { ProblemList } from "#docs/problems.ts";
import { languageTag } from "#docs/words/site-language.ts";

export interface ConfigLink {
  label: string;
  href: string;
}

/** A font family, and the file of the repository that holds it. */
export interface SiteFont {
  /** Letters, digits, spaces, periods and hyphens. */
  family: string;
  source: string | null;
  weight: number | null;
}

/** The appearance of a site. Every `href` is a path or an http(s), mailto or tel address. */
export interface DocsAppearance {
  name: string | null;
  description: string | null;
  /** Language code of pages that are in none of the navigation's languages; null if the site does not set one. */
  language: string | null;
  /** Paths in the repository or addresses; `href` is the target of a click. */
  logo: { light: string; dark: string; href: string | null } | null;
  favicon: string | null;
  /** Hexadecimal colors; `light` is used on dark backgrounds. */
  colors: { primary: string | null; light: string | null; dark: string | null };
  appearance: "system" | "light" | "dark";
  navbar: { links: readonly ConfigLink[]; primary: ConfigLink | null };
  footer: {
    socials: readonly ConfigLink[];
    columns: readonly { title: string; links: readonly ConfigLink[] }[];
    copyright: string | null;
  };
  banner: string | null;
  /** Whether pages have a link to edit them. */
  suggestsEdits: boolean;
  /** Whether each page has a link to open an issue at its code host. */
  raisesIssues: boolean;
  /** Whether pages show the date of their last change. */
  showsDates: boolean;
  /** Whether `$…$` is a formula; null to detect it per page. */
  styling: { latex: boolean | null };
  /** The icon set that is searched first; null if the site does not set one. */
  icons: { library: IconLibrary | null };
  fonts: { body: SiteFont | null; heading: SiteFont | null };
  /** Whether readers are asked if a page was helpful. */
  feedback: { thumbsRating: boolean };
  seo: { indexAll: boolean; noindex: boolean; metatags: Readonly<Record<string, string>> };
}

const Text = z.string().trim().min(1).max(2_000);
// Empty content is a tag that a site may want.
const MetatagContent = z.string("must be text");
const Color = z
  .string()
  .trim()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, "is not a color such as #0D9373");
const Language = Text.refine((code) => languageTag(code) !== null, "is not a code such as de or pt-BR");
const Href = Text.refine(isSafeHref, "is not a path or an http(s) address");

const Link = z
  .looseObject({
    label: Text.optional(),
    name: Text.optional(),
    type: Text.optional(),
    href: Href.optional(),
    url: Href.optional(),
  })
  .transform((link, context) => {
    const href = link.href ?? link.url;
    if (href !== undefined) return { label: link.label ?? link.name ?? linkName(link.type, href), href };
    context.addIssue({ code: "custom", message: "has no href" });
    return z.NEVER;
  });

const Logo = z.union([
  Text.transform((path) => ({ light: path, dark: path, href: null })),
  z.looseObject({ light: Text.optional(), dark: Text.optional(), href: Href.optional() }).transform((logo, context) => {
    const light = logo.light ?? logo.dark;
    if (light !== undefined) return { light, dark: logo.dark ?? light, href: logo.href ?? null };
    context.addIssue({ code: "custom", message: "has neither light nor dark" });
    return z.NEVER;
  }),
]);

const Favicon = z.union([
  Text,
  z.looseObject({ light: Text }).transform((favicon) => favicon.light),
  z.looseObject({ dark: Text }).transform((favicon) => favicon.dark),
]);

/** Whether an address from a repository may become a link: nothing that runs script or reads the reader's disk. */
export function isSafeHref(href: string): boolean {
  return resolveHref(href, "").kind !== "refused";
}

function linkName(type: string | undefined, href: string): string {
  const known: Record<string, string> = { github: "GitHub", discord: "Discord", gitlab: "GitLab" };
  if (type !== undefined && known[type] !== undefined) return known[type];
  return URL.canParse(href) ? new URL(href).hostname.replace(/^www\./, "") : href;
}

/** Reads valid fields; each invalid one is a problem and gets its default. */
export function readAppearance(root: JsonObject, document: JsonDocument, problems: ProblemList): DocsAppearance {
  // Where objects and lists inside stand, as an author would write it: `navbar.links[0]`.
  const places = new Map<unknown, string>([[root, ""]]);
  const inside = (container: unknown, key: string) => {
    const place = places.get(container) ?? "";
    return Array.isArray(container) ? `${place}[${key}]` : place === "" ? key : `${place}.${key}`;
  };
  function read<T>(container: JsonObject | undefined, key: string, schema: z.ZodType<T>): T | null {
    const value = container?.[key];
    if (container === undefined || value === undefined || value === null) return null;
    const name = inside(container, key);
    if (typeof value === "object") places.set(value, name);
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    const path = issue?.path.map(String) ?? [];
    const message = `"${[name, ...path].join(".")}": ${issue?.message ?? "is not valid"}. It is ignored.`;
    const own = Array.isArray(container) ? Number(key) : key;
    problems.warning(() => document.locate(container, own, ...path), message);
    return null;
  }
  const section = (key: string) => read(root, key, JsonObjectSchema) ?? undefined;
  const list = (container: JsonObject | undefined, key: string) =>
    (read(container, key, z.array(z.unknown()).max(200)) ?? []) as Json[];
  const links = (container: JsonObject | undefined, key: string) =>
    list(container, key).flatMap((_, index) => {
      const entries = container?.[key] as unknown as JsonObject;
      return read(entries, String(index), Link) ?? [];
    });

  const colors = section("colors");
  const navbar = section("navbar");
  const footer = section("footer");
  const seo = section("seo");
  const integrations = section("integrations");
  const metatags = read(seo, "metatags", JsonObjectSchema) ?? {};
  return {
    name: read(root, "name", Text),
    description: read(root, "description", Text),
    language: read(root, "language", Language),
    suggestsEdits: read(section("feedback"), "suggestEdit", z.boolean()) ?? false,
    raisesIssues: read(section("feedback"), "raiseIssue", z.boolean()) ?? false,
    showsDates: read(section("metadata"), "timestamp", z.boolean()) ?? true,
    logo: read(root, "logo", Logo),
    favicon: read(root, "favicon", Favicon),
    colors: {
      primary: read(colors, "primary", Color),
      light: read(colors, "light", Color),
      dark: read(colors, "dark", Color),
    },
    appearance: read(section("appearance"), "default", z.enum(["system", "light", "dark"])) ?? "system",
    navbar: { links: links(navbar, "links"), primary: read(navbar, "primary", Link) },
    footer: {
      socials: readSocials(read(footer, "socials", z.unknown()) as Json, (name) => {
        problems.warning(
          () => document.locate(footer ?? root, "socials", ...(name === "" ? [] : [name])),
          `"footer.socials.${name}": is not a path or an http(s) address. It is ignored.`,
        );
      }),
      columns: list(footer, "links").flatMap((_, index) => {
        const column = read(footer?.["links"] as unknown as JsonObject, String(index), JsonObjectSchema);
        if (column === null) return [];
        const title = read(column, "header", Text) ?? "";
        return [{ title, links: links(column, "items") }];
      }),
      copyright: read(footer, "copyright", Text),
    },
    banner: read(section("banner"), "content", Text),
    icons: { library: read(section("icons"), "library", z.enum(ICON_LIBRARIES)) },
    fonts: readFonts(root, section("fonts"), read),
    styling: { latex: read(section("styling"), "latex", z.boolean()) },
    feedback: {
      thumbsRating: read(section("feedback"), "thumbsRating", z.boolean()) ?? !refusesTelemetry(integrations),
    },
    seo: {
      indexAll: read(seo, "indexing", z.enum(["all", "navigable"])) === "all",
      noindex: JSON.stringify(metatags["robots"] ?? "").includes("noindex"),
      metatags: Object.fromEntries(
        Object.keys(metatags).flatMap((name) => {
          const content = read(metatags, name, MetatagContent);
          return content === null ? [] : [[name, content]];
        }),
      ),
    },
  };
}

/** `integrations.telemetry.enabled: false`: a site that turns counting off asks readers for nothing. */
function refusesTelemetry(integrations: JsonObject | undefined): boolean {
  const telemetry = integrations?.["telemetry"];
  return isJsonObject(telemetry) && telemetry["enabled"] === false;
}

const Font = z
  .looseObject({
    family: Text.regex(/^\w[\w .-]{0,60}$/, "is not the name of a family"),
    source: Text.optional(),
    weight: z.number().int().min(1).max(1_000).optional(),
  })
  .transform(({ family, source, weight }) => ({ family, source: source ?? null, weight: weight ?? null }));

type ReadField = <T>(container: JsonObject | undefined, key: string, schema: z.ZodType<T>) => T | null;

/** One font family for all text, or one each for headings and text. */
function readFonts(root: JsonObject, fonts: JsonObject | undefined, read: ReadField): DocsAppearance["fonts"] {
  const all = fonts?.["family"] === undefined ? null : read(root, "fonts", Font);
  return { body: read(fonts, "body", Font) ?? all, heading: read(fonts, "heading", Font) };
}

const JsonObjectSchema = z.custom<JsonObject>((value) => isJsonObject(value as Json), "must be an object");

function readSocials(socials: Json, onUnusable: (name: string) => void): ConfigLink[] {
  const entries = Array.isArray(socials)
    ? socials.map((entry: Json) =>
        isJsonObject(entry) ? [entry["type"] ?? "", entry["url"] ?? entry["href"], entry["label"]] : [],
      )
    : isJsonObject(socials)
      ? Object.entries(socials)
      : [];
  return entries.flatMap(([name, href, label]) => {
    if (typeof name === "string" && typeof href === "string" && isSafeHref(href))
      return [{ label: typeof label === "string" ? label : socialName(name), href }];
    onUnusable(typeof name === "string" ? name : "");
    return [];
  });
}

/** The name of a social link by its type: `hacker-news` is Hacker News. */
export function socialName(key: string): string {
  const known: Record<string, string> = {
    x: "X",
    github: "GitHub",
    linkedin: "LinkedIn",
    youtube: "YouTube",
    "hacker-news": "Hacker News",
    "x-twitter": "X",
  };
  const name = key.toLowerCase();
  return (
    (Object.hasOwn(known, name) ? known[name] : undefined) ??
    key.charAt(0).toUpperCase() + key.slice(1).replaceAll("-", " ")
  );
}
