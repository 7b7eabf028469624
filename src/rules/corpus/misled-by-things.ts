import { type CorpusEntry, type ExpectedCall, term } from "./entry.ts";
import { groups } from "./repository.ts";

const hide = (page: string): ExpectedCall => ["set_front_matter", { page, key: "hidden", value: true }];
const tagged = (within: readonly string[]): ExpectedCall => [
  "set_front_matter",
  { in: within, key: "tag", value: "Beta" },
];

/** Things, parts of a site and groups: what is asked of one was done to the page of that name, or to all pages of the group. */
export const misledByThings: readonly CorpusEntry[] = [
  {
    refused: true,
    say: [
      "Hide the search",
      "Hide secrets",
      "Hide Tokens from the sidebar",
      "Unhide the changelog",
      "Bring search back to the navigation",
      "Take redirects out of the navigation",
      "Move search to guides/find",
      'Set the title of the search to "Find"',
      'Replace "setup" with "start" in redirects',
      'Replace "setup" with "start" in the search',
      'Use "start" instead of "setup" on redirects',
      "Fix broken links in redirects",
    ],
  },
  { calls: [hide("guides/search")], say: ["Hide the search page", "Hide the page search", "Hide guides/search"] },
  {
    calls: [term("setup", "start", { in: ["guides/redirects"] })],
    say: ['Replace "setup" with "start" on the redirects page', 'Replace "setup" with "start" in guides/redirects'],
  },
  {
    // Rules about things.
    refused: true,
    say: [
      "Secrets must be hidden",
      "Tokens have to be hidden",
      "Backups should be moved to storage/backups",
      "Environment variables should be moved to config/env",
      'Tokens must have the tag "prod"',
      'Secrets should be tagged "confidential"',
      'Secrets should be given the tag "Beta"',
      "Secrets must be placed in the group “Concepts”",
      "Redirects need to be put in the group Reference",
      'Tokens should have a note saying "Beta."',
    ],
  },
  { calls: [hide("concepts/secrets")], say: ["The page Secrets must be hidden", "concepts/secrets should be hidden"] },
  {
    // A key of a group stands in docs.json.
    refused: true,
    say: [
      'Set the icon of the group "Guides" to "x"',
      'Set the tag of the group "Concepts" to "Beta"',
      'Set the tag to "Beta" for the group "Concepts"',
      'Set the tag of the Concepts group to "Beta"',
      'Give the group "Guides" the icon "x"',
      'Tag the group "Guides" with "x"',
      'Remove the icon from the group "Guides"',
      'Add the keyword "x" to the group "Guides"',
    ],
  },
  {
    calls: [tagged(groups["Concepts"] ?? [])],
    say: [
      'Set the tag of all pages in the group "Concepts" to "Beta"',
      'Set the tag to "Beta" in the group "Concepts"',
    ],
  },
]; // oxfmt-ignore
