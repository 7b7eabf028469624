import type { Project } from "#projects/project.ts";
import { html, type Html, raw } from "#sites/theme/markup.ts";
import { dashboardDocument } from "./layout/document.ts";
import { visibleHtml } from "./layout/visible-text.ts";

/** Every project of the instance, for who is signed in with one of its keys. */
export function projectsPage(projects: readonly Pick<Project, "slug" | "name" | "branch">[]): Html {
  const rows = projects.map(
    ({ slug, name, branch }) =>
      html`<tr>
        <td><a href="/${slug}">${raw(visibleHtml(name))}</a></td>
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
