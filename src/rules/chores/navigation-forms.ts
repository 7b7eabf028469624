import { FIX, LOOK, NAV, REMOVE, THE } from "#rules/grammar/lexicon.ts";
import { all, type ChoreForm, given, one } from "./chore-form.ts";

const GONE =
  "(that|which (do_not|don't|does_not|doesn't exist [anymore] / no longer exist / are missing / have|has no page|file / lead nowhere / (point|lead at|to pages|nothing [that|which (no longer exist / don't|do_not exist / are gone)])) / whose page|pages (do_not|don't|does_not|doesn't exist [anymore] / is|are missing) / without a page)";
const UNLISTED = `([that|which] [is|are] (missing from|in / outside [of] / not [listed|linked] in / absent from / (aren't|isn't [listed|linked] in)) (${NAV} / it))`;
const ORPHANS = "(orphan|orphaned|orphans|unlisted|unreachable [pages|files])";
const CHANGE_NOTHING = "[[,] [and] (change nothing / do_not|don't change anything)]";

/** A problem of the navigation is an entry without a page. A problem of docs.json may be anything. */
const NAVIGATION = "[the] navigation|nav|sidebar";

const GROUP = "([the] [navigation|sidebar|nav] (group {group:group} / {group:group} [navigation|sidebar] group))";
const AS = "(to|as|into|->|:)";

export const navigationForms: readonly ChoreForm[] = [
  {
    tool: "repair_navigation",
    forms: [
      `(add ${THE} (orphan|orphaned|missing|unlisted pages / orphans) [to] ${NAV} / add ${THE} pages ${UNLISTED} to (it / ${NAV}))`,
    ],
    example: "Add pages missing from the navigation to it",
    isForAllDocs: true,
    inputs: () => [{ addOrphans: true }],
  },
  {
    tool: "repair_navigation",
    forms: [
      `(fix|repair|correct|mend) ${NAVIGATION} [[in|of] docs.json]`,
      `docs.json lists pages that do_not|don't exist , remove those|these|the entries`,
      `${REMOVE} ${THE} dead|broken|stale (navigation|nav|sidebar entries|items / entries|items from|in|of ${NAV})`,
      `(clean|rid|clear) ${NAV} (of|from) ${THE} (dead|broken|stale ([navigation|nav|sidebar] entries|items) / ([navigation|nav|sidebar] entries|pages|items|links ${GONE}))`,
      `(${REMOVE} / clean up) ${THE} (navigation|nav|sidebar entries|pages|items|links / entries|pages|items|links from|in|of ${NAV} / [navigation] entries) ${GONE}`,
      `${FIX} ${NAV} : (${REMOVE} / clean up) ${THE} entries|pages|items|links ${GONE}`,
    ],
    example: "Repair the navigation",
    isForAllDocs: true,
    inputs: () => [{}],
  },
  {
    tool: "orphan_report",
    forms: [
      `${LOOK} ${THE} ${ORPHANS} ${CHANGE_NOTHING}`,
      `${LOOK} ${THE} pages ${UNLISTED} ${CHANGE_NOTHING}`,
      `which|what pages are (missing from|in / not [listed|linked] in) (${NAV} / it)`,
      `are there [any] pages ${UNLISTED}`,
    ],
    example: "List orphan pages",
    inputs: () => [{}],
  },
  {
    tool: "rename_group",
    forms: [
      `[in [the] navigation|nav|sidebar [,]] rename|retitle ${GROUP} ${AS} {to:title} [[,] and [rename|retitle] ${GROUP} ${AS} {to:title}]* [in [the] navigation|nav|sidebar]`,
      `[the] [navigation|sidebar] (group {group:group} / {group:group} group) should be (called|named|renamed [to]) {to:title}`,
      `(change|update|set) [the] (title|name|label of ${GROUP}) ${AS} {to:title}`,
      `give ${GROUP} [the] [new] title|name|label {to:quoted}`,
    ],
    example: 'Rename the group "Group" to "New title"',
    inputs(slots) {
      const [groups, titles] = [all(slots, "group"), all(slots, "to")];
      return groups.length === titles.length ? groups.map((group, at) => ({ group, to: titles[at] })) : null;
    },
  },
  {
    tool: "move_group",
    forms: groupPlaces(),
    example: 'Move the group "Group" after "Other group"',
    inputs(slots) {
      const [group, after, before, first, last] = ["group", "after", "before", "first", "last"].map((slot) => one(slots, slot)); // oxfmt-ignore
      if (group === undefined || group === after || group === before) return null;
      const position = first === undefined ? (last === undefined ? undefined : "last") : "first";
      return [given({ group, after, before, position })];
    },
  },
];

function groupPlaces(): string[] {
  const group = "([the] (group {group:group} / {group:group} group))";
  const other = (slot: string) => `([the] (group {${slot}:group} / {${slot}:group} group / {${slot}:group}))`;
  const nav = "[[of|in] [the] navigation|nav|sidebar|menu]";
  const end = (slot: string, words: string) => `{${slot}:word.${words}}`;
  const top = `(${end("first", "first")} ${nav} / to|at [the] [very] ${end("first", "first")} ${nav})`;
  const bottom = `(${end("last", "last")} ${nav} / to|at [the] [very] ${end("last", "last")} ${nav})`;
  const spot = `([right|directly|immediately] (after|behind|below ${other("after")} / before|above|in_front_of ${other("before")}) ${nav} / ${top} / ${bottom})`;
  return [
    `(move|put|place) ${group} ${spot}`,
    `[in [the] navigation|nav|sidebar [,]] ${group} should (come|be|stand|go) ${spot}`,
    `make ([the] {group:group} / ${group}) the ${end("first", "first")} group ${nav}`,
  ];
}
