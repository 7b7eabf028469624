import { metaTags } from "#docs/dialects/head-tags.ts";
import { htmlLine, htmlLink } from "#docs/dialects/html-line.ts";
import { type Data, present } from "#docs/dialects/reading/data.ts";
import type { Json, JsonObject } from "#docs/json-document.ts";
import type { Plugin } from "./plugins.ts";

/** The appearance settings of a Docusaurus configuration, as those of a `docs.json`. */
export function docusaurusSettings(config: Data, plugins: readonly Plugin[], primaryColor: string | null): JsonObject {
  const theme = config.get("themeConfig");
  const navbar = theme.get("navbar");
  const logo = navbar.get("logo");
  const light = logo.get("src").text();
  const footer = theme.at("footer", "links").list();
  return present({
    name: navbar.get("title").text() ?? config.get("title").text(),
    description: config.get("tagline").text(),
    language: config.at("i18n", "defaultLocale").text(),
    favicon: config.get("favicon").text(),
    logo:
      light === null
        ? null
        : present({ light, dark: logo.get("srcDark").text() ?? light, href: logo.get("href").text() }),
    colors: primaryColor === null ? null : { primary: primaryColor },
    appearance: { default: modeOf(theme.get("colorMode")) },
    navbar: { links: navbar.get("items").list().flatMap(navbarLink) },
    footer: present({ links: columnsOf(footer), copyright: htmlLine(theme.at("footer", "copyright").text()) }),
    banner: present({ content: htmlLine(theme.at("announcementBar", "content").text()) }),
    feedback: { suggestEdit: plugins.some(({ options }) => options.has("editUrl")) },
    seo: {
      metatags: {
        ...metaTags(config.get("headTags"), theme.get("metadata")),
        ...(config.get("noIndex").flag() === true && { robots: "noindex" }),
      },
    },
    redirects: plugins.flatMap(redirectsOf),
  });
}

function modeOf(colorMode: Data): string {
  if (colorMode.get("respectPrefersColorScheme").flag() === true) return "system";
  return colorMode.get("defaultMode").text() === "dark" ? "dark" : "light";
}

/** Links to other sites; documents are in the navigation. Of a menu, the navbar has room for the first link. */
function navbarLink(item: Data): Json[] {
  const href = item.get("href").text();
  const label = item.get("label").text() ?? item.get("aria-label").text();
  if (href !== null) return [present({ label, href })];
  return item.get("items").list().flatMap(navbarLink).slice(0, 1);
}

function columnsOf(footer: readonly Data[]): Json[] {
  const link = (item: Data): Json[] => {
    const href = hrefOf(item);
    if (href !== null) return [present({ label: item.get("label").text(), href })];
    const written = htmlLink(item.get("html").text());
    return written === null ? [] : [{ ...written }];
  };
  const columns = footer.filter((each) => each.has("items"));
  const single = footer.filter((each) => !each.has("items")).flatMap(link);
  return [
    ...columns.map((column) => ({
      header: column.get("title").text() ?? "",
      items: column.get("items").list().flatMap(link),
    })),
    ...(single.length > 0 ? [{ header: "", items: single }] : []),
  ];
}

/** A `to` without a leading slash is relative to the base URL, whichever page the link is on. */
function hrefOf(item: Data): string | null {
  const to = item.get("to").text();
  return item.get("href").text() ?? (to === null || /^(?:[a-z][a-z\d+.-]*:|[/#])/i.test(to) ? to : `/${to}`);
}

/** `plugin-client-redirects`: its list of redirects, each from one or several addresses. */
function redirectsOf({ name, options }: Plugin): Json[] {
  if (name !== "client-redirects") return [];
  options.get("createRedirects").report();
  return options
    .get("redirects")
    .list()
    .flatMap((redirect) => {
      const destination = redirect.get("to").text();
      const from = redirect.get("from");
      const sources = from.isList ? from.texts() : [from.text() ?? ""];
      return destination === null ? [] : sources.filter(Boolean).map((source) => ({ source, destination }));
    });
}
