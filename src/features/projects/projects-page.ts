import type { Project } from "./project.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { dashboardDocument } from "#kit/pages/document.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

export interface ListedProject extends Pick<Project, "slug" | "name" | "branch"> {
  /** Its repository is missing from the data directory. */
  isLost: boolean;
}

/** Every project of the instance, for who is signed in with one of its keys. */
export function projectsPage(projects: readonly ListedProject[]): Html {
  const lost = projects.filter(({ isLost }) => isLost).length;
  const rows = projects.map(
    ({ slug, name, branch, isLost }) =>
      html`<tr>
        <td><a href="/${slug}">${raw(visibleHtml(name))}</a>${isLost && html` <span class="trouble">Repository missing</span>`}</td>
        <td data-label="Address"><code>${slug}</code></td>
        <td data-label="Branch"><code>${branch}</code></td>
      </tr>`,
  );
  return dashboardDocument({
    title: "Projects",
    place: null,
    reader: "member",
    body: html`<div class="heading"><h1>Projects</h1></div>
      ${
        lost > 0 &&
        html`<p class="problem" role="alert">
          ${lost === 1 ? "One repository is" : `${lost} repositories are`} missing from the data directory. Their sites are 503 and their jobs wait.
          The log of the server has the places; put them back from a backup.
        </p>`
      }
      ${
        rows.length === 0
          ? html`<p class="muted">There are none.</p>`
          : html`<table>
              <thead>
                <tr>${["Name", "Address", "Branch"].map((column) => html`<th scope="col">${column}</th>`)}</tr>
              </thead>
              <tbody>${rows}</tbody>
            </table>`
      }`,
  });
}
