import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { type Project, slugFor } from "./project.ts";
import { findProjectBySlug, slugTaken } from "./projects.ts";

const MAX_FORMER = 10;

/**
 * Changes the slug of a project, in the caller's transaction. The former one redirects to the project and stays
 * reserved. `AppError invalid`, `conflict` if the slug is taken.
 */
export async function changeSlug(
  { database, clock }: { database: Database; clock: Clock },
  project: Pick<Project, "id" | "slug">,
  slug: string,
): Promise<void> {
  if (slugFor(slug) !== slug) throw invalid("must be lower-case letters, digits and single dashes, at most 40");
  const found = await findProjectBySlug({ database }, slug);
  if (found !== null && found.id !== project.id) throw slugTaken(slug);
  const { kysely } = database;
  await kysely.deleteFrom("former_slug").where("slug", "=", slug).execute();
  const former = await kysely.selectFrom("former_slug").select("slug").where("project_id", "=", project.id).execute();
  if (former.length >= MAX_FORMER) {
    const message = `A project keeps at most ${MAX_FORMER} earlier addresses, and this project has reached that limit: ${former.map((row) => row.slug).join(", ")}. Change back to one of them.`;
    throw new AppError("conflict", message);
  }
  await kysely
    .insertInto("former_slug")
    .values({ slug: project.slug, project_id: project.id, left_at: clock.now().getTime() })
    .execute();
  await kysely.updateTable("project").set({ slug }).where("id", "=", project.id).execute();
}

const invalid = (message: string): AppError =>
  new AppError("invalid", `The address of a project ${message}.`, { details: [{ path: "slug", message }] });
