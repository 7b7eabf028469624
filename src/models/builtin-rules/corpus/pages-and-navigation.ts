import type { CorpusEntry } from "./entry.ts";

const moved = { page: "guides/search", to: "reference/search" };

export const pagesAndNavigation: readonly CorpusEntry[] = [
  {
    calls: [["move_page", moved]],
    say: [
      "Move guides/search to reference/search",
      "move guides/search.mdx to reference/search.mdx",
      "Move the page guides/search to reference/",
      "Move the Search page into the folder reference/",
      'Move the page "Search" to reference/search and fix the links to it',
      "mv guides/search.mdx reference/search.mdx",
      "guides/search should live at reference/search. Please move it.",
      "Relocate guides/search to reference/search, with a redirect",
      "Can we move guides/search to reference/search and keep the old URL working?",
    ],
  },
  {
    calls: [["move_page", { ...moved, redirect: false }]],
    say: [
      "Move guides/search to reference/search without a redirect",
      "Move guides/search to reference/search. Don't add a redirect.",
      "move guides/search to reference/search, no redirect needed",
    ],
  },
  {
    calls: [["move_page", { page: "guides/search", group: "Reference" }]],
    say: [
      "Move the page guides/search to the Reference group",
      'Move "Search" to the group "Reference" in the sidebar',
      "In the navigation, list guides/search under Reference.",
      "put the Search page under Reference in the nav",
      "sidebar: move guides/search from Guides to the group Reference",
    ],
  },
  {
    calls: [["move_page", { page: "guides/redirects", to: "reference/redirects" }]],
    say: [
      "Move the page Redirects to reference/redirects",
      'Move "Redirects" to reference/redirects',
      "move guides/redirects to reference/",
    ],
  },
  {
    calls: [["move_page", { page: "guides/replace", to: "operate/replace" }]],
    say: ["Move guides/replace.md to operate/replace.md", 'Move the page "Replace a node" to operate/replace'],
  },
  {
    calls: [["move_page", { page: "guides/deploy", title: "Deploy your first service" }]],
    say: [
      'Rename the page "Deploy a service" to "Deploy your first service"',
      'rename the page guides/deploy to "Deploy your first service"',
      'The page "Deploy a service" should be called "Deploy your first service".',
      "Rename the page Deploy a service to Deploy your first service.",
    ],
  },
  {
    calls: [["set_front_matter", { page: "guides/deploy", key: "title", value: "Deploy your first service" }]],
    say: [
      'Set the title of guides/deploy to "Deploy your first service"',
      'Change the title of the page guides/deploy to "Deploy your first service"; keep the file where it is.',
      'guides/deploy: title should be "Deploy your first service"',
      'Retitle guides/deploy to "Deploy your first service" without changing its URL',
    ],
  },
  {
    calls: [["remove_page", { page: "install/windows", redirectTo: "install/docker" }]],
    say: [
      "Remove the page install/windows and redirect it to install/docker",
      "Delete install/windows.mdx, redirect to install/docker",
      'Remove the page "Install on Windows" and send its readers to "Install with Docker".',
      "delete the Install on Windows page and add a redirect to install/docker",
      "We dropped Windows. Remove install/windows and redirect it to install/docker.",
      "Drop the page install/windows (redirect to install/docker)",
    ],
  },
  {
    calls: [["remove_page", { page: "drafts/roadmap" }]],
    say: [
      "Remove the page drafts/roadmap",
      "delete drafts/roadmap.mdx",
      "please delete the Roadmap page",
      "rm drafts/roadmap.mdx",
      'Get rid of the page "Roadmap".',
    ],
  },
  {
    calls: [["set_front_matter", { page: "operate/upgrade", key: "hidden", value: true }]],
    say: [
      "Hide the page operate/upgrade",
      "hide operate/upgrade from the sidebar",
      'Hide the "Upgrade Harbor" page for now',
      "Please take the page operate/upgrade out of the navigation, but keep the page.",
    ],
  },
  {
    calls: [["set_front_matter", { page: "drafts/roadmap", key: "hidden", value: null }]],
    say: ["Unhide the page drafts/roadmap", "Show the Roadmap page again", "unhide drafts/roadmap please"],
  },
  {
    calls: [["add_page", { title: "Rate limits", group: "API", text: "Each token may send 100 requests a minute." }]],
    say: [
      'Add a page titled "Rate limits" to the API group with the text "Each token may send 100 requests a minute."',
      'Create a new page called "Rate limits" under API that says: "Each token may send 100 requests a minute."',
      'add a page "Rate limits" in the group API with this content:\n```\nEach token may send 100 requests a minute.\n```',
      'New page under "API", title "Rate limits", text "Each token may send 100 requests a minute."',
      'Please add a "Rate limits" page to the API section of the sidebar, with the text: Each token may send 100 requests a minute.',
    ],
  },
  {
    calls: [
      [
        "add_page",
        { title: "Volumes", path: "concepts/volumes", after: "concepts/berths", text: "A volume outlives its berth." },
      ],
    ],
    say: [
      'Add a page titled "Volumes" at concepts/volumes after concepts/berths with the text "A volume outlives its berth."',
      'Create the page concepts/volumes, titled "Volumes", after the Berths page, with the text "A volume outlives its berth."',
      'create concepts/volumes.mdx with title "Volumes" and the text "A volume outlives its berth.", after concepts/berths in the nav',
    ],
  },
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
