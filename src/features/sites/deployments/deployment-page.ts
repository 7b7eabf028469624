import { dashboardDocument, type ShownProject, time } from "#kit/pages/document.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import type { SitePin } from "#features/projects/project.ts";
import type { Deployment, KeptReport } from "./deployment.ts";
import { groupProblems, placeText } from "#features/sites/report/problem-groups.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { badge, findingsOf, liveAfter, showForm } from "./deployments-page.ts";

export interface DeploymentPage {
  place: ShownProject;
  script: string;
  csrfToken: string;
  deployment: Deployment;
  report: KeptReport | null;
  liveId: string | null;
  pin: SitePin | null;
}

/** One commit that came to be a site's newest. */
export function deploymentPage(page: DeploymentPage): Html {
  const { place, deployment, pin } = page;
  const isLive = deployment.id === page.liveId;
  return dashboardDocument({
    title: `Deployment ${deployment.number} · ${place.name}`,
    place,
    reader: "member",
    section: "deployments",
    script: page.script,
    body: html`<div class="heading">
        <h1>${raw(visibleHtml(deployment.subject || "(no subject)"))}</h1>
        <p>Deployment ${deployment.number} <code>${deployment.commit.slice(0, 7)}</code> ${badge(deployment, page)}</p>
      </div>
      <section class="panel block">
        ${deployment.trouble !== null && html`<p class="problem" role="alert">${raw(visibleHtml(deployment.trouble))}</p>`}
        <dl class="facts">
          <dt>Commit</dt>
          <dd><code>${deployment.commit}</code></dd>
          <dt>Branch</dt>
          <dd><code>${raw(visibleHtml(deployment.branch))}</code></dd>
          <dt>Author</dt>
          <dd>${raw(visibleHtml(deployment.author))}, ${time(deployment.authoredAt)}</dd>
          <dt>Noticed</dt>
          <dd>${time(deployment.noticedAt)}</dd>
          <dt>Live</dt>
          <dd>${deployment.liveAt ? html`${time(deployment.liveAt)}${afterPush(deployment)}` : "not so far"}</dd>
          <dt>Report</dt>
          <dd>${findingsOf(deployment)}</dd>
        </dl>
        ${
          deployment.state === "ready" &&
          !(isLive && pin) &&
          html`<div class="actions">${showForm(page, deployment, isLive ? "Stay at this commit" : "Show this commit")}</div>`
        }
      </section>
      ${page.report && findings(page.report)}
      <p class="block"><a href="/${place.slug}/deployments">All deployments</a></p>`,
  });
}

function afterPush(deployment: Deployment): string {
  const after = liveAfter(deployment);
  return after === null ? "" : `, ${after} after its push arrived`;
}

function findings({ problems, leftOut, links }: KeptReport): Html {
  const { groups, single } = groupProblems(problems);
  const rows = [
    ...groups.map(({ first, count, shown }) => ({ problem: first, places: shown, more: count - shown.length })),
    ...single.map((problem) => ({ problem, places: [problem], more: 0 })),
  ];
  return html`<section class="block">
    <h2>Report</h2>
    <p class="muted">
      ${links.checked.toLocaleString("en")} links looked at, ${links.broken.toLocaleString("en")} broken.
      ${problems.length === 0 && "Nothing else to say: all is well."}
    </p>
    ${
      problems.length > 0 &&
      html`<table class="keys">
        <thead>
          <tr>
            ${["Where", "What", ""].map((column) => html`<th scope="col">${column || html`<span class="hidden">Severity</span>`}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ problem, places, more }) => html`<tr>
              <td>${places.map((each) => html`<code>${raw(visibleHtml(placeText(each)))}</code> `)}${more > 0 && `and ${more.toLocaleString("en")} more`}</td>
              <td data-label="">${raw(visibleHtml(problem.message))}</td>
              <td><span class="badge ${problem.severity}">${problem.severity}</span></td>
            </tr>`,
          )}
        </tbody>
      </table>`
    }
    ${leftOut > 0 && html`<p class="muted">And ${leftOut.toLocaleString("en")} more.</p>`}
  </section>`;
}
