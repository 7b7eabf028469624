import { counted } from "#lib/counted.ts";
import { dashboardDocument, may, type ShownProject, time } from "#kit/pages/document.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import type { SitePin } from "#features/projects/project.ts";
import { type DeployedBy, deployedBy } from "./deployed-by.ts";
import { findings } from "./findings.ts";
import type { Deployment, KeptReport } from "./deployment.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { doneNote, formStart, problemNote } from "#kit/pages/post-form.ts";

export interface DeploymentsPage {
  place: ShownProject;
  csrfToken: string;
  branch: string;
  /** Another service publishes the site. */
  isPublishedElsewhere: boolean;
  deployments: readonly Deployment[];
  people: DeployedBy;
  newestId: string | null;
  liveId: string | null;
  pin: SitePin | null;
  /** Whether commits newer than the pinned one wait. */
  isAnyWaiting: boolean;
  olderHref: string | null;
  /** The result of the last action. */
  notice: string | null;
  /** Why the last action was refused. */
  refused: string | null;
  isFollowed: boolean;
  /** Branches except the published one, those with the newest commits first. */
  branches: readonly ShownBranch[];
  /** Whether the repository is on another host, from which only some branches are mirrored. */
  isElsewhere: boolean;
}

export interface ShownBranch {
  name: string;
  commit: string;
  author: string;
  subject: string;
  committedAt: Date;
  /** Opens its preview. */
  href: string;
}

const REFRESH_SECONDS = 5;

/** The deployments of a site, and which one is live. */
export function deploymentsPage(page: DeploymentsPage): Html {
  const { place, deployments, pin, notice, refused } = page;
  return dashboardDocument({
    title: `Deployments · ${place.name}`,
    place,
    reader: "member",
    section: "deployments",
    live: page.isFollowed ? { refreshSeconds: REFRESH_SECONDS } : {},
    body: html`<div class="heading"><h1>Deployments</h1></div>
      ${doneNote(notice)}
      ${problemNote(refused)}
      ${pin ? pinned(page, pin) : html`<p class="muted">${page.isPublishedElsewhere ? "Markdown, search and MCP at Docent show" : "The site shows"} the newest commit of <code>${page.branch}</code> within seconds of the push. You can roll back to any earlier commit.${page.isPublishedElsewhere && " Your external site does not change."}</p>`}
      <section id="deployments" class="block" data-live>
        ${deployments.length === 0 ? html`<p class="muted">No deployments yet. The first one appears when a commit is pushed.</p>` : table(page)}
        ${page.olderHref !== null && html`<p><a href="${page.olderHref}" rel="next">Older</a></p>`}
      </section>
      ${previews(page)}`,
  });
}

function pinned({ place, csrfToken, branch, isAnyWaiting }: DeploymentsPage, pin: SitePin): Html {
  return html`<section class="panel connection">
    <div class="block-head">
      <h2><span class="lamp wait" aria-hidden="true"></span> Pinned to <code>${pin.commit.slice(0, 7)}</code></h2>
      ${
        may(place, "write") &&
        html`${formStart(`/${place.slug}/deployments/unpin`, csrfToken, "")}
          <button class="button primary">Resume deployments</button>
        </form>`
      }
    </div>
    <p>
      Since ${time(pin.at)}, by ${raw(visibleHtml(pin.by))}. ${
        isAnyWaiting
          ? html`Newer commits of <code>${branch}</code> are waiting.`
          : html`New commits of <code>${branch}</code> will wait.`
      } Agent jobs keep working on the branch.
    </p>
  </section>`;
}

function table(page: DeploymentsPage): Html {
  return listTable(
    ["Commit", "By", "Deployed", "Took", "Report"],
    page.deployments.map((deployment) => row(page, deployment)),
    "Show",
  );
}

function row(page: DeploymentsPage, deployment: Deployment): Html {
  const { slug } = page.place;
  const isLive = deployment.id === page.liveId;
  return html`<tr>
    <td>
      <a href="/${slug}/deployments/${deployment.number}">${raw(visibleHtml(deployment.subject || "(no subject)"))}</a>
      <code>${deployment.commit.slice(0, 7)}</code> ${badge(deployment, page)}
    </td>
    <td data-label="By">${deployedBy(deployment, page.people)}</td>
    <td data-label="Deployed">${time(deployment.noticedAt)}</td>
    <td data-label="Took">${liveAfter(deployment) ?? "–"}</td>
    <td data-label="Report"><a href="/${slug}/deployments/${deployment.number}">${findingsOf(deployment, deployment.id === page.newestId)}</a></td>
    <td>${!isLive && deployment.state === "ready" && showForm(page, deployment, deployment.liveAt ? "Roll back" : "Publish")}</td>
  </tr>`;
}

function previews({ place, csrfToken, branches, isElsewhere }: DeploymentsPage): Html {
  return html`<section class="block">
    <h2>Branch previews</h2>
    <p class="muted">
      Each branch has a preview site at a secret link, for as long as the branch exists.
    </p>
    ${
      may(place, "agent") &&
      html`${formStart(`/${place.slug}/deployments/preview`, csrfToken)}
        <div class="row">
          <label>Branch name <input name="branch" required maxlength="400" autocomplete="off" spellcheck="false" placeholder="${isElsewhere ? "As on the code host" : "new-guide"}" /></label>
          <button class="button">Open preview</button>
        </div>
      </form>`
    }
    <ul class="pull-list">
      ${branches.map(
        ({ name, commit, author, subject, committedAt, href }) => html`<li>
          <a href="${href}"><b>${raw(visibleHtml(name))}</b></a>
          <span>${raw(visibleHtml(subject))}</span>
          <span class="muted"><code>${commit.slice(0, 7)}</code> ${raw(visibleHtml(author))} · ${time(committedAt)}</span>
        </li>`,
      )}
    </ul>
  </section>`;
}

