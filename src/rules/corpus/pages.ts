import type { CorpusEntry } from "./entry.ts";

const moved = { page: "guides/search", to: "reference/search" };

export const aboutPages: readonly CorpusEntry[] = [
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
];
