import { readIfPossible } from "#docs/snapshot.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import type { Problem } from "#docs/problems.ts";
import { isSharedPicture } from "#features/sites/discovery/page-metadata.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { assetHref } from "#features/sites/versioned-address.ts";

/** The pictures that a page's front matter names for link previews, with the names of their tags. */
export const sharedPictures = (frontMatter: Readonly<Record<string, unknown>>): [tag: string, picture: string][] =>
  Object.entries(frontMatter).flatMap(([name, value]) =>
    isSharedPicture(name) && typeof value === "string" ? [[name, value]] : [],
  );

export const missingPicture = (tag: string, picture: string): string =>
  `"${tag}" names ${picture.slice(0, 200)}, and there is no such file.`;

/** Those of them that are missing. */
export async function sharedPictureProblems(
  { docs, snapshot }: SiteVersion,
  { path }: Page,
  pictures: readonly [tag: string, picture: string][],
): Promise<Problem[]> {
  const missing = pictures.filter(([, picture]) => picture.trim() !== "" && assetHref(docs, picture.trim()) === null);
  if (missing.length === 0) return [];
  const lines = new TextDecoder()
    .decode((await readIfPossible(snapshot, path)) ?? new Uint8Array())
    .split(/\r\n|\n|\r/);
  return missing.map(([tag, picture]) => {
    const index = lines.findIndex((line) => line.replace(/^\s*["']?/, "").startsWith(tag));
    const message = missingPicture(tag, picture);
    return { severity: "error", code: "missing_file", path, line: index === -1 ? null : index + 1, message };
  });
}
