import { canonicalPath } from "#docs/routes.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { AppError } from "#lib/app-error.ts";
import type { SearchScope } from "#search/search-page.ts";
import { partOfPage } from "./site-parts.ts";

/** The address of a site's search: JSON for programs, a page for browsers. */
export const SEARCH_PATH = "/_docent/search";

const MAX_QUERY = 200;
const MAX_PART = 100;
const MAX_ADDRESS = 2_000;
const MAX_LIMIT = 50;
const DEFAULT_LIMIT = 20;

export interface AskedSearch {
  query: string;
  scope: SearchScope;
  limit: number;
}

/**
 * Parses `q`, `limit`, `language`, `version`, and `from`: a page whose language and version are searched.
 *
 * @throws AppError `invalid` for an invalid limit.
 */
export function readSearch(parameters: URLSearchParams, docs: Docs): AskedSearch {
  const limitText = parameters.get("limit") ?? String(DEFAULT_LIMIT);
  const limit = /^\d{1,3}$/.test(limitText) ? Number(limitText) : 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    const details = [{ path: "limit", message: `must be a whole number from 1 to ${MAX_LIMIT}` }];
    throw new AppError("invalid", `The query is not valid: limit must be a whole number from 1 to ${MAX_LIMIT}.`, {
      details,
    });
  }
  const from = parameters.get("from")?.slice(0, MAX_ADDRESS) || null;
  const part = partOfPage(docs, (from && canonicalPath(from)) ?? "");
  const named = (name: string) => parameters.get(name)?.slice(0, MAX_PART) || null;
  return {
    query: (parameters.get("q") ?? "").replaceAll(/\s+/g, " ").trim().slice(0, MAX_QUERY),
    scope: { language: named("language") ?? part.language, version: named("version") ?? part.version?.name ?? null },
    limit,
  };
}
