import type { Asset, Docs } from "#docs/tree/page-tree.ts";
import { canonicalPath, type Route } from "#docs/routes.ts";

/** The query parameter with the version of an asset. */
export const VERSION_PARAMETER = "v";

/** Enough of a file's version (a blob id) to distinguish it from every other version of the same path. */
export const shortVersion = (version: string): string => version.slice(0, 12);

/** An address that browsers and shared caches may store forever: another version of the file has another address. */
export function versionedAddress(path: string, version: string): string {
  return `${path}?${VERSION_PARAMETER}=${shortVersion(version)}`;
}

/** The file of the site that its configuration names; null when it does not exist. */
export function namedAsset(
  assets: ReadonlyMap<Route, Asset>,
  reference: string,
): { route: Route; asset: Asset } | null {
  const route = canonicalPath(`/${reference.replace(/^\.?\/+/, "")}`);
  const asset = route === null ? undefined : assets.get(route);
  return route === null || asset === undefined ? null : { route, asset };
}

/** The versioned address of a file of the site, or an external address; null when the file does not exist. */
export function assetHref(docs: Docs, reference: string): string | null {
  if (/^https?:\/\//i.test(reference)) return reference;
  const named = namedAsset(docs.assets, reference);
  return named && versionedAddress(named.route, named.asset.version);
}
