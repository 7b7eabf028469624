import type { Problem } from "#docs/problems.ts";
import type { Docs } from "#docs/tree/page-tree.ts";

/** Pages of another tool use its team's components everywhere: one line per name is enough. */
export const isNamedOnce = ({ config }: Docs, { code }: Problem): boolean =>
  code === "unknown_component" && config.dialect !== "native";

/** Keeps the first place of problems with the same message, in whatever order they are found, and counts the pages. */
export function createFirstUses(): { add(problem: Problem): void; all(): Problem[] } {
  const uses = new Map<string, { first: Problem; pages: number }>();
  const placeOf = ({ path, line }: Problem) => `${path}\n${String(line ?? 0).padStart(9, "0")}`;
  return {
    add(problem) {
      const { first, pages } = uses.get(problem.message) ?? { first: problem, pages: 0 };
      const isFirst = placeOf(problem) < placeOf(first);
      uses.set(problem.message, { first: isFirst ? problem : first, pages: pages + 1 });
    },
    all: () =>
      [...uses.values()]
        .map(({ first, pages }) => ({ ...first, message: onPages(first.message, pages) }))
        .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)),
  };
}

/** The message with the number of pages, if there are several. */
export const onPages = (message: string, pages: number): string =>
  pages === 1 ? message : `${message} It is on ${pages.toLocaleString("en")} pages.`;

/** The message whatever the number of pages is, which changes with other pages. */
export const withoutPages = (message: string): string => message.replace(/ It is on [\d,]+ pages\.$/, "");
