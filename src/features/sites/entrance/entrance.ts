import type { PlainAnswer, WholeRequest } from "#lib/network/plain-http.ts";
import { hrefBelow, pathInside } from "#features/sites/base-path.ts";
import type { Sites } from "#features/sites/serving/sites.ts";
import type { SiteAddress, SiteProject } from "#features/sites/site-project.ts";
import { type Gate, withoutToken } from "./gate.ts";

const OWN_ROOT: SiteAddress = { origin: null, base: "", mainLabel: null };

/**
 * The first steps of every request to a published site: the redirect to its main domain, the gate of a private one, and
 * the base path, which is stripped here and added to the addresses of the response. Everything else about a site is
 * behind it.
 */
export function createEntrance({
  sites,
  projects,
  gate,
}: {
  sites: Sites;
  projects(label: string): Promise<SiteProject | null>;
  gate: Gate;
}): Pick<Sites, "handle"> {
  return {
    async handle(request, label, connection) {
      const project = label === "" ? null : await projects(label);
      if (project === null) return await sites.handle(request, label, connection);
      const address = project.address ?? OWN_ROOT;
      const inside = insideOf(request, address);
      const redirect = redirectToMainDomain(request, address, label);
      if (redirect !== null) return redirect;
      const { access } = project;
      if (access === undefined || access.mode === "public") {
        // Such as a link from the time when the site was private.
        const stripped = withoutToken(inside, address.base);
        if (stripped !== null) return stripped;
        const answer = outsideOf(await sites.handle(inside, label, connection), address.base);
        return project.externalSite === undefined ? answer : withoutIndexing(answer);
      }
      const visit = { request: inside, project, access, label, base: address.base, ...connection };
      const refusal = await gate.admit(visit);
      if (refusal !== null) return refusal;
      return withoutSharedCaching(outsideOf(await sites.handle(inside, label, connection), address.base));
    },
  };
}

/** The request as if the site were at its host's root. */
export function insideOf(request: WholeRequest, { base, origin }: SiteAddress): WholeRequest {
  if (origin === null) return request;
  // Behind a site of another name, our own host differs from the reader's, which is the origin of pages' messages.
  const isReaders = request.headers.get("origin") === origin;
  const { location } = request;
  const pathname = pathInside(base, location.pathname);
  if (!isReaders && pathname === location.pathname) return request;
  const inside = new URL(location);
  inside.pathname = pathname;
  if (isReaders) inside.host = new URL(origin).host;
  return { ...request, location: inside, url: inside.href };
}

function redirectToMainDomain(
  request: WholeRequest,
  { mainLabel, origin }: SiteAddress,
  label: string,
): PlainAnswer | null {
  if (mainLabel === null || mainLabel === label || origin === null) return null;
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const { pathname, search } = request.location;
  const headers = { Location: origin + pathname + search, "Cache-Control": "no-cache" };
  return { status: 308, headers, body: null };
}

/** Adds the base path to the paths in headers. */
export function outsideOf(answer: PlainAnswer, base: string): PlainAnswer {
  const { Location: location, Link: link } = answer.headers;
  if (base === "" || (location === undefined && link === undefined)) return answer;
  const headers = { ...answer.headers };
  if (location !== undefined) headers["Location"] = hrefBelow(base, location);
  if (link !== undefined)
    headers["Link"] = link.replaceAll(/<(\/[^<>]*)>/g, (_, href: string) => `<${hrefBelow(base, href)}>`);
  return { ...answer, headers };
}

/** Search engines list the pages where they are published, and nothing of what is served here. */
const withoutIndexing = (answer: PlainAnswer): PlainAnswer => ({
  ...answer,
  headers: { ...answer.headers, "X-Robots-Tag": "noindex" },
});

/** Only the reader's own cache may store it, and revalidates it each time; search engines do not list it. */
function withoutSharedCaching(answer: PlainAnswer): PlainAnswer {
  const isKept = answer.headers["Cache-Control"] !== "no-store";
  return {
    ...answer,
    headers: {
      ...answer.headers,
      "Cache-Control": isKept ? "private, no-cache" : "no-store",
      "X-Robots-Tag": "noindex, nofollow",
    },
  };
}
