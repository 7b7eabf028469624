import type { CodeHost } from "#code-hosts/code-host.ts";
import type { Project } from "#projects/project.ts";
import type { SiteProject } from "./site-project.ts";
import { createSites, type Sites, type SitesDeps } from "./sites.ts";
import type { ViewCollector } from "./view-collector.ts";

const PREVIEW = /^pr-([1-9]\d{0,8})--([a-z0-9-]+)$/;

/** Label of the site that shows an open pull request: no project's slug has two hyphens in a row. */
export const previewSlug = (slug: string, number: number) => `pr-${number}--${slug}`;

export const isPreviewSlug = (slug: string) => PREVIEW.test(slug);

/** Looking at a preview is work on the docs, not a visit to them. */
const uncounted: ViewCollector = {
  served: () => undefined,
  confirm: async () => ({ status: 204, headers: {}, body: null }),
};

/** The sites of open pull requests: the head branch in place of the published one, kept from search engines and counts. */
export function createPreviews(
  deps: Omit<SitesDeps, "projects" | "collectView"> & {
    codeHost: Pick<CodeHost, "getPullRequest">;
    findProject(slug: string): Promise<Project | null>;
  },
): Sites {
  async function findPreview(label: string): Promise<SiteProject | null> {
    const [, number, slug] = PREVIEW.exec(label) ?? [];
    const project = slug === undefined ? null : await deps.findProject(slug);
    if (!project || number === undefined) return null;
    const repository = { projectId: project.id, slug: project.slug, branch: project.branch };
    const pullRequest = await deps.codeHost.getPullRequest(repository, Number(number));
    if (pullRequest?.state !== "open") return null;
    return {
      id: project.id,
      slug: label,
      name: `${project.name} · preview of #${number}`,
      branch: pullRequest.head.branch,
    };
  }

  const sites = createSites({ ...deps, projects: findPreview, collectView: uncounted });
  return {
    async handle(request, slug, connection) {
      const answer = await sites.handle(request, slug, connection);
      return { ...answer, headers: { ...answer.headers, "X-Robots-Tag": "noindex, nofollow" } };
    },
  };
}
