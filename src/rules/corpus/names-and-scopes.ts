import { type CorpusEntry, term } from "./entry.ts";

const guides = { in: ["guides/"] };
const guidesGroup = {
  in: ["deploy", "replace", "redirects", "search", "backups", "migrate"].map((name) => `guides/${name}`),
};

/** Names that are words of the language itself, and parts of the docs named in every place of a sentence. */
export const namesAndScopes: readonly CorpusEntry[] = [
  {
    calls: [term("Redirects", "Forwarding")],
    say: [
      'Replace "Redirects" with "Forwarding" in all pages',
      'In all pages, use "Forwarding" instead of "Redirects".',
    ],
  },
  {
    calls: [term("Search", "Find", { in: ["support/faq", "support/troubleshooting", "changelog"] })],
    say: [
      'Replace "Search" with "Find" in the group "All pages"',
      'In the "All pages" group, replace "Search" with "Find".',
    ],
  },
  {
    either: [[term("Search", "Find", guides)], [term("Search", "Find", guidesGroup)], "refused"],
    say: ['Replace "Search" with "Find" in the guides', 'In our guides, replace "Search" with "Find".'],
  },
  {
    calls: [term("sign in", "log in")],
    say: ["Replace the term sign in with log in", "replace the words “sign in” with “log in”"],
  },
  {
    calls: [term("log in", "sign in", guides)],
    say: ["Replace the term log in with sign in in guides/", 'Replace "log in" with "sign in" in guides/.'],
  },
  { calls: [term("and", "or", { in: ["api/errors"] })], say: ['Replace "and" with "or" on the page api/errors'] },
  {
    calls: [term("in guides/", "in the guides")],
    say: ['Replace "in guides/" with "in the guides"', "Replace “in guides/” by “in the guides” everywhere."],
  },
  {
    calls: [["set_front_matter", { page: "guides/search", key: "hidden", value: true }]],
    say: ['Hide "Search"', "hide the Search page"],
  },
  {
    calls: [["remove_section", { page: "guides/redirects", title: "Add a redirect" }]],
    say: [
      'Remove the section "Add a redirect" from guides/redirects',
      'Remove the "Add a redirect" section from the Redirects page',
    ],
  },
  {
    calls: [["remove_section", { page: "guides/search", title: "Limits" }]],
    say: ['Remove the section "Limits" from Search', "Remove the Limits section from the Search page."],
  },
  {
    calls: [["remove_section", { page: "concepts/access-control", title: "Tokens" }]],
    say: [
      "Remove the section Tokens from the page Access control",
      'delete the "Tokens" section of concepts/access-control',
    ],
  },
  {
    refused: true,
    say: ["Remove Environment variables", "Remove the Limits", "Hide Guides", "Rename Secrets to Vault"],
  },
  {
    calls: [["set_front_matter", { page: "index", key: "description", value: "Fix broken links in guides/" }]],
    say: ['Set the description of index to "Fix broken links in guides/"'],
  },
  {
    calls: [["set_front_matter", { page: "guides/redirects", key: "title", value: "Redirects and rewrites" }]],
    say: ['Set the title of guides/redirects to "Redirects and rewrites"'],
  },
  {
    calls: [term("Limits", "Quotas", { only: "headings", ...guides })],
    say: [
      'Replace "Limits" with "Quotas" in headings in guides/',
      'In guides/, replace "Limits" with "Quotas", but only in headings.',
      'Headings in guides/: "Limits" -> "Quotas"',
    ],
  },
  {
    either: [[term("Limits", "Quotas", { only: "headings" }), term("Limits", "Quotas", { only: "titles" })], "refused"],
    say: ['Replace "Limits" with "Quotas" in headings and titles only'],
  },
  {
    calls: [term("berth", "slot", { in: ["guides/"], except: ["guides/replace"] })],
    say: [
      'In guides/, replace "berth" with "slot", except on the page "Replace a node".',
      'Replace "berth" with "slot" in guides/ except guides/replace.md',
      'Replace "berth" with "slot" in guides/, but not in guides/replace',
    ],
  },
  {
    calls: [term("berth", "slot", { except: ["guides/advanced/"], includeCode: true })],
    say: [
      'Replace "berth" with "slot" everywhere, also in code, except in guides/advanced/.',
      'Except in guides/advanced/, replace "berth" with "slot", also in code.',
    ],
  },
  {
    calls: [["set_front_matter", { in: ["drafts/"], key: "hidden", value: true }]],
    say: ["Hide all pages in drafts/", "hide every page under drafts/"],
  },
  {
    calls: [["set_front_matter", { in: ["**"], key: "icon", value: null }]],
    say: ["Remove the icon from all pages", "remove the icon key from the front matter of every page"],
  },
  {
    calls: [["set_front_matter", { in: ["reference/"], key: "keywords", value: ["cli"], add: true }]],
    say: [
      'Add the keyword "cli" to all pages in reference/',
      'For every page in reference/, add "cli" to the keywords.',
    ],
  },
  {
    calls: [term("berth", "slot", guides), ["fix_links", guides]],
    say: [
      'In guides/:\n- replace "berth" with "slot"\n- fix broken links',
      'In guides/, replace "berth" with "slot" and fix broken links in guides/.',
    ],
  },
  {
    // Does the folder hold for both? Nobody can tell.
    either: [
      [term("berth", "slot", guides), ["fix_links", guides]],
      [term("berth", "slot"), ["fix_links", guides]],
      "refused",
    ],
    say: ['Replace "berth" with "slot" and fix broken links in guides/'],
  },
  {
    either: [
      [term("berth", "slot", guides), ["fix_links", guides]],
      [term("berth", "slot", guides), ["fix_links", {}]],
      "refused",
    ],
    say: ['In guides/ replace "berth" with "slot" and fix broken links'],
  },
  {
    refused: true,
    say: [
      "Move the guides folder to tutorials/",
      "Move the Guides group and its pages to tutorials/",
      'Replace "berth" with "slot" except in headings',
      'Replace "berth" with "slot" in Search and Find',
      'Replace "berth" with "slot" in some of the guides',
      'Replace "berth" with "slot" in guides/ or concepts/',
      'Replace "berth" with "slot" in this folder',
      'Replace "berth" with "slot" on that page',
      'Replace "berth" with "slot" on the first three pages',
      "Fix broken links on this page",
      "Fix broken links here",
      "Check links in the usual places",
      "Hide the page",
      "Hide it",
      'Add a note to it with the text "x"',
      'Set the title to "Search" on Search, Redirects and Limits',
    ],
  },
];
