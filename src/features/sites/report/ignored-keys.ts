import { decodeText } from "#docs/text-encoding.ts";
import type { Problem } from "#docs/problems.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { onPages } from "./first-uses.ts";

/** Front matter keys of another tool without effect here: each once for the site, at its first page. */
export async function ignoredKeys({ docs, snapshot }: SiteVersion): Promise<Problem[]> {
  const uses = new Map<string, string[]>();
  for (const { path, ignoredKeys: keys = [] } of docs.pages.values())
    for (const key of keys) {
      const paths = uses.get(key) ?? [];
      paths.push(path);
      uses.set(key, paths);
    }
  const problems: Problem[] = [];
  for (const [key, paths] of uses) {
    const path = paths.toSorted()[0]!;
    const lines = decodeText((await snapshot.read(path)) ?? new Uint8Array()).text.split("\n");
    const index = lines.findIndex((line) => line.startsWith(`${key}:`));
    const message = onPages(`"${key}" in the front matter has no effect.`, paths.length);
    problems.push({ severity: "warning", code: "left_out", path, line: index === -1 ? null : index + 1, message });
  }
  return problems;
}
