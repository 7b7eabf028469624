import type { Hono } from "hono";
import type { Database } from "#db/database.ts";
import { noteSubject } from "#kit/http/context.ts";
import { AppError } from "#lib/app-error.ts";
import { changeWords } from "#lib/change-words.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { normaliseDomain } from "#features/projects/site/domain-name.ts";
import { refuseFurtherAddresses } from "#features/projects/site/external-site.ts";
import { chosenAddress, refuseNoAddress } from "#features/projects/site/hosting-fields.ts";
import type { ProjectRoutesDeps } from "#features/projects/routes.ts";
import type { DomainProof } from "#features/projects/site/domain-proof.ts";
import {
  addDomain,
  listDomains,
  makeMainDomain,
  projectOfDomain,
  removeDomain,
} from "#features/projects/site/domains.ts";
import { saveSettings, withSetting } from "#features/projects/projects.ts";
import {
  ACCESS_MODES,
  type AccessMode,
  endSiteVisits,
  readSiteAccess,
  setSiteAccess,
} from "#features/projects/site-access.ts";
import { askApiAddresses, readApiAccess, saveApiAccess } from "#features/sites/api-addresses/api-access.ts";
import type { AccessTokens } from "#features/sites/entrance/access-tokens.ts";
import { createSiteLink } from "#features/sites/entrance/site-link.ts";
import { siteAddressOf } from "#features/sites/site-project.ts";
import { isInstanceAdmin } from "#features/keys/holder.ts";
import type { Member, ProjectAccess } from "#features/keys/page-access.ts";
import { formPages } from "#kit/pages/form-pages.ts";
import { type SitePage, sitePage } from "./site-page.ts";

export interface SiteRoutesDeps {
  access: ProjectAccess;
  database: Database;
  clock: Clock;
  siteDomain: string;
  baseUrl(): string;
  siteTokens: AccessTokens;
  /** Reloads a project's site because its sources may have changed. Never rejects. */
  refreshSite(projectId: ProjectId): Promise<void>;
  domainProof: DomainProof;
  /** Whether a project may trigger one more DNS lookup in this minute. */
  admitsProof(projectId: string): boolean;
  /** Address of a host that is served by this server. */
  hostUrl(host: string): string;
  siteUrl(slug: string): string;
  /** What the API does with projects. */
  projects: Pick<ProjectRoutesDeps, "change">;
}

const DAY_SECONDS = 86_400;

