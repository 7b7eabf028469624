import type { BlockContent, Root } from "mdast";
import type { MdxJsxAttribute, MdxJsxFlowElement } from "mdast-util-mdx";
import { z } from "zod";
import { htmlTokens } from "./html-tokens.ts";
import type { DialectName } from "#docs/dialect.ts";

/**
 * What a page shows from its front matter: a home page of VitePress (`layout: home`) or Starlight (`hero`), and a banner of
 * Starlight. Texts are HTML, as both tools print them, except for the heading, titles and labels.
 */
export interface HomePage {
  banner: string | null;
  /** The heading that the tool shows, as text; null without one. */
  heading: string | null;
  /** Sentences below the heading. */
  lines: readonly string[];
  images: readonly Picture[];
  actions: readonly Action[];
  features: readonly Feature[];
}

interface Action {
  text: string;
  /** Null for words without a link. */
  href: string | null;
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
  /** The words of the link, if they are given. */
  action: string | null;
  image: string | null;
}

const HTML = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim() || null)
  .nullable()
  .catch(null);
const TEXT = HTML.transform((html) => html && plain(html));
const IMAGE = z
  .preprocess(
    (written) => (typeof written === "string" ? { src: written } : written),
    z.object({ src: TEXT, file: TEXT, light: TEXT, dark: TEXT, alt: TEXT }).partial().nullable(),
  )
  .catch(null);
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item.nullable().catch(null))
    .transform((items) => items.filter((each) => each !== null))
    .catch([]);
const HERO = z.object({
  name: TEXT,
  title: TEXT,
  text: HTML,
  tagline: HTML,
  actions: listOf(z.object({ text: TEXT, link: TEXT, theme: TEXT.default(null), variant: TEXT.default(null) })),
  image: IMAGE,
});
const FEATURES = listOf(
  z.object({ icon: z.unknown().optional(), title: TEXT, details: HTML, link: TEXT, linkText: TEXT }),
);
const BANNER = z.object({ content: HTML }).transform(({ content }) => content).nullable().catch(null); // oxfmt-ignore

/** Null for a page that shows nothing of its front matter. */
export function homePage(attributes: Readonly<Record<string, unknown>>, dialect: DialectName): HomePage | null {
  if (dialect === "vitepress") return attributes["layout"] === "home" ? vitepressHome(attributes) : null;
  return dialect === "starlight" ? starlightHome(attributes) : null;
}

function vitepressHome(attributes: Readonly<Record<string, unknown>>): HomePage | null {
  const hero = HERO.safeParse(attributes["hero"]).data ?? null;
  const features = FEATURES.parse(attributes["features"]);
  if (hero === null && features.length === 0) return null;
  const text = hero?.text ?? null;
  return {
    banner: null,
    heading: hero?.name ?? (text && plain(text)),
    lines: present([hero?.name === null ? null : text, hero?.tagline]),
    ...partsOf(hero),
    features: features.flatMap(({ icon, title, details, link, linkText }) => {
      if (title === null && details === null) return [];
      const image = typeof icon === "string" ? null : IMAGE.parse(icon);
      const emoji = TEXT.parse(icon);
      const sign = emoji !== null && /^\p{Extended_Pictographic}/u.test(emoji) ? `${emoji} ` : "";
      const picture = image?.src ?? image?.light ?? image?.dark ?? null;
      return [{ title: `${sign}${title ?? ""}`.trim(), details, href: link, action: linkText, image: picture }];
    }),
  };
}

function starlightHome(attributes: Readonly<Record<string, unknown>>): HomePage | null {
  const hero = HERO.safeParse(attributes["hero"]).data ?? null;
  const banner = BANNER.parse(attributes["banner"]);
  if (hero === null && banner === null) return null;
  const heading = hero && (hero.title ?? TEXT.parse(attributes["title"]));
  return { banner, heading, lines: present([hero?.tagline]), ...partsOf(hero), features: [] };
}

const present = (texts: readonly (string | null | undefined)[]): string[] => texts.filter((each) => !!each) as string[];

function partsOf(hero: z.infer<typeof HERO> | null): Pick<HomePage, "images" | "actions"> {
  const actions = hero?.actions ?? [];
  return {
    images: hero?.image ? picturesOf(hero.image) : [],
    actions: actions.flatMap(({ text, link, theme, variant }) =>
      text === null ? [] : [{ text, href: link, isPrimary: isPrimary(theme ?? variant) }],
    ),
  };
}

const isPrimary = (look: string | null): boolean => look === null || look === "brand" || look === "primary";

function picturesOf({ src, file, light, dark, alt }: NonNullable<z.infer<typeof HERO>["image"]>): Picture[] {
  const one = src ?? file ?? null;
  if (one !== null) return [{ src: one, alt: alt ?? "" }];
  const both = [light && `${light}#gh-light-mode-only`, dark && `${dark}#gh-dark-mode-only`];
  return both.flatMap((each) => (each ? [{ src: each, alt: alt ?? "" }] : []));
}

/** The text of HTML. Where a tag stood is a space. */
const plain = (html: string): string | null =>
  htmlTokens(html)
    .map((token) => (token.kind === "text" ? token.text : " "))
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim() || null;

/** Puts the content before that of the page's body. */
export function putHomePageIn(root: Root, { banner, heading, lines, images, actions, features }: HomePage): void {
  const words: BlockContent[] = [
    ...(heading === null ? [] : [component("h1", {}, [text(heading)])]),
    ...lines.map((line, index, { length }) =>
      component("p", { class: index < length - 1 ? "home-text" : "home-tagline" }, [html(line)]),
    ),
    ...(actions.length === 0
      ? []
      : [
          component(
            "p",
            { class: "home-actions" },
            actions.flatMap((each) => [button(each), text(" ")]),
          ),
        ]),
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
    // Above the heading, it would be what the page begins with.
    ...(banner === null ? [] : [component("Note", {}, [html(banner)])]),
    ...(features.length === 0 ? [] : [component("CardGroup", {}, features.map(card))]),
  ];
  const at = root.children.findIndex(({ type }) => type !== "yaml");
  root.children.splice(at === -1 ? root.children.length : at, 0, ...content);
}

/** Text in a tag, without a paragraph around it. */
const text = (value: string) => ({ type: "text", value }) as unknown as BlockContent;

const html = (value: string): BlockContent => ({ type: "html", value });

const button = ({ text: label, href, isPrimary: isFirst }: Action) =>
  href === null
    ? component("span", {}, [text(label)])
    : component("a", { href, ...(isFirst && { class: "link-button-primary" }) }, [text(label)]);

function card({ title, details, href, action, image }: Feature): BlockContent {
  const attributes = {
    title,
    ...(href !== null && { href }),
    ...(action !== null && { cta: action }),
    ...(image !== null && { icon: image }),
  };
  return component("Card", attributes, details === null ? [] : [html(details)]);
}

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

/** The content below the page's title as Markdown, in which HTML stays as it is; "" without content. */
export function homePageMarkdown({ banner, heading, lines, actions, features }: HomePage, title: string): string {
  const linked = (text: string, href: string | null) => (href === null ? text : `[${text}](${href})`);
  return [
    ...(banner === null ? [] : [banner]),
    ...(heading === null || heading === title ? [] : [heading]),
    ...lines,
    actions.map(({ text, href }) => linked(text, href)).join(" · "),
    features
      .map(({ title, details, href }) => `- ${[linked(`**${title}**`, href), details].filter(Boolean).join(": ")}`)
      .join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
