import GithubSlugger from "github-slugger";
import { isIgnoredPath } from "#docs/ignored-path.ts";
import { stripContentRoot } from "#docs/routes.ts";
import { newPagePath } from "#docs/tree/new-page-path.ts";
import { type Docs, pageOfFile } from "#docs/tree/page-tree.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { newPathProblem } from "#git/objects/path-policy.ts";
import { dashboardDocument, type ShownProject } from "#kit/pages/document.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { problemNote } from "#kit/pages/post-form.ts";
import { AppError } from "#lib/app-error.ts";

export interface NewPage {
  path: string;
  title: string;
  description: string;
}

/**
 * The path of a new page, in the docs folder. A path that is empty or a folder gets a name from the title, and one without
 * an extension that of most pages. `AppError invalid` for a path that no page of the site can have.
 */
export async function readNewPath(
  { docs, snapshot }: SiteVersion,
  entered: Pick<NewPage, "path" | "title">,
): Promise<string> {
  const given = entered.path.trim().replace(/^\/+/, "");
  const refuse = (problem: string) => new AppError("invalid", problem);
  const isNamed = given !== "" && !given.endsWith("/");
  const slug = new GithubSlugger().slug(entered.title);
  if (!isNamed && slug === "") throw refuse("Enter a path: no file name can be derived from the title.");
  const named = isNamed ? given : given + slug;
  const full = isNamed && EXTENSION.test(named) ? named : named + usualExtension(docs);
  if (!/[^/]\.mdx?$/.test(full)) throw refuse("The path of a page ends in .md or .mdx, such as guides/install.mdx.");
  const path = newPagePath(docs, full);
  const problem = newPathProblem(path);
  if (problem !== null) throw refuse(`This path cannot be used: ${problem}.`);
  if (isIgnoredPath(path)) throw refuse("A name that begins with a dot, and node_modules, is no page of the site.");
  if ((await snapshot.files()).some((file) => file.path === path)) throw refuse(`There is a file ${path} already.`);
  const inRoot = stripContentRoot(path, docs.contentRoot) ?? path;
  const rival = pageOfFile(docs, inRoot.replace(/\.mdx?$/, ""));
  if (rival) throw refuse(`There is a page with this address already: ${rival.path} (“${rival.title}”).`);
  return path;
}

/** Of a file; `v2.6` has none. */
const EXTENSION = /\.[a-z][a-z0-9]{0,9}$/i;

/** The extension of most pages, with its dot. */
export function usualExtension({ pages, tool }: Docs): string {
  const own = [...pages.values()].filter(({ isGenerated, path }) => !isGenerated && /\.mdx?$/.test(path));
  const mdx = own.filter(({ path }) => path.endsWith(".mdx")).length;
  if (own.length === 0) return tool === null ? ".mdx" : ".md";
  return mdx * 2 >= own.length ? ".mdx" : ".md";
}

/** The text that a new page begins with. */
export function frontMatterFor({ title, description }: Pick<NewPage, "title" | "description">): string {
  // JSON strings are YAML.
  const lines = [`title: ${JSON.stringify(title)}`];
  if (description !== "") lines.push(`description: ${JSON.stringify(description)}`);
  return `---\n${lines.join("\n")}\n---\n\n`;
}

/** Asks for the path of a new page. */
export function newPagePage(
  page: NewPage & { place: ShownProject; folder: string; extension: string; problem: string | null },
): Html {
  const { place, path, title, description, extension, problem } = page;
  const folder = page.folder === "" ? "" : `${page.folder}/`;
  return dashboardDocument({
    title: `New page · ${place.name}`,
    place,
    reader: "member",
    section: "pages",
    body: html`<div class="narrow-page">
      <h1>New page</h1>
      <p class="muted">You write it next, with a preview. A pull request adds it to the docs.</p>
      <form class="form panel" method="get" action="/${place.slug}/pages/new">
        ${problemNote(problem)}
        <label>Title <input name="title" value="${title}" required maxlength="200" placeholder="Install" autocomplete="off" autofocus /></label>
        <label>Path <span class="hint">The file in the repository. Without a name, it gets one from the title.</span>
          <input name="path" value="${path || folder}" maxlength="400" placeholder="${folder}guides/install${extension}" autocomplete="off" autocapitalize="off" spellcheck="false" /></label>
        <label>Description <span class="hint">Optional: one sentence for search results and link previews.</span>
          <input name="description" value="${description}" maxlength="500" autocomplete="off" /></label>
        <div class="send"><a href="/${place.slug}/pages">Cancel</a> <button class="button primary">Write the page</button></div>
      </form>
    </div>`,
  });
}
