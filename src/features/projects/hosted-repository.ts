import type { HostedRepository } from "#hosts/code-host.ts";
import type { Project } from "./project.ts";

/** A project as its code host identifies it. */
export const hostedRepository = ({
  id,
  codeHost,
  slug,
  sourceUrl,
  branch,
}: Pick<Project, "id" | "codeHost" | "slug" | "sourceUrl" | "branch">): HostedRepository => ({
  projectId: id,
  codeHost,
  slug,
  url: codeHost === "embedded" ? null : sourceUrl,
  branch,
});
