import type { Project } from "./project.ts";
import { allowsScope, LEVEL_OF_ROLE, type Level, ROLES } from "#kit/levels.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { dashboardDocument, type InstancePlace } from "#kit/pages/document.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

export interface ListedProject extends Pick<Project, "slug" | "name" | "branch"> {
  siteUrl: string;
  level: Level;
  /** Its repository is missing from the data directory. */
  isLost: boolean;
}

export interface ProjectsPage {
  instance: InstancePlace;
  projects: readonly ListedProject[];
  search: string;
  /** Lists archived projects. */
  isArchive: boolean;
  /** Number of matches that this view hides because of their archive state. */
  others: number;
  /** The reader can see at least one project, whether or not it matches the search. */
  isAny: boolean;
}

const NEW_PROJECT = "/-/new";

/** Projects that a person can see; all for owners and instance keys. */
export function projectsPage(page: ProjectsPage): Html {
  const { instance, projects, isAny } = page;
  const lost = projects.filter(({ isLost }) => isLost).length;
  return dashboardDocument({
    title: "Projects · Docent",
    place: null,
    instance,
    reader: "member",
    body: html`<div class="heading">
        <h1>Projects</h1>
        ${instance.isOwner && html`<a class="button primary" href="${NEW_PROJECT}">New project</a>`}
      </div>
      ${
        lost > 0 &&
        html`<p class="problem" role="alert">
          ${lost === 1 ? "One repository is" : `${lost} repositories are`} missing from the data directory. Their sites are 503 and their jobs wait.
          The log of the server has the places; put them back from a backup.
        </p>`
      }
      ${isAny ? list(page) : none(instance)}`,
  });
}

const none = ({ isOwner }: InstancePlace): Html =>
  html`<div class="empty">
    <h2>No projects yet</h2>
    ${
      isOwner
        ? html`<p>Connect the repository of your docs. Its site is live within seconds, and the agent can work on it.</p>
            <p><a class="button primary" href="${NEW_PROJECT}">Add your first project</a></p>`
        : html`<p>You have no role in a project yet. An admin of a project can add you on its members page.</p>`
    }
  </div>`;

function list({ projects, search, isArchive, others }: ProjectsPage): Html {
  const query = (archived: boolean) => new URLSearchParams({ ...(search !== "" && { search }), ...(archived && { archived: "" }) }).toString(); // oxfmt-ignore
  return html`<form class="inline search block" method="get" action="/" role="search">
      <input name="search" type="search" aria-label="Search projects" placeholder="Search projects" value="${search}" />
      ${isArchive && html`<input type="hidden" name="archived" value="" />`}
      ${isArchive ? html`<a href="/?${query(false)}">Back to the projects</a>` : others > 0 && html`<a href="/?${query(true)}">${others} archived</a>`}
    </form>
    ${
      projects.length === 0
        ? html`<p class="muted">${search !== "" ? `No project matches “${search}”.` : isArchive ? "No project is archived." : "All projects are archived."}</p>`
        : listTable(["Name", "Site", "Branch", "Your role"], projects.map(row))
    }`;
}

const row = ({ slug, name, branch, siteUrl, level, isLost }: ListedProject): Html =>
  html`<tr>
    <td><a href="${allowsScope(level, "read") ? `/${slug}` : siteUrl}">${raw(visibleHtml(name))}</a>${isLost && html` <span class="trouble">Repository missing</span>`}</td>
    <td data-label="Site"><a href="${siteUrl}">${siteUrl.replace(/^https?:\/\/|\/$/g, "")}</a></td>
    <td data-label="Branch"><code>${branch}</code></td>
    <td data-label="Your role">${ROLES.find((role) => LEVEL_OF_ROLE[role] === level) ?? level}</td>
  </tr>`;