/** `/{slug}/site`: domains, address and access of a site, for signed-in members of its project. */
export function createSiteRoutes(deps: SiteRoutesDeps): Hono {
  const { kysely } = deps.database;
  const needs = "admin";

  return formPages<Member, Pick<SitePage, "wanted" | "link">>({
    access: deps.access,
    pages: { site: needs },
    actions: {
      "site/external": {
        needs,
        notice: "The publishing settings are saved.",
        async run({ project, session, field }, c) {
          const entered = chosenAddress(field);
          refuseNoAddress(entered);
          const by = { isOfInstance: isInstanceAdmin(session), check: () => undefined };
          await deps.projects.change(project, { settings: { externalSite: entered } }, by);
          noteSubject(c, changeWords("address", project.settings.externalSite ?? "", entered ?? ""));
          return null;
        },
      },
      "site/domain": {
        needs,
        notice: "The domain is this site's. It works as soon as its DNS leads here.",
        async run({ project, field }, c) {
          const domain = normaliseDomain(field("domain"), { siteDomain: deps.siteDomain, baseUrl: deps.baseUrl() });
          refuseFurtherAddresses(project.settings, [domain]);
          if ((await projectOfDomain(kysely, domain)) !== project.id) {
            if (!deps.admitsProof(project.id)) {
              throw new AppError("rate_limited", "DNS was asked often enough. Wait a minute.", {
                retryAfterSeconds: 60,
              });
            }
            if (!(await deps.domainProof.isProven(project.id, domain))) {
              const wanted = { domain, record: deps.domainProof.record(project.id, domain) };
              return { made: { wanted, link: null }, status: 200 };
            }
          }
          await addDomain(deps, project.id, domain);
          noteSubject(c, domain);
          return null;
        },
      },
      "site/change": {
        needs,
        notice: "The domains are changed.",
        async run({ project, field }, c) {
          const change = field("to") === "main" ? makeMainDomain : removeDomain;
          await change(deps, project.id, field("domain"));
          noteSubject(c, `${field("domain")} ${field("to") === "main" ? "is the main domain" : "was removed"}`);
          return null;
        },
      },
      "site/address": {
        needs,
        notice: "The address is changed.",
        async run({ project, field }, c) {
          const publicAddress = field("publicAddress").trim() || null;
          const moved = withSetting(project.settings, "publicAddress", publicAddress);
          refuseFurtherAddresses(moved, []);
          const redirect = field("redirect") === "yes" ? true : null;
          await saveSettings(deps, project, withSetting(moved, "redirectToMainDomain", redirect));
          noteSubject(c, changeWords("address", project.settings.publicAddress ?? "", publicAddress ?? ""));
          return null;
        },
      },
      "site/access": {
        needs,
        notice: "Who may read the site is changed. Everybody else is signed out.",
        async run({ project, field }, c) {
          const mode = ACCESS_MODES.find((known) => known === field("mode"));
          if (!mode) throw new AppError("invalid", "Choose who may read the site.");
          const password = mode === "password" ? new Secret(field("password")) : null;
          const { mode: before } = await readSiteAccess(kysely, project.id);
          await setSiteAccess(deps, project.id, { mode, password });
          noteSubject(c, before === mode ? `a new ${mode}` : `from ${MODE_NAMES[before]} to ${MODE_NAMES[mode]}`);
          return null;
        },
      },
      "site/api-hosts": {
        needs,
        notice: "What the server asks of APIs is changed.",
        async run({ project, field }, c) {
          const before = await readApiAccess(deps, project);
          const hosts = field("hosts")
            .split(/[\s,]+/)
            .filter((host) => host !== "");
          await saveApiAccess(deps, project, { hosts, proxy: field("proxy") === "yes" });
          const after = await readApiAccess(deps, project);
          noteSubject(c, changeWords("hosts", before.hosts.join(", "), after.hosts.join(", ")));
          await deps.refreshSite(project.id);
          return null;
        },
      },
      "site/api-read": {
        needs,
        notice: "The addresses are asked. Their pages follow in seconds.",
        async run({ project }) {
          await askApiAddresses(deps, project);
          return null;
        },
      },
      "site/link": {
        needs,
        async run({ project, field }) {
          const domains = await listDomains(kysely, project.id);
          const link = createSiteLink(
            { tokens: deps.siteTokens, clock: deps.clock },
            {
              site: { id: project.id, access: await readSiteAccess(kysely, project.id) },
              address: siteAddressOf(project.settings, domains, deps.hostUrl),
              ownUrl: deps.siteUrl(project.slug),
              path: field("path"),
              lifetimeSeconds: Number(field("days")) * DAY_SECONDS,
            },
          );
          return { made: { link, wanted: null }, status: 200 };
        },
      },
      "site/sign-out": {
        needs,
        notice: "Every sign-in and every link has ended.",
        async run({ project }) {
          await endSiteVisits(deps, project.id);
          return null;
        },
      },
    },
    async show({ project, place, session }, { notice, refused, made }) {
      return sitePage({
        place,
        csrfToken: session.csrfToken,
        domains: await listDomains(kysely, project.id),
        settings: project.settings,
        mode: (await readSiteAccess(kysely, project.id)).mode,
        apis: await readApiAccess(deps, project),
        notice,
        refused: refused?.problem ?? null,
        wanted: made?.wanted ?? null,
        link: made?.link ?? null,
        enteredSite: refused?.action === "external" ? chosenAddress(refused.field) : null,
      });
    },
  });
}

/** For the audit log. */
const MODE_NAMES: Record<AccessMode, string> = {
  public: "everyone",
  password: "people with a password",
  dashboard: "members of the project",
  links: "people with a link",
};
