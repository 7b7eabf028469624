import { htmlLine } from "#docs/dialects/html-line.ts";
import { type Data, present } from "#docs/dialects/reading/data.ts";
import type { Json, JsonObject } from "#docs/json-document.ts";
import type { Route } from "#docs/routes.ts";

/** Names of Material's palette. */
const COLORS: Readonly<Record<string, string>> = {
  red: "#ef5552", pink: "#e92063", purple: "#ab47bd", "deep purple": "#7e56c2", indigo: "#4051b5", blue: "#2094f3",
  "light blue": "#02a6f2", cyan: "#00bdd6", teal: "#009485", green: "#4cae4f", "light green": "#8bc34b", lime: "#cbdc38",
  yellow: "#ffec3d", amber: "#ffc105", orange: "#ffa724", "deep orange": "#ff6e42", brown: "#795649", grey: "#757575",
  "blue grey": "#546d78", black: "#000000",
}; // oxfmt-ignore

/** The appearance settings of an `mkdocs.yml`, as those of a `docs.json`. */
export function mkdocsSettings(config: Data, redirects: readonly Json[]): JsonObject {
  const theme = config.get("theme");
  const palettes = theme.get("palette").isList ? theme.get("palette").list() : [theme.get("palette")];
  const primary = palettes.map((each) => each.get("primary").text()).find((name) => name !== null && name in COLORS);
  const schemes = palettes.map((each) => each.get("scheme").text());
  const logo = theme.get("logo").text();
  const repository = config.get("repo_url").text();
  const features = theme.get("features").texts();
  const socials = config
    .at("extra", "social")
    .list()
    .flatMap((each): Json[] => {
      const [icon, url] = [each.get("icon").text(), each.get("link").text()];
      return icon === null || url === null
        ? []
        : [present({ type: icon.split("/").at(-1) ?? icon, url, label: each.get("name").text() })];
    });
  return present({
    name: config.get("site_name").text(),
    description: config.get("site_description").text(),
    language: theme.get("language").text(),
    logo: logo === null ? null : rooted(logo),
    favicon: theme.get("favicon").text() === null ? null : rooted(theme.get("favicon").text() ?? ""),
    colors: primary ? { primary: COLORS[primary] ?? "" } : null,
    appearance: {
      default: schemes.length > 1 || schemes[0] === null ? "system" : schemes[0] === "slate" ? "dark" : "light",
    },
    navbar: {
      links: repository === null ? [] : [present({ label: config.get("repo_name").text(), href: repository })],
    },
    footer: present({ socials, copyright: htmlLine(config.get("copyright").text()) }),
    feedback: {
      suggestEdit: repository !== null && (features.includes("content.action.edit") || config.has("edit_uri")),
    },
    redirects,
  });
}

const rooted = (path: string): string => (/^[a-z]+:/i.test(path) ? path : `/${path.replace(/^\/+/, "")}`);

/** The map of mkdocs-redirects: from the path of a removed file to that of another, or to an address. */
export function redirectsOf(options: Data | undefined, toRoute: (path: string) => Route): Json[] {
  const maps = options?.get("redirect_maps").entries() ?? [];
  return maps.flatMap(([from, to]): Json[] => {
    const target = to.text();
    if (target === null) return [];
    const [path = "", hash] = target.split("#");
    const destination = /^[a-z]+:/i.test(target) ? target : toRoute(path) + (hash === undefined ? "" : `#${hash}`);
    return [{ source: toRoute(from), destination }];
  });
}
