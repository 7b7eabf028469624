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
    calls: [["set_front_matter", { in: ["guides/advanced/"], key: "tag", value: "New" }], describe],
    say: [
      'Tag all pages in guides/advanced/ as "New" and add missing descriptions.',
      'Set the tag of all pages in guides/advanced/ to "New". Add missing descriptions.',
    ],
  },
  {
    calls: [
      ["rename_group", { group: "Operations", to: "Run Harbor" }],
      ["move_group", { group: "Run Harbor", after: "Guides" }],
    ],
    say: [
      'Rename the group "Operations" to "Run Harbor" and move it after "Guides"',
      'Rename the Operations group to "Run Harbor", then move it after Guides.',
    ],
  },
  {
    calls: [
      ["move_page", { page: "concepts/secrets", group: "Operations" }],
      ["set_front_matter", { page: "concepts/secrets", key: "tag", value: null }],
    ],
    say: [
      "Move the page concepts/secrets to the Operations group and remove its tag",
      'Secrets is stable now:\n- move the page "Secrets" to the group "Operations"\n- remove the tag from it',
    ],
  },
  {
    calls: [
      ["remove_page", { page: "drafts/roadmap" }],
      ["remove_page", { page: "install/windows", redirectTo: "install/docker" }],
    ],
    say: [
      "Remove drafts/roadmap, and remove install/windows and redirect it to install/docker",
      "Delete these pages:\n- drafts/roadmap\n- install/windows (redirect to install/docker)",
      "Remove the Roadmap page. Remove the Install on Windows page and redirect it to install/docker.",
    ],
  },
  {
    calls: [
      ["add_callout", { page: "concepts/secrets", kind: "warning", text: "Back up your keys." }],
      ["remove_section", { page: "concepts/secrets", title: "Limits" }],
    ],
    say: [
      'On concepts/secrets, add a warning with the text "Back up your keys." and remove the section "Limits".',
      'Secrets page:\n- add a warning: "Back up your keys."\n- remove the Limits section',
      'Add a warning to concepts/secrets with the text "Back up your keys." Remove the section "Limits" from the same page.',
    ],
  },
  {
    calls: [
      ["replace_section", { page: "install/linux", title: "Requirements", text: "Linux 5.10 or newer." }],
      ["replace_section", { page: "install/docker", title: "Requirements", text: "Docker 24 or newer." }],
    ],
    say: [
      'Replace the section "Requirements" on install/linux with "Linux 5.10 or newer." and on install/docker with "Docker 24 or newer."',
      '1. Replace the section "Requirements" on install/linux with "Linux 5.10 or newer."\n2. Replace the section "Requirements" on install/docker with "Docker 24 or newer."',
    ],
  },
  {
    calls: [
      ["set_alt_text", { image: "images/console.svg", alt: "The console" }],
      ["set_alt_text", { image: "images/divider.svg", alt: "" }],
    ],
    say: [
      'Set the alt text of images/console.svg to "The console". Mark images/divider.svg as decorative.',
      'Alt texts:\n- set the alt text of images/console.svg to "The console"\n- mark images/divider.svg as decorative',
    ],
  },
  {
    calls: [term("whitelist", "allowlist"), term("blacklist", "denylist"), sentenceCase],
    say: [
      'Replace "whitelist" with "allowlist" and "blacklist" with "denylist", and use sentence case for headings.',
      "Style guide:\n1. whitelist -> allowlist (replace the term everywhere)\n2. blacklist -> denylist (replace the term everywhere)\n3. sentence case for headings",
      'Use "allowlist" instead of "whitelist" and "denylist" instead of "blacklist". Headings in sentence case, please.',
    ],
  },
  {
    calls: [["add_redirect", { from: "docs/install", to: "install/linux" }], checkLinks],
    say: [
      "Redirect /docs/install to /install/linux and then check all links",
      "add a redirect from /docs/install to /install/linux, afterwards check links",
    ],
  },
  {
    calls: [
      ["normalise_style", { glossary: "glossary.yaml" }],
      ["repair_navigation", {}],
      ["audit", {}],
    ],
    say: [
      "Apply glossary.yaml, repair the navigation and audit the docs",
      "Weekly clean-up:\n* apply the glossary glossary.yaml\n* repair the navigation\n* audit the docs",
      "Apply the glossary glossary.yaml. Repair the navigation. Finally, audit the docs.",
    ],
  },
  {
    calls: [
      ["add_page", { title: "Volumes", group: "Concepts", text: "A volume outlives its berth." }],
      ["add_redirect", { from: "storage", to: "concepts/volumes" }],
    ],
    say: [
      'Add a page titled "Volumes" under "Concepts" with the text "A volume outlives its berth." Add a redirect from /storage to /concepts/volumes.',
    ],
  },
];
