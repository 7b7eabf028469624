import { z } from "zod";
import { isSafeHref } from "./appearance.ts";
import { isJsonObject, type Json, type JsonDocument, type JsonObject } from "#docs/json-document.ts";
import { readNamedIcon, type NamedIcon } from "#docs/navigation-icon.ts";
import type { Place, ProblemList } from "#docs/problems.ts";
import { languageTag } from "#docs/words/site-language.ts";

/** Kinds of navigation that readers choose from (a tab, a version …) instead of reading from top to bottom. */
export const SWITCH_KINDS = ["language", "version", "product", "dropdown", "tab", "anchor", "menu"] as const;
export type SwitchKind = (typeof SWITCH_KINDS)[number];

/** One entry of the navigation as written; pages are references that may be broken. */
export type ConfigNode =
  | { kind: "page"; page: string; locate(): Place }
  | { kind: "link"; title: string; href: string }
  | { kind: "operation"; reference: string; locate(): Place }
  | ConfigSection;

export interface ConfigSection {
  kind: "group" | SwitchKind;
  title: string;
  /** The language code as written; null for every other kind. */
  language: string | null;
  tag: string | null;
  icon?: NamedIcon | null | undefined;
  /** The link of the entry itself, if it has no pages or in addition to them. */
  href: string | null;
  /** The group's own page, as a page reference. */
  root: string | null;
  hidden: boolean;
  isDefault: boolean;
  /** The description of entries such as `GET /users` below; without entries, all of its pages are shown. */
  api: ApiSource | null;
  children: readonly ConfigNode[];
}

/** What a section has beyond its title if nothing is written. */
export const PLAIN_SECTION = { language: null, tag: null, href: null, isDefault: false };

/** The files of an API description, as a navigation names them. */
export interface ApiSource {
  files: readonly string[];
  /** Folder of the pages that are generated from them. */
  directory: string | null;
  locate(): Place;
}

/** Lists of a navigation object and the kind of their entries, in display order. */
const LISTS: readonly (readonly [list: string, kind: ConfigSection["kind"], title: string])[] = [
  ["languages", "language", "language"],
  ["versions", "version", "version"],
  ["products", "product", "product"],
  ["dropdowns", "dropdown", "dropdown"],
  ["tabs", "tab", "tab"],
  ["anchors", "anchor", "anchor"],
  ["menu", "menu", "item"],
  ["groups", "group", "group"],
];
const MAX_DEPTH = 12;
const MAX_LINK = 200;
const MAX_NODES = 100_000;
const API_OPERATION = /(?:^|\s)(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY|WEBHOOK|webhook)\s+\S/;

const text = (most: number) =>
  z.string(`a text of at most ${most} characters`).max(most, `a text of at most ${most} characters`);
const yesOrNo = z.boolean("true or false").nullish();

const Fields = z.looseObject({
  label: text(200).nullish(),
  tag: text(60).nullish(),
  href: text(2_000).refine(isSafeHref, "a path or an http(s) address").nullish(),
  root: text(1_000).nullish(),
  hidden: yesOrNo,
  default: yesOrNo,
});

/**
 * Reads the `navigation` of a docs.json: groups, pages, tabs, anchors, dropdowns, versions, languages, products and menus,
 * nested up to 12 deep. Null when nothing in it is usable. Invalid entries are left out and reported as problems.
 */
export function readNavigation(
  root: JsonObject,
  document: JsonDocument,
  problems: ProblemList,
): readonly ConfigNode[] | null {
  const reader = createReader(document, problems);
  const navigation = root["navigation"];
  if (navigation === undefined) return null;
  // An array is the older form: groups without an enclosing object.
  if (Array.isArray(navigation)) return nonEmpty(reader.readEntries(navigation as Json[], "group", 0));
  if (!isJsonObject(navigation)) {
    problems.error(
      () => document.locate(root, "navigation"),
      '"navigation" must be an object; the folders are shown instead.',
    );
    return null;
  }
  const source = readApiSource(navigation["openapi"], () => document.locate(navigation, "openapi"));
  const listed = reader.readLists(navigation, 0);
  const nodes = source === null ? listed : [reader.sectionOfApi(source, listed)];
  const global = navigation["global"];
  return nonEmpty(isJsonObject(global) ? [...nodes, ...reader.readLists(global, 1)] : nodes);
}

function nonEmpty(nodes: ConfigNode[]): ConfigNode[] | null {
  return nodes.length > 0 ? nodes : null;
}

