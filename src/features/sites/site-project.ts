import type { ProjectId } from "#lib/ids.ts";
import type { Project, ProjectSettings } from "#features/projects/project.ts";
import type { SiteAccess } from "#features/projects/site-access.ts";
import type { ProjectDomain } from "#features/projects/site/domains.ts";
import type { RemoteKind } from "#hosts/code-host.ts";

/** The part of a project that serving its site needs. */
export interface SiteProject {
  id: ProjectId;
  slug: string;
  name: string;
  /** The branch that the site shows. */
  branch: string;
  /** The commit that the site is pinned to; absent or null: the newest of its branch. */
  pinned?: string | null;
  /** Folder of the content; absent or null: the folder of the configuration, else the repository's root. */
  contentRoot?: string | null;
  /** False: pages do not ask for feedback, whatever the configuration says. */
  takesFeedback?: boolean;
  /** True: requests of its API pages go through this server. Never for previews: their authors are not the site's. */
  proxiesApis?: boolean;
  /** Where it can be edited; absent or null: not on the web. */
  hostedAt?: HostedAt | null;
  /** The origin of the dashboard, where its pages are edited; absent where their code host has an editor. */
  dashboard?: string;
  /** Where readers know it; absent: at the root of the request's host. */
  address?: SiteAddress;
  /** Where another service publishes it, without a slash at the end; absent: it is published here. */
  externalSite?: string | undefined;
  /** Who may read it; absent: everyone. */
  access?: SiteAccess;
  /** A notice above every page, for a site that is not the published one. */
  notice?: SiteNotice;
}

export interface SiteNotice {
  text: string;
  links: readonly { text: string; href: string }[];
}

/** A project in the form that serving its site needs. */
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

/** The public address of a site, as its pages state it. */
export interface SiteAddress {
  /** Scheme and host, without a slash at the end; null: those of the request. */
  origin: string | null;
  /** The prefix of every path, without a slash at the end; "" at the root. */
  base: string;
  /** The label to whose host the others redirect; null: each serves the site itself. */
  mainLabel: string | null;
}

/** Where readers find a site: scheme, host and base path. `ownOrigin`: those of its host here, if it has no other. */
export const publishedOrigin = ({ externalSite, address }: SiteProject, ownOrigin: string): string =>
  externalSite ?? (address?.origin ?? ownOrigin) + (address?.base ?? "");

/** `hostUrl`: the address of a host of this server, with its scheme and port. */
export function siteAddressOf(
  { publicAddress, redirectToMainDomain }: Pick<ProjectSettings, "publicAddress" | "redirectToMainDomain">,
  domains: readonly ProjectDomain[],
  hostUrl: (host: string) => string,
): SiteAddress {
  if (publicAddress !== undefined) {
    const { origin, pathname } = new URL(publicAddress);
    // No redirects: the other site's requests arrive under whatever name it uses for this one.
    return { origin, base: pathname === "/" ? "" : pathname, mainLabel: null };
  }
  const main = domains.find(({ isMain }) => isMain)?.domain;
  if (main === undefined) return { origin: null, base: "", mainLabel: null };
  return { origin: new URL(hostUrl(main)).origin, base: "", mainLabel: redirectToMainDomain === true ? main : null };
}

/** The web address of a site's repository. */
export interface HostedAt {
  kind: RemoteKind;
  /** Address of the repository at its host, without a slash at its end. */
  url: string;
}

/** The path between a repository's address and the branch on the host's edit page. */
const EDITORS: Readonly<Record<RemoteKind, string>> = {
  github: "edit",
  gitlab: "-/edit",
  gitea: "_edit",
  forgejo: "_edit",
};

/** The edit page for a file of a branch; the host offers a pull request to people who may not write. */
export function editAddress({ kind, url }: HostedAt, { branch, path }: { branch: string; path: string }): string {
  const place = [...branch.split("/"), ...path.split("/")].map(encodeURIComponent).join("/");
  return `${url}/${EDITORS[kind]}/${place}`;
}

/** The path of a new issue, and the names of its form fields in the query. */
const ISSUES: Readonly<Record<RemoteKind, { place: string; title: string; body: string }>> = {
  github: { place: "issues/new", title: "title", body: "body" },
  gitlab: { place: "-/issues/new", title: "issue[title]", body: "issue[description]" },
  gitea: { place: "issues/new", title: "title", body: "body" },
  forgejo: { place: "issues/new", title: "title", body: "body" },
};
const MAX_TITLE_LENGTH = 200;

/** The form for an issue about a page, with the page's title and address filled in. */
export function issueAddress({ kind, url }: HostedAt, page: { title: string; address: string; path: string }): string {
  const { place, title, body } = ISSUES[kind];
  const about = page.title.slice(0, MAX_TITLE_LENGTH).toWellFormed();
  const fields = new URLSearchParams({ [title]: about, [body]: `${page.address}\n${page.path}\n\n` });
  return `${url}/${place}?${fields.toString()}`;
}
