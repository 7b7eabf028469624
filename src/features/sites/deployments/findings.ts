import { editHref } from "#features/projects/edit-address.ts";
import { mayEdit, mayStartWork, type ShownProject } from "#kit/pages/document.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { bySeverity, groupProblems, type PlacedProblem, placeText } from "#features/sites/report/problem-groups.ts";
import type { KeptReport } from "./deployment.ts";

/** Chores that fix kinds of problems. Each is tried first, and shows what it would change. */
const FIXES = [
  // Without a number: the chore fixes only links with one possible target.
  { codes: ["broken_link", "broken_anchor"], chore: "fix_links", words: "Fix broken links" },
  { codes: ["navigation"], chore: "repair_navigation", words: "Repair the navigation" },
];

function fixes(problems: KeptReport["problems"], slug: string): Html[] {
  return FIXES.filter(({ codes }) => problems.some(({ code }) => code !== undefined && codes.includes(code))).map(
    ({ chore, words }) => html`<a class="button" href="/${slug}/jobs/chores?chore=${chore}&amp;try=yes">${words}</a> `,
  );
}

/** The place of a problem, which opens the editor at its line. */
function placeOf(problem: PlacedProblem, place: ShownProject): Html {
  const text = html`<code>${raw(visibleHtml(placeText(problem)))}</code>`;
  const isFile = /\.(?:mdx?|json|ya?ml)$/.test(problem.path);
  return isFile && mayEdit(place)
    ? html`<a href="${editHref(place.slug, problem)}" title="Edit">${text}</a> `
    : html`${text} `;
}

/** The problems in the report of a deployment. */
export function findings({ problems, leftOut, links }: KeptReport, place: ShownProject): Html {
  const offered = mayStartWork(place) ? fixes(problems, place.slug) : [];
  const { groups, single } = groupProblems(problems);
  const rows = [
    ...groups.map(({ first, count, shown }) => ({ problem: first, places: shown, more: count - shown.length })),
    ...single.map((problem) => ({ problem, places: [problem], more: 0 })),
  ].sort((a, b) => bySeverity(a.problem, b.problem));
  return html`<section class="block">
    <h2>Report</h2>
    <p class="muted">
      ${links.checked.toLocaleString("en")} ${links.checked === 1 ? "link" : "links"} checked, ${links.broken.toLocaleString("en")} broken.
      ${problems.length === 0 && "No problems found."}
    </p>
    ${offered.length > 0 && html`<p class="actions">${offered}</p>`}
    ${
      problems.length > 0 &&
      listTable(
        ["Where", "What"],
        rows.map(
          ({ problem, places, more }) => html`<tr>
            <td>${places.map((each) => placeOf(each, place))}${more > 0 && `and ${more.toLocaleString("en")} more`}</td>
            <td data-label="">${raw(visibleHtml(problem.message))}</td>
            <td><span class="badge ${problem.severity}">${problem.severity}</span></td>
          </tr>`,
        ),
        "Severity",
      )
    }
    ${leftOut > 0 && html`<p class="muted">And ${leftOut.toLocaleString("en")} more.</p>`}
  </section>`;
}
