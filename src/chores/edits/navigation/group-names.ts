import { AppError } from "#lib/app-error.ts";
import { noSuchName } from "#chores/edits/names.ts";

/** The group with a title or a trail. Throws `AppError not_found` or `invalid` as `addToNavigation` does. */
export function chooseGroup<Group extends { title: string; trail: string }>(
  groups: readonly Group[],
  requested: string,
): Group {
  const found = groupsNamed(groups, requested);
  const [group, second] = found;
  if (group && !second) return group;
  if (group) {
    throw new AppError(
      "invalid",
      `The navigation has ${found.length} groups “${requested}”: ${found.map((each) => `“${each.trail}”`).join(", ")}. Name one by its whole trail.`,
    );
  }
  const titles = groups.map(({ title }) => title).filter(Boolean);
  throw noSuchName("The navigation", "group", requested, titles);
}

/** The groups with a title or a trail, ignoring case and white space. */
export function groupsNamed<Group extends { title: string; trail: string }>(
  groups: readonly Group[],
  requested: string,
): Group[] {
  const fold = (text: string) => text.toLowerCase().split(">").map((part) => part.trim()).join(" > "); // oxfmt-ignore
  const name = fold(requested);
  return groups.filter((group) => fold(group.title) === name || fold(group.trail) === name);
}
