import { Hono } from "hono";
import type { Database } from "#db/database.ts";
import type { Project } from "#features/projects/project.ts";
import { publishedUrl } from "#features/projects/site/external-site.ts";
import { listDomains } from "#features/projects/site/domains.ts";
import { readSiteAccess } from "#features/projects/site-access.ts";
import { ACCESS_PARAMETER } from "#features/sites/access-parameter.ts";
import type { AccessTokens } from "#features/sites/entrance/access-tokens.ts";
import { makeEntry } from "#features/sites/entrance/entries.ts";
import { siteRoot } from "#features/sites/entrance/site-link.ts";
import { siteAddressOf } from "#features/sites/site-project.ts";
import { html } from "#kit/pages/markup.ts";
import type { Session } from "#features/keys/sessions.ts";
import { sessionMark } from "#features/keys/site-members.ts";
import type { ProjectId } from "#lib/ids.ts";
import { isOfProject } from "#features/keys/holder.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import { dashboardDocument } from "#kit/pages/document.ts";
import { askToSignIn, sendNotFound } from "#kit/pages/problem-page.ts";
import { sendPage } from "#kit/pages/send-page.ts";

export interface OpenSiteDeps {
  database: Database;
  session: { read(request: Request, from: string): Promise<Session | null> };
  findProjectById(id: ProjectId): Promise<Project | null>;
  siteTokens: AccessTokens;
  siteUrl(label: string): string;
  hostUrl(host: string): string;
}

/**
 * `/open-site`: where a private site sends people to sign in, and from where they return to it with a token. The path
 * reveals no project: a signed-out visitor sees the sign-in, whatever the query is.
 */
export function createOpenSite(deps: OpenSiteDeps): Hono {
  return new Hono().get("/open-site", async (c) => {
    const url = new URL(c.req.url);
    const session = await deps.session.read(c.req.raw, clientOf(c));
    if (session === null) return askToSignIn(c, url.pathname + url.search);
    const requestedProject = (c.req.query("project") ?? "") as ProjectId;
    const project = isOfProject(session, requestedProject) ? await deps.findProjectById(requestedProject) : null;
    if (project === null) return sendNotFound(c);
    const { kysely } = deps.database;
    const domains = await listDomains(kysely, project.id);
    const address = siteAddressOf(project.settings, domains, deps.hostUrl);
    // Back to the same host name: the cookie belongs to that host.
    const host = domains.find(({ domain }) => domain === c.req.query("host"))?.domain;
    const ownUrl = host === undefined ? deps.siteUrl(project.slug) : deps.hostUrl(host);
    const hasOneAddress = project.settings.publicAddress !== undefined || address.mainLabel !== null;
    const root = siteRoot({ address: hasOneAddress ? address : { ...address, origin: null }, ownUrl });
    const wanted = c.req.query("path") ?? "/";
    const target = new URL(root + (/^\/(?![/\\])/.test(wanted) ? wanted : "/"));
    const { version, mode } = await readSiteAccess(kysely, project.id);
    if (mode !== "public") {
      const holderId = "person" in session ? session.person.id : session.keyId;
      const entry = makeEntry(
        deps.siteTokens,
        { id: project.id, version },
        { holderId, session: sessionMark(session) },
      );
      target.searchParams.set(ACCESS_PARAMETER, entry);
    }
    // Not a redirect: after submitting the sign-in form, a browser follows none to another host.
    c.header("Refresh", `0; url=${target.href}`);
    c.header("Referrer-Policy", "no-referrer");
    const { slug, name } = project;
    const place = { slug, name, siteUrl: publishedUrl(project, deps.siteUrl), hostUrl: null };
    const body = html`<div class="empty"><h1>The site opens</h1><p><a href="${target.href}">Open it now</a></p></div>`;
    return sendPage(c, dashboardDocument({ title: name, place, reader: "member", body }), { isSecret: true });
  });
}
