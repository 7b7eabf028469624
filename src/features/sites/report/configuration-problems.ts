import { readIfPossible } from "#docs/snapshot.ts";
import { SAMPLE_LANGUAGES, sampleLanguage } from "#docs/api/sample-languages.ts";
import { MAX_REDIRECTS } from "#docs/config/docs-config.ts";
import { isJsonObject, type Json, type JsonDocument, listIn, readJsonDocument } from "#docs/json-document.ts";
import { readNamedIcon, type NamedIcon } from "#docs/navigation-icon.ts";
import { createProblemList, type Problem, type ProblemList } from "#docs/problems.ts";
import { isSection, type NavigationNode } from "#docs/tree/navigation.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { internalPath, isPatternSegment } from "#docs/tree/redirects.ts";
import type { Icons } from "#docs/render/icons.ts";
import { canonicalPath, routeOfStem } from "#docs/routes.ts";
import { createBreather } from "#lib/waiting/breather.ts";
import { type SiteVersion, folderWithoutPages } from "#features/sites/site-version.ts";
import { readSkills } from "#features/sites/skill-files.ts";
import { pageOfFeed } from "#features/sites/discovery/feed.ts";
import { isSetByDocument, isSharedPicture } from "#features/sites/discovery/page-metadata.ts";
import { assetHref } from "#features/sites/versioned-address.ts";
import { missingPicture } from "./shared-pictures.ts";

const MAX_FOUND = 1_000;
const MAX_VALUES = 200_000;
const FILES = ["logo", "favicon"] as const;

/**
 * Problems of the configuration that only the whole site reveals: missing images, unknown icons, redirects in a loop or
 * to missing pages.
 */
export async function configurationProblems(version: SiteVersion, icons: Icons): Promise<Problem[]> {
  const found = createProblemList(MAX_FOUND);
  await pageIcons(version, { icons, found });
  for (const { severity, path, message } of (await readSkills(version, version.docs.config.name ?? "")).problems)
    found[severity]({ path, line: null }, message, "left_out");
  const { configFile, tool, contentRoot } = version.docs;
  const without = folderWithoutPages(version.docs);
  if (without !== null) found.error({ path: contentRoot, line: null }, without);
  if (configFile === null && tool === null) return found.all();
  const place = { path: tool?.file ?? contentRoot, line: null };
  const document =
    configFile === null
      ? { value: tool?.settings ?? {}, files: [], locate: () => place }
      : await readJsonDocument(version.snapshot, configFile, createProblemList());
  if (!isJsonObject(document.value)) return found.all();
  missingFiles(version, { document, found });
  unusedTags(version, { document, found });
  unknownSamples({ document, found });
  if (configFile !== null) await navigationIcons(version, { document, icons, found });
  await redirectProblems(version, { document, found });
  await deadLinks(version, { document, found });
  return found.all();
}

interface Search {
  document: JsonDocument;
  found: ProblemList;
}

function missingFiles({ docs }: SiteVersion, { document, found }: Search): void {
  const root = document.value;
  if (!isJsonObject(root)) return;
  const { logo, favicon } = docs.config;
  const named = { logo: logo === null ? [] : [logo.light, logo.dark], favicon: favicon === null ? [] : [favicon] };
  for (const key of FILES) {
    for (const file of new Set(named[key])) {
      if (assetHref(docs, file) !== null) continue;
      const message = `"${key}" names ${file.slice(0, 200)}, and there is no such file.`;
      found.error(() => document.locate(root, key), message, "missing_file");
    }
  }
}

/** Tags for search engines and link previews that no page gets. */
function unusedTags({ docs }: SiteVersion, { document, found }: Search): void {
  const root = document.value;
  const seo = isJsonObject(root) ? root["seo"] : undefined;
  const tags = isJsonObject(seo) ? seo["metatags"] : undefined;
  if (!isJsonObject(tags)) return;
  for (const [name, value] of Object.entries(docs.config.seo.metatags)) {
    const at = () => document.locate(tags, name);
    if (isSharedPicture(name) && value.trim() !== "" && assetHref(docs, value.trim()) === null)
      found.error(at, missingPicture(name, value), "missing_file");
    // `robots` and `canonical` are read for what they say.
    if (!isSetByDocument(name) || /^(?:robots|canonical)$/i.test(name)) continue;
    found.warning(at, `The tag "${name.slice(0, 100)}" is left out: each page sets its own.`, "left_out");
  }
}

