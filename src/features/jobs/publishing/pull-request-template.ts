import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { Project } from "#features/projects/project.ts";

// Where the hosts look for templates (their documentation, 2026), ignoring case.
const ONE = /^(?:(\.github|\.gitlab|\.gitea|\.forgejo|docs)\/)?pull_request_template\.(?:md|txt)$/;
const OF_SEVERAL =
  /^(?:(?:(\.github|\.gitea|\.forgejo|docs)\/)?pull_request_template|(\.gitlab)\/merge_request_templates)\/([^/]+)\.md$/;
const FOR_DOCS = /^(?:docent|docs?|documentation)\b/;
const FRONT_MATTER = /^---\r?\n[\s\S]{0,4000}?\r?\n---\r?\n/;
const MAX_TEMPLATE_BYTES = 16_384;

/** The repository's own pull request template on the base branch; null without one. */
export async function readTemplate(
  { repoStore }: { repoStore: RepoStore },
  project: Project,
  base: ObjectId,
): Promise<string | null> {
  const snapshot = commitSnapshot(repoStore, project.id, base);
  const files = (await snapshot.files()).filter(({ kind }) => kind === "file").map(({ path }) => path);
  const path = chooseTemplate(files, project.codeHost);
  const bytes = path === null ? null : await snapshot.read(path);
  return bytes && new TextDecoder().decode(bytes.subarray(0, MAX_TEMPLATE_BYTES)).replace(FRONT_MATTER, "");
}

/**
 * Chooses a template, preferably from the folder of the repository's host. If people can choose between several, it is the
 * one for documentation, the default, or the only one.
 */
export function chooseTemplate(paths: readonly string[], codeHost: Project["codeHost"]): string | null {
  const found = paths.flatMap((path) => {
    const lower = path.toLowerCase();
    const one = ONE.exec(lower);
    if (one) return [{ path, folder: one[1], rank: 1, isOther: false }];
    const [, folder, gitlab, name = ""] = OF_SEVERAL.exec(lower) ?? [];
    if (name === "") return [];
    const rank = FOR_DOCS.test(name) ? 0 : name === "default" ? 1 : 2;
    return [{ path, folder: folder ?? gitlab, rank, isOther: rank === 2 }];
  });
  const others = found.filter(({ isOther }) => isOther).length;
  const usable = found.filter(({ isOther }) => !isOther || others === 1);
  const order = (one: (typeof found)[number]) => (one.folder === `.${codeHost}` ? 0 : 3) + one.rank;
  return usable.toSorted((a, b) => order(a) - order(b) || (a.path < b.path ? -1 : 1))[0]?.path ?? null;
}

/** The template with the description under its first heading; people fill in its other sections and boxes. */
export function fillTemplate(template: string, description: string): string {
  const lines = template.replace(/\r\n/g, "\n").split("\n");
  const heading = lines.findIndex((line) => /^#{1,6}\s/.test(line));
  if (heading === -1) return `${description}\n\n${template.trim()}`;
  return [...lines.slice(0, heading + 1), "", description, "", ...lines.slice(heading + 1)].join("\n").trim();
}
