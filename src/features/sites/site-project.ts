import type { ProjectId } from "#lib/ids.ts";
import type { Project, ProjectSettings } from "#features/projects/project.ts";
import type { SiteAccess } from "#features/projects/site-access.ts";
import type { ProjectDomain } from "#features/projects/domains.ts";
import type { RemoteKind } from "#hosts/code-host.ts";

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

/** Where the repository of a site is for people. */
export interface HostedAt {
  kind: RemoteKind;
  /** Address of the repository at its host, without a slash at its end. */
  url: string;
}

/** What stands between a repository's address and the branch, where its host opens a file for editing. */
const EDITORS: Readonly<Record<RemoteKind, string>> = {
  github: "edit",
  gitlab: "-/edit",
  gitea: "_edit",
  forgejo: "_edit",
};

/** Where people edit a file of a branch in a browser; the host asks those who may not write to propose it. */
export function editAddress({ kind, url }: HostedAt, { branch, path }: { branch: string; path: string }): string {
  const place = [...branch.split("/"), ...path.split("/")].map(encodeURIComponent).join("/");
  return `${url}/${EDITORS[kind]}/${place}`;
}

/** Where an issue is begun, and what the fields of its form are called in the address. */
const ISSUES: Readonly<Record<RemoteKind, { place: string; title: string; body: string }>> = {
  github: { place: "issues/new", title: "title", body: "body" },
  gitlab: { place: "-/issues/new", title: "issue[title]", body: "issue[description]" },
  gitea: { place: "issues/new", title: "title", body: "body" },
  forgejo: { place: "issues/new", title: "title", body: "body" },
};
const MAX_TITLE_LENGTH = 200;

/** Where people write an issue about a page in a browser, with the page's title and address filled in. */
export function issueAddress({ kind, url }: HostedAt, page: { title: string; address: string; path: string }): string {
  const { place, title, body } = ISSUES[kind];
  const about = page.title.slice(0, MAX_TITLE_LENGTH).toWellFormed();
  const fields = new URLSearchParams({ [title]: about, [body]: `${page.address}\n${page.path}\n\n` });
  return `${url}/${place}?${fields.toString()}`;
}