/** A button that pins the site to a deployment. */
export function showForm(
  { place, csrfToken }: Pick<DeploymentsPage, "place" | "csrfToken">,
  { commit }: Pick<Deployment, "commit">,
  words: string,
): Html | null {
  if (!may(place, "write")) return null;
  return html`${formStart(`/${place.slug}/deployments/pin`, csrfToken, "")}
    <input type="hidden" name="commit" value="${commit}" />
    <button class="button">${words}</button>
  </form>`;
}

/** A label for the current state; empty for a deployment that was live earlier. */
export function badge(
  { id, state, liveAt }: Deployment,
  { liveId, pin }: { liveId: string | null; pin: SitePin | null },
): Html | null {
  if (id === liveId) return html`<span class="badge here">live</span>`;
  if (state !== "ready") return html`<span class="badge">${state}</span>`;
  return pin && liveAt === null ? html`<span class="badge">waiting</span>` : null;
}

/** The time from the push to going live; null when it is unknown, or the deployment waited behind a pin. */
export function liveAfter({ pushedAt, liveAt }: Deployment): string | null {
  if (!pushedAt || !liveAt) return null;
  const milliseconds = Math.max(0, liveAt.getTime() - pushedAt.getTime());
  return milliseconds < 10_000 ? `${milliseconds}\u00A0ms` : `${Math.round(milliseconds / 1000)}\u00A0s`;
}

/** Whether its report is still being made: only the newest deployment gets one. */
export const isBeingChecked = ({ state, errors }: Deployment, isNewest: boolean): boolean =>
  isNewest && errors === null && (state === "ready" || state === "loading");

/** The number of pages and of problems in its report, in a few words. */
export function findingsOf(deployment: Deployment, isNewest: boolean): string {
  const { pages, errors, warnings, state } = deployment;
  const parts = pages === null ? [] : [counted(pages, "page")];
  if (errors !== null && errors > 0) parts.push(counted(errors, "error"));
  if (warnings !== null && warnings > 0) parts.push(counted(warnings, "warning"));
  if (isBeingChecked(deployment, isNewest)) parts.push("checking…");
  else if (errors === null && state === "ready") parts.push("not checked");
  else if (errors === 0 && warnings === 0) parts.push("no problems");
  return parts.length === 0 ? "–" : parts.join(", ");
}

interface DeploymentPage {
  place: ShownProject;
  csrfToken: string;
  deployment: Deployment;
  people: DeployedBy;
  isNewest: boolean;
  report: KeptReport | null;
  liveId: string | null;
  pin: SitePin | null;
}

/** The page of one deployment. */
export function deploymentPage(page: DeploymentPage): Html {
  const { place, deployment, pin } = page;
  const isLive = deployment.id === page.liveId;
  return dashboardDocument({
    title: `Deployment ${deployment.number} · ${place.name}`,
    place,
    reader: "member",
    section: "deployments",
    live: isBeingChecked(deployment, page.isNewest) ? { refreshSeconds: REFRESH_SECONDS } : {},
    body: html`<div class="heading">
        <h1>${raw(visibleHtml(deployment.subject || "(no subject)"))}</h1>
        <p>Deployment ${deployment.number} <code>${deployment.commit.slice(0, 7)}</code> ${badge(deployment, page)}</p>
      </div>
      <section class="panel block" id="deployment" data-live>
        ${deployment.trouble !== null && html`<p class="problem" role="alert">${raw(visibleHtml(deployment.trouble))}</p>`}
        <dl class="facts">
          <dt>Commit</dt>
          <dd><code>${deployment.commit}</code></dd>
          <dt>Branch</dt>
          <dd><code>${raw(visibleHtml(deployment.branch))}</code></dd>
          <dt>Author</dt>
          <dd>${deployedBy(deployment, page.people)}, ${time(deployment.authoredAt)}</dd>
          <dt>Deployed</dt>
          <dd>${time(deployment.noticedAt)}</dd>
          <dt>Live</dt>
          <dd>${deployment.liveAt ? html`${time(deployment.liveAt)}${afterPush(deployment)}` : "not yet"}</dd>
          <dt>Report</dt>
          <dd>${findingsOf(deployment, page.isNewest)}</dd>
        </dl>
        ${
          deployment.state === "ready" &&
          !(isLive && pin) &&
          html`<div class="actions">${showForm(page, deployment, isLive ? "Pin this commit" : deployment.liveAt ? "Roll back to this commit" : "Publish this commit")}</div>`
        }
      </section>
      <div id="findings" data-live>${page.report && findings(page.report, place)}</div>
      <p class="block"><a href="/${place.slug}/deployments">All deployments</a></p>`,
  });
}

function afterPush(deployment: Deployment): string {
  const after = liveAfter(deployment);
  return after === null ? "" : `, ${after} after the push`;
}
