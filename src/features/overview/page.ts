import type { SeriesRow } from "#features/visitors/reports/series.ts";
import type { ListedPullRequest } from "#hosts/hosted-pull-requests.ts";
import { HOST_NAMES } from "#hosts/host-names.ts";
import type { ConnectionState } from "#hosts/remote/connections.ts";
import type { SourceRepository } from "#hosts/sources/sources.ts";
import type { Deployment } from "#features/sites/deployments/deployment.ts";
import type { SiteTrouble } from "#features/sites/site-versions.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { findingsOf, isBeingChecked } from "#features/sites/deployments/deployments-page.ts";
import { barChart } from "#kit/pages/bar-chart.ts";
import { copyable } from "#kit/pages/copyable.ts";
import { dashboardDocument, may, mayStartWork, type ShownProject, time } from "#kit/pages/document.ts";
import {
  AUDIT_PATH,
  isAnyActive,
  jobList,
  LIST_REFRESH_SECONDS,
  type ListedJob,
} from "#features/jobs/pages/job-list.ts";
import { type NewJobForm, newJobForm } from "#features/jobs/pages/new-job.ts";
import { quotaBars } from "#features/projects/quota-bars.ts";
import type { QuotaUse } from "#features/projects/quotas.ts";
import { foundModels } from "#features/settings/found-models.ts";
import type { LocalServer } from "#models/local-servers.ts";
import { type ExternalSite, externalSitePanel, lastCountedDay } from "./external-site-panel.ts";
import { firstSteps, type ProjectProgress } from "./first-steps.ts";
import { sourceFacts } from "./source-facts.ts";
import { pullRequestRows } from "#features/pull-requests/pull-request-list.ts";

export interface OverviewPage {
  place: ShownProject;
  projectId: string;
  repositoryUrl: string;
  branch: string;
  /** Its repository is missing from the data directory. */
  isLost: boolean;
  /** What readers of the site miss because it cannot be read. */
  trouble: SiteTrouble;
  /** Null for the embedded host. */
  connection: ConnectionState | null;
  sources: readonly SourceRepository[];
  form: NewJobForm;
  progress: ProjectProgress;
  /**
   * Model servers on this machine. Only for owners of the server, before the first job, and if the project has no
   * model.
   */
  found: readonly LocalServer[];
  /** The repository is on the embedded host, and has no commits yet. */
  isEmpty: boolean;
  jobs: readonly ListedJob[];
  pullRequests: readonly ListedPullRequest[];
  /** The live deployment; null if there is none. */
  live: Deployment | null;
  /** The site shows this commit whatever is pushed. */
  isPinned: boolean;
  /** Empty if the project has no quotas. */
  quotas: readonly QuotaUse[];
  /** Null where Docent publishes the site. */
  external: ExternalSite | null;
  days: number;
  totals: { human: number; ai: number; total: number };
  series: readonly SeriesRow[];
}

const SHOWN_TROUBLE = 5;
const SMALL = { width: 360, height: 150 };

/** Overview of a project. */
export function overviewPage(page: OverviewPage): Html {
  const { place } = page;
  const all = (path: string) => html`<a href="/${place.slug}/${path}">All</a>`;
  return dashboardDocument({
    title: place.name,
    place,
    reader: "member",
    section: "overview",
    live: isChanging(page) ? { refreshSeconds: LIST_REFRESH_SECONDS } : {},
    body: html`<div class="heading"><h1>${place.name}</h1>${mayStartWork(place) && !page.isEmpty && html`<a class="button" href="/${place.slug}/${AUDIT_PATH}">Audit the docs</a>`}</div>
      ${
        page.isLost &&
        html`<p class="problem" role="alert">
          The repository of this project is missing from the data directory of the server. Its site is 503 and its jobs wait until it is put
          back: the operator finds its place in the log.
        </p>`
      }
      ${!page.isLost && siteTrouble(page.trouble)}
      ${firstSteps(place, page.form.csrfToken, page.progress)}
      ${page.isEmpty ? firstPush(page) : newJobForm(page.form)}
      ${page.external && externalSitePanel(page.external, { place, projectId: page.projectId, counted: lastCountedDay(page.series) })}
      ${!page.isEmpty && foundModels({ slug: place.slug, csrfToken: page.form.csrfToken, servers: page.found, used: null })}
      <div class="overview">
        <div>
          <section class="block">
            <div class="block-head"><h2>Recent jobs</h2>${all("jobs")}</div>
            ${jobList(place, page.jobs)}
            ${page.jobs.length === 0 && html`<p class="muted">No jobs yet.${page.isEmpty ? " They need docs to work on." : mayStartWork(place) && " Describe a change above to start one."}</p>`}
          </section>
          <section class="block">
            ${page.connection ? pullRequestsOnHost(page.connection) : openPullRequests(page)}
          </section>
        </div>
        <div>
          <section class="block">
            <div class="block-head"><h2>Visitors, ${page.days} days</h2>${all(`analytics?days=${page.days}`)}</div>
            ${visitors(page)}
          </section>
          <section class="block" id="project" data-live>
            <h2>Project</h2>
            <dl class="facts">
              <dt>Site</dt>
              <dd><a href="${place.siteUrl}">${place.siteUrl}</a></dd>
              ${page.external && agentFacts(page.external)}
              ${liveFact(page)}
              <dt>Branch</dt>
              <dd><code>${page.branch}</code></dd>
              ${page.connection ? connectionFacts(place.slug, page.connection) : cloneFact(page)}
              <dt>Project ID</dt>
              <dd>${copyable("project-id", page.projectId)} ${may(place, "admin") && html`<a href="/${place.slug}/keys">API keys</a>`}</dd>
              ${sourceFacts(page.sources)}
            </dl>
            ${page.quotas.length > 0 && quotaBars(page.quotas)}
          </section>
        </div>
      </div>`,
  });
}

