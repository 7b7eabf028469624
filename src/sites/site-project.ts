import type { ProjectId } from "#lib/ids.ts";

/** The part of a project that serving its site needs. */
export interface SiteProject {
  id: ProjectId;
  slug: string;
  name: string;
  /** The branch that the site shows. */
  branch: string;
  /** Folder of the content; absent or null: where the configuration is, else the repository's root. */
  contentRoot?: string | null;
  /** Stands above every page, for a site that is not the published one. */
  notice?: SiteNotice;
}

export interface SiteNotice {
  text: string;
  link: string;
  href: string;
}
