import { type Context, Hono } from "hono";
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
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
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

const MAX_FORM_BYTES = 8_192;
const DAY_SECONDS = 86_400;
const NOTICES: Readonly<Record<string, string>> = {
  domain: "The domain is this site's. It works as soon as its DNS leads here.",
  change: "The domains are changed.",
  address: "The address is changed.",
  external: "The publishing settings are saved.",
  access: "Who may read the site is changed. Everybody else is signed out.",
  "api-hosts": "What the server asks of APIs is changed.",
  "api-read": "The addresses are asked. Their pages follow in seconds.",
  "sign-out": "Every sign-in and every link has ended.",
};

type Opened = Member & { field(name: string): string };
type Shown = Partial<Pick<SitePage, "notice" | "refused" | "wanted" | "link" | "enteredSite">>;

/** `/{slug}/site`: domains, address and access of a site, for signed-in members of its project. */
export function createSiteRoutes(deps: SiteRoutesDeps): Hono {
  const { access, database } = deps;
  const { kysely } = database;
  const routes = new Hono();

  const send = async (c: Context, member: Member, shown: Shown, status: 200 | 400 | 409 | 429 | 503 = 200) => {
    const { project, place, session } = member;
    const page = sitePage({
      place,
      csrfToken: session.csrfToken,
      domains: await listDomains(kysely, project.id),
      settings: project.settings,
      mode: (await readSiteAccess(kysely, project.id)).mode,
      apis: await readApiAccess(deps, project),
      notice: null,
      refused: null,
      wanted: null,
      link: null,
      enteredSite: null,
      ...shown,
    });
    return sendPage(c, page, { status, isSecret: shown.link !== undefined });
  };

  /** Handles a form; returns the data that its response shows, or null for the page with its notice. */
  const actions: Record<string, (opened: Opened, c: Context) => Promise<Shown | null>> = {
    async external({ project, session, field }, c) {
      const entered = chosenAddress(field);
      try {
        refuseNoAddress(entered);
        const by = { isOfInstance: isInstanceAdmin(session), check: () => undefined };
        await deps.projects.change(project, { settings: { externalSite: entered } }, by);
      } catch (error) {
        if (!(error instanceof AppError) || !["invalid", "conflict"].includes(error.code)) throw error;
        return { refused: error.message, enteredSite: entered };
      }
      noteSubject(c, changeWords("address", project.settings.externalSite ?? "", entered ?? ""));
      return null;
    },
    async domain({ project, field }, c) {
      const domain = normaliseDomain(field("domain"), { siteDomain: deps.siteDomain, baseUrl: deps.baseUrl() });
      refuseFurtherAddresses(project.settings, [domain]);
      if ((await projectOfDomain(kysely, domain)) !== project.id) {
        if (!deps.admitsProof(project.id)) {
          throw new AppError("rate_limited", "DNS was asked often enough. Wait a minute.", { retryAfterSeconds: 60 });
        }
        if (!(await deps.domainProof.isProven(project.id, domain))) {
          return { wanted: { domain, record: deps.domainProof.record(project.id, domain) } };
        }
      }
      await addDomain(deps, project.id, domain);
      noteSubject(c, domain);
      return null;
    },
    async change({ project, field }, c) {
      const change = field("to") === "main" ? makeMainDomain : removeDomain;
      await change(deps, project.id, field("domain"));
      noteSubject(c, `${field("domain")} ${field("to") === "main" ? "is the main domain" : "was removed"}`);
      return null;
    },
    async address({ project, field }, c) {
      const publicAddress = field("publicAddress").trim() || null;
      const moved = withSetting(project.settings, "publicAddress", publicAddress);
      refuseFurtherAddresses(moved, []);
      const redirect = field("redirect") === "yes" ? true : null;
      await saveSettings(deps, project, withSetting(moved, "redirectToMainDomain", redirect));
      noteSubject(c, changeWords("address", project.settings.publicAddress ?? "", publicAddress ?? ""));
      return null;
    },
    async access({ project, field }, c) {
      const mode = ACCESS_MODES.find((known) => known === field("mode"));
      if (!mode) throw new AppError("invalid", "Choose who may read the site.");
      const password = mode === "password" ? new Secret(field("password")) : null;
      const { mode: before } = await readSiteAccess(kysely, project.id);
      await setSiteAccess(deps, project.id, { mode, password });
      noteSubject(c, before === mode ? `a new ${mode}` : `from ${MODE_NAMES[before]} to ${MODE_NAMES[mode]}`);
      return null;
    },
    async "api-hosts"({ project, field }, c) {
      const before = await readApiAccess(deps, project);
      const hosts = field("hosts").split(/[\s,]+/);
      await saveApiAccess(deps, project, {
        hosts: hosts.filter((host) => host !== ""),
        proxy: field("proxy") === "yes",
      });
      const after = await readApiAccess(deps, project);
      noteSubject(c, changeWords("hosts", before.hosts.join(", "), after.hosts.join(", ")));
      await deps.refreshSite(project.id);
      return null;
    },
    async "api-read"({ project }) {
      await askApiAddresses(deps, project);
      return null;
    },
    async link({ project, field }) {
      const domains = await listDomains(kysely, project.id);
      const wanted = {
        site: { id: project.id, access: await readSiteAccess(kysely, project.id) },
        address: siteAddressOf(project.settings, domains, deps.hostUrl),
        ownUrl: deps.siteUrl(project.slug),
        path: field("path"),
        lifetimeSeconds: Number(field("days")) * DAY_SECONDS,
      };
      return { link: createSiteLink({ tokens: deps.siteTokens, clock: deps.clock }, wanted) };
    },
    async "sign-out"({ project }) {
      await endSiteVisits(deps, project.id);
      return null;
    },
  };

  routes.get("/:slug/site", async (c) => {
    const opened = await access.open(c, "admin");
    if (opened.answer) return opened.answer;
    return send(c, opened, { notice: NOTICES[c.req.query("done") ?? ""] ?? null });
  });

  const names = Object.keys(actions).join("|");
  routes.post(`/:slug/site/:action{${names}}`, limitedForm(MAX_FORM_BYTES), async (c) => {
    const page = `/${c.req.param("slug")}/site`;
    const action = c.req.param("action");
    const opened = await access.openForm(c, { signInTo: page, needs: "admin" });
    if (opened.answer) return opened.answer;
    try {
      const shown = await actions[action]!(opened, c);
      return shown === null
        ? c.redirect(`${page}?done=${action}`, 303)
        : await send(c, opened, shown, shown.refused == null ? 200 : 400);
    } catch (error) {
      const status = error instanceof AppError ? REFUSALS[error.code] : undefined;
      if (!(error instanceof AppError) || status === undefined) throw error;
      return send(c, opened, { refused: error.message }, status);
    }
  });
  return routes;
}

/** For the audit log. */
const MODE_NAMES: Record<AccessMode, string> = {
  public: "everyone",
  password: "people with a password",
  dashboard: "members of the project",
  links: "people with a link",
};

const REFUSALS: Readonly<Partial<Record<AppError["code"], 400 | 409 | 429 | 503>>> = {
  invalid: 400,
  not_found: 409, // removed meanwhile, in another window
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
};
