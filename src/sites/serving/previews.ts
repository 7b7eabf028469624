import type { HostedRepository, PullRequest } from "#code-hosts/code-host.ts";
import type { PlainAnswer, WholeRequest } from "#lib/network/plain-http.ts";
import type { Project } from "#projects/project.ts";
import { type PreviewLinks, readPreviewSlug } from "#sites/preview-links.ts";
import { askForLink, isPerson, keepToken, shownTokens } from "#sites/preview-visitor.ts";
import type { SiteProject } from "#sites/site-project.ts";
import { createSites, type Sites, type SitesDeps } from "./sites.ts";
import type { ViewCollector } from "#sites/view-collector.ts";
import { hostedRepository } from "#projects/hosted-repository.ts";

/** Looking at a preview is work on the docs, not a visit to them. */
const uncounted: ViewCollector = {
  served: () => undefined,
  confirm: async () => ({ status: 204, headers: {}, body: null }),
};

type Shown = { project: Project; pullRequest: PullRequest };

/**
 * The sites of open pull requests: the head branch in place of the published one, kept from search engines and counts.
 * They open by their link; in a project that makes its pull requests public, to everybody.
 */
export function createPreviews(
  deps: Omit<SitesDeps, "projects" | "collectView" | "scheme"> & {
    /** Asked for every request. */
    pullRequest(repository: HostedRepository, number: number): Promise<PullRequest | null>;
    links: Pick<PreviewLinks, "opens">;
    findProject(slug: string): Promise<Project | null>;
    scheme(): string;
    /** Address of a pull request's page, of one that may not exist too. */
    pageUrl(slug: string, number: number): string;
  },
): Pick<Sites, "handle"> {
  const { links, scheme } = deps;

  async function findShown(label: string): Promise<Shown | null> {
    const named = readPreviewSlug(label);
    const project = named && (await deps.findProject(named.slug));
    if (!project) return null;
    const repository = hostedRepository(project);
    const pullRequest = await deps.pullRequest(repository, named.number);
    return pullRequest?.state === "open" ? { project, pullRequest } : null;
  }

  const siteOf = ({ project, pullRequest }: Shown, label: string): SiteProject => ({
    id: project.id,
    slug: label,
    name: `${project.name} · preview of #${pullRequest.number}`,
    branch: pullRequest.head.branch,
    contentRoot: project.settings.contentRoot ?? null,
    notice: {
      text: `Preview of pull request #${pullRequest.number}`,
      link: "Back to the pull request",
      href: project.codeHost === "embedded" ? deps.pageUrl(project.slug, pullRequest.number) : pullRequest.url,
    },
  });

  const sites = createSites({
    ...deps,
    collectView: uncounted,
    async projects(label) {
      const shown = await findShown(label);
      return shown && siteOf(shown, label);
    },
  });

  /**
   * The answer to somebody who is not let in. It says nothing about what there is, and nobody without the link makes Docent
   * ask another host, which counts the requests.
   */
  async function admit(request: WholeRequest, label: string): Promise<PlainAnswer | null> {
    const { slug = "", number = 0 } = readPreviewSlug(label) ?? {};
    const project = await deps.findProject(slug);
    const tokens = shownTokens(request, scheme());
    const opens = (token: string) => project !== null && links.opens({ projectId: project.id, number }, token);
    const entering = tokens.address !== null && opens(tokens.address) ? tokens.address : null;
    const mayEnter = entering !== null || project?.settings.publicPullRequests === true || tokens.cookies.some(opens);
    if (!mayEnter || (await findShown(label)) === null) {
      return askForLink(request, `${deps.pageUrl(slug, number)}/preview`);
    }
    return entering !== null && isPerson(request) ? keepToken(request, entering, scheme()) : null;
  }

  return {
    async handle(request, label, connection) {
      return apart((await admit(request, label)) ?? (await sites.handle(request, label, connection)));
    },
  };
}

/** No search engine lists it, no cache between keeps it, no other host hears of it. */
function apart(answer: PlainAnswer): PlainAnswer {
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
