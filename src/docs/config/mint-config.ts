import { trimOf } from "#lib/trim.ts";
import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";

/**
 * Translates the older `mint.json` to the shape of a docs.json. Groups are shared, not copied, so that their lines stay
 * known. A tab or anchor with a path owns the groups whose pages are below that path; the others are in the first tab. An
 * entry that names a version (or a language, which mint.json also calls a version) is in that one, any other is in each.
 */
export function translateMintConfig(mint: JsonObject): JsonObject {
  const groups = listIn(mint["navigation"]);
  const anchors = listIn(mint["anchors"]).filter(isJsonObject);
  return {
    ...mint,
    navbar: {
      links: listIn(mint["topbarLinks"]),
      ...(isJsonObject(mint["topbarCtaButton"]) ? { primary: mint["topbarCtaButton"] } : {}),
    },
    footer: { socials: mint["footerSocials"] ?? [] },
    navigation: {
      ...(versioned(mint, groups) ?? partOf(mint, groups)),
      global: {
        anchors: anchors
          .filter((anchor) => isAddress(anchor["url"]))
          .map((anchor) => ({ anchor: anchor["name"] ?? "", href: anchor["url"] ?? "" })),
      },
    },
  };
}

const partOf = (mint: JsonObject, groups: readonly Json[]): JsonObject => tabbed(mint, groups) ?? { groups };

/** `"versions": ["v2", "v1"]`, or objects with a `name`, a `locale` or both. */
function versioned(mint: JsonObject, groups: readonly Json[]): JsonObject | null {
  const versions = listIn(mint["versions"]).flatMap((each) => {
    const { name, locale, default: isDefault } = isJsonObject(each) ? each : { name: each };
    const title = name ?? locale;
    return typeof title === "string" ? [{ title, locale, isDefault: isDefault === true }] : [];
  });
  if (versions.length === 0) return null;
  const parts = versions.map(({ title, locale, isDefault }) => {
    const isIn = (entry: Json) =>
      !isJsonObject(entry) ||
      entry["version"] === undefined ||
      entry["version"] === title ||
      (locale !== undefined && entry["version"] === locale);
    const own = { ...mint, tabs: listIn(mint["tabs"]).filter(isIn), anchors: listIn(mint["anchors"]).filter(isIn) };
    const part = partOf(own, groups.filter(isIn));
    return { ...part, default: isDefault, ...(typeof locale === "string" ? { language: locale } : { version: title }) };
  });
  return versions.every(({ locale }) => typeof locale === "string") ? { languages: parts } : { versions: parts };
}

function tabbed(mint: JsonObject, groups: readonly Json[]): JsonObject | null {
  const owners = [...listIn(mint["tabs"]), ...listIn(mint["anchors"])]
    .filter(isJsonObject)
    .flatMap(({ name, url }) =>
      typeof url === "string" && !isAddress(url)
        ? [{ tab: name ?? "", prefix: trimOf(url, "/"), groups: [] as Json[] }]
        : [],
    );
  const links = listIn(mint["tabs"])
    .filter(isJsonObject)
    .filter((tab) => isAddress(tab["url"]));
  const first: Json[] = [];
  for (const group of groups) {
    const page = firstPage(group) ?? "";
    const owner = owners
      .filter(({ prefix }) => prefix !== "" && (page === prefix || page.startsWith(`${prefix}/`)))
      .sort((a, b) => b.prefix.length - a.prefix.length)[0];
    (owner?.groups ?? first).push(group);
  }
  const filled = owners.filter((owner) => owner.groups.length > 0);
  if (filled.length === 0 && links.length === 0) return null;
  const primary = isJsonObject(mint["primaryTab"]) ? mint["primaryTab"]["name"] : undefined;
  return {
    tabs: [
      ...(first.length > 0 ? [{ tab: primary ?? "Documentation", groups: first }] : []),
      ...filled.map(({ tab, groups: owned }) => ({ tab, groups: owned })),
      ...links.map((tab) => ({ tab: tab["name"] ?? "", href: tab["url"] ?? "" })),
    ],
  };
}

function firstPage(group: Json): string | null {
  let next: Json | undefined = group;
  for (let depth = 0; depth < 20 && isJsonObject(next); depth += 1) next = listIn(next["pages"])[0];
  return typeof next === "string" ? trimOf(next, "/") : null;
}

function isAddress(value: Json | undefined): boolean {
  return typeof value === "string" && /^[a-z][a-z0-9+.-]*:/i.test(value);
}
