import { allowsScope, type Level } from "#kit/levels.ts";
import { ICON_HREF, LOGO } from "./brand.ts";
import { dashboardFile } from "./dashboard-files.ts";
import { html, type Html, raw } from "./markup.ts";
import { isSettings, settingsHref, settingsLayout, settingsSections, type SettingsSection } from "./settings-nav.ts";
import { visibleHtml } from "./visible-text.ts";

export interface ShownProject {
  slug: string;
  name: string;
  siteUrl: string;
  /** Where its repository and pull requests are; null when the embedded host has them. */
  hostUrl: string | null;
  /** Accepts no jobs, automations or pushes. */
  isArchived?: boolean;
  /** The reader's level; a member of a project always has one. */
  level?: Level;
  /** The person who is signed in; null with a key. */
  personName?: string | null;
}

/** Whether the reader of a project's page has the given level. */
export const may = ({ level }: Pick<ShownProject, "level">, needs: Level): boolean =>
  level !== undefined && allowsScope(level, needs);

/** Whether the reader may start work: an archived project accepts none, as the note on its pages says. */
export const mayStartWork = (place: Pick<ShownProject, "level" | "isArchived">): boolean =>
  may(place, "agent") && place.isArchived !== true;

/** Whether the reader may propose changes of files. */
export const mayEdit = (place: Pick<ShownProject, "level" | "isArchived">): boolean =>
  may(place, "write") && mayStartWork(place);

const ONLY_OURS =
  "style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Sent with every page: nothing is loaded from elsewhere, and no other site may frame it or receive its forms. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; ${ONLY_OURS}`;

/** The same for pages of the dashboard, whose script may send requests to this server. */
export const SCRIPT_SECURITY_POLICY = `default-src 'none'; script-src 'self'; connect-src 'self'; ${ONLY_OURS}`;

export type DashboardSection = "overview" | "pages" | "jobs" | "pulls" | "deployments" | "analytics" | SettingsSection;

/** The kind of reader: unknown, a member of another project, or a member of this one. */
export type Reader = "stranger" | "guest" | "member";

const SECTIONS: readonly { name: DashboardSection; label: string; path: string }[] = [
  { name: "overview", label: "Overview", path: "" },
  { name: "pages", label: "Pages", path: "/pages" },
  { name: "jobs", label: "Jobs", path: "/jobs" },
  { name: "pulls", label: "Pull requests", path: "/pulls" },
  { name: "deployments", label: "Deployments", path: "/deployments" },
  { name: "analytics", label: "Analytics", path: "/analytics" },
];

/** The sections of a project that a member may see, with their paths. */
export const projectSections = (member: Pick<ShownProject, "slug" | "level" | "hostUrl">) => [
  ...SECTIONS.map(({ label, path }) => ({ label, path })),
  ...settingsSections(member).map(({ name, label }) => ({ label: `Settings: ${label}`, path: `/${name}` })),
];

/** The reader of a page that belongs to no project, and which page it is. */
export interface InstancePlace {
  /** The person who is signed in; null with a key of the instance. */
  personName: string | null;
  /** May change the instance. */
  isOwner: boolean;
  section: InstanceSection;
}

export type InstanceSection = "projects" | "people" | "audit" | "account";

const INSTANCE_SECTIONS: readonly { name: InstanceSection; label: string; path: string; isForOwners: boolean }[] = [
  { name: "projects", label: "Projects", path: "/", isForOwners: false },
  { name: "people", label: "People", path: "/-/people", isForOwners: true },
  { name: "audit", label: "Audit log", path: "/-/audit", isForOwners: true },
  { name: "account", label: "Your account", path: "/-/account", isForOwners: false },
];

/** The sections of the instance that a reader may see. */
export const instanceSections = ({ isOwner, personName }: Pick<InstancePlace, "isOwner" | "personName">) =>
  INSTANCE_SECTIONS.filter(
    ({ name, isForOwners }) => (!isForOwners || isOwner) && (name !== "account" || personName !== null),
  );

export interface DocumentOptions {
  title: string;
  place: ShownProject | null;
  /** For a page of the instance; `place` is null. */
  instance?: InstancePlace;
  reader: Reader;
  section?: DashboardSection;
  /** The event stream or interval that the script follows, as attributes of `main`. */
  live?: { stream?: string; refreshSeconds?: number };
  /** Seconds after which a browser without scripts reloads the page. */
  reloadSeconds?: number;
  body: Html;
}

