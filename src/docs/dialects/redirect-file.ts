import type { Json } from "#docs/json-document.ts";
import { joinContentRoot } from "#docs/routes.ts";
import type { RepositoryFiles } from "./repository.ts";

/**
 * Reads `_redirects` files, in the format of Netlify and Cloudflare Pages, as redirects of a `docs.json`. `file` is the
 * first such file, relative to `contentRoot`; null without one.
 */
export async function redirectsInFiles(
  repository: RepositoryFiles,
  contentRoot: string,
  folders: readonly string[],
): Promise<{ redirects: Json[]; file: string | null }> {
  const found: Json[] = [];
  let file: string | null = null;
  for (const folder of new Set(["", ...folders])) {
    const name = folder === "" ? "_redirects" : `${folder}/_redirects`;
    const text = await repository.text(joinContentRoot(name, contentRoot));
    if (text !== null) file ??= name;
    for (const line of text?.split(/\r?\n/) ?? []) {
      const [source, ...rest] = line
        .replace(/(?:^|\s)#.*/, "")
        .trim()
        .split(/\s+/);
      const destination = rest.find((word) => /^(?:\/|https?:)/.test(word));
      const status = rest.find((word) => /^[1-5]\d\d!?$/.test(word)) ?? "301";
      // Rewrites (200) and error pages belong to the host and serve content from outside the site.
      if (source === undefined || !source.startsWith("/") || destination === undefined || !status.startsWith("30"))
        continue;
      found.push({ source, destination: destination.replaceAll(":splat", "*"), permanent: /^30[18]/.test(status) });
    }
  }
  return { redirects: found, file };
}
