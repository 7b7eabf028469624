import type { SeriesRow } from "#features/visitors/reports/series.ts";
import { basePathOf } from "#features/projects/site/external-site.ts";
import { may, type ShownProject } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";

/** A project's site at another service, and how its visitors are counted. */
export interface ExternalSite {
  /** Without a slash at its end. */
  address: string;
  /** What Docent serves of it. */
  ownUrl: string;
  /** For its pages. */
  snippet: string;
  /** Whether the project counts visitors at all. */
  isCounting: boolean;
}

/** The last day on which a person was counted; null when there is none in the range. */
export const lastCountedDay = (series: readonly SeriesRow[]): string | null =>
  series.findLast(({ visitors }) => visitors.human > 0)?.day ?? null;

/** Addresses that only this machine can reach. */
const LOCAL = /^https?:\/\/(?:[^/:]+\.)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/]|$)/;

/** What a project with an external site needs to know first: that its readers stay there, and how they are counted. */
export function externalSitePanel(
  { address, ownUrl, snippet, isCounting }: ExternalSite,
  { place, projectId, counted }: { place: ShownProject; projectId: string; counted: string | null },
): Html {
  const { slug } = place;
  const base = basePathOf(address);
  const ways = html`${LOCAL.test(ownUrl) && html`<p class="problem">This server is at <code>${new URL(ownUrl).host}</code>, which the browsers of your readers cannot reach. Set <code>DOCENT_BASE_URL</code> to its public address first.</p>`}
    <h3>With a script</h3>
    <p>
      Add it to the head of every page, in the configuration of your documentation tool. Docent counts views
      of ${base === "" ? "pages at" : html`pages below <code>${base}</code> at`} <code>${new URL(address).origin}</code>.
    </p>
    <pre tabindex="0" class="snippet"><code id="view-script">${snippet}</code></pre>
    <p class="buttons"><button type="button" class="copy" data-copy="view-script" hidden>Copy</button></p>
    <h3>Without a script</h3>
    <p>Import the access log of your host, or send views from your own server to the API:</p>
    <pre tabindex="0"><code>docent analytics import-log ${slug} access.log
POST /v1/analytics/${projectId}/views</code></pre>`;
  const state = isCounting
    ? counted === null
      ? html`<span class="lamp wait"></span> No view has arrived yet. Add the script below, and open a page of the site.`
      : html`<span class="lamp good"></span> Views arrive. The last day with readers is ${counted}.`
    : html`<span class="lamp"></span> Visitors are not counted: that is turned off in the settings.`;
  return html`<section class="panel" id="external-site">
    <div class="block-head">
      <h2>The site is published elsewhere</h2>
      ${may(place, "admin") && html`<a href="/${slug}/site">Change</a>`}
    </div>
    <p>
      Readers are at <a href="${place.siteUrl}">${place.siteUrl}</a>. Docent runs jobs, previews and checks. Its own pages redirect to
      the site.
    </p>
    <p class="counted" role="status">${state}</p>
    ${isCounting && html`<details ${counted === null ? raw("open") : ""}><summary>Count visitors</summary>${ways}</details>`}
  </section>`;
}