/** Languages without code samples. */
function unknownSamples({ document, found }: Search): void {
  const inside = (value: Json | undefined, name: string) => (isJsonObject(value) ? value[name] : undefined);
  const languages = inside(inside(inside(document.value, "api"), "examples"), "languages");
  for (const [index, name] of listIn(languages).entries()) {
    if (typeof name === "string" && sampleLanguage(name) !== null) continue;
    const written = typeof name === "string" ? `"${name.slice(0, 100)}"` : "An entry";
    const message = `${written} in "api.examples.languages" is left out: the languages are ${SAMPLE_LANGUAGES.join(", ")}.`;
    found.warning(() => document.locate(languages as readonly Json[], index), message);
  }
}

/** A list may have more entries than a call has arguments. */
function pushAll(open: Json[], values: readonly Json[]): void {
  for (const value of values) open.push(value);
}

/** Icons in the navigation, at any place in the configuration. */
async function navigationIcons(version: SiteVersion, { document, icons, found }: Search & { icons: Icons }) {
  const breathe = createBreather();
  const open: Json[] = [document.value];
  for (let value = open.pop(), count = 0; value !== undefined && count < MAX_VALUES; value = open.pop(), count += 1) {
    const rest = breathe();
    if (rest) await rest;
    if (Array.isArray(value)) pushAll(open, value as readonly Json[]);
    if (!isJsonObject(value)) continue;
    const container = value;
    const icon = readNamedIcon(container["icon"], container["iconType"]);
    const problem = icon && iconProblem(version, icons, icon);
    if (problem) found.warning(() => document.locate(container, "icon"), problem, "unknown_icon");
    pushAll(open, Object.values(container));
  }
}

async function pageIcons(version: SiteVersion, { icons, found }: { icons: Icons; found: ProblemList }) {
  const breathe = createBreather();
  for (const page of version.docs.pages.values()) {
    const rest = breathe();
    if (rest) await rest;
    const problem = page.icon && iconProblem(version, icons, page.icon);
    if (!problem) continue;
    const bytes = await readIfPossible(version.snapshot, page.path);
    const lines = new TextDecoder().decode(bytes?.subarray(0, 16_384) ?? new Uint8Array()).split(/\r\n|\n|\r/);
    const index = lines.findIndex((line) => /^icon\s*:/.test(line));
    found.warning({ path: page.path, line: index === -1 ? null : index + 1 }, problem, "unknown_icon");
  }
}