function createReader(document: JsonDocument, problems: ProblemList) {
  let left = MAX_NODES;

  function complain(container: object, keys: (string | number)[], message: string): void {
    problems.error(() => document.locate(container, ...keys), message);
  }

  function isFull(container: object, ...keys: number[]): boolean {
    if (left-- > 0) return false;
    if (left === -1) complain(container, keys, `The navigation has more than ${MAX_NODES} entries.`);
    return true;
  }

  function readLists(object: JsonObject, depth: number): ConfigNode[] {
    if (depth > MAX_DEPTH) {
      complain(object, [], `The navigation is nested more than ${MAX_DEPTH} deep.`);
      return [];
    }
    const nodes: ConfigNode[] = [];
    for (const [name, kind] of LISTS) {
      const list = object[name];
      if (Array.isArray(list)) nodes.push(...readEntries(list as Json[], kind, depth));
      else if (list !== undefined && list !== null) complain(object, [name], `"${name}" must be a list.`);
    }
    const pages = object["pages"];
    if (Array.isArray(pages)) nodes.push(...readPages(pages as Json[], depth));
    else if (pages !== undefined && pages !== null) complain(object, ["pages"], '"pages" must be a list.');
    return nodes;
  }

  function readEntries(list: readonly Json[], kind: ConfigSection["kind"], depth: number): ConfigNode[] {
    return list.flatMap((entry, index) => {
      if (isJsonObject(entry)) return readSection(entry, kind, depth);
      if (typeof entry === "string" && kind === "group") return readPage(list, entry, index);
      complain(list, [index], `An entry of the navigation must be an object with "${titleKey(kind)}".`);
      return [];
    });
  }

  function readPages(list: readonly Json[], depth: number): ConfigNode[] {
    return list.flatMap((entry, index) => {
      if (typeof entry === "string") return readPage(list, entry, index);
      if (isJsonObject(entry) && "link" in entry) return readLink(list, entry, index);
      const kind = isJsonObject(entry) ? LISTS.find(([, , title]) => title in entry)?.[1] : undefined;
      if (isJsonObject(entry) && kind !== undefined) return readSection(entry, kind, depth);
      complain(list, [index], 'An entry of "pages" must be the path of a page or a group.');
      return [];
    });
  }

  function readPage(list: readonly Json[], page: string, index: number): ConfigNode[] {
    if (isFull(list, index)) return [];
    if (API_OPERATION.test(page)) {
      return [{ kind: "operation", reference: page.trim(), locate: () => document.locate(list, index) }];
    }
    if (/^https?:\/\//.test(page)) return [{ kind: "link", title: page, href: page }];
    return [{ kind: "page", page: page.trim(), locate: () => document.locate(list, index) }];
  }

  function readLink(list: readonly Json[], { link, href }: JsonObject, index: number): ConfigNode[] {
    if (typeof link === "string" && link.trim() !== "" && typeof href === "string" && isSafeHref(href)) {
      const title = link.trim();
      const message = `Of the text of a link in the navigation the first ${MAX_LINK} characters are shown.`;
      if (title.length > MAX_LINK) problems.warning(() => document.locate(list, index, "link"), message);
      return isFull(list, index) ? [] : [{ kind: "link", title: title.slice(0, MAX_LINK), href }];
    }
    complain(list, [index], 'A "link" of the navigation needs a text, and a path or an http(s) address as "href".');
    return [];
  }

  /** The valid fields of an entry; the others are reported. */
  function readFields(object: JsonObject): z.infer<typeof Fields> {
    const parsed = Fields.safeParse(object);
    if (parsed.success) return parsed.data;
    const invalid = new Map(parsed.error.issues.map(({ path, message }) => [String(path[0]), message]));
    for (const [name, message] of invalid) {
      const told = `"${name}" of an entry of the navigation is ignored: it must be ${message}.`;
      problems.warning(() => document.locate(object, name), told);
    }
    return Fields.parse(Object.fromEntries(Object.entries(object).filter(([name]) => !invalid.has(name))));
  }

  function readSection(object: JsonObject, kind: ConfigSection["kind"], depth: number): ConfigNode[] {
    if (isFull(object)) return [];
    const title = object[titleKey(kind)];
    if (typeof title !== "string" || title.trim() === "") {
      if (kind !== "group") {
        complain(object, [], `A ${kind} of the navigation has no "${titleKey(kind)}".`);
        return [];
      }
      const message = 'A group of the navigation has no "group": its pages are shown without a heading.';
      problems.warning(() => document.locate(object), message);
    }
    const fields = readFields(object);
    return [
      {
        kind,
        title:
          (kind === "language" ? fields.label?.trim() || undefined : undefined) ??
          (typeof title === "string" ? sectionTitle(kind, title.trim()) : ""),
        language: kind === "language" && typeof title === "string" ? title.trim() : null,
        tag: fields.tag ?? null,
        icon: readNamedIcon(object["icon"], object["iconType"]),
        href: fields.href ?? null,
        root: fields.root ?? null,
        hidden: fields.hidden ?? false,
        isDefault: fields.default ?? false,
        api: readApiSource(object["openapi"] ?? object["asyncapi"], () => document.locate(object, "openapi")),
        children: readLists(object, depth + 1),
      },
    ];
  }

  /** A navigation that only describes one API is a tab. */
  function sectionOfApi(api: ApiSource, children: readonly ConfigNode[]): ConfigSection {
    return { ...PLAIN_SECTION, kind: "tab", title: "API reference", root: null, hidden: false, api, children };
  }

  return { readLists, readEntries, sectionOfApi };
}

/** `"openapi.json"`, a list of such paths, or `{ source, directory }`. */
export function readApiSource(value: Json | undefined, locate: () => Place): ApiSource | null {
  const isPlaced = isJsonObject(value);
  const written = isPlaced ? value["source"] : value;
  const list = Array.isArray(written) ? (written as readonly Json[]) : [written];
  const files = list.filter((file): file is string => typeof file === "string" && file.trim() !== "");
  if (files.length === 0) return null;
  const directory = isPlaced && typeof value["directory"] === "string" ? value["directory"] : null;
  return { files: files.map((file) => file.trim()), directory, locate };
}

function titleKey(kind: ConfigSection["kind"]): string {
  return LISTS.find(([, each]) => each === kind)?.[2] ?? "group";
}

function sectionTitle(kind: ConfigSection["kind"], title: string): string {
  if (kind !== "language") return title.slice(0, 200);
  try {
    // In the language's own name, which its readers look for.
    const tag = languageTag(title) ?? title;
    const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? title;
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return title.slice(0, 200); // not a language code
  }
}
