import type { BlockContent, Root } from "mdast";
import { decodeNamedCharacterReference } from "decode-named-character-reference";
import type { MdxJsxAttribute, MdxJsxFlowElement } from "mdast-util-mdx";
import { z } from "zod";
import type { DialectName } from "./dialect.ts";

/** A home page whose content stands in its front matter: `layout: home` of VitePress, `hero` of Starlight. */
export interface HomePage {
  /** The title of the page, in place of one in the front matter; null where the front matter has no other. */
  title: string | null;
  /** The heading that the tool shows; null without one. */
  heading: string | null;
  /** Sentences below the title. */
  lines: readonly string[];
  images: readonly Picture[];
  actions: readonly Action[];
  features: readonly Feature[];
}

interface Action {
  text: string;
  href: string;
  isPrimary: boolean;
}

interface Picture {
  /** With the fragment of GitHub for a picture of one theme alone. */
  src: string;
  alt: string;
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
  actions: listOf(z.object({ text: TEXT, link: TEXT, theme: TEXT.default(null), variant: TEXT.default(null) })),
  image: z
    .preprocess(
      (written) => (typeof written === "string" ? { src: written } : written),
      z.object({ src: TEXT, file: TEXT, light: TEXT, dark: TEXT, alt: TEXT }).partial().nullable(),
    )
    .catch(null),
});
const FEATURES = listOf(z.object({ icon: ICON, title: TEXT, details: TEXT, link: TEXT }));

/** Null for a page that is not such a home page. */
export function homePage(attributes: Readonly<Record<string, unknown>>, dialect: DialectName): HomePage | null {
  const isHome = dialect === "vitepress" ? attributes["layout"] === "home" : dialect === "starlight";
  const hero = HERO.safeParse(attributes["hero"]);
  const features = dialect === "vitepress" ? FEATURES.parse(attributes["features"]) : [];
  if (!isHome || (!hero.success && features.length === 0)) return null;
  const { name, title, text, tagline, actions, image } = hero.data ?? NO_HERO;
  const heading = dialect === "vitepress" ? (name ?? text) : null;
  const further = dialect === "vitepress" ? text : title;
  return {
    title: heading,
    heading: hero.success ? (heading ?? title ?? TEXT.parse(attributes["title"])) : null,
    images: image === null ? [] : picturesOf(image),
    lines: [further, tagline].filter(
      (line) => line !== null && line !== heading && (heading !== null || line !== attributes["title"]),
    ) as string[],
    actions: actions.flatMap((each) =>
      each.text === null || each.link === null
        ? []
        : [{ text: each.text, href: each.link, isPrimary: isPrimary(each.theme ?? each.variant) }],
    ),
    features: features.flatMap((each) =>
      each.title === null && each.details === null
        ? []
        : [{ title: `${each.icon}${each.title ?? ""}`.trim(), details: each.details, href: each.link }],
    ),
  };
}

const NO_HERO: z.infer<typeof HERO> = { name: null, title: null, text: null, tagline: null, actions: [], image: null };

const isPrimary = (look: string | null): boolean => look === null || look === "brand" || look === "primary";

function picturesOf({ src, file, light, dark, alt }: NonNullable<z.infer<typeof HERO>["image"]>): Picture[] {
  const one = src ?? file ?? null;
  if (one !== null) return [{ src: one, alt: alt ?? "" }];
  const both = [light && `${light}#gh-light-mode-only`, dark && `${dark}#gh-dark-mode-only`];
  return both.flatMap((each) => (each ? [{ src: each, alt: alt ?? "" }] : []));
}

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]{0,500}>/g, " ")
    .replaceAll(/&([a-z0-9]{1,31});/gi, (written, name: string) => decodeNamedCharacterReference(name) || written)
    .replaceAll(/\s+/g, " ")
    .trim();

/** Puts the content before that of the page's body. */
export function putHomePageIn(root: Root, { heading, lines, images, actions, features }: HomePage): void {
  const words: BlockContent[] = [
    ...(heading === null ? [] : [component("h1", {}, [text(heading)])]),
    ...lines
      .filter((line) => line !== heading)
      .map((line, index, { length }) =>
        component("p", { class: index < length - 1 ? "home-text" : "home-tagline" }, [text(line)]),
      ),
    ...(actions.length === 0 ? [] : [component("p", { class: "home-actions" }, actions.map(button))]),
  ];
  const pictures = images.map(({ src, alt }) => component("img", { src, alt }, []));
  const content: BlockContent[] = [
    ...(words.length + pictures.length === 0
      ? []
      : [
          component("div", { class: "home-hero" }, [
            component("div", {}, words),
            ...(pictures.length === 0 ? [] : [component("div", { class: "home-image" }, pictures)]),
          ]),
        ]),
    ...(features.length === 0 ? [] : [component("CardGroup", {}, features.map(card))]),
  ];
  const at = root.children.findIndex(({ type }) => type !== "yaml");
  root.children.splice(at === -1 ? root.children.length : at, 0, ...content);
}

/** Text in a tag, without a paragraph around it. */
const text = (value: string) => ({ type: "text", value }) as unknown as BlockContent;

const button = ({ text: label, href, isPrimary: isFirst }: Action) =>
  component("a", { href, ...(isFirst && { class: "link-button-primary" }) }, [text(label)]);

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
