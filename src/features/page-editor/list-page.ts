import { editHref } from "#features/projects/edit-address.ts";
import { dashboardDocument, mayEdit, type ShownProject } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { counted } from "#lib/counted.ts";
import type { ListedFile, ListedFiles } from "./listed-files.ts";

export interface PagesPage {
  place: ShownProject;
  search: string;
  /** Null for a repository without a commit. */
  listed: ListedFiles | null;
  /** The pull request that was just opened on another host. */
  proposed: { number: number; url: string } | null;
}

/** `/{slug}/pages`: the files of the docs. */
export function pagesPage(page: PagesPage): Html {
  const { place, listed, search, proposed } = page;
  return dashboardDocument({
    title: `Pages · ${place.name}`,
    place,
    reader: "member",
    section: "pages",
    body: html`<div class="heading">
        <h1>Pages</h1>
        ${mayEdit(place) && listed !== null && html`<a class="button" href="/${place.slug}/pages/new">New page</a>`}
      </div>
      ${
        proposed &&
        html`<p class="done-note" role="status">Your change is proposed: <a href="${proposed.url}">open pull request #${proposed.number}</a> to have it reviewed and merged.</p>`
      }
      ${listed === null ? noDocs(place) : list(place, listed, search)}`,
  });
}

const noDocs = ({ slug, hostUrl }: ShownProject): Html =>
  html`<div class="empty">
    <h2>There are no docs yet</h2>
    <p>The repository has no commit. Push your docs, and their pages can be edited here.</p>
    <p><a class="button" href="${hostUrl ?? `/${slug}`}">${hostUrl === null ? "How to push" : "Open the repository"}</a></p>
  </div>`;

function list(place: ShownProject, { groups, left, generated }: ListedFiles, search: string): Html {
  const path = `/${place.slug}/pages`;
  const isEmpty = groups.length === 0;
  return html`<form class="inline search page-search" method="get" action="${path}" role="search">
      <input type="search" name="search" value="${search}" maxlength="200" placeholder="Title or path" aria-label="Search pages" />
      <button class="button">Search</button>
      ${search !== "" && html`<a href="${path}">All pages</a>`}
    </form>
    ${isEmpty && html`<p class="note">${search === "" ? "The docs have no pages yet." : html`No page has “${raw(visibleHtml(search))}” in its title or path.`}</p>`}
    ${groups.map(
      ({ trail, files }) => html`<section class="page-group">
        ${trail.length > 0 && html`<h2>${raw(trail.map(visibleHtml).join(' <span class="slash" aria-hidden="true">/</span> '))}</h2>`}
        <ul class="page-list">${files.map((file) => row(place, file))}</ul>
      </section>`,
    )}
    ${left > 0 && html`<p class="note">${counted(left, "more file")} ${left === 1 ? "is" : "are"} not listed. Search for a title or path.</p>`}
    ${
      generated > 0 &&
      search === "" &&
      html`<p class="note">${counted(generated, "page")} from API descriptions ${generated === 1 ? "has" : "have"} no file of ${generated === 1 ? "its" : "their"} own and ${generated === 1 ? "is" : "are"} not listed.</p>`
    }`;
}

function row(place: ShownProject, { path, title, route }: ListedFile): Html {
  const name = raw(visibleHtml(title));
  const href = editHref(place.slug, { path });
  return html`<li>
    <span class="page-title"><a href="${href}"><b>${name}</b></a> <code>${raw(visibleHtml(path))}</code></span>
    <span class="page-links">
      ${route !== null && html`<a href="${liveHref(place, route)}" title="Open “${title}” on the site">View <span aria-hidden="true">↗</span></a>`}
      <a class="button" href="${href}" aria-label="${mayEdit(place) ? "Edit" : "Source of"} ${title}">${mayEdit(place) ? "Edit" : "Source"}</a>
    </span>
  </li>`;
}

/** The address of a page on the site. */
export const liveHref = ({ siteUrl }: ShownProject, route: string): string => siteUrl.replace(/\/$/, "") + route;
