import { Hono } from "hono";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import { pagesFolder } from "#docs/tree/new-page-path.ts";
import { mayEdit } from "#kit/pages/document.ts";
import { sendPage } from "#kit/pages/send-page.ts";
import { AppError } from "#lib/app-error.ts";
import { positiveInteger } from "#lib/positive-integer.ts";
import { MAX_TITLE } from "./edit-rules.ts";
import { createEditFormRoute, type PageEditorDeps } from "./form-route.ts";
import { pagesPage } from "./list-page.ts";
import { listFiles } from "./listed-files.ts";
import { frontMatterFor, newPagePage, readNewPath, usualExtension } from "./new-page.ts";
import { openFile, showEditor } from "./opened-file.ts";

/** `/{slug}/pages`: the files of the docs, the editor of one, and a new page. */
export function createPageEditorRoutes(deps: PageEditorDeps): Hono {
  const { access, repoStore, codeHost, rendered } = deps;
  const routes = new Hono();

  const tipOf = ({ id, branch }: Project) => repoStore.resolve(id, `refs/heads/${branch}`);

  routes.get("/:slug/pages", async (c) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const { project, place } = opened;
    const search = (c.req.query("search") ?? "").trim().slice(0, 200);
    const tip = await tipOf(project);
    const number = positiveInteger(c.req.query("proposed"));
    const proposed = number === null ? null : await codeHost.getPullRequest(hostedRepository(project), number);
    const listed = tip === null ? null : listFiles(await rendered.versionAt(project, tip), search);
    return sendPage(c, pagesPage({ place, search, listed, proposed }));
  });

  routes.get("/:slug/pages/new", async (c) => {
    const opened = await access.open(c, "write");
    if (opened.answer) return opened.answer;
    const { project, place } = opened;
    const tip = await tipOf(project);
    if (tip === null || !mayEdit(place)) return c.redirect(`/${place.slug}/pages`, 303);
    const version = await rendered.versionAt(project, tip);
    const query = (name: string, max: number) => (c.req.query(name) ?? "").trim().slice(0, max);
    const entered = {
      path: query("path", 400),
      title: query("title", MAX_TITLE),
      description: query("description", 500),
    };
    const { docs } = version;
    const [folder, extension] = [pagesFolder(docs), usualExtension(docs)];
    const ask = (problem: string | null) =>
      sendPage(c, newPagePage({ place, ...entered, folder, extension, problem }), {
        status: problem === null ? 200 : 400,
      });
    if (c.req.query("path") === undefined) return ask(null);
    try {
      if (entered.title === "") throw new AppError("invalid", "Enter the title of the page.");
      const path = await readNewPath(version, entered);
      const text = frontMatterFor(entered);
      const draft = { commit: tip, path, content: Buffer.from(text), signal: c.req.raw.signal };
      if (docs.tool !== null && (await rendered.openDraft(project, draft)).page === null)
        throw new AppError(
          "invalid",
          `${docs.tool.title} shows no page at ${path}: choose another folder or extension.`,
        );
      const file = { ...opened, path, branch: project.branch, pullRequest: null, tip };
      const title = `Add "${entered.title}"`.slice(0, MAX_TITLE);
      return await showEditor(deps, c, file, {
        isNew: true,
        entered: { text, title, description: "", isForNavigation: true },
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      return ask(error.message);
    }
  });

  routes.get("/:slug/pages/edit", async (c) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const file = await openFile(deps, c, opened);
    return "answer" in file ? file.answer : showEditor(deps, c, file, { isNew: false });
  });

  routes.route("/", createEditFormRoute(deps));
  return routes;
}
