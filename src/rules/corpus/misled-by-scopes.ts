import { type CorpusEntry, type ExpectedCall, term } from "./entry.ts";

const guides = { in: ["guides/"] };
const fixInGuides: ExpectedCall = ["fix_links", guides];
const toStart = (page: string, options: Record<string, unknown> = {}): ExpectedCall => [
  "move_page",
  { page: `guides/${page}`, to: `start/${page}`, ...options },
];
const withoutPage = (page: string, options: Record<string, unknown> = {}): ExpectedCall => [
  "remove_page",
  { page, ...options },
];

/** Which words a restriction, an exception or an order belongs to. Whoever takes the nearest changes what was to be spared. */
export const misledByScopes: readonly CorpusEntry[] = [
  {
    refused: true,
    say: [
      'Replace "webhook" with "callback", but leave code blocks in guides/ alone',
      'Replace "webhook" with "callback" but not in code in guides/',
      'Replace "webhook" with "callback", do not change URLs in guides/',
      'Replace "webhook" with "callback" except in code and in guides/',
      'Replace "webhook" with "callback", but not in code blocks and on the FAQ page',
      'Replace "webhook" with "callback", not in URLs and in guides/',
      'Replace "Limits" with "Quotas" except in guides/ and in headings',
      'Replace "Limits" with "Quotas" everywhere except in the changelog and in page titles',
      'Replace "webhook" with "callback" except in code and in headings',
      'Except in code and in guides/, replace "webhook" with "callback"',
      'Replace "webhook" with "callback" except in guides/, in code too',
      'Replace "Limits" with "Quotas" in headings and in guides/',
      'Replace "webhook" with "callback" in guides/, api/ and in headings',
      'Replace "Limits" with "Quotas" everywhere and in headings',
      'Replace "webhook" with "callback", but in guides/ only in headings',
      'Replace "webhook" with "callback", but in api/ case-sensitive',
      'Replace "webhook" with "callback", and in guides/ also in code',
      'Replace "webhook" with "callback", also in code in guides/',
      'Replace "webhook" with "callback", also in inline code',
      'Replace "webhook" with "callback" in inline code too',
    ],
  },
  {
    calls: [term("webhook", "callback", { ...guides, includeCode: false })],
    say: [
      'In guides/, replace "webhook" with "callback", not in code',
      'Replace "webhook" with "callback" in guides/, but not in code',
      'Replace "webhook" with "callback", not in code, but only in guides/',
      'Not in code blocks, replace "webhook" with "callback" in guides/',
    ],
  },
  {
    calls: [term("webhook", "callback", { ...guides, includeCode: true })],
    say: ['Replace "webhook" with "callback" in guides/, also in code'],
  },
  {
    refused: true,
    say: [
      'Replace "berth" with "slot" everywhere except in:\n- guides/\n- api/',
      'Replace "berth" with "slot" everywhere except on these pages:\n- quickstart\n- index',
      'Set the tag of all pages in api/ to "Beta" except on:\n- api/errors\n- api/tokens',
      'Replace "berth" with "slot" except in guides/. Replace "berth" with "slot".',
      "Hide the pages in guides/ and api/ except in api/",
      'Replace "berth" with "slot" in guides/deploy except in guides/',
    ],
  },
  {
    refused: true,
    say: [
      'Set the tag of all pages in api/ to "Beta". Set the tag of all pages to "Stable".',
      "Use sentence case for headings in guides/. Use title case for headings.",
      "Hide all pages in guides/. Unhide all pages.",
      'Set the tag of Tokens to "New". Set the tag of all pages in api/ to "Beta".',
      'Replace "log" with "journal" and "log in" with "sign in"',
      'Replace "Harbor" with "Port" and "Harbor Cloud" with "Pier"',
      'Replace "berth" with "harbor slot". Replace "slot" with "place".',
      'Move the group "API" after "Guides". Move the group "API" before "Guides".',
      'Rename the group "API" to "A". Rename the group "API" to "B".',
      'Replace the section "Limits" on guides/search with "x". Remove the section "Limits" from guides/search.',
      'Remove the section "Limits" from guides/search. Replace the section "Limits" on the page Search with "x".',
      'Set the alt text of images/console.svg to "x". Mark images/console.svg as decorative.',
      'Hide guides/backups. Unhide "Back up a cluster".',
      'Set the description of guides/backups to "A". Set the description of the page "Back up a cluster" to "B".',
      'Remove guides/backups and redirect it to index. Hide the page "Back up a cluster".',
    ],
  },
  {
    calls: [
      ["set_front_matter", { in: ["**"], key: "tag", value: "Stable" }],
      ["set_front_matter", { in: ["api/"], key: "tag", value: "Beta" }],
    ],
    say: ['Set the tag of all pages to "Stable". Set the tag of all pages in api/ to "Beta".'],
  },
  {
    calls: [
      ["set_front_matter", { in: ["api/"], key: "tag", value: "Beta" }],
      ["set_front_matter", { in: ["**"], key: "tag", value: "Stable", except: ["api/"] }],
    ],
    say: ['Set the tag of all pages in api/ to "Beta". Set the tag of all pages to "Stable" except in api/.'],
  },
  {
    calls: [term("log in", "sign in"), term("log", "journal")],
    say: ['Replace "log in" with "sign in" and "log" with "journal"'],
  },
  {
    calls: [
      ["set_front_matter", { page: "guides/backups", key: "hidden", value: true }],
      ["set_front_matter", { page: "Search", key: "hidden", value: null }],
    ],
    say: ["Hide guides/backups. Unhide the page Search."],
  },
  {
    refused: true,
    say: [
      'Replace "berth" with "slot". Replace "worker" with "runner". Do not touch the changelog.',
      '- Replace "berth" with "slot"\n- Fix broken links\n\nIn guides/ only.',
      'Fix broken links; replace "berth" with "slot"; leave the changelog alone',
      'Do not touch the changelog. Replace "berth" with "slot". Replace "worker" with "runner".',
      '1. Only in guides/\n2. Replace "berth" with "slot"\n3. Replace "worker" with "runner"',
      'Leave guides/ alone; replace "berth" with "slot"; replace "worker" with "runner"',
      'Fix broken links. Not in guides/. Replace "berth" with "slot".',
      'Add missing descriptions. Leave the changelog alone. Replace "berth" with "slot".',
      'Use sentence case for headings. Do not touch the changelog. Replace "berth" with "slot".',
      'In guides/\n- replace "berth" with "slot"\n- fix broken links',
      'Only on the page quickstart\n- replace "berth" with "slot"\n- fix broken links',
      'Do not touch guides/\n- replace "berth" with "slot"\n- replace "worker" with "runner"',
      'Replace "berth" with "slot". Replace "worker" with "runner". Also in code.',
      "Move guides/search to start/search. Move guides/deploy to start/deploy. No redirect.",
      "No redirects please. Move guides/search to start/search. Move guides/deploy to start/deploy.",
      '```chores\n- fix_links\n```\nReplace "berth" with "slot". Leave the changelog alone.',
    ],
  },
  {
    refused: true,
    say: [
      'Fix broken links and replace "berth" with "slot", but leave the changelog alone',
      'Fix broken links and replace "berth" with "slot" except in guides/',
      'Add missing descriptions, fix broken links and replace "berth" with "slot" except in the changelog',
      'Replace "berth" with "slot" everywhere and replace "worker" with "runner", also in code',
      "Move guides/search to start/search and move guides/deploy to start/deploy, no redirect",
      'Except in guides/, replace "berth" with "slot"; fix broken links',
      "Delete guides/search and delete guides/deploy and redirect both to index",
      "Delete guides/search. Delete guides/deploy. Redirect both to index.",
      "Delete guides/search. Delete guides/deploy. Redirect to index.",
      "Delete guides/search and delete guides/deploy and redirect to index",
      "Delete guides/search and guides/deploy and redirect it to index",
    ],
  },
  {
    calls: [withoutPage("guides/search"), withoutPage("guides/deploy", { redirectTo: "index" })],
    say: [
      "Delete guides/search and delete guides/deploy and redirect it to index",
      "Delete guides/search. Delete guides/deploy and redirect it to index.",
    ],
  },
  {
    calls: [fixInGuides, term("berth", "slot", { except: ["changelog"] })],
    say: [
      'Fix broken links in guides/ and replace "berth" with "slot" except in the changelog',
      'Fix broken links in guides/. Replace "berth" with "slot". Do not touch the changelog.',
      'Fix broken links. Only in guides/. Replace "berth" with "slot" everywhere. Not in the changelog.',
    ],
  },
  {
    calls: [toStart("search"), toStart("deploy", { redirect: false }), ["check_links", {}]],
    say: [
      "Move guides/search to start/search. Move guides/deploy to start/deploy without a redirect. Finally, check links.",
    ],
  },
  {
    refused: true,
    say: [
      'In guides/:\n- Replace "berth" with "slot". Fix broken links.',
      'In guides/:\n- Replace "berth" with "slot"; fix broken links',
      'In guides/:\n- Replace "berth" with "slot"\nFix broken links',
      'Except in guides/:\nreplace "berth" with "slot"\nfix broken links',
      'Replace "webhook" with "callback" in guides/. Also in headings.',
      'Replace "webhook" with "callback" in headings. Also in guides/.',
      'Replace "webhook" with "callback" except in guides/. Also in api/.',
      'Replace "webhook" with "callback" except in guides/. In api/ too.',
      "Lastly, check links. First, move guides/search to reference/search.",
      "Step 2: Check links\nStep 1: Move guides/search to reference/search",
      "2. Check links\n1. Move guides/search to reference/search",
      "Check links afterwards. Move guides/search to reference/search.",
    ],
  },
  {
    calls: [term("berth", "slot", guides), fixInGuides],
    say: [
      'In guides/:\nreplace "berth" with "slot"\nfix broken links',
      'In guides/:\n- replace "berth" with "slot"\n\n- fix broken links',
      'Small changes:\n- In guides/:\n  - replace "berth" with "slot"\n  - fix broken links',
      'In guides/:\n- Replace these terms:\n  - "berth" with "slot"\n- fix broken links',
      '1. Replace "berth" with "slot" in guides/\n1. Fix broken links in guides/',
    ],
  },
  {
    calls: [term("berth", "slot", guides), ["fix_links", {}]],
    say: [
      '1. In guides/:\n   - replace "berth" with "slot"\n2. Fix broken links',
      '1. In guides/:\n- replace "berth" with "slot"\n2. Fix broken links',
      'In guides/:\n- replace "berth" with "slot"\n\nFix broken links.',
    ],
  },
  {
    calls: [term("webhook", "callback", { includeCode: true })],
    say: ['Replace "webhook" with "callback". Also in code.'],
  },
  {
    refused: true,
    say: [
      'Replace "Limits" with "Quotas" in headings too, please',
      'Replace "Limits" with "Quotas" in headers too',
      'Replace "Harbor" with "Port" in the title of every page too',
      'Replace "Harbor" with "Port" in page titles as well, thanks',
      "Use sentence case for headings in guides/. Use title case for the remaining headings.",
      'Use "-" as list markers in guides/. Use "*" for the remaining lists.',
      'Hide operate/upgrade and operate/harbormaster, and set its tag to "Old"',
      'Move guides/search and guides/deploy to start/ and set its title to "A"',
      'Hide quickstart and index. Set its title to "Start".',
      'Replace "berth" with "slot" and "worker" with "runner", and with "place" in guides/',
      'Replace "berth" in guides/ with "slot" and "worker" with "runner"',
      'Replace "berth" in headings with "slot" and "worker" with "runner"',
      'Replace the term "berth" with "slot" in guides/ and the term "worker" with "runner"',
      'Rename the term "berth" to "slot" and the term "worker" to "runner" in guides/',
      '"berth" should be replaced with "slot", and broken links should be fixed in guides/',
      "Move the page guides/search to start/search without a redirect and the page guides/deploy to start/deploy",
      "Check the links in guides/ and fix broken links",
      "Check links afterwards, and move guides/search to reference/search",
      'Replace "webhook" with "callback":\n- in guides/\n- not in code',
      'Replace "webhook" with "callback":\n- only in headings\n- in guides/',
      "Move guides/search to start/search:\n- without a redirect\n- fix broken links",
      'Changes of 2.6:\n- Replace "berth" with "slot"',
      "Fixes of v2.6:\n- hide the page quickstart",
    ],
  },
  {
    calls: [term("webhook", "callback", guides), term("webhook", "callback", { in: ["api/"] })],
    say: ['Replace "webhook" with "callback":\n- in guides/\n- in api/'],
  },
  {
    calls: [
      ["move_page", { page: "guides/search", to: "reference/search" }],
      ["fix_links", {}],
    ],
    say: ["Move guides/search to reference/search and fix all links"],
  },
  {
    calls: [
      ["move_page", { page: "Search", title: "Find" }],
      ["repair_navigation", {}],
    ],
    say: ['Rename the page Search to "Find" and fix the navigation'],
  },
  {
    calls: [["move_page", { page: "guides/search", to: "reference/search" }]],
    say: [
      "Move guides/search to reference/search and fix the links to it",
      "Move guides/search to reference/search and update all links accordingly",
    ],
  },
  {
    calls: [
      ["check_links", guides],
      ["fix_links", {}],
    ],
    say: ["Check the links in guides/ and fix broken links everywhere", "Check links in guides/. Fix broken links."],
  },
];
