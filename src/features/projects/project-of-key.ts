import type { HttpContext } from "#kit/http/context.ts";
import { notFound } from "#kit/http/errors.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Project } from "./project.ts";

/** Finds a project by its ID; null if there is none. */
export interface FindsProject {
  findProject(id: ProjectId): Promise<Project | null>;
}

/** The project of a call's key. `AppError not_found` if it was deleted. */
export const projectOfKey =
  ({ findProject }: FindsProject) =>
  async (c: HttpContext): Promise<Project> => {
    const project = await findProject(c.get("principal").projectId);
    if (!project) throw notFound();
    return project;
  };
