/** Whether a path has a segment that is hidden or belongs to a package manager, and so is no content of a site. */
export function isIgnoredPath(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith(".") || segment === "node_modules");
}
