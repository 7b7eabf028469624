import { matcherOf } from "./paths.ts";

/** `exclude_docs` and similar settings, in the syntax of a `.gitignore`: the last matching rule applies. */
export function ignoreRules(text: string | null): (path: string) => boolean {
  const rules = (text ?? "")
    .split(/\r?\n/, 500)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const written = line.replace(/^!/, "");
      const anchored = written.replace(/\/$/, "").includes("/") ? written.replace(/^\//, "") : `**/${written}`;
      const bare = anchored.replace(/\/$/, "");
      return {
        excludes: !line.startsWith("!"),
        matches: matcherOf(line.endsWith("/") ? [`${bare}/**`] : [bare, `${bare}/**`]),
      };
    });
  return (path) => rules.findLast(({ matches }) => matches(path))?.excludes ?? false;
}
