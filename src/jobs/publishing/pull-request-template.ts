import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { Project } from "#projects/project.ts";

// Where GitHub looks (docs.github.com, 2026): root, docs/ and .github/, in any case of letters.
const TEMPLATE =
  /^(?:\.github\/|docs\/|\.gitlab\/merge_request_templates\/|\.gitea\/|\.forgejo\/)?(?:pull_request_template|default)\.md$/i;
const MAX_TEMPLATE_BYTES = 16_384;

/** The repository's own pull request template, of the base branch; null when it has none. */
export async function readTemplate(
  { repoStore }: { repoStore: RepoStore },
  project: Project,
  base: ObjectId,
): Promise<string | null> {
  const snapshot = commitSnapshot(repoStore, project.id, base);
  const found = (await snapshot.files()).find(
    (file) => TEMPLATE.test(file.path) && file.path.toLowerCase() !== "default.md",
  );
  const bytes = found && found.kind === "file" ? await snapshot.read(found.path) : null;
  return bytes && new TextDecoder().decode(bytes.subarray(0, MAX_TEMPLATE_BYTES));
}

/** The template with the description under its first heading; its other sections and boxes are left for people to fill. */
export function fillTemplate(template: string, description: string): string {
  const lines = template.replace(/\r\n/g, "\n").split("\n");
  const heading = lines.findIndex((line) => /^#{1,6}\s/.test(line));
  if (heading === -1) return `${description}\n\n${template.trim()}`;
  return [...lines.slice(0, heading + 1), "", description, "", ...lines.slice(heading + 1)].join("\n").trim();
}
