import type { BlockContent, Link, PhrasingContent, Root } from "mdast";
import { decodeNamedCharacterReference } from "decode-named-character-reference";
import type { MdxJsxAttribute, MdxJsxFlowElement } from "mdast-util-mdx";
import { z } from "zod";
import type { DialectName } from "./dialect.ts";

/** A home page whose content stands in its front matter: `layout: home` of VitePress, `hero` of Starlight. */
export interface HomePage {
  /** The title of the page, in place of one in the front matter; null where the front matter has no other. */
  title: string | null;
  /** Sentences below the title. */
  lines: readonly string[];
  actions: readonly Action[];
  features: readonly Feature[];
}

interface Action {
  text: string;
  href: string;
}

interface Feature {
  title: string;
  details: string | null;
  href: string | null;
}

const MAX_ITEMS = 100;

// Both tools print these texts as HTML.
const TEXT = z
  .union([z.string(), z.number()])
  .transform((value) => plain(String(value)) || null)
  .nullable()
  .catch(null);
const ICON = TEXT.transform((icon) => (icon !== null && /^\p{Extended_Pictographic}/u.test(icon) ? `${icon} ` : ""));
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item.nullable().catch(null))
    .transform((items) => items.slice(0, MAX_ITEMS).filter((each) => each !== null))
    .catch([]);
const HERO = z.object({
  name: TEXT,
  title: TEXT,
  text: TEXT,
  tagline: TEXT,
  actions: listOf(z.object({ text: TEXT, link: TEXT })),
});
const FEATURES = listOf(z.object({ icon: ICON, title: TEXT, details: TEXT, link: TEXT }));

/** Null for a page that is not such a home page. */
export function homePage(attributes: Readonly<Record<string, unknown>>, dialect: DialectName): HomePage | null {
  const isHome = dialect === "vitepress" ? attributes["layout"] === "home" : dialect === "starlight";
  const hero = HERO.safeParse(attributes["hero"]);
  const features = dialect === "vitepress" ? FEATURES.parse(attributes["features"]) : [];
  if (!isHome || (!hero.success && features.length === 0)) return null;
  const { name, title, text, tagline, actions } = hero.data ?? NO_HERO;
  const heading = dialect === "vitepress" ? (name ?? text) : null;
  const further = dialect === "vitepress" ? text : title;
  return {
    title: heading,
    lines: [further, tagline].filter(
      (line) => line !== null && line !== heading && (heading !== null || line !== attributes["title"]),
    ) as string[],
    actions: actions.flatMap((each) =>
      each.text === null || each.link === null ? [] : [{ text: each.text, href: each.link }],
    ),
    features: features.flatMap((each) =>
      each.title === null && each.details === null
        ? []
        : [{ title: `${each.icon}${each.title ?? ""}`.trim(), details: each.details, href: each.link }],
    ),
  };
}

const NO_HERO: z.infer<typeof HERO> = { name: null, title: null, text: null, tagline: null, actions: [] };

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]{0,500}>/g, " ")
    .replaceAll(/&([a-z0-9]{1,31});/gi, (written, name: string) => decodeNamedCharacterReference(name) || written)
    .replaceAll(/\s+/g, " ")
    .trim();

/** Puts the content before that of the page's body. */
export function putHomePageIn(root: Root, { lines, actions, features }: HomePage): void {
  const links = actions.flatMap(({ text, href }, index): PhrasingContent[] => {
    const link: Link = { type: "link", url: href, children: [{ type: "text", value: text }] };
    return index === 0 ? [link] : [{ type: "text", value: " · " }, link];
  });
  const content: BlockContent[] = [
    ...lines.map((value): BlockContent => ({ type: "paragraph", children: [{ type: "text", value }] })),
    ...(links.length === 0 ? [] : [{ type: "paragraph" as const, children: links }]),
    ...(features.length === 0 ? [] : [component("CardGroup", {}, features.map(card))]),
  ];
  const at = root.children.findIndex(({ type }) => type !== "yaml");
  root.children.splice(at === -1 ? root.children.length : at, 0, ...content);
}

const card = ({ title, details, href }: Feature): BlockContent =>
  component(
    "Card",
    { title, ...(href !== null && { href }) },
    details === null ? [] : [{ type: "paragraph", children: [{ type: "text", value: details }] }],
  );

function component(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: BlockContent[],
): MdxJsxFlowElement {
  const written = Object.entries(attributes).map(([key, value]): MdxJsxAttribute => ({
    type: "mdxJsxAttribute",
    name: key,
    value,
  }));
  return { type: "mdxJsxFlowElement", name, attributes: written, children };
}

/** The content as Markdown; "" without content. */
export function homePageMarkdown({ lines, actions, features }: HomePage): string {
  const linked = (text: string, href: string | null) => (href === null ? text : `[${text}](${href})`);
  return [
    ...lines,
    actions.map(({ text, href }) => linked(text, href)).join(" · "),
    features
      .map(({ title, details, href }) => `- ${[linked(`**${title}**`, href), details].filter(Boolean).join(": ")}`)
      .join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
