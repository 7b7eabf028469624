import type { HostedRepository, PullRequest } from "#hosts/code-host.ts";
import type { PlainAnswer, WholeRequest } from "#lib/network/plain-http.ts";
import type { Project } from "#features/projects/project.ts";
import { publishedUrl } from "#features/projects/site/external-site.ts";
import type { PreviewBranches } from "#features/sites/preview-branches.ts";
import {
  type PreviewLinks,
  type PreviewName,
  readPreviewSlug,
  askForLink,
  isPerson,
  keepToken,
  shownTokens,
} from "#features/sites/preview-links.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import { createSites, type Sites, type SitesDeps } from "./sites.ts";
import { uncounted } from "#features/sites/view-collector.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";

type Shown = { project: Project; branch: string; pullRequest: PullRequest | null };

/**
 * The sites of open pull requests and of branches: they show the newest commit instead of the published one, and are
 * excluded from search engines and counts. They open by their link; pull requests of a project that makes them public
 * open to everyone.
 */
export function createPreviews(
  deps: Omit<SitesDeps, "projects" | "collectView" | "scheme"> & {
    /** Called for every request. */
    pullRequest(repository: HostedRepository, number: number): Promise<PullRequest | null>;
    branches: Pick<PreviewBranches, "find">;
    links: Pick<PreviewLinks, "opens">;
    findProject(slug: string): Promise<Project | null>;
    scheme(): string;
    /** Whether a project's previews are public. */
    arePublic(project: Project): Promise<boolean>;
    /** Address of a pull request's page, whether it exists or not. */
    pageUrl(slug: string, number: number): string;
    /** Where members of a project get the link of a preview, whether it exists or not. */
    doorUrl(slug: string, name: PreviewName): string;
    /** Address of the published site. */
    siteUrl(slug: string): string;
  },
): Pick<Sites, "handle"> {
  const { links, scheme } = deps;

  async function findShown(label: string): Promise<Shown | null> {
    const named = readPreviewSlug(label);
    const project = named && (await deps.findProject(named.slug));
    if (!project) return null;
    if ("branchHash" in named.name) {
      const branch = await deps.branches.find(project, named.name.branchHash);
      return branch === null ? null : { project, branch, pullRequest: null };
    }
    const pullRequest = await deps.pullRequest(hostedRepository(project), named.name.number);
    return pullRequest?.state === "open" ? { project, branch: pullRequest.head.branch, pullRequest } : null;
  }

  function siteOf({ project, branch, pullRequest }: Shown, label: string): SiteProject {
    const live = { text: "Back to the live site", href: publishedUrl(project, deps.siteUrl) };
    const of = pullRequest ? `pull request #${pullRequest.number}` : `branch ${visibleName(branch)}`;
    const back = pullRequest && {
      text: "Pull request",
      href: project.codeHost === "embedded" ? deps.pageUrl(project.slug, pullRequest.number) : pullRequest.url,
    };
    return {
      id: project.id,
      slug: label,
      name: `${project.name} · preview of ${pullRequest ? `#${pullRequest.number}` : visibleName(branch)}`,
      branch,
      contentRoot: project.settings.contentRoot ?? null,
      notice: { text: `Preview of ${of}`, links: back ? [back, live] : [live] },
    };
  }

  const sites = createSites({
    ...deps,
    collectView: uncounted, // viewing a preview is work on the docs, not a visit
    async projects(label) {
      const shown = await findShown(label);
      return shown && siteOf(shown, label);
    },
  });

  /**
   * The response to a client that is not admitted. It does not reveal what exists, and without the link no one can make
   * Docent send requests to another host, which limits them.
   */
  async function admit(request: WholeRequest, label: string): Promise<PlainAnswer | null> {
    const { slug, name } = readPreviewSlug(label) ?? { slug: "", name: { number: 0 } };
    const project = await deps.findProject(slug);
    const tokens = shownTokens(request, scheme());
    const isValid = (token: string) => project !== null && links.opens({ projectId: project.id, ...name }, token);
    const entering = tokens.address !== null && isValid(tokens.address) ? tokens.address : null;
    const isPublic = "number" in name && project !== null && (await deps.arePublic(project));
    const mayEnter = entering !== null || isPublic || tokens.cookies.some(isValid);
    if (!mayEnter || (await findShown(label)) === null) {
      return askForLink(request, deps.doorUrl(slug, name));
    }
    return entering !== null && isPerson(request) ? keepToken(request, entering, scheme()) : null;
  }

  return {
    async handle(request, label, connection) {
      return withoutSharedCaching((await admit(request, label)) ?? (await sites.handle(request, label, connection)));
    },
  };
}

/** Excluded from search engines, shared caches and referrers. */
function withoutSharedCaching(answer: PlainAnswer): PlainAnswer {
  const { "Cache-Control": caching = "no-cache", "Referrer-Policy": referrer } = answer.headers;
  return {
    ...answer,
    headers: {
      ...answer.headers,
      "Cache-Control": caching === "no-cache" ? "private, no-cache" : caching.replace(/^public\b/, "private"),
      "Referrer-Policy": referrer === "no-referrer" ? referrer : "same-origin",
      "X-Robots-Tag": "noindex, nofollow",
    },
  };
}

const MAX_NAME_LENGTH = 80;

/** A branch's name may be long, and contain bidi controls that reorder the text around it. */
function visibleName(branch: string): string {
  const name = branch.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : name;
}