/** A page of the dashboard. */
export function dashboardDocument(options: DocumentOptions): Html {
  const { title, live, reloadSeconds, place, section } = options;
  const body = place !== null && isSettings(section) ? settingsLayout(place, section, options.body) : options.body;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${ICON_HREF}" />
        <link rel="preload" href="${dashboardFile("inter-latin.woff2")}" as="font" type="font/woff2" crossorigin />
        <link rel="stylesheet" href="${dashboardFile("dashboard.css")}" />
        <script type="module" src="${dashboardFile("dashboard.js")}"></script>
        ${reloadSeconds !== undefined ? html`<noscript><meta http-equiv="refresh" content="${reloadSeconds}" /></noscript>` : ""}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${header(options)}
        <main id="content" tabindex="-1" ${live?.stream !== undefined ? html`data-stream="${live.stream}"` : ""} ${live?.refreshSeconds !== undefined ? html`data-refresh="${live.refreshSeconds}"` : ""}>${place?.isArchived && archivedNote(place)} ${body}</main>
      </body>
    </html>`;
}

const archivedNote = (place: ShownProject): Html =>
  html`<p class="archived-note">
    This project is archived. Its site stays up; jobs, automations and pushes are refused.
    ${may(place, "admin") && html`<a href="/${place.slug}/settings#archive">Unarchive it</a>`}
  </p>`;

function header({ place, instance, reader, section }: DocumentOptions): Html {
  const personName = place?.personName ?? instance?.personName ?? null;
  // A reader from outside the project sees only its pull requests.
  const isMember = place !== null && reader === "member" && may(place, "read");
  const shown = SECTIONS.filter(({ name }) => name === "pulls" || isMember);
  const settings = isMember ? settingsHref(place) : null;
  return html`<header class="top">
    <div class="bar">
      <p class="where">
        <a class="brand" href="/">${LOGO}<span>Docent</span></a>
        ${place && html`<span class="slash" aria-hidden="true">/</span> <a class="project" href="/${place.slug}${reader === "member" ? "" : "/pulls"}">${place.name}</a>`}
        ${place && reader !== "stranger" && html`<button class="switcher" type="button" data-jump aria-label="Switch project" hidden>${CHEVRONS}</button>`}
      </p>
      <div class="who">
        ${reader !== "stranger" && html`<button class="jump" type="button" data-jump data-project="${place && reader === "member" ? place.slug : ""}" hidden>Search <kbd>Ctrl K</kbd></button>`}
        ${place && html`<a href="${place.siteUrl}" title="Open the site">Site <span aria-hidden="true">↗</span></a>`}
        ${
          reader === "stranger"
            ? place && html`<a href="/sign-in?to=${encodeURIComponent(`/${place.slug}`)}">Sign in</a>`
            : account(personName)
        }
      </div>
    </div>
    ${
      place &&
      html`<nav class="sections" aria-label="Project">
        ${shown.map(({ name, label, path }) =>
          name === "pulls" && place.hostUrl !== null
            ? html`<a href="${place.hostUrl}">${label} <span aria-hidden="true">↗</span></a>`
            : html`<a href="/${place.slug}${path}" ${name === section ? raw('aria-current="page"') : ""}>${label}</a>`,
        )}
        ${settings !== null && html`<a href="${settings}" ${isSettings(section) ? raw('aria-current="page"') : ""}>Settings</a>`}
      </nav>`
    }
    ${
      instance &&
      html`<nav class="sections" aria-label="Instance">
        ${instanceSections(instance).map(
          ({ name, label, path }) =>
            html`<a href="${path}" ${name === instance.section ? raw('aria-current="page"') : ""}>${label}</a>`,
        )}
      </nav>`
    }
  </header>`;
}

const CHEVRONS = raw(
  `<svg viewBox="0 0 16 16" width="14" height="14" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m5 6 3-3 3 3M5 10l3 3 3-3"/></svg>`,
);

const SIGN_OUT = html`<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>`;

/** The menu of a person who is signed in; with a key it only offers to sign out. */
function account(name: string | null): Html {
  if (name === null) return SIGN_OUT;
  const initials = name
    .split(/\s+/)
    .map((word) => /\p{L}/u.exec(word)?.[0] ?? "")
    .join("");
  const short = initials.slice(0, 2).toUpperCase() || "?";
  return html`<button class="avatar" type="button" popovertarget="account-menu" title="${name}" aria-label="${short}: account of ${name}">
      ${short}
    </button>
    <div class="menu" id="account-menu" popover>
      <p>${raw(visibleHtml(name))}</p>
      <a href="/-/account">Your account</a>
      <a href="/">All projects</a>
      ${SIGN_OUT}
    </div>`;
}

const DATE = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/** A moment in UTC that is shown as a date, such as an expiry. */
export const date = (moment: Date): Html =>
  html`<time datetime="${moment.toISOString()}" data-exact>${DATE.format(moment)} UTC</time>`;

/** A moment in UTC; the script shows how long ago it was, and the reader's local time on hover. */
export function time(date: Date): Html {
  return html`<time datetime="${date.toISOString()}">${DATE.format(date)} UTC</time>`;
}
