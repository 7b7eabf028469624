import { type CorpusEntry, term } from "./entry.ts";

const apiGroup = ["api/overview", "api/tokens", "api/errors"];
const operations = ["operate/overview", "operate/monitoring", "operate/upgrade", "operate/harbormaster"];

/** Titles that end where the next instruction begins, groups that are called like a word of the grammar, and parts without marks. */
export const titlesAndWholes: readonly CorpusEntry[] = [
  {
    say: ["Rename the page Search to Find and hide the page Redirects"],
    calls: [
      ["move_page", { page: "guides/search", title: "Find" }],
      ["set_front_matter", { page: "guides/redirects", key: "hidden", value: true }],
    ],
  },
  {
    say: ["Rename the page Search to Find and the page Redirects to Forwarding"],
    calls: [
      ["move_page", { page: "guides/search", title: "Find" }],
      ["move_page", { page: "guides/redirects", title: "Forwarding" }],
    ],
  },
  {
    say: ["Rename the group Guides to Recipes and the group Concepts to Ideas"],
    calls: [
      ["rename_group", { group: "Guides", to: "Recipes" }],
      ["rename_group", { group: "Concepts", to: "Ideas" }],
    ],
  },
  {
    say: ["Rename the group Guides to How-tos and Recipes"],
    calls: [["rename_group", { group: "Guides", to: "How-tos and Recipes" }]],
  },
  { say: ["Rename the group Guides to More"], calls: [["rename_group", { group: "Guides", to: "More" }]] },
  {
    say: [
      "Rename the page Search to Find on Monday",
      "Rename the page Search to Find in the Navigation",
      "Rename the page Search to Find to match the UI",
      "Rename the page Search to Recipes to Match the App",
      "Rename the page guides/search to Something Better",
      "Rename the page guides/search to Its First Heading",
      "Rename the group Guides to Something Shorter",
      'Rename the group "Guides" to "Recipes" and rename the group "Recipes" to "Guides"',
    ],
    refused: true,
  },
  {
    say: [
      'Set the tag of All pages to "New"',
      "Hide All pages",
      'Replace "service" with "app" in All pages',
      'Replace "service" with "app" on All Pages',
    ],
    refused: true,
  },
  {
    say: ['Replace "service" with "app" in all of the pages', 'Replace "service" with "app" on Every Page'],
    calls: [term("service", "app")],
  },
  {
    say: ['Replace "service" with "app" in the group All pages'],
    calls: [term("service", "app", { in: ["support/faq", "support/troubleshooting", "changelog"] })],
  },
  {
    say: [
      'Set the tag of all pages in the API group to "Beta"',
      'Set the tag of the pages in the group "API" to "Beta"',
    ],
    calls: [["set_front_matter", { in: apiGroup, key: "tag", value: "Beta" }]],
  },
  {
    say: ["Hide the Operations group", "Hide the group Operations"],
    calls: [["set_front_matter", { in: operations, key: "hidden", value: true }]],
  },
  { say: ['Replace "service" with "app" in api'], calls: [term("service", "app", { in: ["api/"] })] },
  { say: ["Fix broken links in guides/advanced"], calls: [["fix_links", { in: ["guides/advanced/"] }]] },
  { say: ['Replace "service" with "app" in tables', "Fix broken links in apis"], refused: true },
  {
    say: [
      'Set the tag of quickstart to "A". Set the tag of all pages to "B".',
      "Add a redirect from /x to /quickstart and remove the redirect from /x",
    ],
    refused: true,
  },
  {
    say: ['Set the tag of all pages to "B". Set the tag of quickstart to "A".'],
    calls: [
      ["set_front_matter", { in: ["**"], key: "tag", value: "B" }],
      ["set_front_matter", { page: "quickstart", key: "tag", value: "A" }],
    ],
  },
];