function iconProblem({ docs }: SiteVersion, icons: Icons, icon: NamedIcon): string | null {
  const { name, type, library } = icon;
  if (/^https?:\/\//i.test(name)) return `The icon ${name.slice(0, 100)} is left out: it is not on this site.`;
  if (/[/.]/.test(name))
    return assetHref(docs, name) === null ? `There is no file for the icon ${name.slice(0, 100)}.` : null;
  const isKnown = icons.svg(name, type, library ?? docs.config.icons.library) !== null;
  return isKnown ? null : `There is no icon "${name.slice(0, 100)}" in Lucide, Font Awesome Free or Tabler.`;
}

/** Links to pages of this site that do not exist, at any place in the configuration and in the navigation of another tool. */
async function deadLinks({ docs }: SiteVersion, { document, found }: Search) {
  const isDead = (href: string): boolean => {
    const path = internalPath(href);
    if (path === null) return false;
    const inside = docs.bases.flatMap((base) =>
      path === base || path.startsWith(`${base}/`) ? path.slice(base.length) || "/" : [],
    );
    return ![path, ...inside].some(
      (each) => each === "/" || isServed(docs, each) || docs.aliases.has(each) || docs.redirects.match(each) !== null,
    );
  };
  const warn = (at: Parameters<typeof found.warning>[0], href: string) =>
    found.warning(
      at,
      `A link of the configuration leads to ${href.slice(0, 200)}, which is not on this site.`,
      "navigation",
    );
  const breathe = createBreather();
  const seen = new Set<string>();
  const open: Json[] = [document.value];
  for (let value = open.pop(), count = 0; value !== undefined && count < MAX_VALUES; value = open.pop(), count += 1) {
    const rest = breathe();
    if (rest) await rest;
    if (Array.isArray(value)) pushAll(open, (value as readonly Json[]).toReversed());
    if (!isJsonObject(value)) continue;
    const container = value;
    const { href } = container;
    pushAll(open, Object.values(container).toReversed());
    if (typeof href !== "string" || seen.has(href) || !isDead(href)) continue;
    seen.add(href);
    warn(() => document.locate(container, "href"), href);
  }
  if (docs.tool === null) return;
  for (const href of linksIn(docs.navigation)) {
    if (seen.has(href) || !isDead(href)) continue;
    seen.add(href);
    warn({ path: docs.tool.file ?? docs.contentRoot, line: null }, href);
  }
}

function* linksIn(nodes: readonly NavigationNode[]): Generator<string> {
  for (const node of nodes) {
    if (node.kind === "link" || (isSection(node) && node.href)) yield node.href!;
    if (isSection(node)) yield* linksIn(node.children);
  }
}

const GENERATED = /^\/(?:(?:llms|llms-full|robots)\.txt|sitemap\.xml|skill\.md)$/;

/** Whether there is a page, its Markdown, its feed, a file, or what each site has. */
function isServed({ pages, assets }: Docs, path: string): boolean {
  const routes = [path, routeOfStem(path.slice(1)), path.replace(/\.md$/, ""), pageOfFeed(path) ?? ""];
  return GENERATED.test(path) || assets.has(path) || routes.some((route) => pages.has(route));
}

async function redirectProblems({ docs }: SiteVersion, { document, found }: Search) {
  const list = isJsonObject(document.value) ? document.value["redirects"] : undefined;
  if (!Array.isArray(list)) return;
  const breathe = createBreather();
  for (const [index, entry] of (list as readonly Json[]).slice(0, MAX_REDIRECTS).entries()) {
    const rest = breathe();
    if (rest) await rest;
    if (!isJsonObject(entry) || typeof entry["source"] !== "string" || typeof entry["destination"] !== "string")
      continue;
    const { source, destination } = entry as { source: string; destination: string };
    const at = () => document.locate(list, index);
    // Any address that matches the pattern will do: a loop is a loop for all of them.
    const segments = source.replace(/[?#].*/s, "").split("/");
    const isPattern = segments.some(isPatternSegment);
    const example = canonicalPath(
      segments.map((each) => each.replaceAll(isPatternSegment(each) ? /:[\w-]+\*?|\*/g : "*", "any")).join("/"),
    );
    if (example === null) continue;
    const literal = /[^/](:[a-z][\w-]*)/i.exec(source)?.[1];
    if (literal !== undefined && destination.includes(literal)) {
      const why = `a parameter such as ${literal} is allowed only at the start of a segment`;
      found.warning(
        at,
        `The redirect from ${source.slice(0, 200)} matches only this literal address: ${why}.`,
        "redirect",
      );
      continue;
    }
    const target = docs.redirects.match(example);
    if (target === null && /\*[^/]/.test(source)) {
      const why = "`*` is allowed only at the end of an address or of one of its segments";
      found.warning(at, `The redirect from ${source.slice(0, 200)} is left out: ${why}.`, "redirect");
      continue;
    }
    if (target === null) {
      found.error(at, `The redirect from ${source.slice(0, 200)} goes in a circle.`, "redirect");
      continue;
    }
    const path = isPattern || /[:*]/.test(destination) ? null : internalPath(target.location);
    if (path === null || isServed(docs, path)) continue;
    const message = `The redirect from ${source.slice(0, 200)} leads to ${path.slice(0, 200)}, which does not exist.`;
    found.warning(at, message, "redirect");
  }
}
