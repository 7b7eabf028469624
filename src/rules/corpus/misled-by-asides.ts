import type { CorpusEntry } from "./entry.ts";

/** Words behind a name or beside it that say when, why or of what, and are no part of it; keys that are no front matter. */
export const misledByAsides: readonly CorpusEntry[] = [
  {
    refused: true,
    say: [
      "Rename the group Guides to Recipes today",
      "Rename the group Guides to Recipes before Friday",
      "Rename the group Guides to Recipes because users asked",
      "Rename the group Guides to Recipes unless legal objects",
      "Rename the group Guides to Recipes when ready",
      "Rename the group Guides to Recipes next week",
      "Rename the group Guides to Recipes first",
      "Rename the group Guides to Recipes via docs.json",
      "Rename the group Guides to Recipes so nobody complains",
      "Rename the group Guides to Recipes across all languages",
      "Rename the group Guides to Recipes Or Cookbook",
      "Rename the group Guides to Recipes alongside API",
      "The group Guides should be renamed to Recipes today",
      "Rename the page Search to Find soon",
      "Rename the page Search to Find if you agree",
      "Rename the page Search to Find keep url",
      "Rename the page Search to Find rather than Search",
      "Rename the page Search to Find per DOCS-12",
      "Rename the page Search to Find see #12",
      "Rename the page Search to Find thanks Bob",
      "Rename the page Search to Find\ncloses #12",
    ],
  },
  {
    refused: true,
    say: [
      'Set the API key on quickstart to "abc"',
      "Remove the API key from quickstart",
      "Remove the access key from api/tokens",
      "Remove the required field from api/tokens",
      'Change the primary key of api/tokens to "id"',
      'Give quickstart the API key "abc"',
      'Add the field "email" to api/tokens',
      'Add a key "audience" to quickstart',
      'Set another key on index to "x"',
      'Set this key of index to "x"',
    ],
  },
  {
    say: [
      'Set the key audience of quickstart to "all"',
      'Set the front matter key audience of quickstart to "all"',
      'Set the "audience" key of quickstart to "all"',
    ],
    calls: [["set_front_matter", { page: "quickstart", key: "audience", value: "all" }]],
  },
  // A word that says how the value shall be.
  {
    refused: true,
    say: [
      "Set the icon of quickstart to match",
      "Set the icon of quickstart to transparent",
      "Set the sidebar title of quickstart to abbreviated",
      "Set the tag of all pages in api/ to expire",
      "Set the icon of all pages in api/ to individual",
      "Set the sidebar title of quickstart to untranslated",
      "Set the icon of quickstart to lightgreen",
      "Set the icon of all pages in api/ to vary",
      "Set the sidebar title of quickstart to translated",
    ],
  },
  // A line above the request that names a part, with the word that is replaced.
  {
    refused: true,
    say: [
      'Quickstart page\n\nReplace "Quickstart" with "Tutorial"',
      'In the API docs\n\nReplace "API" with "interface"',
      'About the API pages\n\nReplace "API" with "interface"',
      'For the guides\n\nReplace "guides" with "recipes"',
      'The guides\n\nReplace "guides" with "recipes"',
      'guides/\n\nReplace "guides" with "recipes"',
      'Docs: guides\n\nReplace "guides" with "recipes"',
      'Headings\n\nReplace "headings" with "titles"',
      'Old API\n\nReplace "API" with "interface"',
    ],
  },
  // A paragraph behind a text that stands in the line of the request: of the text, or of the letter around it?
  {
    refused: true,
    say: [
      "Add a note to quickstart with the text: You need an account.\n\nLet me check with legal first.",
      "Add a note to quickstart with the text: You need an account.\n\nIn German: Sie brauchen ein Konto.",
      "Add a note to quickstart with the text: You need an account.\n\n---\nAnna Miller, Docs",
      "Add a note to quickstart with the text: You need an account.\n\nWhat do you think?",
      "Add a note to quickstart with the text: You need an account.\n\n/A",
      'Add a page titled "A" with the text: Run it.\n\n/assign @anna',
      'Add a page titled "A" with the text: Run it.\n\nGroup: Guides',
      'Add a page titled "A" with the text: Run it.\n\nGoes to Guides.',
      'Add a page titled "A" with the text: Run it.\n\nAnna will review.',
    ],
  },
  // A text that tells what shall be written, or where it stands.
  {
    refused: true,
    say: [
      "Add a note to quickstart with the text: First paragraph of index",
      "Add a note to quickstart with the text: Content of notes.txt",
      "Add a note to quickstart with the text: notes.txt",
      "Add a note to quickstart with the text: @notes.txt",
      "Add a note to quickstart with the text: Tell users that they need an account.",
      "Add a note to quickstart with the text: Warn about data loss.",
      "Add a note to quickstart with the text: Mention the new console.",
      "Add a note to quickstart with the text: Say that tokens expire.",
      "Add a note to quickstart with the text: Link to index.",
    ],
  },
  // For whom it is done.
  {
    refused: true,
    say: [
      'Replace "application" with "app" for support',
      'Replace "application" with "app" for guides',
      'Replace "berth" with "slot" for support',
      "Fix broken links for support",
      'Replace "berth" with "slot" for monitoring',
      'Replace "berth" with "slot" for the faq',
      "Add missing descriptions for support",
      "Fix broken links for support, please",
      "Add missing descriptions for install",
    ],
  },
  // The address of a page or an image, which would stay where it is.
  {
    refused: true,
    say: [
      '"guides/search" -> "reference/search"',
      '"search.md" -> "find.md"',
      'Rename "guides/search" to "reference/search" everywhere',
      'Change "search.mdx" to "find.mdx"',
      '"search.mdx" should be "find.mdx"',
      '"images/console.svg" -> "images/new.svg"',
      'Replace "images/console.svg" with "images/new.svg"',
    ],
  },
  // A way of writing, or a kind of thing, that no rule can bring about.
  {
    refused: true,
    say: [
      "Replace screenshots with diagrams everywhere",
      "Replace British English with American English",
      "Replace all instances of passive with active",
      "Replace contractions with abbreviations everywhere",
      "Replace diagrams with pictures everywhere",
      "Replace placeholders with values everywhere",
      "Replace typos with corrections everywhere",
      "Replace Roman Numerals with Arabic Numerals",
      "Replace Passive Voice with Active Voice",
    ],
  },
  // What became of the request, where a name would stand.
  {
    refused: true,
    say: [
      "Hide the page quickstart. Thanks, Nevermind",
      "Hide the page quickstart. Thanks, Abandon Ship",
      "Hide the page quickstart. Thanks, Withdrawn",
      "Hide the page quickstart. Thanks, Obsolete",
      "Hide the page quickstart. Thanks, Duplicate",
      "Hide the page quickstart. Thanks, Eventually",
      "Hide the page quickstart. Thanks, Undone",
      "Hide the page quickstart. Thanks, Partially",
      "Hide the page quickstart. Thanks, Temporarily",
    ],
  },
  // A wish about the title.
  {
    refused: true,
    say: [
      "Rename the page Search to Find ASAP",
      "Rename the page Search to Find TBD",
      "Rename the page Search to Match The Sidebar",
      "Rename the page Search to Match the sidebar",
      "Rename the page Search to Avoid confusion",
      "Rename the page Search to Be consistent",
      "Rename the group Guides to Match API",
      "Rename the group Guides to Be shorter",
    ],
  },
  // A page whose name begins with a comma.
  {
    refused: true,
    say: ["Hide the pages\n\nquickstart, index", 'Set the tag of\n\nquickstart to "Beta"'],
  },
  // A line above the request that says the same of all pages.
  {
    say: ["Hide all pages\n\nHide all pages in guides/"],
    calls: [["set_front_matter", { in: ["guides/"], key: "hidden", value: true }]],
  },
  {
    say: ["docs: remove the icon from all pages\n\nPlease remove the icon from all pages in guides/."],
    calls: [["set_front_matter", { in: ["guides/"], key: "icon", value: null }]],
  },
];
