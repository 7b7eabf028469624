import type { CorpusEntry } from "./entry.ts";

export const navigation: readonly CorpusEntry[] = [
  {
    calls: [["rename_group", { group: "Operations", to: "Run Harbor" }]],
    say: [
      'Rename the group "Operations" to "Run Harbor"',
      'rename the Operations group to "Run Harbor"',
      "In the navigation, rename the group Operations to Run Harbor.",
      'Rename the sidebar group "Operations" to "Run Harbor"',
      'docs.json: rename group "Operations" to "Run Harbor"',
      'The navigation group "Operations" should be called "Run Harbor".',
    ],
  },
  {
    calls: [["rename_group", { group: "All pages", to: "More" }]],
    say: ['Rename the group "All pages" to "More"', "rename the All pages group to More"],
  },
  {
    calls: [["rename_group", { group: "Guides", to: "How-to guides" }]],
    say: ['Rename the "Guides" group to "How-to guides"', 'Rename the group Guides to "How-to guides" in the sidebar'],
  },
  {
    calls: [["move_group", { group: "Reference", after: "Concepts" }]],
    say: [
      "Move the group Reference after Concepts",
      'Put the "Reference" group after the "Concepts" group in the sidebar',
      "sidebar: move the Reference group right after Concepts",
    ],
  },
  {
    calls: [["move_group", { group: "API", before: "Reference" }]],
    say: [
      "Move the API group before Reference",
      'In the navigation the group "API" should come before "Reference".',
      "put the API group above the Reference group",
    ],
  },
  {
    calls: [["move_group", { group: "Concepts", position: "first" }]],
    say: [
      "Move the Concepts group to the top of the navigation",
      'Make "Concepts" the first group in the sidebar',
      "Put the group Concepts first",
    ],
  },
  {
    calls: [["move_group", { group: "All pages", position: "last" }]],
    say: [
      'Move the group "All pages" to the end of the navigation',
      'The "All pages" group should be last in the sidebar.',
      "move the All pages group to the bottom",
    ],
  },
  {
    calls: [["repair_navigation", {}]],
    say: [
      "Repair the navigation",
      "Remove navigation entries whose page doesn't exist",
      "docs.json lists pages that don't exist. Remove those entries.",
      "fix the sidebar: drop entries without a page",
    ],
  },
  {
    calls: [["repair_navigation", { addOrphans: true }]],
    say: [
      "Add pages missing from the navigation to it",
      "add the orphan pages to the navigation",
      "Some pages are not in the sidebar. Add all missing pages to the navigation.",
    ],
  },
  {
    calls: [["orphan_report", {}]],
    say: [
      "List orphan pages",
      "Which pages are not in the navigation?",
      "show me all pages that are missing from the sidebar",
      "find orphaned pages, change nothing",
      "Are there pages that aren't linked in the nav?",
    ],
  },
];
