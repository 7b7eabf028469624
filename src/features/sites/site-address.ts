import type { ProjectDomain } from "#features/projects/domains.ts";
import type { ProjectSettings } from "#features/projects/project.ts";

/** Where readers know a site, as its pages say it of themselves. */
export interface SiteAddress {
  /** Scheme and host, without a slash at the end; null: those of the request. */
  origin: string | null;
  /** What stands in front of every path, without a slash at the end; "" at the root. */
  base: string;
  /** The label whose host the others lead to; null: each answers itself. */
  mainLabel: string | null;
}

/** `hostUrl`: the address of a host of this server, with its scheme and port. */
export function siteAddressOf(
  { publicAddress, redirectToMainDomain }: Pick<ProjectSettings, "publicAddress" | "redirectToMainDomain">,
  domains: readonly ProjectDomain[],
  hostUrl: (host: string) => string,
): SiteAddress {
  if (publicAddress !== undefined) {
    const { origin, pathname } = new URL(publicAddress);
    // No redirects: the other site's requests come under whatever name it knows this one by.
    return { origin, base: pathname === "/" ? "" : pathname, mainLabel: null };
  }
  const main = domains.find(({ isMain }) => isMain)?.domain;
  if (main === undefined) return { origin: null, base: "", mainLabel: null };
  return { origin: new URL(hostUrl(main)).origin, base: "", mainLabel: redirectToMainDomain === true ? main : null };
}
