import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { SiteAccess } from "#features/projects/site-access.ts";
import type { SiteAddress } from "#features/sites/site-project.ts";
import { ACCESS_PARAMETER } from "#features/sites/access-parameter.ts";
import type { AccessTokens } from "./access-tokens.ts";

/** The purpose for which the key of site tokens is derived. */
export const SITE_TOKENS = "site access";

/** An address that opens a private site; a program may send `token` as `Authorization: Bearer` instead. */
export interface SiteLink {
  url: string;
  token: string;
  expiresAt: string;
}

export const MIN_LINK_SECONDS = 60;
export const MAX_LINK_SECONDS = 366 * 86_400;
export const MAX_LINK_PATH = 1_000;

/**
 * Creates a link to a page of a private site. `ownUrl`: the site's address by its slug, for a site without another one.
 * `AppError invalid` for an invalid path or time, `conflict` for a public site.
 */
export function createSiteLink(
  { tokens, clock }: { tokens: AccessTokens; clock: Clock },
  wanted: {
    site: { id: ProjectId; access: SiteAccess };
    address: SiteAddress;
    ownUrl: string;
    path: string;
    lifetimeSeconds: number;
    /** Creation time and name: the same inputs give the same link. */
    made?: { at: Date; subject: string };
  },
): SiteLink {
  const { site, path, lifetimeSeconds, made = { at: clock.now() } } = wanted;
  if (site.access.mode === "public") throw new AppError("conflict", "The site is public: it needs no link.");
  if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < MIN_LINK_SECONDS || lifetimeSeconds > MAX_LINK_SECONDS) {
    throw new AppError("invalid", "A link is valid for one minute to 366 days.");
  }
  const root = siteRoot(wanted);
  const target = path.length <= MAX_LINK_PATH && /^\/(?![/\\])/.test(path) ? URL.parse(root + path) : null;
  if (target === null) throw new AppError("invalid", "The path of a page begins with one slash: /guides/setup.");
  const ends = made.at.getTime() + lifetimeSeconds * 1_000;
  const lifetimeMs = ends - clock.now().getTime();
  const { at: _at, ...name } = made;
  const token = tokens.make({ id: site.id, version: site.access.version }, { kind: "link", lifetimeMs, ...name });
  target.searchParams.set(ACCESS_PARAMETER, token);
  return { url: target.href, token, expiresAt: new Date(ends).toISOString() };
}

/** The address of a site's root for readers, without a slash at the end. */
export const siteRoot = ({ address, ownUrl }: { address: SiteAddress; ownUrl: string }): string =>
  (address.origin ?? new URL(ownUrl).origin) + address.base;
