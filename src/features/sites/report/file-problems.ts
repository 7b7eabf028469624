import { isIgnoredPath } from "#docs/config/config-file.ts";
import { mayBeShown } from "#docs/tree/page-tree.ts";
import { isLfsPointer, MAX_LFS_POINTER_BYTES } from "#docs/snapshot.ts";
import type { Problem, Severity } from "#docs/problems.ts";
import { stripContentRoot } from "#docs/routes.ts";
import { createBreather } from "#lib/waiting/breather.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";

/** Files of the site's folder whose content readers do not get, though their names promise it. */
export async function fileProblems({ docs, snapshot }: SiteVersion): Promise<Problem[]> {
  const problems: Problem[] = [];
  const breathe = createBreather();
  const add = (severity: Severity, path: string, message: string) =>
    problems.push({ severity, code: "missing_file", path, line: null, message });
  for (const { path, kind } of await snapshot.files()) {
    if (kind === "file" || stripContentRoot(path, docs.contentRoot) === null || isIgnoredPath(path)) continue;
    if (kind === "submodule")
      add(
        "warning",
        path,
        "The files of a submodule are not part of the site: copy them, or make a project of its repository.",
      );
    else if (mayBeShown(path))
      add(
        "warning",
        path,
        "A symbolic link is not followed: readers get nothing at its address. Commit a copy of the file.",
      );
  }
  for (const { path, sizeBytes } of new Set(docs.assets.values())) {
    const rest = breathe();
    if (rest) await rest;
    if (sizeBytes > MAX_LFS_POINTER_BYTES || sizeBytes < 100) continue;
    const bytes = await snapshot.read(path);
    if (bytes === null || !isLfsPointer(bytes)) continue;
    add(
      "error",
      path,
      "Git LFS keeps this file elsewhere and only a pointer is in the repository: readers get nothing. Commit the file itself.",
    );
  }
  return problems;
}
