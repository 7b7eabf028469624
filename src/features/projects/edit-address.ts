/**
 * The address of a file in the editor of a project's dashboard, without the server's origin; with `pull` on the branch
 * of that pull request, with `line` at that line.
 */
export function editHref(
  slug: string,
  { path, pull = null, line = null }: { path: string; pull?: number | null; line?: number | null },
): string {
  const query = new URLSearchParams({ path });
  if (pull !== null) query.set("pull", String(pull));
  if (line !== null) query.set("line", String(line));
  return `/${slug}/pages/edit?${query.toString()}`;
}
