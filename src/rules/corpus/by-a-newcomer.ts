import { type CorpusEntry, term } from "./entry.ts";

/** How somebody asked who had read the page of the built-in rules once: reasons behind, questions, words of comfort. */
export const byANewcomer: readonly CorpusEntry[] = [
  {
    calls: [term("Harbor Cloud", "Harbor Platform")],
    say: [`We're called Harbor Platform now, so please change every mention of "Harbor Cloud" to "Harbor Platform".`],
  },
  {
    calls: [["check_links", {}]],
    say: ["Tell me which links are broken, but don't change anything."],
  },
  {
    calls: [["set_front_matter", { page: "guides/search", key: "hidden", value: true }]],
    say: [
      "Take guides/search out of the navigation, but keep it reachable.",
      "Hide guides/search, but keep it reachable by link",
    ],
  },
  {
    calls: [["remove_page", { page: "guides/migrate-from-v1" }]],
    say: [
      "Drop the page guides/migrate-from-v1 - nobody uses v1 any more.",
      "Delete the page guides/migrate-from-v1 because nobody uses v1 any more.",
      "Delete the page guides/migrate-from-v1, since we dropped v1.",
    ],
  },
  {
    calls: [["normalise_style", { listMarker: "-" }]],
    say: ["Make all bullet lists use dashes."],
  },
  {
    calls: [["orphan_report", {}]],
    say: ["What pages are not in the navigation?"],
  },
  {
    refused: true,
    say: [
      "Remove the page guides/migrate-from-v1 because it is outdated and boring",
      'Replace "one" with "two" - nobody uses v1 any more.',
      `We're called Harbor Cloud now, so please change every mention of "Harbor Cloud" to "Harbor Platform".`,
      "Move the page quickstart after concepts/endpoints.",
      'Rename the heading "Secrets" on concepts/endpoints to "Keys".',
      'Rename the tab "Reference" to "API".',
      "Hide changelog.",
    ],
  },
  { refused: { names: "do not remove" }, say: ['Replace "Nothing stops." with "" on quickstart'] },
];
