import type { Data } from "#docs/dialects/reading/data.ts";
import { languageOfPath } from "#docs/dialects/paths.ts";

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
  return {
    all,
    placeOf(path) {
      const own = languageOfPath(path, { codes: all.map(({ code }) => code), inFolders });
      const language = all.find(({ code }) => code === own.code) ?? original;
      return { language, path: own.path, prefix: language === null || language.isDefault ? "" : language.code };
    },
  };
}
