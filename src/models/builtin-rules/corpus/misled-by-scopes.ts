import { type CorpusEntry, term } from "./entry.ts";

const guides = { in: ["guides/"] };

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
  { calls: [term("webhook", "callback", { ...guides, includeCode: true })], say: ['Replace "webhook" with "callback" in guides/, also in code'] },
  {
    refused: true,
    say: [
      'Replace "berth" with "slot" everywhere except in:\n- guides/\n- api/',
      'Replace "berth" with "slot" everywhere except on these pages:\n- quickstart\n- index',
      'Set the tag of all pages in api/ to "Beta" except on:\n- api/errors\n- api/tokens',
      'Replace "berth" with "slot" except in guides/. Replace "berth" with "slot".',
      'Hide the pages in guides/ and api/ except in api/',
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
];