const siteTrouble = ({ isDown, words }: SiteTrouble): Html | false =>
  words.length > 0 &&
  html`<div class="problem" role="alert">
    <p>${isDown ? "Readers get no page of this site." : "Readers do not get everything of this site:"} ${words.slice(0, SHOWN_TROUBLE).join(" ")} ${words.length > SHOWN_TROUBLE && `And ${words.length - SHOWN_TROUBLE} more files.`}</p>
    ${!isDown && html`<p>The operator of the server restores the repository: <code>docent doctor</code> says how.</p>`}
  </div>`;

/** Whether the page looks different in a moment by itself. */
const isChanging = ({ jobs, form, live, isPinned, isEmpty, isLost }: OverviewPage): boolean =>
  isAnyActive(jobs) ||
  form.offered.kind === "looking" ||
  (live === null ? !isEmpty && !isLost : isBeingChecked(live, !isPinned));

/** How to push docs to an empty repository. */
function firstPush(page: OverviewPage): Html {
  const { place, repositoryUrl, branch } = page;
  if (!may(place, "write") || place.isArchived)
    return html`<p class="muted">The repository of this project has no commits yet.</p>`;
  return html`<section class="panel" id="first-push">
    <h2>Push the docs</h2>
    <p>The repository of this project has no commits yet. In the folder of your docs, which is a git repository, run:</p>
    <pre tabindex="0"><code id="push-commands">git remote add docent ${repositoryUrl}
git push docent HEAD:${branch}</code></pre>
    <p class="buttons"><button type="button" class="copy" data-copy="push-commands" hidden>Copy</button></p>
    <p class="muted">
      Git asks for a user name, which can be anything, and a password: ${gitPassword(place)}. ${page.external ? "Jobs and previews work" : "The site is live"} within a second, and its <a href="/${place.slug}/pages">pages</a> can be edited in the browser.
    </p>
  </section>`;
}

/** What git takes as the password; the scope `write` is enough to push. */
const gitPassword = (place: ShownProject): Html => {
  const token = "personal access token";
  return html`use a ${place.personName == null ? token : html`<a href="/-/account">${token}</a>`} with the scope
    <code>write</code>, or ${may(place, "admin") ? html`an <a href="/${place.slug}/keys">API key</a>` : "an API key"} with it`;
};

function openPullRequests({ place, pullRequests }: OverviewPage): Html {
  return html`<div class="block-head"><h2>Open pull requests</h2><a href="/${place.slug}/pulls">All</a></div>
    ${pullRequestRows(place, pullRequests)}
    ${pullRequests.length === 0 && html`<p class="muted">No pull request is waiting for review.</p>`}`;
}

const pullRequestsOnHost = ({ kind, url }: ConnectionState): Html =>
  html`<div class="block-head"><h2>Pull requests</h2></div>
    <p class="muted">They are on ${HOST_NAMES[kind]}: <a href="${url}">${url}</a>. Each job links to its own.</p>`;

/** What Docent serves of a site that another service publishes. */
const agentFacts = ({ ownUrl }: ExternalSite): Html =>
  html`<dt>For AI agents</dt>
    <dd><a href="${ownUrl}llms.txt">${ownUrl}llms.txt</a><br />${copyable("mcp", `${ownUrl}mcp`)} <small class="hint">MCP server</small></dd>`;

/** The live deployment with the counts of its report; its own page lists the problems. */
const liveFact = ({ place: { slug }, live, isPinned, isEmpty, isLost, trouble }: OverviewPage): Html =>
  html`<dt>Live</dt>
    <dd>${isLost || trouble.isDown ? "no: the site cannot be shown" : live ? html`<a href="/${slug}/deployments/${live.number}">${findingsOf(live, !isPinned)}</a>` : isEmpty ? "nothing yet: no commit was pushed" : html`<a href="/${slug}/deployments">not yet, the first commit is being loaded</a>`}</dd>`;

const cloneFact = ({ place, repositoryUrl }: OverviewPage): Html =>
  html`<dt>Clone</dt>
    <dd>${copyable("repository", repositoryUrl)} <small class="hint">Git asks for a password: ${gitPassword(place)}.</small></dd>`;

/** Location of the repository, and the state of its sync. */
function connectionFacts(slug: string, { kind, url, syncedAt, webhookAt, trouble, remarks }: ConnectionState): Html {
  return html`<dt>${HOST_NAMES[kind]}</dt>
    <dd><a href="${url}">${url}</a></dd>
    <dt>Current as of</dt>
    <dd>${syncedAt ? time(syncedAt) : "not yet"}</dd>
    <dt>Webhook</dt>
    <dd>${webhookAt ? time(webhookAt) : html`none yet; the host is asked every minute`}</dd>
    ${trouble !== null && html`<dt>Trouble</dt><dd class="trouble">${trouble}</dd>`}
    ${remarks.map((remark) => html`<dt>Note</dt><dd>${remark}</dd>`)}
    <dt>Connection</dt>
    <dd><a href="/${slug}/connection">State, webhook, token</a></dd>`;
}

function visitors({ totals, series }: OverviewPage): Html {
  const total = (name: string, value: number) =>
    html`<div class="card"><dt>${name}</dt><dd>${value.toLocaleString("en")}</dd></div>`;
  return html`<dl class="totals">${total("People", totals.human)} ${total("AI", totals.ai)} ${total("All", totals.total)}</dl>
    ${
      totals.total === 0
        ? html`<p class="muted">No visitors yet.</p>`
        : barChart(
            series.map((row) => ({ label: row.day, human: row.visitors.human, ai: row.visitors.ai })),
            SMALL,
          )
    }`;
}
