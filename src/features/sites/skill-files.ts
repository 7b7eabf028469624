import { joinContentRoot } from "#docs/routes.ts";
import type { SiteVersion } from "./site-version.ts";

export const MAX_SKILLS = 50;
export const MAX_SKILL_BYTES = 256 * 1024;

/** Files of skills in the repository: the one at the root, if there is one, and the others in order. */
export function skillFiles({ files, docs }: SiteVersion): { own: string[]; others: string[] } {
  const root = ["skill.md", "SKILL.md"].map((name) => joinContentRoot(name, docs.contentRoot));
  const folder = joinContentRoot(".mintlify/skills/", docs.contentRoot);
  const isInFolder = (path: string) => path.startsWith(folder) && /^[^/]+\/skill\.md$/i.test(path.slice(folder.length));
  const own = root.filter((path) => files.has(path)).slice(0, 1);
  return { own, others: [...files.keys()].filter(isInFolder).toSorted() };
}

/** Files of skills that are not served, and why. */
export async function skillsLeftOut(version: SiteVersion): Promise<{ path: string; message: string }[]> {
  const { own, others } = skillFiles(version);
  const left = others.slice(MAX_SKILLS).map((path) => {
    return { path, message: `The skill is not served: a site has at most ${MAX_SKILLS}, in the order of their names.` };
  });
  for (const path of [...own, ...others.slice(0, MAX_SKILLS)]) {
    const size = (await version.snapshot.read(path))?.length ?? 0;
    if (size > MAX_SKILL_BYTES)
      left.push({ path, message: `The skill is not served: it is larger than ${MAX_SKILL_BYTES / 1024} KB.` });
  }
  return left;
}
