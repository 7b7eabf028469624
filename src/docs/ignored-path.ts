/** A path with a part that is hidden or belongs to a package manager: no content of a site. */
export function isIgnoredPath(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith(".") || segment === "node_modules");
}
