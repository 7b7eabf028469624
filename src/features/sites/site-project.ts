import type { ProjectId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";
import type { HostedAt } from "./edit-address.ts";
import type { SiteAccess } from "#features/projects/site-access.ts";
import type { SiteAddress } from "./site-address.ts";

/** The part of a project that serving its site needs. */
export interface SiteProject {
  id: ProjectId;
  slug: string;
  name: string;
  /** The branch that the site shows. */
  branch: string;
  /** The one commit that the site shows; absent or null: the newest of its branch. */
  pinned?: string | null;
  /** Folder of the content; absent or null: where the configuration is, else the repository's root. */
  contentRoot?: string | null;
  /** False: its readers are not asked what they think of pages, whatever its configuration says. */
  takesFeedback?: boolean;
  /** True: requests of its API pages go through this server. Previews never do: their authors are not the site's. */
  proxiesApis?: boolean;
  /** Where it can be edited; absent or null: nowhere that readers could go. */
  hostedAt?: HostedAt | null;
  /** Where readers know it; absent: at the root of the host that they came by. */
  address?: SiteAddress;
  /** Who may read it; absent: everybody. */
  access?: SiteAccess;
  /** Stands above every page, for a site that is not the published one. */
  notice?: SiteNotice;
}

export interface SiteNotice {
  text: string;
  links: readonly { text: string; href: string }[];
}

/** A project as its site is served. */
export const siteOf = ({ id, slug, name, branch, settings, pin, codeHost, sourceUrl }: Project): SiteProject => ({
  id,
  slug,
  name,
  branch,
  contentRoot: settings.contentRoot ?? null,
  takesFeedback: settings.analytics?.feedback !== false && settings.analytics?.collect !== false,
  proxiesApis: settings.apiProxy === true,
  pinned: pin?.commit ?? null,
  hostedAt: codeHost === "embedded" || sourceUrl === null ? null : { kind: codeHost, url: sourceUrl },
});
