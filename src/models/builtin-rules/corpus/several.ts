import { type ExpectedCall, type CorpusEntry, term } from "./entry.ts";

const rename = term("Harbor Cloud", "Harbor Platform");
const fixLinks: ExpectedCall = ["fix_links", {}];
const checkLinks: ExpectedCall = ["check_links", {}];
const moveSearch: ExpectedCall = ["move_page", { page: "guides/search", to: "reference/search" }];
const removeRoadmap: ExpectedCall = ["remove_page", { page: "drafts/roadmap" }];
const hideUpgrade: ExpectedCall = ["set_front_matter", { page: "operate/upgrade", key: "hidden", value: true }];
const describe: ExpectedCall = ["add_missing_descriptions", {}];
const sentenceCase: ExpectedCall = ["normalise_style", { headingCase: "sentence" }];
const note: ExpectedCall = ["add_callout", { page: "quickstart", kind: "note", text: "You need an account." }];

/** Several instructions in one message. One that is not understood refuses all. */
export const several: readonly CorpusEntry[] = [
  {
    calls: [rename, fixLinks],
    say: [
      'Replace "Harbor Cloud" with "Harbor Platform" and fix broken links',
      'Replace "Harbor Cloud" with "Harbor Platform". Then fix broken links.',
      '1. Replace "Harbor Cloud" with "Harbor Platform"\n2. Fix broken links',
      "First rename the product Harbor Cloud to Harbor Platform, then fix the broken links.",
      'TODO:\n- [ ] replace "Harbor Cloud" with "Harbor Platform"\n- [ ] fix broken links',
      "Rename the product Harbor Cloud to Harbor Platform; afterwards fix broken links, please.",
      'Two things: replace "Harbor Cloud" with "Harbor Platform", and fix all broken links.',
      'Hi team,\n\nplease replace "Harbor Cloud" with "Harbor Platform" in all docs. Also, fix broken links.\n\nThanks!',
    ],
  },
  {
    calls: [moveSearch, fixLinks],
    say: [
      "Move guides/search to reference/search and fix broken links",
      "move guides/search to reference/search, then fix broken links",
      "* move guides/search.mdx to reference/search.mdx\n* fix broken links",
      "Step 1: Move guides/search to reference/search\nStep 2: Fix broken links",
    ],
  },
  {
    calls: [removeRoadmap, hideUpgrade],
    say: [
      "Remove drafts/roadmap and hide operate/upgrade",
      "Delete the page drafts/roadmap. Hide the page operate/upgrade.",
      "- Remove the Roadmap page\n- Hide the Upgrade Harbor page",
      "Please remove the page drafts/roadmap, and also hide operate/upgrade for now.",
      "a) delete drafts/roadmap\nb) hide operate/upgrade",
    ],
  },
  {
    calls: [describe, ["report_missing_alt", {}]],
    say: [
      "Add missing descriptions and list images without alt text",
      "SEO clean-up: add missing descriptions, list images without alt text.",
      "Add missing descriptions. Which images have no alt text?",
    ],
  },
  {
    calls: [sentenceCase, ["normalise_style", { listMarker: "-" }]],
    say: [
      'Use sentence case for headings. Use "-" as list markers.',
      '- sentence case for headings\n- use "-" as list markers',
      'Use sentence case for headings, and "-" for bullet lists',
    ],
  },
  {
    calls: [note, fixLinks],
    say: [
      'Add a note to quickstart with the text "You need an account." and fix broken links.',
      'Add a note to quickstart with the text "You need an account." Then fix broken links.',
      "Add a note to quickstart with the text:\n```\nYou need an account.\n```\nFix broken links.",
      'On quickstart, add the note "You need an account."; then fix all broken links',
    ],
  },
  {
    calls: [term("berth", "slot", { in: ["concepts/"] }), term("berth", "place", { in: ["guides/"] })],
    say: [
      'Replace "berth" with "slot" in concepts/ and with "place" in guides/',
      'Replace "berth" with "slot" in concepts/. In guides/, replace "berth" with "place".',
      'In concepts/ replace "berth" with "slot"; in guides/ replace it with "place".',
      'Replace the term "berth":\n- in concepts/ with "slot"\n- in guides/ with "place"',
    ],
  },
  {
    calls: [
      ["move_page", { page: "guides/search", to: "reference/search" }],
      ["move_page", { page: "guides/redirects", to: "reference/redirects" }],
    ],
    say: [
      "Move guides/search and guides/redirects to reference/",
      "Move the pages Search and Redirects to reference/",
      "Move guides/search to reference/search and guides/redirects to reference/redirects",
      "Please move these pages to reference/:\n- guides/search\n- guides/redirects",
      "guides/search -> reference/search\nguides/redirects -> reference/redirects\n\nMove these pages please.",
    ],
  },
  {
    calls: [hideUpgrade, ["set_front_matter", { page: "operate/harbormaster", key: "hidden", value: true }]],
    say: [
      "Hide operate/upgrade and operate/harbormaster",
      "Hide the pages Upgrade Harbor and Harbormaster",
      "Hide operate/upgrade. Hide operate/harbormaster, too.",
    ],
  },
  {
    calls: [
      ["remove_page", { page: "install/windows", redirectTo: "install/docker" }],
      ["rename_group", { group: "Get started", to: "Install" }],
    ],
    say: [
      'Remove install/windows and redirect it to install/docker. Rename the group "Get started" to "Install".',
      '- remove install/windows, redirect to install/docker\n- rename group "Get started" to "Install"',
    ],
  },
  {
    calls: [
      ["set_front_matter", { page: "quickstart", key: "title", value: "Start here" }],
      ["set_front_matter", { page: "quickstart", key: "description", value: "Five minutes." }],
    ],
    say: [
      'Set the title of quickstart to "Start here" and the description to "Five minutes."',
      'On quickstart, set the title to "Start here" and the description to "Five minutes."',
      'quickstart:\n- set the title to "Start here"\n- set the description to "Five minutes."',
      'Set title to "Start here" and description to "Five minutes." on the page quickstart',
    ],
  },
  {
    calls: [rename, describe, checkLinks],
    say: [
      'Replace "Harbor Cloud" with "Harbor Platform", add missing descriptions, and check links',
      'Please do the following:\n1) Replace "Harbor Cloud" with "Harbor Platform".\n2) Add missing descriptions.\n3) Check links.',
      'replace "Harbor Cloud" with "Harbor Platform" + add missing descriptions + check links',
    ],
  },
  {
    calls: [
      ["openapi_pages", { file: "openapi.yaml" }],
      ["changelog_from_history", { version: "2.7", since: "v2.6" }],
      fixLinks,
    ],
    say: [
      "Create API reference pages from openapi.yaml, add a changelog entry for 2.7 from the git history since v2.6, and fix broken links.",
      "Release chores for 2.7:\n- create API reference pages from openapi.yaml\n- add a changelog entry for 2.7 from the git history since v2.6\n- fix broken links",
    ],
  },
  {
    calls: [
      ["add_redirect", { from: "docs/install", to: "install/linux" }],
      ["remove_redirect", { from: "help" }],
    ],
    say: [
      "Add a redirect from /docs/install to /install/linux and remove the one from /help",
      "Redirect /docs/install to /install/linux. Remove the redirect from /help.",
    ],
  },
  {
    calls: [
      ["remove_section", { page: "guides/search", title: "Limits" }],
      ["remove_section", { page: "guides/redirects", title: "Limits" }],
    ],
    say: [
      "Remove the Limits section from guides/search and guides/redirects",
      'Remove the section "Limits" from the pages Search and Redirects',
      'Remove the section "Limits" from guides/search and from guides/redirects.',
    ],
  },
  {
    calls: [
      ["repair_navigation", {}],
      ["orphan_report", {}],
    ],
    say: ["Repair the navigation and list orphan pages", "Repair the navigation. Which pages are not in it?"],
  },
  {
    refused: true,
    say: [
      'Replace "Harbor Cloud" with "Harbor Platform" and improve the quickstart',
      'Replace "Harbor Cloud" with "Harbor Platform", then deploy the docs.',
      "Fix broken links and typos",
      "Fix broken links, grammar and formatting",
      "1. Fix broken links\n2. Write a page about volumes\n3. Add missing descriptions",
      "Move guides/search to reference/search and update its introduction",
      "Remove drafts/roadmap and tell Anna about it",
      'Rename the group "Operations" to "Run Harbor" and explain why',
      'Add a note to quickstart with the text "You need an account." and translate it to German',
      'Add a page titled "Volumes" under "Concepts" with the text: A volume outlives its berth. Also fix broken links.',
      "Hide operate/upgrade and make the sidebar nicer",
      "Add missing descriptions and make them catchy",
      "Check links and open an issue for each broken one",
      "Fix broken links. Do not fix broken links.",
      "Hide operate/upgrade. Unhide operate/upgrade.",
      "Move guides/search to reference/search. Move guides/search to api/search.",
      'Remove drafts/roadmap. Set its title to "Plans".',
      "Use sentence case for headings and use title case for headings",
      "Fix broken links and merge the pull request",
      "- fix broken links\n- ???",
      "Fix broken links, and so on.",
      "Fix broken links etc.",
      'Replace "berth" with "slot" and so on for the other terms',
      "Move guides/search and the others to reference/",
    ],
  },
];
