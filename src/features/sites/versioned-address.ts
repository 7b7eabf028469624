import type { Asset, Docs } from "#docs/tree/page-tree.ts";
import { canonicalPath, type Route } from "#docs/routes.ts";

/** The parameter of an asset's address that names its version. */
export const VERSION_PARAMETER = "v";

/** Enough of a file's version (a blob) to tell it from every other version of the same path. */
export const shortVersion = (version: string): string => version.slice(0, 12);

/** An address that browsers, and caches between, may keep for good: another version of the file has another one. */
export function versionedAddress(path: string, version: string): string {
  return `${path}?${VERSION_PARAMETER}=${shortVersion(version)}`;
}

/** The file of a site that its configuration names; null when there is none. */
export function namedAsset(
  assets: ReadonlyMap<Route, Asset>,
  reference: string,
): { route: Route; asset: Asset } | null {
  const route = canonicalPath(`/${reference.replace(/^\.?\/+/, "")}`);
  const asset = route === null ? undefined : assets.get(route);
  return route === null || asset === undefined ? null : { route, asset };
}

/** A file of the site, by its address with its version, or an address of the web; null when there is no such file. */
export function assetHref(docs: Docs, reference: string): string | null {
  if (/^https?:\/\//i.test(reference)) return reference;
  const named = namedAsset(docs.assets, reference);
  return named && versionedAddress(named.route, named.asset.version);
}
