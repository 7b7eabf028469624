import type { ToolSite } from "#docs/dialects/tool-site.ts";
import { inlineText } from "./inline-text.ts";
import { withoutClosingMarks } from "#lib/trim.ts";
import { readNamedIcon, type NamedIcon } from "#docs/navigation-icon.ts";
import { isNo, isYes, readFrontMatter } from "#docs/front-matter.ts";
import { Fences } from "#docs/fences.ts";
import { isSafeHref } from "#docs/config/appearance.ts";
import { decodeText } from "#docs/text-encoding.ts";
import { fillVariables, type Variables } from "#docs/variables.ts";

/** What navigation, lists and search need from a page, read from its first kilobytes. */
export interface PageHead {
  /** From the front matter, else the first heading; null when the page has neither. */
  title: string | null;
  /** Shorter title for the navigation. */
  sidebarTitle: string | null;
  description: string | null;
  tag: string | null;
  icon?: NamedIcon | null | undefined;
  hidden: boolean;
  /** Whether readers are told that the page is out of date. */
  isDeprecated?: boolean;
  /** Where its entry in the navigation leads instead of to the page; absent if unset. */
  url?: string;
  noindex: boolean;
  /** Whether the search of the site leaves it out; absent for no. */
  isUnsearched?: true;
  /** Whether it shows the date of its last change; absent for the site's setting. */
  showsDate?: boolean;
  /** Whether it has no link to edit it, whatever the site's setting is; absent for no. */
  hidesEditLink?: true;
  /** Canonical address or path of the page, as its author set it; absent if unset. */
  canonical?: string;
  /** The groups of readers that the page is for; absent for all. */
  groups?: readonly string[];
  /** The operation that it documents, as written: `openapi.json GET /users`, `GET https://api.example.com/users`. */
  openapi: string | null;
  /** File and name of the channel that it documents, as written. */
  asyncapi: string | null;
  api: string | null;
  /** Position among the pages of its folder, from the front matter of other tools. */
  order: number | null;
  /** Keys of another tool's front matter without effect; absent for none. */
  ignoredKeys?: readonly string[];
  /** For a page of another tool: the front matter that addresses and navigation depend on. */
  written?: Readonly<Record<string, unknown>>;
}

/** Maximum characters of front matter texts that are shown. */
export const MAX_HEAD_TEXTS = { title: 500, sidebarTitle: 500, description: 1_000, tag: 40 } as const;

// The front matter's own limit, and room for a first heading after it.
const HEAD_BYTES = 40 * 1024;
const MAX_LINES = 400;
const HTML_TITLE = /^\s*<h1[^>]{0,500}>(.{1,500}?)<\/h1>/i;

export function readPageHead(
  bytes: Uint8Array,
  variables: Variables = {},
  tool?: Pick<ToolSite, "keys" | "frontMatter" | "hasMenuTitles" | "ignoredKeys">,
): PageHead {
  const { text: source } = decodeText(bytes.subarray(0, HEAD_BYTES), { isCut: true });
  const { attributes: own, bodyStart } = readFrontMatter(source, variables);
  const attributes = tool?.frontMatter?.(own) ?? own;
  const text = (name: string, most = 500): string | null => {
    const value = attributes[name];
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
    return String(value).replaceAll(/\s+/g, " ").trim().slice(0, most) || null;
  };
  const canonical = text("canonical");
  const ignoredKeys = tool?.ignoredKeys?.(own) ?? [];
  const url = text("url", 2_000);
  const order = ["sidebar_position", "nav_order", "weight", "order"].map((name) => attributes[name]);
  return {
    title:
      text("title") ?? firstHeading(fillVariables(source.slice(bodyStart), variables), tool?.hasMenuTitles === true),
    sidebarTitle: text("sidebarTitle") ?? text("sidebar_label"),
    description: text("description", MAX_HEAD_TEXTS.description),
    tag: text("tag", MAX_HEAD_TEXTS.tag),
    icon: readNamedIcon(attributes["icon"], attributes["iconType"]),
    hidden: isYes(attributes["hidden"]) || isYes(attributes["draft"]),
    noindex: isYes(attributes["noindex"]),
    isDeprecated: isYes(attributes["deprecated"]),
    ...(isNo(attributes["searchable"]) && { isUnsearched: true }),
    ...(isNo(attributes["timestamp"]) && { showsDate: false }),
    ...(isYes(attributes["timestamp"]) && { showsDate: true }),
    ...(isNo(attributes["suggestEdit"]) && { hidesEditLink: true }),
    ...(tool === undefined && url !== null && isSafeHref(url) && { url }),
    ...(tool === undefined && groupsIn(attributes["groups"])),
    ...(canonical !== null && { canonical }),
    ...(ignoredKeys.length > 0 && { ignoredKeys }),
    openapi: text("openapi"),
    asyncapi: text("asyncapi"),
    api: text("api"),
    order: order.map(numberOf).find((value) => value !== null) ?? null,
    ...(tool && { written: Object.fromEntries(tool.keys.map((key) => [key, own[key]])) }),
  };
}

function groupsIn(value: unknown): Pick<PageHead, "groups"> {
  const groups = (Array.isArray(value) ? value : [value]).filter(
    (each) => typeof each === "string" && each.trim() !== "",
  );
  return groups.length === 0 ? {} : { groups: groups as string[] };
}

/** Reads a number, which may be a string if written as `007` or `1.50`. */
function numberOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** The first level-one heading outside code, else the first heading of any level. `isStrict`: the first, only if level one. */
function firstHeading(body: string, isStrict: boolean): string | null {
  const fences = new Fences();
  let first: string | null = null;
  let previous = "";
  const lines = body.split(/\r\n|\n|\r/, MAX_LINES);
  for (const [index, line] of lines.entries()) {
    if (!fences.covers(line)) {
      const atx = /^ {0,3}(#{1,6})[ \t](.*)$/s.exec(line);
      const html = /^\s*<h1[\s>]/i.test(line) ? HTML_TITLE.exec(lines.slice(index, index + 5).join(" ")) : null;
      const setext = /^ {0,3}=+[ \t]*$/.test(line) && previous.trim() !== "" ? previous : null;
      const level = atx?.[1]?.length ?? 1;
      const title = inlineText((atx && withoutClosingMarks(atx[2] ?? "").trimStart()) ?? html?.[1] ?? setext ?? "");
      if (title !== "" && level === 1) return title;
      if (title !== "" && isStrict) return null;
      if (title !== "") first ??= title;
    }
    previous = line;
  }
  return first;
}
