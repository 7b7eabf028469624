import type { Data } from "#docs/dialects/reading/data.ts";
import { inside } from "#docs/dialects/paths.ts";

export interface Language {
  code: string;
  label: string;
  isDefault: boolean;
}

/** How the plugin mkdocs-static-i18n reads paths: `page.fr.md` or `fr/page.md` is `page.md` in French. */
export interface Languages {
  /** Empty for a site in one language. */
  all: readonly Language[];
  /** `prefix` is the start of the address. */
  placeOf(path: string): { language: Language | null; path: string; prefix: string };
}

export function siteLanguages(options: Data | undefined): Languages {
  const all = (options?.get("languages").list() ?? []).slice(0, 100).flatMap((each): Language[] => {
    const code = each.get("locale").text();
    if (code === null || each.get("build").flag() === false) return [];
    return [{ code, label: each.get("name").text() ?? code, isDefault: each.get("default").flag() === true }];
  });
  const original = all.find(({ isDefault }) => isDefault) ?? null;
  const inFolders = options?.get("docs_structure").text() === "folder";
  const prefixOf = (language: Language | null): string =>
    language === null || language.isDefault ? "" : language.code;
  return {
    all,
    placeOf(path) {
      const own = all.find(({ code }) => (inFolders ? inside(path, code) !== null : path.includes(`.${code}.`)));
      const language = own ?? original;
      const bare =
        own === undefined ? path : inFolders ? (inside(path, own.code) ?? path) : path.replace(`.${own.code}.`, ".");
      return { language, path: bare, prefix: prefixOf(language) };
    },
  };
}
