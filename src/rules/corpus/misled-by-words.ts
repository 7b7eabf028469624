import { type CorpusEntry, term } from "./entry.ts";

/** Statements of fact, words in apposition, and names that stand for things: each was carried out as something else once. */
export const misledByWords: readonly CorpusEntry[] = [
  {
    // What belongs to a page, a section or a group is no word in apposition.
    refused: true,
    say: [
      'Replace the text of "Limits" with "None."',
      'Change the text of "Search" to "We have none."',
      'Change the name of "Guides" to "Recipes"',
      'Update the name for "Operations" to "Run Harbor"',
      'Change the text for "Limits" to "None"',
    ],
  },
  {
    calls: [term("Harbr", "Harbor")],
    say: ['Fix the spelling of "Harbr" to "Harbor"', 'Correct the typo "Harbr" to "Harbor"'],
  },
  {
    // Two terms, or two places?
    refused: true,
    say: [
      'Replace "Tokens" in guides/ and "Secrets" with "Keys"',
      'Replace "Search" on quickstart and "Tokens" with "Find"',
      'Swap "Tokens" in guides/ and "Secrets" for "Keys"',
      'Substitute "Tokens" in guides/ or "Secrets" by "Keys"',
      'Remove the section "Limits" from guides/search and "Secrets"',
      'Add the keyword "berth" to quickstart and "Tokens"',
    ],
  },
  {
    calls: [term("Tokens", "Keys", { in: ["guides/", "Secrets"] })],
    say: ['Replace "Tokens" in guides/ and on the page "Secrets" with "Keys"', 'Replace "Tokens" with "Keys" in guides/ and "Secrets"'],
  },
  {
    // What is, was or will be is told, not asked.
    refused: true,
    say: [
      '"Kubernetes" is known as "k8s"',
      'The company "Harbor Cloud" is called "HC"',
      '"Harbor Cloud" has been renamed to "Harbor Platform"',
      '"Harbor Cloud" is replaced by "Harbor Platform"',
      "/tutorial redirects to /quickstart. Fix broken links.",
      "/tutorial redirects to /quickstart",
      'Instead of "berth" we write "slot"',
      'Instead of "berth", we say "slot"',
      "The image images/divider.svg is decorative",
      'images/divider.svg gets the alt text "A line"',
    ],
  },
  {
    // “In any case” in front is “anyway”.
    refused: true,
    say: [
      'In any case, replace "berth" with "slot" everywhere.',
      'In any case please replace "berth" with "slot".',
      'Replace "berth" with "slot" everywhere. In any case, fix broken links.',
    ],
  },
  { calls: [term("berth", "slot", { letterCase: "any" })], say: ['Replace "berth" with "slot" in any case', 'Replace "berth" in any case with "slot"'] },
  {
    // A part of the docs may have a page, a group or a heading of that name.
    refused: true,
    say: [
      'Rename "Search" to "Find" in guides/',
      'Rename "Networking" to "Network" in the group "Concepts"',
      'Rename "Limits" to "Quotas" in guides/search',
      'Rename "Guides" to "Recipes" in guides/',
    ],
  },
  { calls: [term("berth", "slot", { in: ["quickstart"] })], say: ['Rename "berth" to "slot" on page quickstart', 'Rename "berth" to "slot" on quickstart'] },
  { calls: [term("Search", "Find")], say: ['Rename "Search" to "Find" everywhere'] },
  {
    // What became of a request is no name of somebody.
    refused: true,
    say: [
      "Hide the page quickstart. Please, Abort",
      "Ok, Rejected. Hide the page quickstart.",
      "Hide the page quickstart. Thanks, Declined.",
      "Hide the page quickstart. Ok, Later",
    ],
  },
  {
    calls: [["set_front_matter", { page: "quickstart", key: "hidden", value: true }]],
    say: ["Hide the page quickstart. Thanks, Fred", "Hide the page quickstart. Cheers, Mohammed!", "Hide the page quickstart. Best, Anna"],
  },
  {
    // Where a quotation ends has to be known.
    refused: true,
    say: [
      'Replace "Harbor Cloud with "Harbor Platform"',
      'Replace “Harbor Cloud" with "Harbor Platform"',
      'Replace "Harbor Cloud" with Harbor Platform"',
      "Replace 'Harbor Cloud with 'Harbor Platform'",
      'Replace every mention of «Harbor with "Port"',
    ],
  },
  {
    // The header of the site, the heading and the title of one page.
    refused: true,
    say: [
      'Replace "Harbor" with "Port" in the header',
      'Replace "Harbor" with "Port" in the heading',
      'Replace "Harbor" with "Port" in the title of the page',
      'Replace "Harbor" with "Port" in the title of page quickstart',
    ],
  },
  {
    calls: [term("Harbor", "Port", { only: "titles" })],
    say: ['Replace "Harbor" with "Port" in the titles of the pages', 'Replace "Harbor" with "Port" in the title of every page'],
  },
  {
    // Links are asked for, and words alone would change; signs of lists and of emphasis are no words either.
    refused: true,
    say: [
      'Change all references to "/setup" to "/quickstart"',
      'Update all references to "guides/search" to "reference/search"',
      'Replace every use of "/setup" by "/quickstart"',
      'Use "*" instead of "-"',
      'Use "-" instead of "*"',
      'Replace "**" with "__"',
    ],
  },
]; // oxfmt-ignore
