import type { CorpusEntry, ExpectedCall } from "./entry.ts";

const quotas: ExpectedCall = ["replace_section", { page: "guides/search", title: "Limits", text: "Quotas" }];
const icon = (value: string): ExpectedCall => ["set_front_matter", { page: "quickstart", key: "icon", value }];

/** What is asked of one thing, and was done to another: headings and contents, links and entries, states and tags. */
export const misledByObjects: readonly CorpusEntry[] = [
  {
    // The heading, or what stands below it?
    refused: true,
    say: [
      'Change the section "Limits" on guides/search to "Quotas"',
      'Update the section "Limits" of guides/search to "Rate limits"',
      'The section "Limits" on guides/search should be changed to "Quotas"',
      'On guides/search, change the section "Limits" to "Quotas"',
      'Set the "Limits" section of guides/search to "Quotas"',
    ],
  },
  {
    calls: [quotas],
    say: [
      'Replace the section "Limits" on guides/search with "Quotas"',
      'Change the text of the section "Limits" on guides/search to "Quotas"',
      'Change the section "Limits" on guides/search to the following text: "Quotas"',
    ],
  },
  {
    // A box stands at the top of its section, not after it.
    refused: true,
    say: [
      'Add a note after the section "Install" on quickstart with the text "Done."',
      'Add a note to quickstart with the text "Done." after "Install"',
      'On quickstart, add a note after "Install" with the text "Done."',
    ],
  },
  {
    // Links of pages are no entries of the navigation, and no chore removes them.
    refused: true,
    say: [
      "Remove links that lead nowhere",
      "Remove all links that point to pages that don't exist",
      "Get rid of links that lead nowhere",
      "Delete items that lead nowhere",
      "Remove pages that no longer exist",
      "Remove stale entries",
    ],
  },
  {
    calls: [["repair_navigation", {}]],
    say: [
      "Remove navigation links that lead nowhere",
      "Remove all links from the navigation that point to pages that don't exist",
      "Remove stale entries from the sidebar",
      "Remove entries without a page",
    ],
  },
  {
    // It does not say what is wrong, or what is missing.
    refused: true,
    say: ["Sort out the sidebar", "Clean out docs.json", "Fix docs.json", "Clean up the menu", "Add the missing menu", "Add missing toc", "Add the missing sidebar"],
  },
  {
    // A list is asked for.
    refused: true,
    say: ['List errors in the group "Guides"', "List tokens in the Reference group", "In the sidebar, list errors in Guides"],
  },
  {
    calls: [["move_page", { page: "api/errors", group: "Guides" }]],
    say: ['List the page api/errors under the group "Guides"', "List api/errors under Guides in the sidebar"],
  },
  {
    // A state may be a key of that name, or a chore.
    refused: true,
    say: [
      'Mark the page quickstart as "hidden"',
      'Mark all pages in drafts/ as "draft"',
      'Mark the page quickstart as "reviewed"',
      'Mark redirects as "temporary"',
      "The page quickstart should be marked as “done”",
    ],
  },
  {
    calls: [["set_front_matter", { page: "quickstart", key: "tag", value: "draft" }]],
    say: ['Tag the page quickstart as "draft"', 'Mark the page quickstart with the tag "draft"'],
  },
  {
    // No value, or a word for how it shall look.
    refused: true,
    say: [
      "Set the tag of quickstart to null",
      "Set the icon of quickstart to off",
      "Set the icon of quickstart to blue",
      "Set the icon of quickstart to bigger",
      "Change the tag of quickstart to nil",
    ],
  },
  { calls: [icon("rocket")], say: ["Set the icon of quickstart to rocket"] },
  { calls: [icon("blue")], say: ['Set the icon of quickstart to "blue"'] },
  {
    // A marker that nobody named; a rule of writing; an address that shall stay as it is.
    refused: true,
    say: [
      "Unify list markers",
      "Normalise list markers",
      "Standardise bullets",
      "Rename the page Search to Title Case",
      "Rename the page Search to Sentence case",
      "Rename the group Guides to Title Case",
      'Rename the page "Search" to "Find" and keep the old URL',
      'Rename the page "Search" to "Find", keeping the old address',
    ],
  },
]; // oxfmt-ignore
